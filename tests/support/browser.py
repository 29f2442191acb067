"""A headless Chromium for the tests of the page, where playwright and a browser are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.paths import ROOT

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FOLDERS = f"{os.environ.get('PATH', os.defpath)}:/usr/lib/chromium:/usr/lib/chromium-browser"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 60_000  # milliseconds; the machine may be busy


def browser_path() -> str | None:
    """The path of the first browser that is there."""
    found = (shutil.which(name, path=FOLDERS) for name in BROWSERS)
    return next(filter(None, found), None)


class Serving:
    """A `sparring play` or `sparring serve` in a folder, with a store of its own.

    persona: of its games; level:0 plays at random. variables: of the environment.
    """

    def __init__(
        self, folder: Path, *words: str, persona: str = "level:0", **variables: str
    ) -> None:
        self.environment = (
            os.environ
            | variables
            | {
                "SPARRING_SOCKET": str(folder / "sparring.sock"),
                "SPARRING_STORE": str(folder / "opponents.sqlite3"),
                "SPARRING_PERSONA": persona,
            }
        )
        self.process = subprocess.Popen(
            [sys.executable, "-m", "protocols.cli", *words],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )

    def address(self) -> str:
        """The address that `sparring play` prints first."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().split()[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Player:
    """A person at the page: clicks, waits and reads. page: of playwright."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.messages: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))

    def moves(self) -> int:
        """The number of moves played."""
        return int(self.page.inner_text(".moves summary").split()[0])

    def headline(self) -> str:
        """The turn or the result, once the engine does not think."""
        self.page.wait_for_selector(".headline:not(:has-text('thinking'))")
        return str(self.page.inner_text(".headline"))

    def begin(self, board: str, **choices: str) -> None:
        """Begins a game by the dialog. choices: texts of options, by the label of the choice."""
        self.page.click("text=New game")
        self.page.select_option("label:has-text('Game') select", label=board)
        for label, option in choices.items():
            self.page.select_option(f"label:has-text('{label}') select", label=option)
        self.page.click("text=Start")
        self.page.wait_for_selector(f".title:has-text('{board}')")
        self.page.wait_for_selector(".moves summary:text-matches('^[01] moves')")

    def move(self, start: str, end: str | None = None) -> None:
        """Clicks on a piece and on its target, by default the first one; waits for the answer."""
        before = self.moves()
        self.page.click(f'[data-move="{start}"]')
        self.page.locator(".cell.target" if end is None else f'[data-move="{end}"]').first.click()
        self.wait_beyond(before)

    def play(self, move: str | None = None) -> None:
        """Clicks on a cell, the first possible one by default, and waits for the answer."""
        before = self.moves()
        cells = ".cell.active" if move is None else f'[data-move="{move}"]'
        self.page.locator(cells).first.click()
        self.wait_beyond(before)

    def resign(self) -> None:
        """Resigns by two clicks."""
        self.page.click("text=Resign")
        self.page.click("text=Really resign?")

    def serious(self) -> list[str]:
        """The serious and critical findings of axe-core on the page as it stands."""
        result = self.page.evaluate("() => axe.run()")
        return [
            f"{each['id']}: {node['html'][:200]}"
            for each in result["violations"]
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"]
        ]

    def wait_beyond(self, moves: int) -> None:
        """Waits until more moves are played and the person is to move, or the game has ended."""
        self.page.wait_for_selector(f".moves summary:not(:text-matches('^{moves} moves'))")
        self.headline()


Open = Callable[..., Player]  # opens the page for a person
