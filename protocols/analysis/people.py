"""The human policy of a query, as KataGo's fields of a human network: humanPolicy and the like."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import SettingError
from engine.games.position import Position
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.networks.human_profile import profile_named
from engine.networks.raw import RawOutput
from engine.play.search_source import SearchSource

NO_NETWORK = "humanSLProfile needs a network of human moves, and there is none for this board"


@dataclass(frozen=True)
class People:
    """The people of one query: a network of human moves and a profile."""

    human: HumanPolicy
    profile: str

    def evaluate(self, position: Position) -> RawOutput:
        """Returns the network's outputs for the position, from the view of the side to move."""
        return self.human.evaluate(position, self.profile)


def checked_profile(name: str) -> str:
    """Returns the name of a profile, or "" for none; raises SettingError on an unknown one."""
    try:
        if name:
            profile_named(name)
    except ValueError as error:
        raise SettingError(f"humanSLProfile: {error}") from error
    return name


def people_of(profile: str, source: SearchSource | None, board: Board) -> People | None:
    """Returns the people of a query; None without a profile.

    Raises SettingError where no network of human moves can be had.
    """
    if not profile:
        return None
    human = None if source is None else source.human_policy_on(board)
    if human is None:
        raise SettingError(NO_NETWORK)
    return People(human, profile)


def policy_values(raw: RawOutput, digits: int) -> list[float]:
    """Returns humanPolicy: the probability of each move, -1 for illegal ones."""
    policy = np.where(np.isnan(raw.policy), -1.0, raw.policy.astype(np.float64))
    values: list[float] = np.round(policy, digits).tolist()
    return values


def root_values(raw: RawOutput, sign: float, digits: int) -> dict[str, Any]:
    """Returns the fields of rootInfo. sign: 1 for the side to move's view, -1 for the other's."""
    win_rate = raw.win + 0.5 * raw.no_result
    variance = max(0.0, raw.score_mean_square - raw.score_mean**2)
    return {
        "humanWinrate": round(win_rate if sign > 0 else 1.0 - win_rate, digits),
        "humanScoreMean": round(sign * raw.score_mean, digits),
        "humanScoreStdev": round(math.sqrt(variance), digits),
    }
