"""The ways to end a game as settings, by name. How one plays is in engine.play.steps.score_lead."""

from __future__ import annotations

from engine.style.score_lead import ScoreLead
from engine.style.wanted_margin import WantedMargin

Ending = ScoreLead | WantedMargin

ENDINGS: dict[str, Ending] = {
    "close": WantedMargin(),  # ours: won or lost by little
    "win": WantedMargin(low=0.5),  # the same, won
    "lose": WantedMargin(high=-0.5),  # the same, lost
    "shi": ScoreLead(),  # as published
}
