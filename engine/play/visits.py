"""The visits of a persona's move without a clock or another limit.

Full strength takes its time. A level is as good as its own few visits, and the search for the
standing of an even game needs a few times as many.
"""

from __future__ import annotations

from engine.opponents import OpponentTracker
from engine.personas import Persona
from engine.strength.fixed_elo import FixedElo
from engine.strength.human_play import HumanPlay
from engine.strength.level import Level
from engine.strength.target_win_rate import TargetWinRate

FEWEST = 200  # of any search: a tenth of them judges the opponent's last move
STRANGER = 400  # before the first belief about an opponent
STANDING = 4  # visits of the search for the standing per visit of the level
HUMAN, RESTRAINED = 40, 400  # of human play: to pass in time, and for the utilities of its moves


def visits_worth(persona: Persona, tracker: OpponentTracker | None) -> int | None:
    """Returns the visits; None: as many as the time allows.

    tracker: the opponent and the ladder; None before the first move.
    """
    if persona.ending is not None and not isinstance(persona.strength, TargetWinRate):
        return None  # the ending reads as far as it can
    match persona.strength:
        case HumanPlay(proportion=1.0) as human:
            return RESTRAINED if human.explores else HUMAN
        case Level(visits=visits):
            return max(FEWEST, visits)
        case FixedElo() | TargetWinRate() as strength:
            return STRANGER if tracker is None else max(FEWEST, _of_level(strength, tracker))
    return None


def _of_level(strength: FixedElo | TargetWinRate, tracker: OpponentTracker) -> int:
    """Returns the visits of the fixed level, or of the search for an even game's standing.

    The level of an even game is not known yet: the believed strength stands in.
    """
    ladder = tracker.ladder
    if isinstance(strength, FixedElo):
        return ladder.at(strength.on(ladder)).most_visits
    return STANDING * ladder.at(tracker.opponent.posterior.mean).most_visits
