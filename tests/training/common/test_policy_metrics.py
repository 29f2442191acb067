"""Metrics of policies with known answers."""

from __future__ import annotations

import math

import pytest
import torch

from engine.training.common.policy_metrics import (
    TOP1,
    VALUE_LOSS,
    MetricsTally,
    log_probabilities,
    move_metrics,
    value_metrics,
)

# Three moves; the last is illegal in the first row, whatever its logit.
LOGITS = torch.tensor([[0.0, math.log(3), 9.0], [0.0, 0.0, 0.0], [math.log(8), 0.0, 0.0]])
LEGAL = torch.tensor([[1, 1, 0], [1, 1, 1], [1, 1, 1]], dtype=torch.uint8)
PLAYED = torch.tensor([1, 2, 1])


def test_illegal_moves_have_no_probability() -> None:
    told = log_probabilities(LOGITS, LEGAL).exp()
    expected = torch.tensor([[0.25, 0.75, 0], [1 / 3, 1 / 3, 1 / 3], [0.8, 0.1, 0.1]])
    torch.testing.assert_close(told, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_metrics_are_the_share_of_likeliest_moves_and_the_geometric_mean(
    dtype: torch.dtype,
) -> None:
    tally = MetricsTally()
    for rows in (slice(0, 2), slice(2, 3)):
        tally.add(move_metrics(LOGITS[rows].to(dtype), LEGAL[rows], PLAYED[rows]))
    metrics = tally.metrics()
    assert metrics.moves == 3
    assert metrics.top1 == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert metrics.probability == pytest.approx((3 / 4 * 1 / 3 * 1 / 10) ** (1 / 3), rel=5e-3)


def test_groups_are_validated_apart() -> None:
    tally = MetricsTally(groups=3)
    tally.add(move_metrics(LOGITS, LEGAL, PLAYED), torch.tensor([2, 0, 2]))
    assert [tally.rows(group) for group in range(3)] == [1, 0, 2]
    assert tally.metrics(2).top1 == 0.5
    assert tally.metrics(2).probability == pytest.approx(math.sqrt(0.75 * 0.1))
    assert tally.metrics(2).top1_error == pytest.approx(math.sqrt(0.25 / 2))
    assert tally.metrics(0).probability == pytest.approx(1 / 3)
    assert math.isnan(tally.mean(TOP1, 1))


def test_a_value_is_validated_by_its_surprise() -> None:
    logits = torch.tensor([[math.log(3), 0.0, 50.0], [0.0, math.log(3), 0.0], [0.0, 0.0, 1.0]])
    surprise = value_metrics(logits, torch.tensor([1.0, 1.0, 0.5]))[VALUE_LOSS]
    torch.testing.assert_close(surprise, -torch.tensor([0.75, 0.25, 0.5]).log())


def test_other_marks_are_not_mixed_in() -> None:
    tally = MetricsTally()
    tally.add({"one": torch.ones(2)})
    with pytest.raises(ValueError, match=r"'two'.*'one'"):
        tally.add({"two": torch.ones(2)})
