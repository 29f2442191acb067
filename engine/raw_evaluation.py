"""What a network alone says of a position: its raw outputs as probabilities and points.

Knows how KataGo's networks are read, in plain numpy, for showing and for checks; the search reads
them in the core. Does not search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.evaluator import Evaluator, Slot
from engine.records import Floats

Cells = NDArray[np.intp]
Doubles = NDArray[np.float64]

ABSENT = -1.0  # what the network does not say


@dataclass(frozen=True)
class RawEvaluation:
    """One evaluation, White's view."""

    white_win: float
    white_loss: float
    no_result: float
    white_lead: float  # points
    white_score_mean: float  # points
    score_mean_square: float
    variance_time: float
    win_loss_error: float
    score_error: float
    policy: Floats  # [H*W+1] probability, -1 where illegal
    white_ownership: Floats  # [H*W]


def evaluate(
    evaluator: Evaluator, position: GoPosition, symmetry: int, *, optimism: float = 0.0
) -> RawEvaluation:
    """The network's answer to the position turned by the symmetry, turned back.

    optimism: 0 the plain policy, 1 the optimistic one, where the network has two.
    """
    slot = evaluator.open(position.width, position.height, 1)
    position = position.copy()
    position.pass_alive_under_suicide = evaluator.network.pass_alive_under_suicide
    slot.spatial[0], slot.globals[0] = position.features(symmetry)
    slot.optimism[0] = optimism if evaluator.network.policies > 1 else 0.0
    slot.start(1)
    slot.wait()
    cells = turned_cells(position.width, position.height, symmetry)
    return _read(evaluator, position, slot, cells)


def turned_cells(width: int, height: int, symmetry: int) -> Cells:
    """[H*W]: where each cell stands in the board turned by the symmetry.

    Bit 0 flips y, bit 1 flips x, bit 2 then transposes.
    """
    y, x = np.divmod(np.arange(width * height), width)
    if symmetry & 2:
        x = width - 1 - x
    if symmetry & 1:
        y = height - 1 - y
    return x * height + y if symmetry & 4 else y * width + x


def _read(evaluator: Evaluator, position: GoPosition, slot: Slot, cells: Cells) -> RawEvaluation:
    scales, version = evaluator.network.multipliers, evaluator.network.version
    white_to_move = position.to_move == 1
    sign = 1.0 if white_to_move else -1.0
    logits = slot.value[0].astype(np.float64)
    if position.rules.ko != "SIMPLE" and position.rules.scoring != "TERRITORY":
        logits[2] = -np.inf  # no repetition can void such a game
    win, loss, no_result = _softmax(logits)
    misc = slot.misc[0].astype(np.float64)
    mean, lead = misc[0] * scales.score_mean, misc[2] * scales.lead
    deviation = _softplus(misc[1]) * scales.score_deviation
    result = 1.0 - no_result  # without a result the score counts as 0
    says_errors = evaluator.network.has_short_term_errors
    policy_cells = np.append(cells, position.width * position.height)
    policy_logits = slot.policy[0].astype(np.float64)[policy_cells]
    legal = position.legal_mask().astype(np.bool_)
    policy = np.full(policy_logits.shape, -1.0)
    policy[legal] = _softmax(policy_logits[legal])
    return RawEvaluation(
        white_win=float(win if white_to_move else loss),
        white_loss=float(loss if white_to_move else win),
        no_result=float(no_result),
        white_lead=float(sign * lead * result),
        white_score_mean=float(sign * mean * result),
        score_mean_square=float((mean**2 + deviation**2) * result),
        variance_time=float(_softplus(misc[3]) * scales.variance_time) if says_errors else ABSENT,
        win_loss_error=_error(misc[4], version, scales.win_loss_error, 1.0)
        if says_errors
        else ABSENT,
        score_error=_error(misc[5], version, scales.score_error, 10.0) if says_errors else ABSENT,
        policy=policy.astype(np.float32),
        white_ownership=(sign * np.tanh(slot.ownership[0].astype(np.float64)[cells])).astype(
            np.float32
        ),
    )


def _softmax(logits: Doubles) -> Doubles:
    powers = np.exp(logits - logits.max())
    total: Doubles = powers / powers.sum()
    return total


def _softplus(value: float) -> float:
    return float(np.logaddexp(0.0, value))


def _error(raw: float, version: int, multiplier: float, old_multiplier: float) -> float:
    """A short-term error; KataGo's formula changed with the model's version."""
    if version >= 14:
        return float(np.sqrt(_softplus(raw * 0.5) ** 2 * multiplier))
    if version >= 10:
        return float(np.sqrt(_softplus(raw) * multiplier))
    return _softplus(raw) * old_multiplier
