"""What weighted territory comes to by a network's own word on whose the points become.

How one game ended says little of what a point more in the centre is worth; what a network expects
of every point says it of each position. A network that is to learn a style begins with this, before
its games' own results (ours: the paper, whose training was longer, had results alone). The shift of
the expected score is exact; that of the win rate takes the score for logistic about its mean, with
the network's standard deviation.
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
LEAST_STDEV = 1.0  # points: a game may come out otherwise than a network is sure of
LOGISTIC = math.pi / math.sqrt(3)  # standard deviations a unit of the logistic function
ROWS_AT_ONCE = 512


def extra(territory: Territory, width: int, height: int) -> Tensor:
    """float32 [height * width]: what each point counts beyond 1."""
    line = edge_distances("go", GAMES["go"].new_position(width, height))[: width * height]
    side = np.sign(line - territory.middle_line)
    return torch.from_numpy((territory.beta * side).astype(np.float32))


def expected(rows: SampleRows, network: Network, territory: Territory) -> SampleRows:
    """The rows with result and score as the network expects them by weighted territory.

    The network is one of Go that knows the usual score.
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
    """The side to move's win rate and score, [n] each."""
    shift = out.ownership.float().tanh() @ counts
    misc = out.misc.float()
    stdev = (functional.softplus(misc[:, STDEV]) * POINTS).clamp_min(LEAST_STDEV)
    ahead = out.value[:, 0].float() - out.value[:, 1].float()
    return (ahead + LOGISTIC * shift / stdev).sigmoid(), misc[:, LEAD] * POINTS + shift
