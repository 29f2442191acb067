"""The endings of a persona: settings by name. engine.play.steps.score_lead plays them."""

from __future__ import annotations

from engine.style.score_lead import ScoreLead
from engine.style.target_margin import TargetMargin

Ending = ScoreLead | TargetMargin

ENDINGS: dict[str, Ending] = {
    "close": TargetMargin(),  # a narrow win or loss
    "win": TargetMargin(low=0.5),  # a narrow win
    "lose": TargetMargin(high=-0.5),  # a narrow loss
    "shi": ScoreLead(),  # as published by Shi et al.
}
