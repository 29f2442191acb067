"""A hint for the person's move: the best move by a search at full strength, in a sentence."""

from __future__ import annotations

from typing import Any

from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.values import Report
from protocols.page.pieces import move_text


def hint_view(game: Game, report: Report | None) -> dict[str, Any] | None:
    """Returns the fields of the message `hint`; None without a move."""
    best = None if report is None else report.best
    if report is None or best is None:
        return None
    move = game.kind.write_move(best.move, game.width, game.height)
    written = move_text(game, best.move)
    text = f"A strong player plays {written} here and wins {best.win_rate:.0%} of such games"
    if game.kind.has_ownership:
        text += f"; {_standing(game, round(best.score_lead))}"
    return {"move": move, "text": f"{text}."}


def _standing(game: Game, lead: int) -> str:
    """Returns a lead of the side to move in words."""
    if lead == 0:
        return "the score is even"
    unit = "point" if game.name == GoSettings.game else "disc"
    plural = "" if abs(lead) == 1 else "s"
    return f"you are {abs(lead)} {unit}{plural} {'ahead' if lead > 0 else 'behind'}"
