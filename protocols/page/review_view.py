"""The review of a game as the page shows it: plain values for one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.games.game import Game
from engine.review.marks import UNKNOWN_RANK, factor_of
from protocols.page.judged_game import DearMove, JudgedPosition, dearest
from protocols.page.page_game import PageGame
from protocols.page.views import estimate_view

VALUE_DIGITS, LEAD_DIGITS = 3, 1
CELLS = ".xo"  # empty, color 0, color 1


def progress_view(positions: Sequence[JudgedPosition], total: int) -> dict[str, Any]:
    """Returns the fields of an unfinished review; total: positions of the game."""
    return {
        "done": len(positions),
        "total": total,
        "values": [round(each.value, VALUE_DIGITS) for each in positions],
        "leads": [round(each.lead, LEAD_DIGITS) for each in positions],
        "boards": [],
        "dearest": [],
        "before": None,
        "after": None,
    }


def review_view(page_game: PageGame, positions: Sequence[JudgedPosition]) -> dict[str, Any]:
    """Returns the fields of a finished review."""
    estimates, scale = page_game.estimates(), page_game.scale
    views = [estimate_view(each, scale) for each in estimates[-2:]]
    rank = page_game.rank() or UNKNOWN_RANK
    factor = factor_of(rank) if page_game.game.kind.has_ownership else None
    dear = dearest(positions, page_game.terms.person, factor)
    return progress_view(positions, len(positions)) | {
        "boards": boards_of(page_game.game),
        "dearest": [dear_view(page_game.game, positions[move.number], move) for move in dear],
        "before": views[0] if len(views) > 1 else None,
        "after": views[-1] if views else None,
    }


def boards_of(game: Game) -> list[str]:
    """Returns the board before each move and at the end, each a text of CELLS by rows."""
    boards, position = [], game.record.beginning()
    for color, move in game.moves:
        boards.append(_cells(position.stones.ravel().tolist()))
        position.play(move, color, tolerant=True)
    return [*boards, _cells(position.stones.ravel().tolist())]


def _cells(stones: Sequence[int]) -> str:
    return "".join(CELLS[stone] for stone in stones)


def dear_view(game: Game, position: JudgedPosition, dear: DearMove) -> dict[str, Any]:
    """Returns a dear move: the best move in its place, and the moves of people there."""

    def name(move: int) -> str:
        return game.kind.write_move(move, game.width, game.height)

    share = position.people_share
    return {
        "number": dear.number + 1,
        "played": name(game.moves[dear.number][1]),
        "loss": round(dear.loss, VALUE_DIGITS),
        "points": round(dear.points, LEAD_DIGITS) if game.kind.has_ownership else None,
        "kind": dear.kind,
        "best": [name(move) for move in position.best_line],
        "people": [{"move": name(move), "share": round(part, 3)} for move, part in position.people],
        "people_share": None if share is None else round(share, 3),
    }
