"""A GTP engine that does what its command line says: the bad company an engine may meet.

Moves are played from a list, then it passes. A step may also be a deed: `crash`, `hang`, `nonsense`
(junk lines before the answer), or `refuse` (answers `?`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path


class Engine:
    """Each command is a method that gives the whole answer, sign included."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.steps: Iterator[str] = iter(())

    def clear_board(self, *_: str) -> str:
        self.steps = iter(self.options.moves.split())
        return "= "

    def genmove(self, *_: str) -> str:
        step = next(self.steps, "pass")
        if self.options.visits:
            told = f"MALKOVICH:Visits {self.options.visits} Winrate 50%"
            print(told, file=sys.stderr, flush=True)
        if step == "crash":
            sys.exit("out of luck")
        if step == "hang":
            time.sleep(3600)
        return {"nonsense": "hello\n\n= E5", "refuse": "? not today"}.get(step, f"= {step}")

    def play(self, _color: str, vertex: str) -> str:
        return "? illegal move" if vertex == self.options.refuse_play else "= "

    def final_score(self, *_: str) -> str:
        return f"= {self.options.score}" if self.options.score else "? cannot score"

    def list_commands(self, *_: str) -> str:
        names = (
            "clear_board",
            "genmove",
            "play",
            "final_score",
            "list_commands",
            "kata-analyze",
            "quit",
            *(["kata-search_debug"] if self.options.account else []),
        )
        return "= list_commands\n" + "\n".join(names)

    def kata_analyze(self, *_: str) -> str:
        print("=", flush=True)
        for visits in (10, 20):
            print(f"info move D4 visits {visits} order 0 pv D4 Q16", flush=True)
        sys.stdin.readline()
        return "\n= 2"

    def kata_search_debug(self, *_: str) -> str:
        rows = 90 if self.options.override_config else 80
        for line in ("HASH: 1", "Time taken: 0.5", "Root visits: 100", f"NN rows: {rows}"):
            print(line, file=sys.stderr, flush=True)
        return "= E5"

    def unheard_of(self, *_: str) -> str:
        return "? unknown command"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", default="", help="what genmove answers, in turn, per game")
    parser.add_argument("--score", help="what final_score answers")
    parser.add_argument("--refuse-play", help="a vertex at which play is refused")
    parser.add_argument("--visits", type=int, help="told on stderr with each move, as KataGo does")
    parser.add_argument("--account", action="store_true", help="of kata-search_debug, on stderr")
    parser.add_argument("--network", help="a file that must exist")
    parser.add_argument("-override-config", action="append", help="as KataGo takes it")
    parser.add_argument("--die-at-start", action="store_true")
    options = parser.parse_args()
    if options.die_at_start:
        sys.exit("no network here")
    if options.network and not Path(options.network).is_file():
        sys.exit("no such network")
    engine = Engine(options)
    for line in sys.stdin:
        name, *words = line.split()
        command = getattr(engine, name.replace("-", "_"), lambda *_: "= ")
        print(command(*words) + "\n", flush=True)
        if name == "quit":
            return


if __name__ == "__main__":
    main()
