"""An engine that holds one conversation, word for word: the good company an engine may meet.

The transcript has the controller's lines after `<`, its own after `>`, and deeds after `!`:
`crash`, `hang`, `flood` (lines without end), `babble` (long lines and bytes that are no text).
Another line than the transcript's ends it with a message.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path


def say(line: str) -> None:
    print(line, flush=True)


def do(deed: str) -> None:
    if deed == "crash":
        sys.exit("out of luck")
    if deed == "hang":
        time.sleep(3600)
    if deed == "babble":
        say("x" * 3_000_000)
        sys.stdout.buffer.write(b"\xff\xfe\x00\r\n\n")
        print("y" * 3_000_000, file=sys.stderr, flush=True)
    while deed == "flood":
        say("nonsense")


def main() -> None:
    lines = Path(sys.argv[1]).read_text().splitlines()
    for line in lines:
        sign, _, text = line.partition(" ")
        if sign == "<":
            heard = sys.stdin.readline().rstrip("\n")
            if heard != text:
                sys.exit(f"expected {text!r}, heard {heard!r}")
        elif sign == ">":
            say(text)
        elif sign == "!":
            do(text)
    if (heard := sys.stdin.readline().rstrip("\n")) not in {"", "quit"}:
        sys.exit(f"expected nothing more, heard {heard!r}")


if __name__ == "__main__":
    main()
