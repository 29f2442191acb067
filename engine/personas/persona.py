"""A persona as a value. Names of personas are in engine.personas.table and .files."""

from __future__ import annotations

from dataclasses import dataclass

from engine.strength.fixed_elo import FixedElo
from engine.strength.full import Full
from engine.strength.human_play import HumanPlay
from engine.strength.level import Level
from engine.strength.target_win_rate import TargetWinRate
from engine.style.ending import Ending
from engine.style.mixed import Mixed
from engine.style.naturalness import Naturalness
from engine.style.policy_bias import Style
from engine.style.target_margin import TargetMargin


@dataclass(frozen=True, slots=True)
class Persona:
    """A named manner of playing."""

    name: str  # the persona's text for make_persona
    about: str  # a short sentence for the user
    strength: object  # a settings class of engine.strength, a key of engine.play.steps.methods
    # Parts that combine with any strength; None: without the part.
    naturalness: Naturalness | None = None
    style: Style | None = None
    ending: Ending | None = None  # the way to play endgames
    mixed: Mixed | None = None  # a second network, of a style

    def __post_init__(self) -> None:
        """Raises ValueError for a part that does not combine with the strength."""
        if self.mixed is not None and self.strength != Full():
            raise ValueError("mixed goes with the strength full alone")
        if self.mixed is not None and not self.mixed.network:
            raise ValueError("mixed has no network")

    @property
    def plays_by_ladder(self) -> bool:
        """Tests whether it plays levels of the ladder of its board."""
        return isinstance(self.strength, FixedElo | TargetWinRate)

    @property
    def needs_human_policy(self) -> bool:
        """Tests whether the human policy affects its play, whatever the ladder."""
        return (
            self.naturalness is not None
            or isinstance(self.ending, TargetMargin)
            or isinstance(self.strength, HumanPlay)
            or (isinstance(self.strength, Level) and self.strength.needs_people)
        )


FULL = Persona("full", "the best move it can find", Full())
