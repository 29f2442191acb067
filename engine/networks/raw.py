"""A network's raw outputs as probabilities, points and ownership, in every game, without a search.

The formulas are those of KataGo's cpp/neuralnet/nneval.cpp. All values are from the view of the
side to move; `for_white` changes it. A missing output is -1, as KataGo prints it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games.evaluator import Evaluator, NetworkDescription, Slot
from engine.games.position import PolicyIndexedPosition, Position
from engine.games.table import GAMES
from engine.util.type_test import TypeTest

ABSENT = -1.0

_has_policy_indices: TypeTest[PolicyIndexedPosition] = TypeTest(PolicyIndexedPosition)


@dataclass(frozen=True, eq=False)
class RawOutput:
    """The network's outputs for one position, without any search."""

    win: float  # probabilities with sum 1
    loss: float
    no_result: float
    score_mean: float  # points, expected in games of its self-play
    score_mean_square: float  # points squared
    lead: float  # points of compensation for an even game
    variance_time_left: float  # turns, or ABSENT
    win_loss_error: float  # short-term, or ABSENT
    score_error: float  # short-term, points, or ABSENT
    policy: NDArray[np.float32]  # [move_count]; NaN if illegal
    ownership: NDArray[np.float32]  # [height, width], +1 mine, -1 the opponent's

    def for_white(self, *, white_to_move: bool) -> RawOutput:
        """Returns the outputs from White's view, as KataGo reports them."""
        if white_to_move:
            return self
        return replace(
            self,
            win=self.loss,
            loss=self.win,
            score_mean=-self.score_mean,
            lead=-self.lead,
            ownership=-self.ownership,
        )


def evaluate_raw(
    evaluator: Evaluator,
    position: Position,
    *,
    symmetry: int = 0,
    optimism: float = 0.0,
    metadata: NDArray[np.float32] | None = None,
    doublings: float = 0.0,
) -> RawOutput:
    """Evaluates a position under one of its symmetries.

    optimism: the share of the optimistic policy, 0..1; KataGo gives networks of human games 0.
    metadata: [metadata] float32, the profile of the players, for networks with this input.
    doublings: the playout doubling advantage of the side to move, in Go.
    """
    slot = evaluator.open(position.width, position.height, 1)
    if isinstance(position, GoPosition):
        features = position.features(symmetry, playout_doubling_advantage=doublings)
    else:
        features = position.features(symmetry)
    slot.spatial[0], slot.globals[0] = features
    slot.optimism[0] = 0.0 if evaluator.network.uses_metadata else optimism
    if metadata is not None:
        slot.metadata[0] = metadata
    slot.start(1)
    slot.wait()
    return _decoded(slot, 0, evaluator, position, symmetry)


def _decoded(
    slot: Slot, row: int, evaluator: Evaluator, position: Position, symmetry: int = 0
) -> RawOutput:
    return decode(
        slot,
        row,
        network=evaluator.network,
        legal=position.legal_mask(),
        symmetry=symmetry,
        no_result=_may_lack_result(position),
        indices=position.policy_indices() if _has_policy_indices(position) else None,
    )


def _may_lack_result(position: Position) -> bool:
    """Whether the network's third value counts: of a void game in Go, of a draw in chess."""
    if isinstance(position, GoPosition):
        return position.rules.ko == "SIMPLE" or position.rules.scoring == "TERRITORY"
    return _has_policy_indices(position)


def evaluate_each(evaluator: Evaluator, positions: Sequence[Position]) -> list[RawOutput]:
    """Evaluates positions of one board size, in batches."""
    outputs: list[RawOutput] = []
    if not positions:
        return outputs
    rows = max(1, evaluator.preferred_rows)
    slot = evaluator.open(positions[0].width, positions[0].height, rows)
    for first in range(0, len(positions), rows):
        batch = positions[first : first + rows]
        for row, position in enumerate(batch):
            slot.spatial[row], slot.globals[row] = position.features()
        slot.start(len(batch))
        slot.wait()
        outputs += [_decoded(slot, row, evaluator, each) for row, each in enumerate(batch)]
    return outputs


def decode(
    slot: Slot,
    row: int,
    *,
    network: NetworkDescription,
    legal: NDArray[np.uint8],
    symmetry: int = 0,
    no_result: bool = False,
    indices: NDArray[np.intp] | None = None,
) -> RawOutput:
    """Decodes row `row` of a slot after `wait`.

    legal: `[move_count]`, the legal moves of the position as it is; symmetry: the symmetry of the
    row; no_result: whether the rules allow a game without a result; indices: `[move_count]`, those
    of a position whose policy has another order.
    """
    height, width = slot.spatial.shape[2:]
    win, loss, void = _outcome(slot.value[row], no_result=no_result)
    multipliers = network.multipliers
    misc = slot.misc[row].astype(np.float64)
    mean = misc[0] * multipliers.score_mean
    deviation = _softplus(misc[1]) * multipliers.score_deviation
    errors = network.has_short_term_errors
    logits, images = slot.policy[row], GAMES[network.game].move_images
    if indices is not None:
        logits = logits[indices]
    elif images is not None:
        logits = logits[images(width, height, symmetry)]
    elif GAMES[network.game].by_columns:
        symmetry *= 2  # its only symmetry exchanges left and right
        logits = turned_back(logits.reshape(1, width), symmetry)[0]
    else:
        moves = turned_back(logits[:-1].reshape(height, width), symmetry)
        logits = np.append(moves.ravel(), logits[-1])
    ownership = turned_back(slot.ownership[row].reshape(height, width), symmetry)
    return RawOutput(
        win=win,
        loss=loss,
        no_result=void,
        # Scores are of games with a result; games without one count 0.
        score_mean=mean * (1 - void),
        score_mean_square=(mean * mean + deviation * deviation) * (1 - void),
        lead=misc[2] * multipliers.lead * (1 - void),
        variance_time_left=_softplus(misc[3]) * multipliers.variance_time if errors else ABSENT,
        win_loss_error=_win_loss_error(misc[4], network) if errors else ABSENT,
        score_error=_score_error(misc[5], network) if errors else ABSENT,
        policy=_softmax(logits, legal.astype(bool)),
        ownership=np.tanh(ownership),
    )


def turned_back(board: NDArray[np.float32], symmetry: int) -> NDArray[np.float32]:
    """Undoes `symmetry`: `[height, width]` of the position as it is."""
    if symmetry & 4:
        board = board.T
    if symmetry & 2:
        board = board[:, ::-1]
    if symmetry & 1:
        board = board[::-1]
    return np.ascontiguousarray(board)


def _outcome(logits: NDArray[np.float32], *, no_result: bool) -> tuple[float, float, float]:
    values = logits.astype(np.float64)
    if not no_result:
        values[2] = -np.inf
    values = np.exp(values - values.max())
    win, loss, void = values / values.sum()
    return float(win), float(loss), float(void)


def _softmax(logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
    powers = np.exp(np.where(legal, logits - logits[legal].max(), -np.inf))
    return np.where(legal, powers / powers.sum(), np.nan).astype(np.float32)


def _win_loss_error(raw: float, network: NetworkDescription) -> float:
    multiplier = network.multipliers.win_loss_error
    if network.version >= 14:
        return _softplus(raw * 0.5) * float(np.sqrt(multiplier))
    if network.version >= 10:
        return float(np.sqrt(_softplus(raw) * multiplier))
    return _softplus(raw)


def _score_error(raw: float, network: NetworkDescription) -> float:
    multiplier = network.multipliers.score_error
    if network.version >= 14:
        return _softplus(raw * 0.5) * float(np.sqrt(multiplier))
    if network.version >= 10:
        return float(np.sqrt(_softplus(raw) * multiplier))
    return _softplus(raw) * 10.0


def _softplus(x: float) -> float:
    return float(np.logaddexp(0.0, x))
