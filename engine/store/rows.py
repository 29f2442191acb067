"""The values of engine.memory as rows of the store's tables, and back."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from engine.games import Board
from engine.memory import Estimate, KeptGame, Known, OpponentName
from engine.store import models
from engine.terms import terms_of


def named(opponent: OpponentName) -> tuple[ColumnElement[bool], ...]:
    """The conditions for this opponent's row."""
    return models.Opponent.name == opponent.name, models.Opponent.server == opponent.server


def strength_of(opponent: OpponentName, board: Board) -> Select[models.Strength]:
    """The query for what is known of an opponent on a board."""
    found = select(models.Strength).join(models.Opponent).where(*named(opponent))
    return found.where(models.Strength.board == board.name)


def known_of(row: models.Strength) -> Known:
    """What a row says of a strength."""
    return Known(row.state, row.games, estimate_of(row))


def estimate_of(row: models.Strength | models.Estimated) -> Estimate:
    """The estimate in a row."""
    return Estimate(row.mean, row.low, row.high)


def put(row: models.Strength | models.Estimated, estimate: Estimate) -> None:
    """Writes an estimate into a row."""
    row.mean, row.low, row.high = estimate.mean, estimate.low, estimate.high


def add_moves(
    session: Session,
    game: int,
    start: int,
    moves: Sequence[tuple[int, int]],
    reasons: Sequence[str],
) -> None:
    """Adds moves to a game, the first of them its `start`th."""
    for number, ((color, move), reason) in enumerate(zip(moves, reasons, strict=True), start):
        session.add(models.Move(game_id=game, number=number, color=color, move=move, reason=reason))


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
