"""What the engine remembers of its opponents and of the games with them, and where it keeps it.

Knows the values and the questions. Does not know how a strength is described: that is a JSON object
whose owner reads it. `TransientStore` forgets with the process; engine.store keeps it on disk.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from engine.errors import SettingError
from engine.games.game_settings import GameSettings
from engine.games.table import Board

LONGEST_NAME = 200  # characters
INCOMPLETE = "?"  # the result of a game that lacks moves, as SGF has it: nobody resumes it


class StoreError(Exception):
    """What is remembered cannot be read or written; the text says why and holds no secrets."""


@dataclass(frozen=True, slots=True, order=True)
class OpponentName:
    """Who an opponent is: a name, and the server that gives it its meaning."""

    name: str
    server: str = ""  # "cgos" and so on; empty: whoever plays here

    def __post_init__(self) -> None:
        """SettingError quotes a name or server that nobody can have."""
        for text in (self.name, self.server):
            if len(text) > LONGEST_NAME or not text.isprintable():
                raise SettingError(f"not a name: {text[:LONGEST_NAME]!r}")
        if not self.name.strip():
            raise SettingError(f"not an opponent's name: {self.name!r}")

    def __str__(self) -> str:
        """As people read it."""
        return f"{self.name} ({self.server})" if self.server else self.name


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """How strong somebody is believed to be, in Elo of the ladder."""

    mean: float
    low: float  # with probability .95 between low and high
    high: float


@dataclass(frozen=True, slots=True)
class OpponentEntry:
    """What is known of one opponent on one kind of board."""

    state: Mapping[str, Any]  # plain values as JSON has them; their owner knows what they mean
    games: int  # finished ones
    estimate: EloEstimate


@dataclass(frozen=True, slots=True)
class EstimateAtTime:
    """What was believed at a time."""

    time: datetime
    estimate: EloEstimate


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game with an opponent, as far as it has gone. It can be loaded as a file's record can."""

    opponent: OpponentName
    terms: GameSettings
    width: int
    height: int
    color: int  # ours
    persona: str = ""  # how we played, as text
    setup: tuple[tuple[int, int], ...] = ()  # (color, move)
    first_to_move: int = 0
    moves: tuple[tuple[int, int], ...] = ()  # (color, move)
    reasons: tuple[str, ...] = ()  # of each move; empty where it was not ours
    started: datetime | None = None  # None: now
    finished: datetime | None = None  # None: not yet
    result: str = ""  # as SGF has it: "B+3.5", "W+R", "0" for a draw
    points: float | None = None  # ours: 1 won, 0.5 drawn, 0 lost; None: unknown
    fault: str = ""  # why it cannot be resumed, in words; empty: it can

    @property
    def board(self) -> Board:
        """What it is played on."""
        return Board(self.terms.game, self.width, self.height)


@dataclass(frozen=True, slots=True)
class NewMoves:
    """What was played in a game: its moves from the `start`th on, counted from 0, are these now."""

    start: int
    moves: Sequence[tuple[int, int]]  # (color, move)
    reasons: Sequence[str]  # of each, as a StoredGame has them


@dataclass(frozen=True, slots=True)
class LateNote:
    """A note about a game that the memory may lack, complete in itself.

    The game has a number in the memory, or is found by its opponent and its start, or begins.
    """

    number: int | None
    begun: StoredGame | None  # as it began; None: before this process
    new: NewMoves | None = None
    result: str = ""  # empty: it goes on
    points: float | None = None


Change = Callable[[OpponentEntry | None], OpponentEntry]  # None: nothing is known yet


class OpponentStore(Protocol):
    """What a session asks of it. Safe to use from several threads; all raise StoreError."""

    def prepare(self, seconds: float = 0.0) -> None:
        """Begins to open what is not open yet, and waits so long for it; raises nothing."""

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """What is known of an opponent there; None: nothing."""

    def revise(
        self,
        opponent: OpponentName,
        board: Board,
        change: Change,
        *,
        game: int | None = None,
        new: NewMoves | None = None,
    ) -> OpponentEntry:
        """What is known after a change to it, which nobody else's change comes between.

        `change` must not use the memory. Of one game the history keeps the last estimate only.
        new: of that game; these are noted with it, or neither is.
        """

    def history(self, opponent: OpponentName, board: Board) -> tuple[EstimateAtTime, ...]:
        """What was believed over time, oldest first."""

    def begin_game(self, game: StoredGame) -> int:
        """Keeps a game from now on; the number it is known by."""

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Notes what was played; nothing happens to a game that was deleted."""

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game: the result as SGF has it, and our points."""

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Games that were begun and not ended, with their numbers, the latest first."""

    def close(self) -> None:
        """Lets go of what it holds."""


def utc_now() -> datetime:
    """The time, as a memory notes it."""
    return datetime.now(UTC)


@dataclass
class TransientStore:
    """A memory that is gone with the process. Satisfies Memory."""

    now: Callable[[], datetime] = utc_now
    _known: dict[tuple[OpponentName, Board], OpponentEntry] = field(default_factory=dict)
    _history: dict[tuple[OpponentName, Board], dict[object, EstimateAtTime]] = field(
        default_factory=dict
    )
    _games: list[StoredGame] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepare(self, seconds: float = 0.0) -> None:
        """Nothing: it is open."""

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """What is known of an opponent there; None: nothing."""
        return self._known.get((opponent, board))

    def revise(
        self,
        opponent: OpponentName,
        board: Board,
        change: Change,
        *,
        game: int | None = None,
        new: NewMoves | None = None,
    ) -> OpponentEntry:
        """What is known after a change to it."""
        key = opponent, board
        with self._lock:
            known = change(self._known.get(key))
            self._known[key] = known
            moments = self._history.setdefault(key, {})
            about = object() if game is None else game
            moments.pop(about, None)
            moments[about] = EstimateAtTime(self.now(), known.estimate)
        if game is not None and new is not None:
            self.note_moves(game, new)
        return known

    def history(self, opponent: OpponentName, board: Board) -> tuple[EstimateAtTime, ...]:
        """What was believed over time, oldest first."""
        with self._lock:
            return tuple(self._history.get((opponent, board), {}).values())

    def begin_game(self, game: StoredGame) -> int:
        """Keeps a game from now on; the number it is known by."""
        with self._lock:
            self._games.append(replace(game, started=game.started or self.now()))
            return len(self._games)

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Notes what was played."""
        with self._lock:
            before = self._games[game - 1]
            self._games[game - 1] = replace(
                before,
                moves=(*before.moves[: new.start], *new.moves),
                reasons=(*before.reasons[: new.start], *new.reasons),
            )

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game."""
        with self._lock:
            self._games[game - 1] = replace(
                self._games[game - 1], result=result, points=points, finished=self.now()
            )

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Games that were begun and not ended, the latest first."""
        with self._lock:
            numbered = list(enumerate(self._games, 1))
        return tuple(
            (number, game)
            for number, game in reversed(numbered)
            if game.opponent == opponent and game.finished is None
        )

    def close(self) -> None:
        """Nothing: it holds nothing."""
