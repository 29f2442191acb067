"""Double DQN: its samples, its learning and continuation, and the agent made of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine._core import OthelloPosition
from engine.agents.table import make_agent
from engine.networks.double_dqn import QShape, new_networks, read_double_dqn, write_double_dqn
from engine.training.common.metrics import read_metrics
from engine.training.othello.double_dqn import Dqn, DqnLearner, DqnSettings, Pool, play_round, turns
from engine.training.train_othello_dqn import DqnRunSettings, learn_dqn
from tests.support.paths import ROOT

SMALL = QShape(size=4, channels=8, hidden=32)
LEARNING = DqnSettings(shape=SMALL, games=8, exploring_rounds=4)
NAME = "othello-dqn.safetensors"


def trained(
    folder: Path, rounds: int, learning: DqnSettings | None = None, rival_every: int = 0
) -> dict[str, torch.Tensor]:
    """Returns the parameters of both networks after a run; learning: LEARNING by default."""
    run = DqnRunSettings(folder, learning or LEARNING, rounds=rounds, rival_every=rival_every)
    learn_dqn(run, lambda _line: None)
    found = read_double_dqn(folder / NAME)
    return {
        f"{color}.{name}": part
        for color, network in enumerate(found.networks)
        for name, part in network.state_dict().items()
    }


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(part, other[name]) for name, part in one.items())


def test_a_pool_holds_the_moves_of_its_color_and_how_the_game_ended() -> None:
    settings = DqnSettings(shape=SMALL, games=5)
    networks = list(new_networks(SMALL, 1))
    pools, black_wins = play_round(settings, networks, 1.0, np.random.default_rng(2))
    assert 0 <= black_wins <= 1
    for pool in pools:
        last = [index for index, after in enumerate(pool.after) if after < 0]
        assert len(last) == 5
        assert {pool.rewards[index] for index in last} <= {-1.0, 0.0, 1.0}
        for index, after in enumerate(pool.after):
            legal = pool.planes[index][2].ravel()
            assert legal[pool.moves[index]] == 1
            if after >= 0:
                assert pool.rewards[index] == 0
                discs = [pool.planes[at][:2].sum() for at in (index, after)]
                assert discs[1] > discs[0]
    black, white = (
        sorted(pool.rewards[index] for index, after in enumerate(pool.after) if after < 0)
        for pool in pools
    )
    assert black == sorted(-reward for reward in white)


def test_games_begin_at_random_so_that_they_are_not_alike() -> None:
    networks = list(new_networks(SMALL, 1))
    differ = []
    for opening in (0.0, 0.5):
        settings = DqnSettings(shape=SMALL, games=8, opening=opening)
        (pool, _), _ = play_round(settings, networks, 0.0, np.random.default_rng(2))
        ends = [planes for planes, after in zip(pool.planes, pool.after, strict=True) if after < 0]
        differ.append(len({end.tobytes() for end in ends}))
    assert differ[0] == 1 < differ[1]


def test_the_network_that_learns_chooses_and_the_target_judges() -> None:
    learner = DqnLearner(new_networks(SMALL, 1)[0], 1e-3)
    planes = torch.zeros(1, 3, 4, 4)
    planes[0, 2, 0, 1] = planes[0, 2, 3, 3] = 1  # cells 1 and 15 are legal
    with torch.no_grad():
        for network, bias in (
            (learner.network, {0: 9.0, 1: 5.0}),
            (learner.target, {1: 0.25, 15: 7.0}),
        ):
            layer = network[-1]
            assert isinstance(layer, torch.nn.Linear)
            layer.weight.zero_()
            layer.bias.zero_()
            for cell, value in bias.items():
                layer.bias[cell] = value
    assert learner.future(planes).tolist() == [0.25]


def test_a_learner_comes_to_know_what_its_pool_says() -> None:
    pool = Pool()
    position = OthelloPosition(4)
    for move in position.legal_moves():
        pool.planes.append(position.features()[0][[1, 2, 3]])
        pool.moves.append(move)
        pool.after.append(-1)
        pool.rewards.append(-1.0)
    learner = DqnLearner(new_networks(SMALL, 3)[0], 1e-3)
    losses = [
        learner.learn(DqnSettings(shape=SMALL, passes=passes, batch=4), pool, rng)
        for passes, rng in ((1.0, np.random.default_rng(1)), (100.0, np.random.default_rng(2)))
    ]
    assert np.isfinite(losses).all()
    with torch.inference_mode():
        planes = torch.from_numpy(np.stack(pool.planes).astype(np.float32))
        told = learner.network(planes)[0][pool.moves]
    assert torch.allclose(told, torch.tensor(-1.0), atol=0.2)


def test_turns_are_the_eight_symmetries() -> None:
    cells = np.arange(16)
    assert len({tuple(order) for order, _ in turns(4)}) == 8
    for order, place in turns(4):
        assert (cells[order][place] == cells).all()


def test_losses_are_finite_and_fall_on_the_games_of_one_round() -> None:
    settings = DqnSettings(
        shape=SMALL, games=12, batch=32, passes=8.0, learning_rate=1e-3, target_batches=10_000
    )
    dqn, rng = Dqn(settings), np.random.default_rng(1)
    networks = [learner.network for learner in dqn.learners]
    pools, _ = play_round(settings, networks, 1.0, rng)
    for learner, pool in zip(dqn.learners, pools, strict=True):
        losses = [learner.learn(settings, pool, rng) for _ in range(12)]
        assert np.isfinite(losses).all()
        # With ten seeds on avx2 the two networks' shares are 0.50 +- 0.11, at most 0.66. One loss
        # by one other is noisier: up to 0.85 in eleven seeds.
        assert np.mean(losses[-3:]) < 0.9 * np.mean(losses[:3])


def test_a_run_repeats_itself_and_goes_on_as_if_not_broken_off(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", 6)
    assert same(whole, trained(tmp_path / "again", 6))
    half = trained(tmp_path / "half", 3)
    assert not same(whole, half)
    checkpoint = (tmp_path / "half" / NAME).read_bytes()
    trained(tmp_path / "half", 5)
    (tmp_path / "half" / NAME).write_bytes(checkpoint)  # as if killed before the next one
    assert same(whole, trained(tmp_path / "half", 6))
    rows = read_metrics(tmp_path / "half")
    assert [row["step"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows == read_metrics(tmp_path / "whole")


def test_a_run_with_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    with pytest.raises(ValueError, match=rf"{NAME}: .* of a run with seed 1, games 8"):
        trained(tmp_path, 2, replace(LEARNING, games=4, seed=2))


def test_a_run_tells_what_it_takes_from_its_rivals(tmp_path: Path) -> None:
    trained(tmp_path, 3, rival_every=2)
    shares = [f"points_against_{rival}" for rival in ("random", "roxanne")]
    first, second, third = read_metrics(tmp_path)
    assert all(0 < second[share] < 1 for share in shares)
    assert not any(share in row for row in (first, third) for share in shares)
    card = (tmp_path / "othello-dqn.md").read_text()
    assert "24 games against itself in 3 rounds" in card
    assert "| roxanne | " in card


def test_the_agent_plays_the_whole_game_the_same_every_time(tmp_path: Path) -> None:
    trained(tmp_path, 2)
    games = []
    for _ in range(2):
        agent = make_agent(f"double-dqn:{tmp_path / NAME}", "othello", seed=1)
        agent.begin(3)
        position = OthelloPosition(4)
        while not position.is_over:
            move = agent.choose(position).move
            assert move in position.legal_moves()
            position.play(move)
        agent.finish(position)
        games.append(position.stones)
    assert (games[0] == games[1]).all()
    with pytest.raises(ValueError, match="4x4, not on 8x8"):
        agent.choose(OthelloPosition(8))


def test_other_files_are_refused_by_name(tmp_path: Path) -> None:
    go = ROOT / "engine" / "networks" / "weights" / "go.safetensors"
    (tmp_path / "rubbish").write_bytes(b"rubbish")
    halved = {f"0.{n}": part for n, part in new_networks(SMALL, 1)[0].state_dict().items()}
    write_double_dqn(tmp_path / "halved", SMALL, halved, {})
    for path in (go, tmp_path / "rubbish", tmp_path / "absent", tmp_path / "halved"):
        with pytest.raises(ValueError, match=path.name):
            make_agent(f"double-dqn:{path}", "othello", seed=1)
    with pytest.raises(ValueError, match="needs a file"):
        make_agent("double-dqn", "othello", seed=1)
    with pytest.raises(ValueError, match="not 'connect4'"):
        make_agent("double-dqn:x", "connect4", seed=1)
