"""A network's expectation of weighted territory, from its ownership."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from engine._core import GoPosition, GoRules
from engine.networks.torch_model import Outputs
from engine.training.common.rows import SampleRows
from engine.training.go.expectation import LOGISTIC, expected, extra
from engine.training.go.samples import POINTS, Network
from engine.training.go.territory import Territory

SIZE = 5
CENTRE = Territory(0.2, 2)
LINES = [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 2, 3, 2, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1]


def rows_of(count: int) -> SampleRows:
    """Returns empty boards of games won by White by 9."""
    planes, globals_ = (
        torch.from_numpy(part.copy()) for part in GoPosition(5, 5, GoRules()).features()
    )
    moves = torch.zeros(count, SIZE * SIZE + 1)
    ones = torch.ones(count)
    return SampleRows(
        planes=planes.expand(count, *planes.shape).contiguous(),
        globals=globals_.expand(count, -1).contiguous(),
        legal=moves.to(torch.uint8),
        policy=moves.half(),
        policy_weight=ones,
        reply=moves.half(),
        reply_weight=ones,
        result=0 * ones,
        score=-9 * ones,
        ownership=torch.zeros(count, SIZE * SIZE, dtype=torch.int8),
        exact=torch.zeros(count, dtype=torch.uint8),
        game=torch.zeros(count, dtype=torch.int32),
        ply=torch.zeros(count, dtype=torch.int16),
    )


def saying(owner: list[float], ahead: float, lead: float, stdev: float) -> Network:
    """A network with one answer for every position."""

    def answer(_planes: Tensor, globals_: Tensor) -> Outputs:
        count = len(globals_)
        misc = torch.zeros(count, 6)
        misc[:, 1] = math.log(math.expm1(stdev / POINTS))
        misc[:, 2] = lead / POINTS
        value = torch.tensor([[ahead, 0.0, -9.0]]).expand(count, -1)
        owners = torch.tensor([owner]).clamp(-0.9999, 0.9999).atanh().expand(count, -1)
        return Outputs(torch.zeros(count, 1, 26), value, misc, owners)

    return answer


def test_points_count_by_their_line() -> None:
    assert torch.allclose(
        extra(CENTRE, SIZE, SIZE), torch.tensor([0.2 * ((n > 2) - (n < 2)) for n in LINES])
    )


@pytest.mark.parametrize(
    ("owner", "shift"),
    [
        ([0.0] * 25, 0.0),
        ([1.0 if line == 3 else 0.0 for line in LINES], 0.2),
        ([1.0 if line == 1 else 0.0 for line in LINES], -16 * 0.2),
        ([0.5 if line == 1 else -1.0 for line in LINES], -16 * 0.2 * 0.5 - 0.2),
    ],
)
def test_score_and_win_rate_are_shifted_by_what_the_lines_count(
    owner: list[float], shift: float
) -> None:
    rows = rows_of(3)
    found = expected(rows, saying(owner, ahead=0.4, lead=2.0, stdev=6.0), CENTRE)
    assert found.score.tolist() == pytest.approx([2.0 + shift] * 3, abs=0.01)
    share = 1 / (1 + math.exp(-(0.4 + LOGISTIC * shift / 6)))
    assert found.result.tolist() == pytest.approx([share] * 3, abs=0.001)
    for name in set(SampleRows._fields) - {"score", "result"}:
        assert torch.equal(getattr(found, name), getattr(rows, name))


def test_it_is_the_same_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    network = saying([0.3] * 25, ahead=0.0, lead=-1.0, stdev=4.0)
    whole = expected(rows_of(5), network, CENTRE)
    monkeypatch.setattr("engine.training.go.expectation.ROWS_AT_ONCE", 2)
    pieces = expected(rows_of(5), network, CENTRE)
    assert torch.equal(whole.score, pieces.score)
    assert len(pieces.result) == 5
