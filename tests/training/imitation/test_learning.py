"""The losses of a batch, and the batches of a run."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from engine.networks.torch_model import Outputs
from engine.training.imitation.learning import HumanLearner, HumanTrainingSettings, losses
from engine.training.imitation.othello_games import OthelloGames, play_games
from engine.training.imitation.othello_rows import HumanSamples, samples_of
from tests.support.training.thor_files import random_game

COURSE = HumanTrainingSettings(batches=40, batch=64, blocks=1, channels=8)


@pytest.fixture(scope="module")
def games() -> OthelloGames:
    whole = [random_game(seed) for seed in range(6)]
    return play_games([*whole, type(whole[0])(whole[0].moves[:25], 40)])


def upright(games: OthelloGames) -> HumanSamples:
    rows = np.arange(len(games))
    return samples_of(games, rows, np.zeros_like(rows))


def knowing(samples: HumanSamples) -> Outputs:
    """Returns the outputs of a perfect predictor."""
    moves = torch.zeros(len(samples.move), 1, 65)
    moves[:, 0].scatter_(1, samples.move[:, None], 50.0)
    misc = torch.zeros(len(samples.move), 6)
    misc[:, 0] = misc[:, 2] = samples.score / 20
    misc[:, 1] = -50
    ahead = (samples.result - 0.5) * 100
    return Outputs(moves, torch.stack((ahead, -ahead), dim=1), misc, samples.ownership * 20)


def test_nothing_is_left_to_learn_by_who_knows_everything(games: OthelloGames) -> None:
    samples = upright(games)
    parts = losses(knowing(samples), samples)
    known = {name: float(part) for name, part in parts.items()}
    drawn = float((samples.result == 0.5).float().mean()) * math.log(2)
    assert known.pop("value") == pytest.approx(drawn, abs=1e-4)
    owned = samples.ownership[samples.owned == 1]
    nobodys = float((owned == 0).float().mean()) * math.log(2)
    assert known.pop("ownership") == pytest.approx(nobodys, abs=1e-4)
    assert known == pytest.approx(dict.fromkeys(known, 0), abs=1e-4)


def test_policies_learn_from_choices_alone(games: OthelloGames) -> None:
    samples = upright(games)
    blind = knowing(samples)._replace(policy=torch.zeros(len(games), 1, 65))
    options = samples.legal.sum(dim=1)
    assert (options == 1).any()
    expected = options[options > 1].float().log().mean()
    torch.testing.assert_close(losses(blind, samples)["policy"], expected)


def test_games_broken_off_teach_no_ownership(games: OthelloGames) -> None:
    samples = upright(games)
    assert 0 < (samples.owned == 0).sum() < len(games)
    told = knowing(samples)
    wrong = torch.where(samples.owned[:, None] == 0, -told.ownership, told.ownership)
    assert (
        losses(told, samples)["ownership"]
        == losses(told._replace(ownership=wrong), samples)["ownership"]
    )


def test_a_batch_follows_from_the_seed_and_its_number(games: OthelloGames) -> None:
    learner = HumanLearner(COURSE, games, torch.float32)
    again = HumanLearner(COURSE, games, torch.float32)
    in_order = [learner.samples(number) for number in range(8)]
    for number in (7, 2):
        for part, other in zip(in_order[number], again.samples(number), strict=True):
            assert torch.equal(part, other)
    other_seed = HumanLearner(
        HumanTrainingSettings(batches=40, batch=64, seed=2), games, torch.float32
    )
    assert not torch.equal(other_seed.samples(0).planes, in_order[0].planes)
    assert not torch.equal(in_order[0].planes, in_order[1].planes)


def test_an_epoch_has_each_position_once(games: OthelloGames) -> None:
    learner = HumanLearner(COURSE, games, torch.float32)
    whole = len(games) // COURSE.batch
    for epoch in (0, 1):
        batches = [learner.samples(epoch * whole + number) for number in range(whole)]
        told = torch.cat([batch.globals[:, 1] * 64 for batch in batches]).round().long()
        counts = torch.bincount(told, minlength=61)
        most = torch.bincount(torch.from_numpy(games.empties), minlength=61)
        assert (counts <= most).all()
        assert counts.sum() == whole * COURSE.batch
