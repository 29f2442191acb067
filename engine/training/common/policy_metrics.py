"""Metrics of predicted moves and results, for any policy.

The inputs are rows of logits, from any source and game. A metric is one number a row; MetricsTally
computes its mean in groups of rows, such as stages of the game.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

TOP1 = "top1"
LOG_PROBABILITY = "log_probability"  # nats
VALUE_LOSS = "value_loss"  # nats


def log_probabilities(logits: Tensor, legal: Tensor) -> Tensor:
    """Returns logarithms of the probabilities of legal moves, -inf for the others.

    logits [n, moves] of any float type, legal uint8 [n, moves]; the result is float32 [n, moves].
    """
    return logits.float().masked_fill(legal == 0, float("-inf")).log_softmax(dim=1)


def move_metrics(logits: Tensor, legal: Tensor, played: Tensor) -> dict[str, Tensor]:
    """Returns TOP1 and LOG_PROBABILITY of the played move, int64 [n], in each row; float32 [n].

    TOP1 is 1 for the likeliest legal move, and shared among equal ones: a constant policy scores as
    a random one does.
    """
    logs = log_probabilities(logits, legal)
    likeliest = logs == logs.amax(dim=1, keepdim=True)
    column = played[:, None]
    return {
        TOP1: likeliest.gather(1, column)[:, 0] / likeliest.sum(dim=1),
        LOG_PROBABILITY: logs.gather(1, column)[:, 0],
    }


def value_metrics(logits: Tensor, result: Tensor) -> dict[str, Tensor]:
    """Returns VALUE_LOSS, -log of the result's probability in nats, float32 [n].

    logits [n, 2 or more] are of winning, of losing; any others are left out. result [n]: 1 the side
    to move won, .5 drawn, 0 lost.
    """
    ahead = logits[:, 0].float() - logits[:, 1].float()
    surprise = functional.binary_cross_entropy_with_logits(ahead, result, reduction="none")
    return {VALUE_LOSS: surprise}


@dataclass(frozen=True)
class PolicyMetrics:
    """The metrics of a group's moves."""

    moves: int
    top1: float  # share of moves equal to the likeliest
    probability: float  # geometric mean of the moves' probabilities

    @property
    def top1_error(self) -> float:
        """The standard error of top1 for independent moves."""
        return math.sqrt(self.top1 * (1 - self.top1) / self.moves)


class MetricsTally:
    """Means of metrics, in total and by group, over all added rows."""

    def __init__(self, groups: int = 1) -> None:
        self._rows = torch.zeros(groups, dtype=torch.float64)
        self._sums: dict[str, Tensor] = {}

    def add(self, row_metrics: Mapping[str, Tensor], group: Tensor | None = None) -> None:
        """Adds rows: metrics float [n] by name, always the same names, and the group int64 [n]."""
        rows = len(next(iter(row_metrics.values())))
        chosen = torch.zeros(rows, dtype=torch.int64) if group is None else group.cpu()
        if self._sums and self._sums.keys() != row_metrics.keys():
            raise ValueError(f"metrics {sorted(row_metrics)} beside {sorted(self._sums)}")
        self._rows.index_add_(0, chosen, torch.ones(rows, dtype=torch.float64))
        for name, metric in row_metrics.items():
            sums = self._sums.setdefault(name, torch.zeros_like(self._rows))
            sums.index_add_(0, chosen, metric.detach().cpu().double())

    def rows(self, group: int | None = None) -> int:
        """Returns the number of rows, of one group or of all."""
        return int(self._rows.sum() if group is None else self._rows[group])

    def mean(self, metric: str, group: int | None = None) -> float:
        """Returns the mean of a metric over a group or all; NaN without rows."""
        rows = self.rows(group)
        if not rows:
            return math.nan
        sums = self._sums[metric]
        return float(sums.sum() if group is None else sums[group]) / rows

    def metrics(self, group: int | None = None) -> PolicyMetrics:
        """Returns the means of move_metrics()."""
        return PolicyMetrics(
            moves=self.rows(group),
            top1=self.mean(TOP1, group),
            probability=math.exp(self.mean(LOG_PROBABILITY, group)),
        )
