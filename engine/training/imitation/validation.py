"""Validation on human games outside training, for any network and the linear evaluation.

The validated moves are all but passes, forced ones and a game's first, since the database turns it
to f5. Moves count as often as they were played, however well known an opening is. The number of
empty cells defines the stage of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.games.evaluator import Multipliers
from engine.networks.rollout_evaluator import MULTIPLIERS, RolloutEvaluator
from engine.networks.runtime import read_network
from engine.networks.torch_model import Outputs, TorchNetwork
from engine.training.common.policy_metrics import (
    VALUE_LOSS,
    MetricsTally,
    move_metrics,
    value_metrics,
)
from engine.training.imitation.othello_games import CELLS, SIZE, OthelloGames
from engine.training.imitation.othello_rows import HumanSamples, samples_of

# Planes uint8 [n, 5, 8, 8] and globals float32 [n, 3] to outputs.
Answers = Callable[[Tensor, Tensor], Outputs]

GAME = "othello"
LINEAR = "linear"  # the name of Othello's linear evaluation
STAGE_EMPTIES = 10
STAGES = tuple(
    f"{first + STAGE_EMPTIES}-{first + 1} empty" for first in range(50, -1, -STAGE_EMPTIES)
)
LEAD_ERROR = "lead_error"  # discs
ROWS_AT_ONCE = 512
START_EMPTIES = CELLS - 4


@dataclass(frozen=True)
class Predictor:
    """A source of predicted moves and results."""

    name: str
    answers: Answers
    multipliers: Multipliers = field(default_factory=Multipliers)


@dataclass(frozen=True)
class ValidationReport:
    """The metrics of one predictor."""

    name: str
    total: dict[str, float]  # moves, top1, top1_error, probability, value_loss, lead_error
    stages: dict[str, dict[str, float]]  # the same by stage with moves
    unknown: dict[str, float]  # the same in positions outside the training games; {} unless wanted


def validation_rows(games: OthelloGames, *, at_most: int | None = None) -> NDArray[np.int64]:
    """Returns the positions to validate, int64 [n]; at most `at_most`, evenly spread."""
    rows: NDArray[np.int64] = np.flatnonzero(games.has_choice & (games.empties < START_EMPTIES))
    if at_most is not None and len(rows) > at_most:
        rows = rows[np.linspace(0, len(rows) - 1, at_most).astype(np.int64)]
    return rows


@torch.no_grad()
def validate(
    predictor: Predictor,
    games: OthelloGames,
    rows: NDArray[np.int64],
    known: NDArray[np.bool_] | None = None,
) -> ValidationReport:
    """Returns the metrics of a predictor on positions `rows` [n], in their original orientation.

    `known` [positions] marks the positions present in training games.
    """
    tally, by_known = MetricsTally(len(STAGES)), MetricsTally(2)
    for first in range(0, len(rows), ROWS_AT_ONCE):
        some = rows[first : first + ROWS_AT_ONCE]
        samples = samples_of(games, some, np.zeros(len(some), np.int64))
        stages = torch.from_numpy((START_EMPTIES - games.empties[some]) // STAGE_EMPTIES)
        row_metrics = _row_metrics(predictor, samples)
        tally.add(row_metrics, stages)
        if known is not None:
            by_known.add(row_metrics, torch.from_numpy(known[some].astype(np.int64)))
    by_stage = {
        name: _means(tally, index) for index, name in enumerate(STAGES) if tally.rows(index)
    }
    unknown = _means(by_known, 0) if by_known.rows(0) else {}
    return ValidationReport(predictor.name, _means(tally), by_stage, unknown)


def _row_metrics(predictor: Predictor, samples: HumanSamples) -> dict[str, Tensor]:
    out = predictor.answers(samples.planes, samples.globals)
    lead = out.misc[:, 2].float() * predictor.multipliers.lead
    return {
        **move_metrics(out.policy[:, 0], samples.legal, samples.move),
        **value_metrics(out.value, samples.result),
        LEAD_ERROR: (lead - samples.score).abs(),
    }


def _means(tally: MetricsTally, stage: int | None = None) -> dict[str, float]:
    metrics = tally.metrics(stage)
    return {
        **asdict(metrics),
        "top1_error": metrics.top1_error,
        VALUE_LOSS: tally.mean(VALUE_LOSS, stage),
        LEAD_ERROR: tally.mean(LEAD_ERROR, stage),
    }


def predictor_of(text: str) -> Predictor:
    """Returns the predictor of a text: "linear", or an Othello network's file.

    ValueError otherwise.
    """
    if text == LINEAR:
        return linear_evaluation()
    network = read_network(Path(text))
    if network.game != GAME:
        raise ValueError(f"{text} is a network of {network.game}, not of {GAME}")
    frozen = TorchNetwork(network).freeze()
    return Predictor(
        network.name, lambda planes, globals_: frozen(planes.float(), globals_), network.multipliers
    )


def linear_evaluation() -> Predictor:
    """Returns Othello's linear evaluation, the player without a network."""
    slot = RolloutEvaluator(GAME).open(SIZE, SIZE, ROWS_AT_ONCE)

    def answers(planes: Tensor, globals_: Tensor) -> Outputs:
        rows = len(planes)
        slot.spatial[:rows], slot.globals[:rows] = planes.numpy(), globals_.numpy()
        slot.start(rows)
        slot.wait()
        parts: list[Any] = [slot.policy[:, None], slot.value, slot.misc, slot.ownership]
        return Outputs(*(torch.from_numpy(part[:rows].copy()) for part in parts))

    return Predictor("linear evaluation", answers, MULTIPLIERS)
