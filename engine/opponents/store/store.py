"""Opponents and the games with them in a database, as the sessions of many processes share it.

Knows how the values of engine.opponents.opponent_store become rows and back. Does not know what a
strength's JSON says, nor how databases differ.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from engine.games.game_settings import settings_to_dict
from engine.games.table import Board
from engine.opponents.opponent_store import (
    Change,
    EstimateAtTime,
    LateNote,
    NewMoves,
    OpponentEntry,
    OpponentName,
    StoredGame,
    StoreError,
    utc_now,
)
from engine.opponents.store import models
from engine.opponents.store.database import BUSY_SECONDS, ConflictError, Database
from engine.opponents.store.late_notes import NotesError, left_beside, taken
from engine.opponents.store.place import StoreLocation
from engine.opponents.store.quick import Step
from engine.opponents.store.rows import (
    CHANGE_STRENGTH,
    CHANGE_STRENGTH_OF,
    FIND_OPPONENT,
    FIND_STRENGTH,
    GAMES,
    OPPONENTS,
    READ_STRENGTH,
    STRENGTHS,
    RowError,
    Written,
    board_of,
    estimate_added,
    estimate_changed,
    game_of,
    inserted,
    interval,
    known_of,
    moment_of,
    moves_added,
    name_of,
    named,
    note_estimate,
    note_moves,
    replayed,
    strength_of,
    told,
)

log = logging.getLogger("sparring")

A = TypeVar("A")
B = TypeVar("B")

MOST_WRITTEN = 256  # strengths that a store knows without asking
LONG_AGO = datetime.min.replace(tzinfo=UTC)  # of a time that cannot be read
MOST_BROKEN = 1000  # rows that it warns of


@dataclass(frozen=True, slots=True)
class OpponentSummary:
    """One opponent on one kind of board, as a list shows them."""

    opponent: OpponentName
    board: str  # empty: games were played, but nothing is known
    known: OpponentEntry | None
    last: datetime


class DatabaseStore:
    """A Memory in a database. Safe to use from several threads and processes."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now
        self._last: dict[tuple[OpponentName, Board], Written] = {}
        self._broken: set[str] = set()  # rows that were warned of

    @classmethod
    def open(
        cls,
        place: str,
        *,
        now: Callable[[], datetime] = utc_now,
        busy_seconds: float = BUSY_SECONDS,
    ) -> DatabaseStore:
        """The store at an SQLAlchemy URL or in an SQLite file, made where it is not there yet.

        busy_seconds: to wait for another process that uses an SQLite file. Raises StoreError.
        """
        store = cls(Database(StoreLocation.named(place), busy_seconds=busy_seconds), now=now)
        try:
            store.take_late_notes()
        except StoreError as error:  # games are not resumed before it succeeds
            log.warning("%s: late notes are taken later: %s", store._database.place, error)
        return store

    def close(self) -> None:
        """Closes all connections."""
        self._database.close()

    def prepare(self, seconds: float = 0.0) -> None:
        """Nothing: it is open."""

    # ---- What is known

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """What is known of an opponent there; None: nothing."""
        with self._database.reading() as session:
            return self._known(session.execute(READ_STRENGTH, told(opponent, board)).first())

    def revise(
        self,
        opponent: OpponentName,
        board: Board,
        change: Change,
        *,
        game: int | None = None,
        new: NewMoves | None = None,
    ) -> OpponentEntry:
        """What is known after a change to it, which nobody else's change comes between."""
        last = self._last.get((opponent, board))
        written = None if last is None else self._rewritten(last, change, game, new)
        if written is None:
            with self._database.writing() as connection:
                written = self._written(connection, opponent, board, change, game)
                note_estimate(connection, written)
                if game is not None and new is not None:
                    note_moves(connection, game, new)
        if len(self._last) >= MOST_WRITTEN:
            self._last.clear()
        self._last[opponent, board] = written
        return written.known

    def _rewritten(
        self, last: Written, change: Change, game: int | None, new: NewMoves | None
    ) -> Written | None:
        """What we wrote last, changed without reading it; None: nothing was written.

        As where somebody else changed it since, or moves were taken back.
        """
        if new is not None and not new.moves:
            return None
        known = change(last.known)
        values = self._values(known)
        written = Written(last.strength, values["updated"], known, game)
        same_game = game is not None and game == last.game
        steps = [
            Step(CHANGE_STRENGTH_OF, [{**last.conditions(), **values}]),
            estimate_changed(written) if same_game else estimate_added(written),
        ]
        if game is not None and new is not None:
            steps.append(moves_added(game, new))
        return written if self._database.quickly(*steps) else None

    def _written(
        self,
        connection: Connection,
        opponent: OpponentName,
        board: Board,
        change: Change,
        game: int | None,
    ) -> Written:
        """What is read now, changed."""
        who = told(opponent, board)
        found, owner = connection.execute(FIND_STRENGTH, who).first(), 0
        if found is None:
            owner = self._opponent(connection, opponent)
            found = connection.execute(FIND_STRENGTH, who).first()  # added by another meanwhile?
        known = change(self._known(found))
        values = self._values(known)
        if found is None:
            row = {"opponent_id": owner, "board": board.name, **values}
            strength = inserted(connection, STRENGTHS, row)
        else:
            strength = found.id
            connection.execute(CHANGE_STRENGTH, {"its_strength": strength, **values})
        return Written(strength, values["updated"], known, game)

    def _values(self, known: OpponentEntry) -> dict[str, Any]:
        """What is known as values of a row."""
        return {
            "state": dict(known.state),
            "games": known.games,
            "updated": self._now(),
            **interval(known.estimate),
        }

    def _opponent(self, connection: Connection, opponent: OpponentName) -> int:
        """The opponent's id, made where there is none; its row is locked until the end."""
        found = connection.scalar(FIND_OPPONENT, told(opponent))
        if found is None:
            values = {"name": opponent.name, "server": opponent.server, "since": self._now()}
            try:
                with connection.begin_nested():
                    return inserted(connection, OPPONENTS, values)
            except IntegrityError:  # another process made it just now
                found = connection.execute(FIND_OPPONENT, told(opponent)).scalar_one()
        return int(found)

    def history(self, opponent: OpponentName, board: Board) -> tuple[EstimateAtTime, ...]:
        """What was believed over time, oldest first."""
        with self._database.reading() as session:
            strength = session.scalar(strength_of(opponent, board))
            rows = [] if strength is None else strength.history
            return tuple(self._readable(moment_of, rows))

    # ---- Games

    def take_late_notes(self) -> None:
        """Writes what processes that are gone noted and this store did not take in time.

        A file that holds anything else stays as it is. Raises StoreError.
        """
        file = self._database.place.file
        for path in () if file is None else left_beside(file):
            try:
                with taken(path) as notes:
                    for note in notes:
                        self._take(note)
            except (NotesError, ConflictError, OverflowError, OSError) as error:
                log.warning("%s is left as it is: %s", path, error)

    def _take(self, note: LateNote) -> None:
        """Writes a note, which may be written already."""
        number = note.number
        if note.begun is not None and number is None:
            query = select(GAMES.c.id).join(OPPONENTS).where(*named(note.begun.opponent))
            with self._database.reading() as session:
                number = session.scalar(query.where(GAMES.c.started == note.begun.started))
            if number is None:
                number = self.begin_game(note.begun)
        if number is None:
            return
        if note.new is not None:
            self.note_moves(number, note.new)
        if note.result:
            self.note_result(number, note.result, note.points)

    def begin_game(self, game: StoredGame) -> int:
        """Keeps a game from now on; the number it is known by."""
        with self._database.writing() as connection:
            values = {
                "opponent_id": self._opponent(connection, game.opponent),
                "board": game.board.name,
                "terms": settings_to_dict(game.terms),
                "setup": [list(stone) for stone in game.setup],
                "first_to_move": game.first_to_move,
                "persona": game.persona,
                "color": game.color,
                "started": game.started or self._now(),
                "finished": game.finished,
                "result": game.result,
                "points": game.points,
            }
            if self._database.is_sqlite:
                values["id"] = self._unused_number(connection)
            number = inserted(connection, GAMES, values)
            if game.moves:
                step = moves_added(number, NewMoves(0, game.moves, game.reasons))
                connection.execute(step.statement, step.rows)
            return number

    def _unused_number(self, connection: Connection) -> int:
        """A number that no game had, for a session may still note moves in a deleted one.

        SQLite itself gives the number of the last row anew once that is deleted.
        """
        last = connection.scalar(select(func.max(GAMES.c.id))) or 0
        return max(last + 1, int(1000 * self._now().timestamp()))

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Notes what was played; nothing happens to a game that was deleted."""
        if new.moves and self._database.quickly(moves_added(game, new)):
            return
        # There are such moves already, or there is no such game any more.
        with self._database.writing() as connection:
            note_moves(connection, game, new)

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game: the result as SGF has it, and our points."""
        values = {"result": result, "points": points, "finished": self._now()}
        with self._database.writing() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == game), values)

    def games(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """All games with an opponent, with their numbers, the latest first."""
        return self._games(opponent, unfinished=False)

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Games that were begun and not ended, with their numbers, the latest first."""
        self.take_late_notes()  # of a process that was killed while this one was open
        return self._games(opponent, unfinished=True)

    def _games(
        self, opponent: OpponentName, *, unfinished: bool
    ) -> tuple[tuple[int, StoredGame], ...]:
        query = select(models.GameRow).join(models.OpponentRow).where(*named(opponent))
        if unfinished:
            query = query.where(models.GameRow.finished.is_(None))
        query = query.order_by(models.GameRow.started.desc(), models.GameRow.id.desc())

        def numbered(row: models.GameRow) -> tuple[int, StoredGame]:
            game = game_of(opponent, row)
            return row.id, replayed(game) if unfinished else game

        with self._database.reading() as session:
            return tuple(self._readable(numbered, session.scalars(query).all()))

    # ---- Rows that hold what they cannot

    def _readable(self, read: Callable[[A], B], rows: Sequence[A]) -> Iterator[B]:
        """Returns the content of the rows but for broken ones; the log tells of each of these."""
        for row in rows:
            try:
                yield read(row)
            except RowError as error:
                self._warn(error)

    def _known(self, row: object) -> OpponentEntry | None:
        """Returns the strength in its row; None where there is none, or it cannot be read."""
        return next(self._readable(known_of, [] if row is None else [row]), None)

    def _warn(self, error: RowError) -> None:
        text = str(error)
        if text not in self._broken and len(self._broken) < MOST_BROKEN:
            self._broken.add(text)
            log.warning("%s: it is taken for unknown: %s", self._database.place, text)

    # ---- All that is kept of somebody

    def names(self, name: str | None = None) -> tuple[OpponentName, ...]:
        """All opponents, or those of that name on every server, in order."""
        query = select(models.OpponentRow.name, models.OpponentRow.server)
        if name is not None:
            query = query.where(models.OpponentRow.name == name)
        with self._database.reading() as session:
            return tuple(sorted(self._readable(name_of, session.execute(query).all())))

    def summaries(self) -> tuple[OpponentSummary, ...]:
        """All opponents on all their boards, whoever was met last first."""
        with self._database.reading() as session:
            found = []
            latest = select(models.GameRow.opponent_id, func.max(models.GameRow.started))
            met = {
                row[0]: row[1]
                for row in session.execute(latest.group_by(models.GameRow.opponent_id))
            }
            for row in session.scalars(select(models.OpponentRow)):
                for name in self._readable(name_of, [row]):
                    times = [met.get(row.id), row.since]
                    last = max((at for at in times if isinstance(at, datetime)), default=LONG_AGO)
                    found += [
                        OpponentSummary(name, board.name, known, max(last, strength.updated))
                        for strength in row.strengths
                        for board in self._readable(board_of, [strength.board])
                        if (known := self._known(strength)) is not None
                    ] or [OpponentSummary(name, "", None, last)]
        return tuple(sorted(found, key=lambda found: found.last, reverse=True))

    def boards(self, opponent: OpponentName) -> tuple[Board, ...]:
        """The boards on which something is known of an opponent."""
        query = select(models.Strength.board).join(models.OpponentRow).where(*named(opponent))
        with self._database.reading() as session:
            return tuple(self._readable(board_of, sorted(session.scalars(query))))

    def delete(self, opponent: OpponentName) -> bool:
        """Forgets an opponent and all games with them; whether there was one.

        Raises StoreError where another process still holds what was deleted.
        """
        self.take_late_notes()  # taken later, they would bring games back
        with self._database.writing() as connection:
            found = connection.scalar(FIND_OPPONENT, told(opponent))
            if found is None:
                return False
            connection.execute(delete(OPPONENTS).where(OPPONENTS.c.id == found))
        self.forget_deleted()
        return True

    def forget_deleted(self) -> None:
        """Overwrites what was deleted. Raises StoreError where another process still holds it."""
        self._database.forget_deleted()
