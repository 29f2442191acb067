"""The ways to end a game, as settings by name. engine.play.steps.score_lead plays them."""

from __future__ import annotations

from engine.style.score_lead import ScoreLead
from engine.style.wanted_margin import WantedMargin

Ending = ScoreLead | WantedMargin

ENDINGS: dict[str, Ending] = {
    "close": WantedMargin(),  # ours: a win or a loss by little
    "win": WantedMargin(low=0.5),  # the same, a win
    "lose": WantedMargin(high=-0.5),  # the same, a loss
    "shi": ScoreLead(),  # as published
}
