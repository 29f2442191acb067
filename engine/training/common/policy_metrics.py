"""How well moves that were played, and how games ended, are foretold: grades of any policy.

Works on rows of logits, whoever made them and in whichever game. A mark is a number a row; a Tally
keeps the mean of each mark in groups of rows, such as stages of the game.
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
    """Logarithms of the probabilities of the legal moves, -inf for the others.

    logits [n, moves] of any float type, legal uint8 [n, moves]; the result is float32.
    """
    return logits.float().masked_fill(legal == 0, float("-inf")).log_softmax(dim=1)


def move_metrics(logits: Tensor, legal: Tensor, played: Tensor) -> dict[str, Tensor]:
    """TOP1 and LOG_PROBABILITY of the move played, int64 [n], in each row; float32 [n].

    TOP1 is 1 where the move is the likeliest legal one, and shared where several are equal, so
    that who knows nothing scores what guessing does.
    """
    logs = log_probabilities(logits, legal)
    likeliest = logs == logs.amax(dim=1, keepdim=True)
    column = played[:, None]
    return {
        TOP1: likeliest.gather(1, column)[:, 0] / likeliest.sum(dim=1),
        LOG_PROBABILITY: logs.gather(1, column)[:, 0],
    }


def value_metrics(logits: Tensor, result: Tensor) -> dict[str, Tensor]:
    """VALUE_LOSS: the surprise at a result, 1 the side to move won, .5 drawn, 0 lost; float32 [n].

    logits [n, 2 or more] are of winning, of losing; any others are left out.
    """
    ahead = logits[:, 0].float() - logits[:, 1].float()
    surprise = functional.binary_cross_entropy_with_logits(ahead, result, reduction="none")
    return {VALUE_LOSS: surprise}


@dataclass(frozen=True)
class PolicyMetrics:
    """How the moves of a group were foretold."""

    moves: int
    top1: float  # share of the moves that were the likeliest
    probability: float  # geometric mean of those that the moves were given

    @property
    def top1_error(self) -> float:
        """The standard error of top1, were all moves independent of each other."""
        return math.sqrt(self.top1 * (1 - self.top1) / self.moves)


class MetricsTally:
    """Means of marks, in total and by group, over all rows that were added."""

    def __init__(self, groups: int = 1) -> None:
        self._rows = torch.zeros(groups, dtype=torch.float64)
        self._sums: dict[str, Tensor] = {}

    def add(self, row_metrics: Mapping[str, Tensor], group: Tensor | None = None) -> None:
        """Adds rows: marks float [n] by name, always the same ones, and the group int64 [n]."""
        rows = len(next(iter(row_metrics.values())))
        chosen = torch.zeros(rows, dtype=torch.int64) if group is None else group.cpu()
        if self._sums and self._sums.keys() != row_metrics.keys():
            raise ValueError(f"marks {sorted(row_metrics)} beside {sorted(self._sums)}")
        self._rows.index_add_(0, chosen, torch.ones(rows, dtype=torch.float64))
        for name, metric in row_metrics.items():
            sums = self._sums.setdefault(name, torch.zeros_like(self._rows))
            sums.index_add_(0, chosen, metric.detach().cpu().double())

    def rows(self, group: int | None = None) -> int:
        """How many rows were added, of one group or of all."""
        return int(self._rows.sum() if group is None else self._rows[group])

    def mean(self, metric: str, group: int | None = None) -> float:
        """The mean of a mark over a group or all; NaN where there are no rows."""
        rows = self.rows(group)
        if not rows:
            return math.nan
        sums = self._sums[metric]
        return float(sums.sum() if group is None else sums[group]) / rows

    def metrics(self, group: int | None = None) -> PolicyMetrics:
        """What move_marks() comes to."""
        return PolicyMetrics(
            moves=self.rows(group),
            top1=self.mean(TOP1, group),
            probability=math.exp(self.mean(LOG_PROBABILITY, group)),
        )
