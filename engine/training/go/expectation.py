"""The expected result under weighted territory, from a network's own ownership.

A game's end says little about the worth of one more point in the centre; a network's expectation of
every point gives it for each position. A network begins to learn a style from these expectations,
before its games' own results (ours: the paper has results alone, with longer training). The shift
of the expected score is exact; the shift of the win rate assumes a logistic score about its mean,
with the network's standard deviation.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from engine.games.table import GAMES
from engine.networks.torch_model import Outputs
from engine.style.edge_distance import edge_distances
from engine.training.common.rows import SampleRows
from engine.training.go.samples import LEAD, POINTS, Network
from engine.training.go.territory import Territory

STDEV = 1  # column of the scores
LEAST_STDEV = 1.0  # points: a lower bound for overconfident networks
LOGISTIC = math.pi / math.sqrt(3)  # standard deviations a unit of the logistic function
ROWS_AT_ONCE = 512


def extra(territory: Territory, width: int, height: int) -> Tensor:
    """Returns each point's count beyond 1, float32 [height * width]."""
    line = edge_distances("go", GAMES["go"].new_position(width, height))[: width * height]
    side = np.sign(line - territory.middle_line)
    return torch.from_numpy((territory.beta * side).astype(np.float32))


def expected(rows: SampleRows, network: Network, territory: Territory) -> SampleRows:
    """Returns the rows with the network's expected result and score by weighted territory.

    The network is one of Go, trained on the usual score.
    """
    height, width = rows.planes.shape[-2:]
    counts = extra(territory, width, height)
    results, scores = [], []
    for first in range(0, rows.size, ROWS_AT_ONCE):
        part = rows.part(slice(first, first + ROWS_AT_ONCE))
        result, score = _expected(network(part.planes, part.globals), counts)
        results.append(result)
        scores.append(score)
    return rows._replace(result=torch.cat(results), score=torch.cat(scores))


def _expected(out: Outputs, counts: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the side to move's win rate and score, [n] each."""
    shift = out.ownership.float().tanh() @ counts
    misc = out.misc.float()
    stdev = (functional.softplus(misc[:, STDEV]) * POINTS).clamp_min(LEAST_STDEV)
    ahead = out.value[:, 0].float() - out.value[:, 1].float()
    return (ahead + LOGISTIC * shift / stdev).sigmoid(), misc[:, LEAD] * POINTS + shift
