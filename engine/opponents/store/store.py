"""The store of opponents in a database, shared by the sessions of many processes.

It stores the values of engine.opponents.opponent_store by engine.opponents.store.rows. The JSON of
a strength's state is stored unread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
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
    OpponentSummary,
    RatedEvidence,
    StoredGame,
    StoreError,
    utc_now,
)
from engine.opponents.store import models
from engine.opponents.store.database import BUSY_SECONDS, ConflictError, Database
from engine.opponents.store.late_notes import NotesError, left_beside, taken
from engine.opponents.store.links import AccountLinks
from engine.opponents.store.lists import summaries
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
    entry_values,
    estimate_added,
    estimate_changed,
    evidence_of,
    game_of,
    inserted,
    known_of,
    moment_of,
    moves_added,
    name_of,
    named,
    note_estimate,
    note_moves,
    parameters_of,
    rated_in,
    replayed,
    strength_of,
)

log = logging.getLogger("sparring")

A = TypeVar("A")
B = TypeVar("B")

MOST_WRITTEN = 256  # strengths cached in this process
MOST_BROKEN = 1000  # rows with a warning of their own


class DatabaseStore:
    """An OpponentStore in a database. Safe to use from several threads and processes."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now
        self.links = AccountLinks(database, now)
        self._records: dict[OpponentName, OpponentName] = {}  # of linked accounts, at a recall
        self._last: dict[tuple[OpponentName, Board], Written] = {}
        self._broken: set[str] = set()  # texts of warnings

    @classmethod
    def open(
        cls,
        place: str,
        *,
        now: Callable[[], datetime] = utc_now,
        busy_seconds: float = BUSY_SECONDS,
    ) -> DatabaseStore:
        """Opens the store at an SQLAlchemy URL or in an SQLite file, or makes it.

        busy_seconds: to wait for another process in an SQLite file. Raises StoreError.
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
        """Does nothing: the store is open."""

    # ---- Strengths

    def recall(self, opponent: OpponentName, board: Board) -> OpponentEntry | None:
        """Returns the opponent's entry for this kind of board; None: there is none.

        The entry of a linked account is that of the other one, until the next recall.
        """
        record = self.links.record_of(opponent)
        if len(self._records) >= MOST_WRITTEN:
            self._records.clear()
        self._records[opponent] = record
        with self._database.reading() as session:
            row = session.execute(READ_STRENGTH, parameters_of(record, board)).first()
            return self._known(row)

    def revise(
        self,
        opponent: OpponentName,
        board: Board,
        change: Change,
        *,
        game: int | None = None,
        new: NewMoves | None = None,
    ) -> OpponentEntry:
        """Changes the entry in one transaction, and returns the new one."""
        opponent = self._records.get(opponent, opponent)
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
        """Changes our last written entry without reading it; None: nothing was written.

        The reason can be another process's change, or moves taken back.
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
        """Reads the entry, and writes it changed."""
        parameters = parameters_of(opponent, board)
        row, owner = connection.execute(FIND_STRENGTH, parameters).first(), 0
        if row is None:
            owner = self._opponent(connection, opponent)
            # Another process may have added it meanwhile.
            row = connection.execute(FIND_STRENGTH, parameters).first()
        known = change(self._known(row))
        values = self._values(known)
        if row is None:
            new = {"opponent_id": owner, "board": board.name, **values}
            strength = inserted(connection, STRENGTHS, new)
        else:
            strength = row.id
            connection.execute(CHANGE_STRENGTH, {"its_strength": strength, **values})
        return Written(strength, values["updated"], known, game)

    def _values(self, known: OpponentEntry) -> dict[str, Any]:
        """Returns an entry as values of a row, with the time."""
        return {**entry_values(known), "updated": self._now()}

    def _opponent(self, connection: Connection, opponent: OpponentName) -> int:
        """Returns the opponent's id, and makes a missing row; locks the row to the end."""
        key = connection.scalar(FIND_OPPONENT, parameters_of(opponent))
        if key is None:
            values = {**asdict(opponent), "since": self._now()}
            try:
                with connection.begin_nested():
                    return inserted(connection, OPPONENTS, values)
            except IntegrityError:  # another process made it just now
                key = connection.execute(FIND_OPPONENT, parameters_of(opponent)).scalar_one()
        if opponent.alias:
            renamed = update(OPPONENTS).where(OPPONENTS.c.id == key)
            connection.execute(renamed, {"alias": opponent.alias})
        return int(key)

    def history(self, opponent: OpponentName, board: Board) -> tuple[EstimateAtTime, ...]:
        """Returns the estimates over time, oldest first."""
        record = self.links.record_of(opponent)
        with self._database.reading() as session:
            strength = session.scalar(strength_of(record, board))
            rows = [] if strength is None else strength.history
            return tuple(self._readable(moment_of, rows))

    def rated(
        self, server: str, board: Board, without: OpponentName | None = None
    ) -> tuple[RatedEvidence, ...]:
        """Returns the evidence about a server's other players, the latest MOST_RATED first."""
        with self._database.reading() as session:
            rows = session.execute(rated_in(server, board, without)).all()
            return tuple(self._readable(evidence_of, rows))

    # ---- Games

    def take_late_notes(self) -> None:
        """Writes the late notes of ended processes. Raises StoreError.

        A file with anything else stays as it is.
        """
        for path in left_beside(self._database.place.notes):
            try:
                with taken(path) as notes:
                    for note in notes:
                        self._take(note)
            except (NotesError, ConflictError, OverflowError, OSError) as error:
                log.warning("%s is left as it is: %s", path, error)

    def _take(self, note: LateNote) -> None:
        """Writes a note; it may be written already."""
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
        """Stores a new game, and returns its number."""
        with self._database.writing() as connection:
            values = {
                "opponent_id": self._opponent(connection, game.opponent),
                "board": game.board.name,
                "terms": settings_to_dict(game.game_settings),
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
        """Returns a number without any earlier game: a session may still write to a deleted one.

        SQLite itself reuses the number of a deleted last row.
        """
        last = connection.scalar(select(func.max(GAMES.c.id))) or 0
        return max(last + 1, int(1000 * self._now().timestamp()))

    def note_moves(self, game: int, new: NewMoves) -> None:
        """Stores moves; does nothing for a deleted game."""
        if new.moves and self._database.quickly(moves_added(game, new)):
            return
        # These moves are stored already, or the game is deleted.
        with self._database.writing() as connection:
            note_moves(connection, game, new)

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game. result: as SGF writes it. points: ours."""
        values = {"result": result, "points": points, "finished": self._now()}
        with self._database.writing() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == game), values)

    def games(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns all games with an opponent and their numbers, latest first."""
        return self._games(opponent, unfinished=False)

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, StoredGame], ...]:
        """Returns the games without a result and their numbers, latest first."""
        self.take_late_notes()  # of processes killed since the store was opened
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

    # ---- Broken rows

    def _readable(self, read: Callable[[A], B], rows: Sequence[A]) -> Iterator[B]:
        """Yields the rows' values; broken rows are logged and left out."""
        for row in rows:
            try:
                yield read(row)
            except RowError as error:
                self._warn(error)

    def _known(self, row: object) -> OpponentEntry | None:
        """Returns the entry in a row; None without a row, or for a broken one."""
        return next(self._readable(known_of, [] if row is None else [row]), None)

    def _warn(self, error: RowError) -> None:
        text = str(error)
        if text not in self._broken and len(self._broken) < MOST_BROKEN:
            self._broken.add(text)
            log.warning("%s: it is taken for unknown: %s", self._database.place, text)

    # ---- Lists and deletion

    def names(self, name: str | None = None) -> tuple[OpponentName, ...]:
        """Returns all opponents, or those of this name or shown name on all servers, sorted."""
        row = models.OpponentRow
        query = select(row.name, row.server, row.alias)
        if name is not None:
            query = query.where((row.name == name) | (row.alias == name))
        with self._database.reading() as session:
            return tuple(sorted(self._readable(name_of, session.execute(query).all())))

    def summaries(self) -> tuple[OpponentSummary, ...]:
        """Returns all opponents on all their boards, latest game first."""
        with self._database.reading() as session:
            return summaries(session, self._readable, self._known)

    def boards(self, opponent: OpponentName) -> tuple[Board, ...]:
        """Returns the boards with a stored strength of the opponent."""
        query = select(models.Strength.board).join(models.OpponentRow).where(*named(opponent))
        with self._database.reading() as session:
            return tuple(self._readable(board_of, sorted(session.scalars(query))))

    def delete(self, opponent: OpponentName) -> bool:
        """Deletes an opponent and all games with it. Returns whether there was one.

        Raises StoreError if another process still holds the deleted rows.
        """
        self.take_late_notes()  # taken later, they would bring games back
        with self._database.writing() as connection:
            key = connection.scalar(FIND_OPPONENT, parameters_of(opponent))
            if key is None:
                return False
            connection.execute(delete(OPPONENTS).where(OPPONENTS.c.id == key))
        self.forget_deleted()
        return True

    def forget_deleted(self) -> None:
        """Overwrites deleted rows. Raises StoreError if another process still holds them."""
        self._database.forget_deleted()
