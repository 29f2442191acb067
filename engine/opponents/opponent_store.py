"""The store of opponents and of the games with them: its values and its interface.

The state of a strength is a JSON object that the store does not read. `TransientStore` lasts as
long as the process; engine.opponents.store has a database.
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
from engine.opponents.server_rating import ServerRating
from engine.strength.elo_scale import EloScale

LONGEST_NAME = 200  # characters
MOST_RATED = 200  # players that a map of ratings is learned from
MOST_RATED_DEVIATION = 300.0  # Elo, of the strength of a player met often enough
INCOMPLETE = "?"  # SGF's unknown result, for a game that lacks moves and cannot be resumed


class StoreError(Exception):
    """The store cannot be read or written; the text gives the reason and holds no secrets."""


@dataclass(frozen=True, slots=True, order=True)
class OpponentName:
    """The identity of an opponent: an account on a server."""

    name: str  # of the account, or its number where the name may change
    server: str = ""  # "cgos" and so on; empty: a player on this machine
    alias: str = field(default="", compare=False)  # the shown name of a numbered account

    def __post_init__(self) -> None:
        """Raises SettingError quoting an impossible name or server."""
        for text in (self.name, self.server, self.alias):
            if len(text) > LONGEST_NAME or not text.isprintable():
                raise SettingError(f"not a name: {text[:LONGEST_NAME]!r}")
        if not self.name.strip():
            raise SettingError(f"not an opponent's name: {self.name!r}")

    def __str__(self) -> str:
        """Returns the name for people: "Ann (cgos)", "Ann (ogs/123)"."""
        if self.alias:
            return f"{self.alias} ({self.server}/{self.name})"
        return f"{self.name} ({self.server})" if self.server else self.name


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """An estimate of a strength, in Elo of the ladder."""

    mean: float
    low: float  # lower end of the 95% interval
    high: float  # upper end of the 95% interval


@dataclass(frozen=True, slots=True)
class RatedEvidence:
    """A rating at the first meeting, and the strength by our games alone."""

    rating: ServerRating
    mean: float  # Elo of the ladder
    deviation: float
    scale: EloScale | None = None  # of the ladder; None: unknown


@dataclass(frozen=True, slots=True)
class OpponentEntry:
    """The record of one opponent on one kind of board."""

    state: Mapping[str, Any]  # JSON values of engine.opponents.opponent
    games: int  # finished ones
    estimate: EloEstimate
    rated: RatedEvidence | None = None  # for the map of its server; a store need not read it


@dataclass(frozen=True, slots=True)
class EstimateAtTime:
    """An estimate and its time."""

    time: datetime
    estimate: EloEstimate


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game with an opponent, finished or not. A session loads it like a file's record."""

    opponent: OpponentName
    game_settings: GameSettings
    width: int
    height: int
    color: int  # our color
    persona: str = ""  # our persona, as text
    setup: tuple[tuple[int, int], ...] = ()  # (color, move)
    first_to_move: int = 0
    moves: tuple[tuple[int, int], ...] = ()  # (color, move)
    reasons: tuple[str, ...] = ()  # of each move; empty for the opponent's
    started: datetime | None = None  # None: now
    finished: datetime | None = None  # None: not yet
    result: str = ""  # as SGF writes it: "B+3.5", "W+R", "0" for a draw
    points: float | None = None  # ours: 1 won, 0.5 drawn, 0 lost; None: unknown
    fault: str = ""  # the reason, in words, for not resuming it; empty: it can be resumed

    @property
    def board(self) -> Board:
        """The game's kind and the size of its board."""
        return Board(self.game_settings.game, self.width, self.height)


@dataclass(frozen=True, slots=True)
class NewMoves:
    """A change of a game's moves: these replace the moves from number `start` on, from 0."""

    start: int
    moves: Sequence[tuple[int, int]]  # (color, move)
    reasons: Sequence[str]  # of each move, as in a StoredGame


@dataclass(frozen=True, slots=True)
class LateNote:
    """A note about a game, complete in itself, for a store that may lack it.

    The game has a number in the store, or is found by its opponent and its start, or is new.
    """

    number: int | None
    begun: StoredGame | None  # the game at its start; None: it began before this process
    new: NewMoves | None = None
    result: str = ""  # empty: the game goes on
    points: float | None = None  # ours


@dataclass(frozen=True, slots=True)
class OpponentSummary:
    """One opponent on one kind of board, as a row of a list."""

    opponent: OpponentName
    board: str  # empty: no strength is stored
    known: OpponentEntry | None
    last: datetime


Change = Callable[
    [OpponentEntry | None], OpponentEntry
]  # a function of the present entry, or of None


class OpponentStore(Protocol):
    """The interface of a store. Safe to use from several threads; all methods raise StoreError."""

    def prepare(self, seconds: float = 0.0) -> None:
        """Begins to open the store, and waits at most so long for it; raises nothing."""

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """Returns the opponent's entry for this kind of board; None: there is none."""

    def revise(
        self,
        opponent: OpponentName,
        board: Board,
        change: Change,
        *,
        game: int | None = None,
        new: NewMoves | None = None,
    ) -> OpponentEntry:
        """Changes the entry in one transaction, and returns the new one.

        `change` must not use the store. game: the history keeps one estimate a game, the last. new:
        moves of this game, stored in the same transaction.
        """

    def history(self, opponent: OpponentName, board: Board) -> tuple[EstimateAtTime, ...]:
        """Returns the estimates over time, oldest first."""

    def rated(
        self, server: str, board: Board, without: OpponentName | None = None
    ) -> tuple[RatedEvidence, ...]:
        """Returns the evidence about a server's other players, the latest MOST_RATED first.

        Evidence with a deviation above MOST_RATED_DEVIATION is left out.
        """

    def summaries(self) -> tuple[OpponentSummary, ...]:
        """Returns all opponents on all their boards, latest first."""

    def begin_game(self, game: StoredGame) -> int:
        """Stores a new game, and returns its number."""

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Stores moves; a deleted game stays deleted."""

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game. result: as SGF writes it. points: ours."""

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns the games without a result and their numbers, latest first."""

    def games(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns all games with an opponent and their numbers, latest first."""

    def close(self) -> None:
        """Closes files and connections."""


def utc_now() -> datetime:
    """Returns the time in UTC."""
    return datetime.now(UTC)


@dataclass
class TransientStore:
    """A store in this process's memory. Satisfies OpponentStore."""

    now: Callable[[], datetime] = utc_now
    _known: dict[tuple[OpponentName, Board], OpponentEntry] = field(default_factory=dict)
    _history: dict[tuple[OpponentName, Board], dict[object, EstimateAtTime]] = field(
        default_factory=dict
    )
    _games: list[StoredGame] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepare(self, seconds: float = 0.0) -> None:
        """Does nothing: the store is open."""

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """Returns the opponent's entry for this kind of board; None: there is none."""
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
        """Changes the entry, and returns the new one."""
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
        """Returns the estimates over time, oldest first."""
        with self._lock:
            return tuple(self._history.get((opponent, board), {}).values())

    def rated(
        self, server: str, board: Board, without: OpponentName | None = None
    ) -> tuple[RatedEvidence, ...]:
        """Returns the evidence about a server's other players, the latest MOST_RATED first."""
        latest = (
            row.known.rated
            for row in self.summaries()
            if row.opponent.server == server and row.opponent != without
            if row.board == board.name and row.known is not None
        )
        known = [each for each in latest if each is not None]
        return tuple(each for each in known if each.deviation <= MOST_RATED_DEVIATION)[:MOST_RATED]

    def summaries(self) -> tuple[OpponentSummary, ...]:
        """Returns all opponents on all their boards, latest first."""
        with self._lock:
            rows = [
                OpponentSummary(name, board.name, known, moments[-1].time)
                for (name, board), known in self._known.items()
                for moments in [tuple(self._history[name, board].values())]
            ]
        return tuple(sorted(rows, key=lambda row: row.last, reverse=True))

    def begin_game(self, game: StoredGame) -> int:
        """Stores a new game, and returns its number."""
        with self._lock:
            self._games.append(replace(game, started=game.started or self.now()))
            return len(self._games)

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Stores moves."""
        with self._lock:
            before = self._games[game - 1]
            self._games[game - 1] = replace(
                before,
                moves=(*before.moves[: new.start], *new.moves),
                reasons=(*before.reasons[: new.start], *new.reasons),
            )

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game. result: as SGF writes it. points: ours."""
        with self._lock:
            self._games[game - 1] = replace(
                self._games[game - 1], result=result, points=points, finished=self.now()
            )

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns the games without a result and their numbers, latest first."""
        games = self.games(opponent)
        return tuple((number, game) for number, game in games if game.finished is None)

    def games(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns all games with an opponent and their numbers, latest first."""
        with self._lock:
            numbered = list(enumerate(self._games, 1))
        return tuple(
            (number, game) for number, game in reversed(numbered) if game.opponent == opponent
        )

    def close(self) -> None:
        """Does nothing: no file or connection is open."""
