"""The values of engine.memory as rows of the store's tables, and back.

What is written at every move goes by the tables, which takes half the time of SQLAlchemy's objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from sqlalchemy import ColumnElement, Connection, Select, Table, insert, select, update

from engine.games import Board
from engine.memory import Estimate, KeptGame, Known, OpponentName
from engine.store import models
from engine.terms import terms_of

OPPONENTS = cast("Table", models.Opponent.__table__)
STRENGTHS = cast("Table", models.Strength.__table__)
GAMES = cast("Table", models.Game.__table__)
MOVES = cast("Table", models.Move.__table__)
ESTIMATES = cast("Table", models.Estimated.__table__)


class Interval(Protocol):
    """What a row with an estimate has."""

    @property
    def mean(self) -> Any: ...  # noqa: ANN401, D102 (a column's value)

    @property
    def low(self) -> Any: ...  # noqa: ANN401, D102

    @property
    def high(self) -> Any: ...  # noqa: ANN401, D102


class Strength(Interval, Protocol):
    """What a row of a strength has."""

    @property
    def state(self) -> Any: ...  # noqa: ANN401, D102

    @property
    def games(self) -> Any: ...  # noqa: ANN401, D102


def named(opponent: OpponentName) -> tuple[ColumnElement[bool], ...]:
    """The conditions for this opponent's row."""
    return models.Opponent.name == opponent.name, models.Opponent.server == opponent.server


def strength_of(opponent: OpponentName, board: Board) -> Select[models.Strength]:
    """The query for what is known of an opponent on a board."""
    found = select(models.Strength).join(models.Opponent).where(*named(opponent))
    return found.where(models.Strength.board == board.name)


def known_of(row: Strength) -> Known:
    """What a row says of a strength."""
    return Known(row.state, row.games, estimate_of(row))


def estimate_of(row: Interval) -> Estimate:
    """The estimate in a row."""
    return Estimate(row.mean, row.low, row.high)


def interval(estimate: Estimate) -> dict[str, float]:
    """An estimate as values of a row."""
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def inserted(connection: Connection, table: Table, values: dict[str, Any]) -> int:
    """The id of a new row."""
    key = connection.execute(insert(table), values).inserted_primary_key
    if key is None:
        raise RuntimeError(f"{table.name} gave a new row no id")
    return int(key[0])


def note_estimate(
    connection: Connection, strength: int, game: int | None, values: dict[str, Any]
) -> None:
    """Notes what is believed of a strength: of one game, while it is kept, in one row."""
    if game is not None:
        same = ESTIMATES.c.strength_id == strength, ESTIMATES.c.game_id == game
        if connection.execute(update(ESTIMATES).where(*same), values).rowcount:
            return
        game = connection.scalar(select(GAMES.c.id).where(GAMES.c.id == game))
    connection.execute(insert(ESTIMATES), {"strength_id": strength, "game_id": game, **values})


def add_moves(
    connection: Connection,
    game: int,
    start: int,
    moves: Sequence[tuple[int, int]],
    reasons: Sequence[str],
) -> None:
    """Adds moves to a game, the first of them its `start`th."""
    rows = [
        {"game_id": game, "number": number, "color": color, "move": move, "reason": reason}
        for number, ((color, move), reason) in enumerate(zip(moves, reasons, strict=True), start)
    ]
    if rows:
        connection.execute(insert(MOVES), rows)


def game_of(opponent: OpponentName, row: models.Game) -> KeptGame:
    """The game in a row and in the rows of its moves."""
    board = Board.of_name(row.board)
    return KeptGame(
        opponent=opponent,
        terms=terms_of(board.game, row.terms),
        width=board.width,
        height=board.height,
        color=row.color,
        persona=row.persona,
        setup=tuple((color, move) for color, move in row.setup),
        first_to_move=row.first_to_move,
        moves=tuple((move.color, move.move) for move in row.moves),
        reasons=tuple(move.reason for move in row.moves),
        started=row.started,
        finished=row.finished,
        result=row.result,
        points=row.points,
    )
