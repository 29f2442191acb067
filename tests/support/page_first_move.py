"""Measures the time from `sparring play` to the engine's first answer in Chromium.

`python -m tests.support.page_first_move ROUNDS` prints the medians, with nothing running before.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.support.browser import Player, Serving, browser_path


def measured(folder: Path) -> tuple[float, float, float, float]:
    """Seconds to the address, the board and the first answer; the engine's processor time."""
    began = time.monotonic()
    with (
        Serving(folder, "play", "--no-browser", persona="even") as serving,
        sync_playwright() as playwright,
    ):
        address = serving.address()
        listening = time.monotonic() - began
        path = browser_path()
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        player = Player(browser.new_page())
        player.page.goto(address)
        player.page.wait_for_selector(".cell.active")
        shown = time.monotonic() - began
        player.play("E5")
        answered = time.monotonic() - began
        used = processor_seconds(serving.process.pid)
        browser.close()
    return listening, shown, answered, used


def processor_seconds(process: int) -> float:
    """The processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(rounds: int) -> None:
    """Prints the medians of so many rounds."""
    rows = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measured(Path(folder)))
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    texts = ("address", "board", "answer", "the engine's processor time")
    print(", ".join(f"{text} {median:.2f} s" for text, median in zip(texts, medians, strict=True)))
    print("answers:", " ".join(f"{row[2]:.2f}" for row in rows))
    print("load:", *os.getloadavg())


if __name__ == "__main__":
    main(int(sys.argv[1]))
