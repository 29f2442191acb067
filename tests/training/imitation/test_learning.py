"""What is learned from a batch, and which batches a course has."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from engine.networks.torch_model import Outputs
from engine.training.imitation.learning import HumanCourse, HumanLearner, losses
from engine.training.imitation.othello_games import OthelloGames, play_games
from engine.training.imitation.othello_rows import HumanLesson, lesson_of
from tests.support.training.thor_files import random_game

COURSE = HumanCourse(batches=40, batch=64, blocks=1, channels=8)


@pytest.fixture(scope="module")
def games() -> OthelloGames:
    whole = [random_game(seed) for seed in range(6)]
    return play_games([*whole, type(whole[0])(whole[0].moves[:25], 40)])


def upright(games: OthelloGames) -> HumanLesson:
    rows = np.arange(len(games))
    return lesson_of(games, rows, np.zeros_like(rows))


def knowing(lesson: HumanLesson) -> Outputs:
    """The outputs of who knows everything."""
    moves = torch.zeros(len(lesson.move), 1, 65)
    moves[:, 0].scatter_(1, lesson.move[:, None], 50.0)
    misc = torch.zeros(len(lesson.move), 6)
    misc[:, 0] = misc[:, 2] = lesson.score / 20
    misc[:, 1] = -50
    ahead = (lesson.result - 0.5) * 100
    return Outputs(moves, torch.stack((ahead, -ahead), dim=1), misc, lesson.ownership * 20)


def test_nothing_is_left_to_learn_by_who_knows_everything(games: OthelloGames) -> None:
    lesson = upright(games)
    parts = losses(knowing(lesson), lesson)
    known = {name: float(part) for name, part in parts.items()}
    drawn = float((lesson.result == 0.5).float().mean()) * math.log(2)
    assert known.pop("value") == pytest.approx(drawn, abs=1e-4)
    owned = lesson.ownership[lesson.owned == 1]
    nobodys = float((owned == 0).float().mean()) * math.log(2)
    assert known.pop("ownership") == pytest.approx(nobodys, abs=1e-4)
    assert known == pytest.approx(dict.fromkeys(known, 0), abs=1e-4)


def test_policies_learn_from_choices_alone(games: OthelloGames) -> None:
    lesson = upright(games)
    blind = knowing(lesson)._replace(policy=torch.zeros(len(games), 1, 65))
    options = lesson.legal.sum(dim=1)
    assert (options == 1).any()
    expected = options[options > 1].float().log().mean()
    torch.testing.assert_close(losses(blind, lesson)["policy"], expected)


def test_games_broken_off_teach_no_ownership(games: OthelloGames) -> None:
    lesson = upright(games)
    assert 0 < (lesson.owned == 0).sum() < len(games)
    told = knowing(lesson)
    wrong = torch.where(lesson.owned[:, None] == 0, -told.ownership, told.ownership)
    assert (
        losses(told, lesson)["ownership"]
        == losses(told._replace(ownership=wrong), lesson)["ownership"]
    )


def test_a_batch_follows_from_the_seed_and_its_number(games: OthelloGames) -> None:
    learner = HumanLearner(COURSE, games, torch.float32)
    again = HumanLearner(COURSE, games, torch.float32)
    in_order = [learner.lesson(number) for number in range(8)]
    for number in (7, 2):
        for part, other in zip(in_order[number], again.lesson(number), strict=True):
            assert torch.equal(part, other)
    other_seed = HumanLearner(HumanCourse(batches=40, batch=64, seed=2), games, torch.float32)
    assert not torch.equal(other_seed.lesson(0).planes, in_order[0].planes)
    assert not torch.equal(in_order[0].planes, in_order[1].planes)


def test_an_epoch_has_each_position_once(games: OthelloGames) -> None:
    learner = HumanLearner(COURSE, games, torch.float32)
    whole = len(games) // COURSE.batch
    for epoch in (0, 1):
        batches = [learner.lesson(epoch * whole + number) for number in range(whole)]
        told = torch.cat([batch.globals[:, 1] * 64 for batch in batches]).round().long()
        counts = torch.bincount(told, minlength=61)
        most = torch.bincount(torch.from_numpy(games.empties), minlength=61)
        assert (counts <= most).all()
        assert counts.sum() == whole * COURSE.batch
