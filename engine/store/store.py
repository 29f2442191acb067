"""Opponents and the games with them in a database, as the sessions of many processes share it.

Knows how the values of engine.memory become rows and back. Does not know what a strength's JSON
says, nor how databases differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.games import Board
from engine.memory import Change, Estimate, KeptGame, Known, Moment, OpponentName, utc_now
from engine.store import models
from engine.store.database import Database
from engine.store.place import Place
from engine.store.rows import add_moves, estimate_of, game_of, known_of, named, put, strength_of
from engine.terms import terms_dict


@dataclass(frozen=True, slots=True)
class Summary:
    """One opponent on one kind of board, as a list shows them."""

    opponent: OpponentName
    board: str  # empty: games were played, but nothing is known
    known: Known | None
    last: datetime


class Store:
    """Satisfies engine.memory.Memory. Safe to use from several threads and processes."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    @classmethod
    def open(cls, place: str, *, now: Callable[[], datetime] = utc_now) -> Store:
        """The store at an SQLAlchemy URL or in an SQLite file, made where it is not there yet.

        Raises StoreError.
        """
        return cls(Database(Place.named(place)), now=now)

    def close(self) -> None:
        """Closes all connections."""
        self._database.close()

    # ---- What is known

    def recall(self, opponent: OpponentName, board: Board) -> Known | None:
        """What is known of an opponent there; None: nothing."""
        with self._database.reading() as session:
            strength = session.scalar(strength_of(opponent, board))
            return None if strength is None else known_of(strength)

    def revise(
        self, opponent: OpponentName, board: Board, change: Change, *, game: int | None = None
    ) -> Known:
        """What is known after a change to it, which nobody else's change comes between."""
        with self._database.writing() as session:
            row = self._opponent(session, opponent)
            strength = session.scalar(strength_of(opponent, board))
            known = change(None if strength is None else known_of(strength))
            if strength is None:
                strength = models.Strength(opponent_id=row.id, board=board.name)
                session.add(strength)
            strength.state, strength.games = dict(known.state), known.games
            strength.updated = self._now()
            put(strength, known.estimate)
            session.flush()
            self._note_estimate(session, strength, known.estimate, game)
        return known

    def _note_estimate(
        self, session: Session, strength: models.Strength, estimate: Estimate, game: int | None
    ) -> None:
        """One row of the history; of a game that is still kept the same one again."""
        found = None
        if game is not None and session.get(models.Game, game) is None:
            game = None  # it was deleted while it was played
        if game is not None:
            same = models.Estimated.strength_id == strength.id, models.Estimated.game_id == game
            found = session.scalar(select(models.Estimated).where(*same))
        if found is None:
            found = models.Estimated(strength_id=strength.id, game_id=game)
            session.add(found)
        found.time = strength.updated
        put(found, estimate)

    def _opponent(self, session: Session, opponent: OpponentName) -> models.Opponent:
        """The opponent's row, made where there is none, and locked until the transaction ends."""
        wanted = select(models.Opponent).where(*named(opponent)).with_for_update()
        found = session.scalar(wanted)
        if found is None:
            new = models.Opponent(name=opponent.name, server=opponent.server, since=self._now())
            try:
                with session.begin_nested():
                    session.add(new)
            except IntegrityError:  # another process made it just now
                return session.scalars(wanted).one()
            return new
        return found

    def history(self, opponent: OpponentName, board: Board) -> tuple[Moment, ...]:
        """What was believed over time, oldest first."""
        with self._database.reading() as session:
            strength = session.scalar(strength_of(opponent, board))
            rows = [] if strength is None else strength.history
            return tuple(Moment(row.time, estimate_of(row)) for row in rows)

    # ---- Games

    def begin_game(self, game: KeptGame) -> int:
        """Keeps a game from now on; the number it is known by."""
        with self._database.writing() as session:
            row = models.Game(
                opponent_id=self._opponent(session, game.opponent).id,
                board=game.board.name,
                terms=terms_dict(game.terms),
                setup=[list(stone) for stone in game.setup],
                first_to_move=game.first_to_move,
                persona=game.persona,
                color=game.color,
                started=game.started or self._now(),
                finished=game.finished,
                result=game.result,
                points=game.points,
            )
            session.add(row)
            session.flush()
            add_moves(session, row.id, 0, game.moves, game.reasons)
            return row.id

    def note_moves(
        self, game: int, start: int, moves: Sequence[tuple[int, int]], reasons: Sequence[str]
    ) -> None:
        """The game's moves from the `start`th on are these now; nothing of a deleted game."""
        with self._database.writing() as session:
            if session.get(models.Game, game, with_for_update=True) is None:
                return
            later = models.Move.game_id == game, models.Move.number >= start
            session.execute(delete(models.Move).where(*later))
            add_moves(session, game, start, moves, reasons)

    def note_result(self, game: int, result: str, points: float | None) -> None:
        """Ends a game: the result as SGF has it, and our points."""
        with self._database.writing() as session:
            row = session.get(models.Game, game)
            if row is not None:
                row.result, row.points, row.finished = result, points, self._now()

    def games(self, opponent: OpponentName) -> tuple[tuple[int, KeptGame], ...]:
        """All games with an opponent, with their numbers, the latest first."""
        return self._games(opponent, unfinished=False)

    def unfinished(self, opponent: OpponentName) -> tuple[tuple[int, KeptGame], ...]:
        """Games that were begun and not ended, with their numbers, the latest first."""
        return self._games(opponent, unfinished=True)

    def _games(
        self, opponent: OpponentName, *, unfinished: bool
    ) -> tuple[tuple[int, KeptGame], ...]:
        query = select(models.Game).join(models.Opponent).where(*named(opponent))
        if unfinished:
            query = query.where(models.Game.finished.is_(None))
        query = query.order_by(models.Game.started.desc(), models.Game.id.desc())
        with self._database.reading() as session:
            return tuple((row.id, game_of(opponent, row)) for row in session.scalars(query))

    # ---- All that is kept of somebody

    def names(self, name: str | None = None) -> tuple[OpponentName, ...]:
        """All opponents, or those of that name on every server, in order."""
        query = select(models.Opponent.name, models.Opponent.server)
        if name is not None:
            query = query.where(models.Opponent.name == name)
        with self._database.reading() as session:
            return tuple(sorted(OpponentName(*row) for row in session.execute(query)))

    def summaries(self) -> tuple[Summary, ...]:
        """All opponents on all their boards, whoever was met last first."""
        with self._database.reading() as session:
            found = []
            latest = select(models.Game.opponent_id, func.max(models.Game.started))
            met = {
                row[0]: row[1] for row in session.execute(latest.group_by(models.Game.opponent_id))
            }
            for row in session.scalars(select(models.Opponent)):
                name = OpponentName(row.name, row.server)
                last = met.get(row.id, row.since)
                found += [
                    Summary(name, strength.board, known_of(strength), max(last, strength.updated))
                    for strength in row.strengths
                ] or [Summary(name, "", None, last)]
        return tuple(sorted(found, key=lambda found: found.last, reverse=True))

    def boards(self, opponent: OpponentName) -> tuple[Board, ...]:
        """The boards on which something is known of an opponent."""
        query = select(models.Strength.board).join(models.Opponent).where(*named(opponent))
        with self._database.reading() as session:
            return tuple(Board.of_name(key) for key in sorted(session.scalars(query)))

    def delete(self, opponent: OpponentName) -> bool:
        """Forgets an opponent and all games with them; whether there was one."""
        with self._database.writing() as session:
            row = session.scalar(
                select(models.Opponent.id).where(*named(opponent)).with_for_update()
            )
            if row is None:
                return False
            session.execute(delete(models.Opponent).where(models.Opponent.id == row))
        self._database.forget_deleted()
        return True
