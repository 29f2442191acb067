"""Moves as people play them, held back from those that a search disapproves of: KataGo's piKL step.

p'(a) ~ p_human(a) exp((u(a) - u_max) / lambda), after Jacob et al., Modeling Strong and Human-Like
Gameplay with KL-Regularized Search (ICML 2022), as KataGo has it in Search's play selection. The
settings are those of its gtp_human5k_example.cfg; KATAGO has their names there. Knows numbers a
move. Does not know networks, searches or games.

Where we differ: KataGo looks at people's moves within its search, without letting these visits
count for the position; here that is a search of its own, whose visits count for its moves alone.
Its humanSL...Weightful, Pla and Opp settings, which need the human network at every node, we have
not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.networks.human_profile import profile_named

Numbers = NDArray[np.float64]  # [moves]

NO_LAMBDA = 1e8  # KataGo's for none: with it people's moves are not held back
HARDLY = 1e3  # from here on what a move is worth makes no difference
LEAST = 1e-6  # of numbers above 0: what is divided by one stays finite
MOST = 1e9
TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class HumanPlay:
    """Play as people do."""

    profile: str = ""  # whom: rank_5k and so on, of networks that were told who plays
    proportion: float = 1.0  # of our move being people's, else it is the search's
    ignore_pass: bool = True  # the search alone says when to pass
    pikl_lambda: float = NO_LAMBDA  # utility that a move may lose for a chance of 1/e
    explore: float = 0.5  # the share of visits that look at people's moves
    cpuct: float = 0.5  # their exploration
    cpuct_permanent: float = 0.2  # the same that does not diminish, by the root of their visits
    temperature: float = 0.7  # of the draw
    temperature_early: float = 0.85  # the same at the first move
    temperature_halflife: float = 80.0  # moves on 19x19, on other boards by their side
    temperature_below: float = 0.01  # moves likelier than that are left as likely as they are

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
        for name in ("proportion", "explore", "temperature_below"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not 0..1")
        for name in ("pikl_lambda", "temperature", "temperature_early", "temperature_halflife"):
            if not LEAST <= getattr(self, name) <= MOST:
                raise ValueError(f"{name} {getattr(self, name)!r} is no number above 0")
        for name in ("cpuct", "cpuct_permanent"):
            if not 0 <= getattr(self, name) <= MOST:
                raise ValueError(f"{name} {getattr(self, name)!r} is no number of 0 or more")
        if self.profile:
            profile_named(self.profile)
        if self.explore == 1:
            raise ValueError("explore 1 leaves no visit that says how the game stands")

    @classmethod
    def read(cls, text: str) -> Self:
        """What a persona's argument names: "rank_5k:lambda=0.3", any part left out.

        A name is a field's or KataGo's. ValueError quotes a part that is none.
        """
        told: dict[str, Any] = {}
        for part in text.split(":") if text else ():
            name, equals, value = part.partition("=")
            field = NAMES.get(name) if equals else "profile"
            if field is None:
                raise ValueError(f"{part!r} is none of {', '.join(f'{each}=' for each in SHORT)}")
            if field in told:
                raise ValueError(f"{part!r} tells {field} again")
            try:
                told[field] = _value(field, value if equals else name)
                cls(**{field: told[field]})
            except ValueError as error:
                raise ValueError(f"{part!r}: {error}") from error
        return cls(**told)

    def written(self) -> str:
        """Returns the text of which `read` makes this, its usual settings left out."""
        parts = [self.profile] if self.profile else []
        for name, field in SHORT.items():
            value = getattr(self, field)
            if field != "profile" and value != USUAL_PLAY[field]:
                parts.append(f"{name}={str(value).lower()}")
        return ":".join(parts)

    @property
    def explores(self) -> bool:
        """Whether it makes a difference what people's moves are worth."""
        return self.explore > 0 and self.pikl_lambda < HARDLY

    def heat(self, move_number: int, cells: int) -> float:
        """The temperature of that move: early, then half as far from the later one and so on."""
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
NAMES = SHORT | {theirs: ours for ours, theirs in KATAGO.items()}  # in a text -> field
USUAL_PLAY: dict[str, Any] = {field.name: field.default for field in fields(HumanPlay)}
KINDS: dict[str, type] = {field.name: type(field.default) for field in fields(HumanPlay)}


def _value(field: str, text: str) -> object:
    if KINDS[field] is str:
        return text
    if KINDS[field] is bool:
        if text not in TRUTHS:
            raise ValueError(f"{field} {text!r} is neither true nor false")
        return TRUTHS[text]
    try:
        return float(text)
    except ValueError as error:
        raise ValueError(f"{field} {text!r} is no number") from error


@dataclass(frozen=True, slots=True, eq=False)
class HumanCandidates:
    """What is known of the moves of a position; all [moves]."""

    human: Numbers  # people's policy, 0 where a move may not be played
    utilities: Numbers  # the mover's, NaN where nobody looked
    selected: Numbers  # the values by which the search would choose, 0 where it made no visit
    pass_move: int  # -1 in a game without

    def chances(self, settings: HumanPlay, heat: float) -> Numbers:
        """[moves] the probability of each."""
        chosen = self.selected.sum()
        humanly = self.held_back(settings.pikl_lambda)
        if settings.ignore_pass and self.pass_move >= 0 and chosen > 0:
            humanly = self._passing_as_selected(humanly)
        share = settings.proportion if chosen > 0 else 1.0
        mixed = share * humanly
        if share < 1:
            mixed += (1 - share) * self.selected / chosen
        return tempered(mixed, heat, settings.temperature_below)

    def held_back(self, pikl_lambda: float) -> Numbers:
        """[moves] p_human exp((u - u_max) / lambda), together 1.

        A move that nobody looked at is taken to be worth the mean of those that were.
        """
        known = self.utilities[~np.isnan(self.utilities)]
        mean = float(known.mean()) if len(known) else 0.0
        best = float(known.max()) if len(known) else 0.0
        worth = np.where(np.isnan(self.utilities), mean, self.utilities)
        odds = np.where(self.human > 0, (worth - best) / pikl_lambda, -np.inf)
        kept: Numbers = self.human * np.exp(odds - odds.max())
        kept /= kept.sum()
        return kept

    def _passing_as_selected(self, humanly: Numbers) -> Numbers:
        passing = self.selected[self.pass_move] / self.selected.sum()
        others = humanly.copy()
        others[self.pass_move] = 0
        if others.sum() == 0:
            return humanly
        others *= (1 - passing) / others.sum()
        others[self.pass_move] = passing
        return others


def tempered(chances: Numbers, heat: float, below: float) -> Numbers:
    """[moves] the same at a temperature that touches only moves less likely than `below`."""
    some = chances > 0
    log = np.log(chances[some])
    threshold = min(math.log(max(below, 1e-50)), float(log.max()))
    cooled = np.where(log > threshold, log, (log - threshold) / heat + threshold)
    found: Numbers = np.zeros(len(chances))
    found[some] = np.exp(cooled - cooled.max())
    found /= found.sum()
    return found
