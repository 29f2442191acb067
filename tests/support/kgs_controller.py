"""A controller that plays a game as kgsGtp does: its commands, their order, its checks of answers.

Order and checks are those of kgsGtp 3: one command at a time, only commands that the engine lists,
times of the engine's own clock, undo while a move is thought about, and the cleanup after a dispute
about dead stones. An answer at which kgsGtp would end the engine raises KgsError.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

VERTEX = re.compile(r"([a-hj-zA-HJ-Z])(\d\d?)|(?i:pass)")
REQUIRED = ("boardsize", "clear_board", "komi", "play", "genmove")
LONGEST_CHAT = 1000

Ask = Callable[[str], str]  # sends a line; returns the answer without its blank line


class KgsError(AssertionError):
    """An answer at which kgsGtp ends the engine."""


@dataclass
class KgsSettings:
    """The rules of a game on KGS."""

    size: int = 9
    rules: str = "japanese"
    komi: float = 6.5
    time: str = "byoyomi 600 30 5"  # as kgs-time_settings has it
    handicap: int = 0
    is_fixed: bool = False  # the places of the handicap stones


@dataclass
class KgsController:
    """One engine at kgsGtp; engine_color: "b" or "w"."""

    ask: Ask
    settings: KgsSettings = field(default_factory=KgsSettings)
    engine_color: str = "w"
    commands: frozenset[str] = frozenset()
    sent: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)  # in chat
    moves: list[tuple[str, str]] = field(default_factory=list)

    @property
    def their_color(self) -> str:
        """The opponent's color."""
        return "b" if self.engine_color == "w" else "w"

    def command(self, line: str) -> tuple[bool, str]:
        """Sends a line; returns whether it succeeded, and the text."""
        name = line.split(maxsplit=1)[0]
        if self.commands and "-" in name and name not in self.commands:
            raise KgsError(f"{name} is not listed, and is never sent")
        self.sent.append(line)
        answer = self.ask(line)
        if not answer or answer[0] not in "=?":
            raise KgsError(f"{line}: stray text {answer!r}")
        if "\n\n" in answer:
            raise KgsError(f"{line}: an empty line in {answer!r}")
        return answer[0] == "=", answer[1:].strip()

    def needed(self, line: str) -> str:
        """Sends a line that must succeed."""
        succeeded, text = self.command(line)
        if not succeeded:
            raise KgsError(f"{line}: {text}")
        return text

    def connect(self) -> None:
        """Asks the engine for its commands, its name and its version."""
        self.commands = frozenset(re.split(r"[\n ]", self.needed("list_commands")))
        for name in REQUIRED:
            if name not in self.commands:
                raise KgsError(f"the engine lacks {name}")
        self.needed("name")
        self.command("version")

    def challenged(self, size: int) -> bool:
        """Asks whether the engine plays on a board and with the time of the settings."""
        succeeded, _ = self.command(f"boardsize {size}")
        return succeeded and self.command(f"kgs-time_settings {self.settings.time}")[0]

    def start(self) -> None:
        """Begins a game: rules, board, komi, time, handicap."""
        self.command(f"kgs-rules {self.settings.rules}")
        self.synchronize()

    def synchronize(self) -> None:
        """Sends the state of the game from its start."""
        self.needed(f"boardsize {self.settings.size}")
        self.needed("clear_board")
        self.command(f"komi {self.settings.komi}")
        self.needed(f"kgs-time_settings {self.settings.time}")
        if self.settings.handicap and not self.moves:
            self._place_handicap()
        for color, vertex in self.moves:
            self.needed(f"play {color} {vertex}")

    def _place_handicap(self) -> None:
        number = self.settings.handicap
        if self.engine_color == "b" and not self.settings.is_fixed:
            stones = self.needed(f"place_free_handicap {number}").split(" ")
            if len(set(stones)) != number or not all(map(VERTEX.fullmatch, stones)):
                raise KgsError(f"handicap stones {stones}")
        else:
            stones = ["c3", "g7", "c7", "g3"][:number]
            self.needed(f"set_free_handicap {' '.join(stones)}")

    def opponent_plays(self, vertex: str) -> None:
        """Sends a move of the opponent."""
        self.needed(f"play {self.their_color} {vertex}")
        self.moves.append((self.their_color, vertex))

    def engine_plays(self, seconds: int = 600, stones: int = 0, *, cleanup: bool = False) -> str:
        """Asks the engine for its move, after the time on its clock; returns it."""
        self.command(f"time_left {self.engine_color} {seconds} {stones}")
        name = "kgs-genmove_cleanup" if cleanup else "genmove"
        text = self.needed(f"{name} {self.engine_color}")
        if text == "resign":
            return text
        if not VERTEX.fullmatch(text):
            raise KgsError(f"{name}: no vertex {text!r}")
        self.moves.append((self.engine_color, text.lower()))
        return text.lower()

    def undo(self, number: int = 1) -> None:
        """Takes moves back."""
        for _ in range(number):
            self.needed("undo")
            self.moves.pop()

    def dead_stones(self) -> Sequence[str]:
        """Asks for the dead stones; kgsGtp reads vertices between spaces and ends of lines."""
        stones = [
            each for each in re.split(r"[ \n]", self.needed("final_status_list dead")) if each
        ]
        for stone in stones:
            if stone.lower() == "pass" or not VERTEX.fullmatch(stone):
                raise KgsError(f"final_status_list: {stone!r}")
        return [stone.lower() for stone in stones]

    def chat(self, name: str, text: str, place: str = "game") -> str:
        """Sends a line of chat; returns the answer said, "talk" for that of the option `talk`."""
        succeeded, answer = self.command(f"kgs-chat {place} {name} {text}")
        if succeeded and not answer:
            raise KgsError("an empty line is said in chat")
        self.said.append(answer[:LONGEST_CHAT] if succeeded else "talk")
        return self.said[-1]

    def over(self) -> None:
        """Ends the game, by its score or by the opponent's leaving."""
        if "kgs-game_over" in self.commands:
            self.needed("kgs-game_over")
        self.moves.clear()
