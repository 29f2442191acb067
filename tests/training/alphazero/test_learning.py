"""Learning from rows: losses of each part, symmetries, batches, averages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from engine.games.table import GAMES
from engine.networks.torch_model import Outputs
from engine.training.alphazero.learning import LearningSettings, NetworkLearner
from engine.training.alphazero.losses import losses
from engine.training.common.rows import SampleRows
from engine.training.common.turns import Turns, turns_of
from tests.support.training.tiny import TINY

BOARDS = (("connect4", 5, 4), ("othello", 4, 4), ("othello", 6, 6))


def some_rows(game: str, width: int, height: int, count: int, symmetry: int = 0) -> SampleRows:
    """Returns positions of random games, turned; the targets are random but legal."""
    rng = np.random.default_rng(1)
    found: dict[str, list[Any]] = {name: [] for name in ("planes", "globals", "legal")}
    position = GAMES[game].new_position(width, height)
    while len(found["planes"]) < count:
        if position.is_over:
            position = GAMES[game].new_position(width, height)
        features = position.features(symmetry)
        found["planes"].append(torch.from_numpy(features[0].copy()))
        found["globals"].append(torch.from_numpy(features[1].copy()))
        found["legal"].append(torch.from_numpy(position.legal_mask().copy()))
        position.play(int(rng.choice(position.legal_moves())))
    planes, globals_, legal = (torch.stack(parts) for parts in found.values())
    generator = torch.Generator().manual_seed(2)
    policy = torch.rand(legal.shape, generator=generator) * legal
    policy = (policy / policy.sum(dim=1, keepdim=True)).half()
    ones = torch.ones(count)
    return SampleRows(
        planes=planes,
        globals=globals_,
        legal=legal,
        policy=policy,
        policy_weight=ones,
        reply=policy.clone(),
        reply_weight=ones.clone(),
        result=torch.randint(3, (count,), generator=generator) / 2,
        score=torch.randint(-9, 10, (count,), generator=generator).float(),
        ownership=torch.randint(-1, 2, (count, width * height), generator=generator).to(torch.int8),
        exact=torch.zeros(count, dtype=torch.uint8),
        game=torch.zeros(count, dtype=torch.int32),
        ply=torch.zeros(count, dtype=torch.int16),
    )


def all_alike(turns: Turns, symmetry: int, count: int) -> torch.Tensor:
    return torch.full((count,), symmetry) % turns.count


@pytest.mark.parametrize(("game", "width", "height"), BOARDS)
def test_rows_are_turned_as_the_core_turns_positions(game: str, width: int, height: int) -> None:
    turns = turns_of(game, width, height)
    upright = some_rows(game, width, height, 12)
    start = GAMES[game].new_position(width, height)
    assert turns.count == start.symmetry_count
    for symmetry in range(turns.count):
        expected = some_rows(game, width, height, 12, symmetry)
        turned = turns.turned(upright, all_alike(turns, symmetry, 12))
        assert torch.equal(turned.planes, expected.planes)
        assert torch.equal(turned.globals, expected.globals)


@pytest.mark.parametrize(("game", "width", "height"), BOARDS[1:])
def test_moves_and_owners_are_turned_with_the_cells(game: str, width: int, height: int) -> None:
    turns = turns_of(game, width, height)
    rows = some_rows(game, width, height, 12)
    marked = rows._replace(ownership=rows.planes[:, 3].flatten(1).to(torch.int8))
    for symmetry in range(turns.count):
        turned = turns.turned(marked, all_alike(turns, symmetry, 12))
        own_moves = turned.planes[:, 3].flatten(1)
        assert torch.equal(turned.legal[:, :-1], own_moves)
        assert torch.equal(turned.ownership, own_moves.to(torch.int8))
        assert torch.equal(turned.legal[:, -1], rows.legal[:, -1])
        assert torch.equal(turned.policy[:, :-1] > 0, own_moves > 0)


def test_columns_are_mirrored_with_the_board() -> None:
    turns = turns_of("connect4", 5, 4)
    rows = some_rows("connect4", 5, 4, 12)
    turned = turns.turned(rows, torch.ones(12, dtype=torch.int64))
    assert torch.equal(turned.policy, rows.policy.flip(1))
    assert torch.equal(turned.planes, rows.planes.flip(3))


def perfect(rows: SampleRows) -> Outputs:
    """Returns the outputs of a network with perfect knowledge of the rows."""
    ahead = torch.logit(rows.result, eps=1e-6)
    value = torch.stack((ahead, 0 * ahead, 5 + 0 * ahead), dim=1)
    nothing = torch.full_like(rows.score, -30.0)
    points = rows.score / 20
    misc = torch.stack((points, nothing, points, *[nothing] * 3), dim=1)
    logits = rows.policy.float().clamp_min(1e-12).log()
    owner = torch.logit((rows.ownership.float() + 1) / 2, eps=1e-6) / 2
    return Outputs(torch.stack((logits, logits), dim=1), value, misc, owner)


def test_nothing_is_left_to_learn_for_who_knows_it() -> None:
    rows = some_rows("othello", 6, 6, 20)
    assert {name: float(part) for name, part in losses(perfect(rows), rows).items()} == (
        pytest.approx(dict.fromkeys(losses(perfect(rows), rows), 0.0), abs=2e-3)
    )


@pytest.mark.parametrize("part", ["policy", "reply"])
def test_policies_of_no_weight_are_not_learned(part: str) -> None:
    rows = some_rows("othello", 6, 6, 20)
    out = perfect(rows)
    wrong = rows.policy.flip(0)
    weight = torch.zeros(20)
    weight[:10] = 1
    half = rows._replace(
        **{part: torch.cat((rows.policy[:10], wrong[10:])), f"{part}_weight": weight}
    )
    assert float(losses(out, half)[part]) == pytest.approx(0, abs=1e-3)
    everything = half._replace(**{f"{part}_weight": torch.ones(20)})
    assert float(losses(out, everything)[part]) > 0.1


def test_the_parts_measure_what_they_say() -> None:
    rows = some_rows("connect4", 5, 4, 2)._replace(
        result=torch.tensor([1.0, 0.5]), score=torch.tensor([4.0, -2.0])
    )
    out = perfect(rows)._replace(value=torch.zeros(2, 3), misc=torch.zeros(2, 6))
    found = {name: float(part) for name, part in losses(out, rows).items()}
    assert found["value"] == pytest.approx(np.log(2) / 2, abs=1e-4)
    assert found["squares"] == pytest.approx(0.5)  # of results 1 and 0, both taken for 0
    assert found["lead"] == pytest.approx((0.5 + 0.125) / 2)


def learner(learning: LearningSettings) -> NetworkLearner:
    turns = turns_of(TINY.game, TINY.width, TINY.height)
    return NetworkLearner(TINY.network("tiny", seed=1), learning, turns, torch.float32)


def test_an_epoch_has_each_row_in_each_symmetry_once() -> None:
    rows = some_rows("connect4", 4, 4, 10)._replace(score=torch.arange(10.0))
    found = []
    drawing = learner(LearningSettings(batch=5))
    for batch in drawing._draw(rows, 4, torch.Generator().manual_seed(1)):
        upright = rows.part(batch.score.long())
        mirrored = ~(batch.policy == upright.policy).all(dim=1)
        found += [(int(row), bool(turn)) for row, turn in zip(batch.score, mirrored, strict=True)]
    assert sorted(found) == [(row, turn) for row in range(10) for turn in (False, True)]


def test_what_plays_is_the_average_of_the_latest_weights() -> None:
    rows = some_rows("connect4", 4, 4, 40)
    latest = learner(LearningSettings(batch=10, average=0.0, settling=1))
    latest.learn(rows, 6, seed=1)
    slow = learner(LearningSettings(batch=10, average=0.9, settling=1))
    slow.learn(rows, 6, seed=1)
    pairs = list(zip(latest.network.parameters(), latest.averaged.parameters(), strict=True))
    assert all(torch.equal(one, other) for one, other in pairs)
    pairs = list(zip(slow.network.parameters(), slow.averaged.parameters(), strict=True))
    assert any(not torch.equal(one, other) for one, other in pairs)
    for one, other in zip(latest.network.parameters(), slow.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_averaged_weights_have_the_statistics_of_their_own_signals() -> None:
    rows = some_rows("connect4", 4, 4, 64)
    settled = learner(LearningSettings(batch=128, settling=3, average=0.9))
    settled.learn(rows, 5, seed=1)
    first: Any = settled.averaged.blocks[0].before
    seen: list[torch.Tensor] = []
    first.register_forward_pre_hook(lambda _layer, inputs: seen.append(inputs[0]))
    turns = turns_of("connect4", 4, 4)
    both = [turns.turned(rows, all_alike(turns, symmetry, 64)) for symmetry in (0, 1)]
    with torch.no_grad():
        for side in both:
            settled.answers(settled.averaged, side)
    signals = torch.cat(seen)
    torch.testing.assert_close(first.mean, signals.mean(dim=(0, 2, 3)), atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(first.variance, signals.var(dim=(0, 2, 3)), atol=1e-4, rtol=1e-2)


def test_the_rate_falls_to_nothing_at_the_end() -> None:
    rows = some_rows("connect4", 4, 4, 40)
    falling = learner(LearningSettings(batch=10, warm_up=0, settling=1, learning_rate=1.0))
    rates = []
    falling.learn(
        rows,
        4,
        seed=1,
        falling=True,
        on_batch=lambda _n: rates.append(falling._optimizer.param_groups[0]["lr"]),
    )
    assert rates == [1.0, 0.75, 0.5, 0.25]


def test_learning_is_decided_by_the_seed() -> None:
    rows = some_rows("connect4", 4, 4, 40)
    found = []
    for seed in (1, 1, 2):
        one = learner(replace(TINY.learning, settling=1))
        one.learn(rows, 3, seed=seed)
        found.append(one.tensors())
    assert all(torch.equal(found[0][name], found[1][name]) for name in found[0])
    assert any(not torch.equal(found[0][name], found[2][name]) for name in found[0])
