"""The agreement of one online game: board, rules, our color, the opponent and the time control."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OnlineOpponent:
    """The opponent of an online game, by the server's words. None: the server does not say."""

    name: str  # shown on the server
    server: str  # the server's name in the engine's store, such as "cgos"
    account: str = ""  # the identity on the server where names may change; empty: the name
    pool: str = ""  # the games of the rating: "overall", a board such as "9x9", a speed
    rating: float | None = None  # on the server's scale
    deviation: float | None = None  # of the rating, on the same scale
    games: int | None = None  # rated games behind the rating
    is_provisional: bool = False
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class OnlineTimeControl:
    """A time control, in the words of GTP's kata-time_settings."""

    system: str = "none"  # none, absolute, fischer, fischer-capped, byoyomi, canadian
    numbers: tuple[float, ...] = ()

    @property
    def text(self) -> str:
        """The arguments of kata-time_settings.

        >>> OnlineTimeControl("byoyomi", (300, 30, 5)).text
        'byoyomi 300 30 5'
        """
        return " ".join([self.system, *(f"{number:g}" for number in self.numbers)])

    @property
    def increment(self) -> float:
        """The seconds added to the main time after each move."""
        return self.numbers[1] if self.system.startswith("fischer") else 0.0

    def pace(self, area: int) -> float:
        """Returns the seconds of a move in a long game on a board of so many points.

        >>> OnlineTimeControl.fischer(60, 5).pace(80), OnlineTimeControl.canadian(0, 60, 5).pace(80)
        (6.5, 12.0)
        """
        if not self.numbers:
            return math.inf
        stones = self.numbers[2] if self.system == "canadian" else 1
        overtime = self.numbers[1] / stones if self.system in ("canadian", "byoyomi") else 0.0
        return self.numbers[0] / (area / 2) + self.increment + overtime

    def is_too_fast(self, area: int, move_seconds: float) -> bool:
        """Tests whether moves of so many seconds may lose on time: half the pace is spare."""
        return self.pace(area) < 2 * move_seconds

    @classmethod
    def absolute(cls, main: float) -> OnlineTimeControl:
        """Returns a control of main time alone, in seconds."""
        return cls("absolute", (main,))

    @classmethod
    def fischer(cls, main: float, increment: float, cap: float | None = None) -> OnlineTimeControl:
        """Returns a control with an increment a move, in seconds; cap: the most main time."""
        if cap is None:
            return cls("fischer", (main, increment))
        return cls("fischer-capped", (main, increment, max(cap, main), -1))

    @classmethod
    def byoyomi(cls, main: float, period: float, periods: int) -> OnlineTimeControl:
        """Returns a control with periods of one move, in seconds."""
        return cls("byoyomi", (main, period, periods))

    @classmethod
    def canadian(cls, main: float, period: float, stones: int) -> OnlineTimeControl:
        """Returns a control with so many moves in every period, in seconds."""
        return cls("canadian", (main, period, stones))

    @classmethod
    def each_move(cls, seconds: float) -> OnlineTimeControl:
        """Returns a control of so many seconds for every move."""
        return cls("byoyomi", (0.0, seconds, 1))


NO_LIMIT = OnlineTimeControl()


def color_names(game: str) -> tuple[str, str]:
    """Returns the names of colors 0 and 1, the first to move and the other.

    >>> color_names("go"), color_names("chess")
    (('black', 'white'), ('white', 'black'))
    """
    return ("white", "black") if game == "chess" else ("black", "white")


@dataclass(frozen=True, slots=True)
class OnlineMove:
    """A move as the engine's GTP spells it: "D4", "f5", "4", "e2e4", "pass"."""

    color: int  # 0: the first to move
    text: str

    def __eq__(self, other: object) -> bool:
        """Compares color and text; letters in either case are equal."""
        if not isinstance(other, OnlineMove):
            return NotImplemented
        return (self.color, self.text.lower()) == (other.color, other.text.lower())

    def __hash__(self) -> int:
        return hash((self.color, self.text.lower()))


@dataclass(frozen=True, slots=True)
class GameSetup:
    """One online game before its first move."""

    id: str  # of the game on its server
    color: int  # ours; 0: the first to move
    opponent: OnlineOpponent
    game: str = "go"  # go, othello, connect4, chess
    width: int = 19
    height: int = 19
    rules: str | None = None  # of Go, as kata-set-rules has them; None: the engine's usual ones
    komi: float | None = None  # of Go; None: the usual one
    stones: tuple[OnlineMove, ...] = ()  # on the board before the first move
    first_to_move: int = 0
    start: str = ""  # of chess, as `sparring-start` takes it; empty: the usual one
    time_control: OnlineTimeControl = field(default=NO_LIMIT)
    speed: str = ""  # in the server's words
    is_rated: bool = False

    @property
    def summary(self) -> str:
        """The opponent, the board and our color, for the log.

        >>> GameSetup("7", 1, OnlineOpponent("ann", "ogs", rating=1246.4), speed="live").summary
        "White against 'ann' (1246), go 19x19, live, no limit of time"
        """
        other, control = self.opponent, self.time_control.text
        rating = "" if other.rating is None else f" ({other.rating:.0f})"
        speed = f", {self.speed}" if self.speed else ""
        times = "no limit of time" if control == "none" else control
        color = color_names(self.game)[self.color].capitalize()
        board = f"{self.game} {self.width}x{self.height}{speed}, {times}"
        return f"{color} against {other.name!a}{rating}, {board}"


@dataclass(frozen=True, slots=True)
class OnlineResult:
    """The end of an online game."""

    winner: int | None  # color; None: drawn or without a result
    reason: str = ""  # "resign", "time", "illegal", a number of points, "draw" or "abort"

    def text(self, game: str) -> str:
        """Returns the result as SGF and CGOS write it.

        >>> OnlineResult(0, "7.5").text("go"), OnlineResult(0, "time").text("chess")
        ('B+7.5', 'W+Time')
        """
        if self.winner is None:
            return "Abort" if self.reason == "abort" else "Draw"
        letter = color_names(game)[self.winner][0].upper()
        return f"{letter}+{self.reason.capitalize() or 'Resign'}"
