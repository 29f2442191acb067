"""A hint for the person's move: the best move by a search at full strength, in a sentence."""

from __future__ import annotations

from typing import Any

from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.values import Report


def hint_view(game: Game, report: Report | None) -> dict[str, Any] | None:
    """Returns the fields of the message `hint`; None without a move."""
    best = None if report is None else report.best
    if report is None or best is None:
        return None
    move = game.kind.write_move(best.move, game.width, game.height)
    chance = best.win_rate
    text = f"A strong player plays {move} here and wins {chance:.0%} of such games"
    if game.kind.has_ownership:
        unit = "points" if game.name == GoSettings.game else "discs"
        lead = best.score_lead
        text += f", by {abs(lead):.0f} {unit} {'ahead' if lead >= 0 else 'behind'}"
    return {"move": move, "text": f"{text}."}
