"""Moves of human players, restrained by a search's utilities: KataGo's piKL step.

p'(a) ~ p_human(a) exp((u(a) - u_max) / lambda), after Jacob et al., Modeling Strong and Human-Like
Gameplay with KL-Regularized Search (ICML 2022), as in the play selection of KataGo's Search. The
settings are those of its gtp_human5k_example.cfg; KATAGO maps their names. The functions take
numbers per move; engine.play.steps.human computes these.

Differences: KataGo explores human moves within its search, and their visits do not count for the
position; here they get a search of their own, and its visits count for its moves only. KataGo's
settings humanSL...Weightful, Pla and Opp need the human network at every node and are absent here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.networks.human_policy import check_profile
from engine.util.settings_text import SettingsGrammar, number

Numbers = NDArray[np.float64]  # [moves]

NO_LAMBDA = 1e8  # KataGo's value for no restraint of human moves
HARDLY = 1e3  # from this lambda on a move's utility has no effect
LEAST = 1e-6  # least value of positive numbers, to keep quotients finite
MOST = 1e9
TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class HumanPlay:
    """Play like human players."""

    # imitated players, such as rank_5k or in chess rating_1500, for networks with a profile input
    profile: str = ""
    proportion: float = 1.0  # the probability of a human move, else the search's move
    ignore_pass: bool = True  # only the search decides when to pass
    pikl_lambda: float = NO_LAMBDA  # loss of utility for a factor of 1/e in probability
    explore: float = 0.5  # the share of visits for human moves
    cpuct: float = 0.5  # exploration coefficient of human moves
    # exploration coefficient by the root of their visits: this part does not diminish
    cpuct_permanent: float = 0.2
    temperature: float = 0.7  # temperature of the draw
    temperature_early: float = 0.85  # temperature of the draw at the first move
    temperature_halflife: float = 80.0  # moves on 19x19; scales with the board's side
    temperature_below: float = 0.01  # probabilities above this are left unchanged

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field out of range or an unknown profile."""
        for name in ("proportion", "explore", "temperature_below"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not 0..1")
        for name in ("pikl_lambda", "temperature", "temperature_early", "temperature_halflife"):
            if not LEAST <= getattr(self, name) <= MOST:
                raise ValueError(f"{name} {getattr(self, name)!r} is not a number above 0")
        for name in ("cpuct", "cpuct_permanent"):
            if not 0 <= getattr(self, name) <= MOST:
                raise ValueError(f"{name} {getattr(self, name)!r} is no number of 0 or more")
        if self.profile:
            check_profile(self.profile)
        if self.explore == 1:
            raise ValueError("explore 1 leaves no visit to evaluate the position")

    @classmethod
    def read(cls, *texts: str) -> Self:
        """Reads a persona's arguments such as "rank_5k:lambda=0.3"; each part may be left out.

        A name is a field's or KataGo's. A later argument wins over those before it. Raises
        ValueError, quoting a wrong part, and one that its own argument repeats.
        """
        return cls(**GRAMMAR.read(*texts))

    def written(self) -> str:
        """Returns the text of these settings for `read`, without the default ones."""
        parts = [self.profile] if self.profile else []
        for name, field in SHORT.items():
            value = getattr(self, field)
            if field != "profile" and value != USUAL_PLAY[field]:
                parts.append(f"{name}={str(value).lower()}")
        return ":".join(parts)

    @property
    def explores(self) -> bool:
        """Tests whether the utilities of human moves affect the choice."""
        return self.explore > 0 and self.pikl_lambda < HARDLY

    def heat(self, move_number: int, cells: int) -> float:
        """Temperature of a move: its distance to the final one halves per halflife."""
        halvings = move_number / self.temperature_halflife * 19 / math.sqrt(cells)
        early, late = self.temperature_early, self.temperature
        return late + (early - late) * math.pow(0.5, halvings)


KATAGO = {  # field -> KataGo's name
    "profile": "humanSLProfile",
    "proportion": "humanSLChosenMoveProp",
    "ignore_pass": "humanSLChosenMoveIgnorePass",
    "pikl_lambda": "humanSLChosenMovePiklLambda",
    "explore": "humanSLRootExploreProbWeightless",
    "cpuct": "humanSLCpuctExploration",
    "cpuct_permanent": "humanSLCpuctPermanent",
    "temperature": "chosenMoveTemperature",
    "temperature_early": "chosenMoveTemperatureEarly",
    "temperature_halflife": "chosenMoveTemperatureHalflife",
    "temperature_below": "chosenMoveTemperatureOnlyBelowProb",
}
SHORT = {"lambda": "pikl_lambda"} | {name: name for name in KATAGO if name != "pikl_lambda"}
NAMES = SHORT | {theirs: ours for ours, theirs in KATAGO.items()}  # name in a text -> field
USUAL_PLAY: dict[str, Any] = {field.name: field.default for field in fields(HumanPlay)}
KINDS: dict[str, type] = {field.name: type(field.default) for field in fields(HumanPlay)}


def _value(field: str, text: str) -> object:
    if KINDS[field] is str:
        return text
    if KINDS[field] is bool:
        if text not in TRUTHS:
            raise ValueError(f"{field} {text!r} is neither true nor false")
        return TRUTHS[text]
    return number(field, text)


GRAMMAR = SettingsGrammar(
    names=NAMES,
    forms=[f"{name}=" for name in SHORT],
    word=lambda profile: [("profile", profile)],
    value=_value,
    check=HumanPlay,
)


@dataclass(frozen=True, slots=True, eq=False)
class HumanCandidates:
    """The numbers of each move of a position; all arrays are [moves] float64."""

    human: Numbers  # the human policy, 0 for a move not to be played
    utilities: Numbers  # utilities from the mover's view, NaN if unknown
    selected: Numbers  # the search's play selection values, 0 without a visit
    pass_move: int  # -1 in a game without passes

    def probabilities(self, settings: HumanPlay, heat: float) -> Numbers:
        """Probability of each move: [moves]."""
        chosen = self.selected.sum()
        humanly = self.held_back(settings.pikl_lambda)
        if settings.ignore_pass and self.pass_move >= 0 and chosen > 0:
            humanly = self._passing_as_selected(humanly)
        share = settings.proportion if chosen > 0 else 1.0
        mixed = share * humanly
        if share < 1:
            mixed += (1 - share) * self.selected / chosen
        return with_temperature(mixed, heat, settings.temperature_below)

    def held_back(self, pikl_lambda: float) -> Numbers:
        """Human probabilities p_human exp((u - u_max) / lambda), with sum 1: [moves].

        An unknown utility counts as the mean of the known ones.
        """
        known = self.utilities[~np.isnan(self.utilities)]
        mean = float(known.mean()) if len(known) else 0.0
        best = float(known.max()) if len(known) else 0.0
        worth = np.where(np.isnan(self.utilities), mean, self.utilities)
        odds = np.where(self.human > 0, (worth - best) / pikl_lambda, -np.inf)
        restrained: Numbers = self.human * np.exp(odds - odds.max())
        restrained /= restrained.sum()
        return restrained

    def _passing_as_selected(self, humanly: Numbers) -> Numbers:
        passing = self.selected[self.pass_move] / self.selected.sum()
        others = humanly.copy()
        others[self.pass_move] = 0
        if others.sum() == 0:
            return humanly
        others *= (1 - passing) / others.sum()
        others[self.pass_move] = passing
        return others


def with_temperature(probabilities: Numbers, heat: float, below: float) -> Numbers:
    """Probabilities at a temperature that applies only to moves below `below`: [moves]."""
    some = probabilities > 0
    log = np.log(probabilities[some])
    threshold = min(math.log(max(below, 1e-50)), float(log.max()))
    cooled = np.where(log > threshold, log, (log - threshold) / heat + threshold)
    tempered: Numbers = np.zeros(len(probabilities))
    tempered[some] = np.exp(cooled - cooled.max())
    tempered /= tempered.sum()
    return tempered
