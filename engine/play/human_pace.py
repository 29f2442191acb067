"""Thinking as long as a person would: longer where people are torn, or disagree with the search.

The time of a move is a mean time, times the move's difficulty, times a random factor. Under a clock
it is a share of the time planned for the move, so that the clock never runs out by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position
from engine.networks.human_policy import HumanPolicy
from engine.play.session_settings import Budget
from engine.play.steps.request import MoveRequest
from engine.values import Choice, Limit

LEAST, TORN, DISAGREED = 0.2, 0.35, 0.5  # of the difficulty: a constant, a nat, no agreement
SPREAD = 0.5  # standard deviation of the random factor's logarithm
POLL_SECONDS = 0.05  # between looks at the stop condition


def difficulty(policy: NDArray[np.floating], best: int | None) -> float:
    """Returns the difficulty of a move, about 1 for a usual one and LEAST for the only one.

    policy: [moves] of people, at most 0 for illegal moves. best: the move of the search; None:
    there was no search. It grows with the entropy of the policy, and with the share of people who
    would play another move than the search.
    """
    likely = np.maximum(policy.astype(np.float64), 0.0)
    total = float(likely.sum())
    if total <= 0:
        return LEAST
    likely /= total
    some = likely[likely > 0]
    entropy = float(-(some * np.log(some)).sum())
    agreement = 1.0 if best is None else float(likely[best])
    return LEAST + TORN * entropy + DISAGREED * (1 - agreement)


def thinking_seconds(budget: Budget, limit: Limit, hard: float, rng: np.random.Generator) -> float:
    """Returns the seconds of a move from its beginning, 0 without a wait.

    limit: of the move's search. hard: the move's difficulty. With a planned time the mean is in
    proportion to it, and no move is longer than planned; else no limit in time is exceeded.
    """
    if budget.delay_seconds <= 0 or limit.is_hurried:
        return 0.0
    mean, planned = budget.delay_seconds, limit.seconds
    if planned is not None:
        mean *= planned / budget.default_seconds
    drawn = mean * hard * math.exp(rng.normal(-0.5 * SPREAD**2, SPREAD))
    most = [budget.most_delay_seconds, limit.least_seconds]
    return min([drawn, *(each for each in most if each is not None)])


def seconds_of(
    budget: Budget,
    limit: Limit,
    request: MoveRequest[Position],
    choice: Choice,
    human: Callable[[], HumanPolicy | None],
) -> float:
    """Returns the seconds that a person would take for a choice, 0 where no pace is set.

    limit: of the move, before anything was searched. human: loads the model of human moves; without
    one the search's policy stands in.
    """
    if budget.delay_seconds <= 0:
        return 0.0
    hard = difficulty(_policy(request, choice, human()), _best(choice))
    return thinking_seconds(budget, limit, hard, request.rng)


def wait_until(
    until: float,
    now: Callable[[], float],
    sleep: Callable[[float], None],
    stop: Callable[[], bool],
) -> None:
    """Sleeps until a time of the clock `now`, in seconds, or until `stop` is true."""
    while (left := until - now()) > 0 and not stop():
        sleep(min(left, POLL_SECONDS))


def _policy(
    request: MoveRequest[Position], choice: Choice, human: HumanPolicy | None
) -> NDArray[np.floating]:
    """Returns [moves] the human policy, else the search's, else all moves alike."""
    if human is not None:
        return human.policy(request.position)
    if choice.report is not None:
        return choice.report.policy
    return request.position.legal_mask().astype(np.float64)


def _best(choice: Choice) -> int | None:
    """Returns the search's best move behind a choice; None without a search."""
    best = None if choice.report is None else choice.report.best
    return None if best is None else best.move
