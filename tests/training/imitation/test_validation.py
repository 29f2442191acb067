"""Validation on held-out games: the validated moves, and metrics of stubs with known answers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine._core import othello_moves
from engine.networks.fresh import fresh_architecture
from engine.networks.sparring import write_sparring
from engine.networks.torch_model import Outputs
from engine.training.go.student import shape_of
from engine.training.imitation.othello_games import OthelloGames, play_games
from engine.training.imitation.validation import (
    ROWS_AT_ONCE,
    STAGES,
    Predictor,
    linear_evaluation,
    predictor_of,
    validate,
    validation_rows,
)
from tests.support.training.thor_files import random_game


@pytest.fixture(scope="module")
def games() -> OthelloGames:
    return play_games([random_game(seed) for seed in range(12)])


def first_cell(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
    """Gives the first legal cell 3 times the odds of any other; expects a loss of 6 for Black."""
    legal = planes[:, 3].reshape(-1, 64).float()
    logits = torch.zeros(len(planes), 65)
    logits[torch.arange(len(planes)), legal.argmax(dim=1)] = math.log(3)
    is_black = globals_[:, 0]
    value = torch.stack((math.log(4) * (1 - is_black), math.log(4) * is_black), dim=1)
    misc = torch.zeros(len(planes), 6)
    misc[:, 2] = (0.5 - is_black) * 2 * 6 / 20
    return Outputs(logits[:, None], value, misc, torch.zeros(len(planes), 64))


STUB = Predictor("first cell", first_cell)


def test_moves_without_a_choice_and_the_first_are_not_validated(games: OthelloGames) -> None:
    rows = set(validation_rows(games).tolist())
    for row in range(len(games)):
        is_first = games.empties[row] == 60
        assert (row in rows) == (bool(games.has_choice[row]) and not is_first)
    assert (games.move == 64).any()
    some = validation_rows(games, at_most=50)
    assert len(set(some.tolist())) == 50
    assert set(some.tolist()) <= rows


def test_a_stub_gets_the_metrics_that_are_counted_by_hand(games: OthelloGames) -> None:
    rows = validation_rows(games)
    assert len(rows) > ROWS_AT_ONCE
    matched, logs, losses, errors, stages = [], [], [], [], []
    for row in rows:
        own, other = int(games.own[row]), int(games.other[row])
        legal = legal_cells(own, other)
        matched.append(float(games.move[row] == legal[0]))
        odds = 3 if matched[-1] else 1
        logs.append(math.log(odds / (len(legal) + 2)))
        black = int(games.black_score[games.game[row]])
        chance = {1: 0.2, -1: 0.8}.get(int(np.sign(black)))
        losses.append(-math.log(chance) if chance else -(math.log(0.2) + math.log(0.8)) / 2)
        errors.append(abs(-6 - black))
        stages.append(STAGES[(60 - games.empties[row]) // 10])
    report = validate(STUB, games, rows)
    assert report.total == pytest.approx(
        {
            "moves": len(rows),
            "top1": np.mean(matched),
            "top1_error": math.sqrt(np.mean(matched) * (1 - np.mean(matched)) / len(rows)),
            "probability": math.exp(np.mean(logs)),
            "value_loss": np.mean(losses),
            "lead_error": np.mean(errors),
        },
        rel=1e-4,
    )
    assert list(report.stages) == list(STAGES)
    for name, metrics in report.stages.items():
        of_stage = [match for match, stage in zip(matched, stages, strict=True) if stage == name]
        assert metrics["moves"] == len(of_stage)
        assert metrics["top1"] == pytest.approx(np.mean(of_stage))


def test_positions_that_no_learned_game_has_are_validated_apart(games: OthelloGames) -> None:
    rows = validation_rows(games)
    assert validate(STUB, games, rows).unknown == {}
    known = games.empties > 20
    report = validate(STUB, games, rows, known)
    assert report.total == validate(STUB, games, rows).total
    late = validate(STUB, games, rows[~known[rows]])
    assert report.unknown == pytest.approx(late.total)


def legal_cells(own: int, other: int) -> list[int]:
    (moves,) = othello_moves(np.array([own], np.uint64), np.array([other], np.uint64))
    return [cell for cell in range(64) if int(moves) >> cell & 1]


def test_stages_are_named_by_their_empty_cells() -> None:
    assert STAGES[0] == "60-51 empty"
    assert STAGES[-1] == "10-1 empty"


def test_the_linear_evaluation_is_validated_in_discs() -> None:
    # With five seeds its last lead error is 8.1 to 10.2, the stub's 16.7 to 24.0, and the value's
    # loss 0.22 to 0.66.
    games = play_games([random_game(seed) for seed in range(24)])
    report = validate(linear_evaluation(), games, validation_rows(games))
    last = report.stages[STAGES[-1]]
    assert (
        last["lead_error"] < 13 < validate(STUB, games, validation_rows(games)).total["lead_error"]
    )
    assert last["value_loss"] < 1.2


def test_a_network_is_validated_by_its_file_if_it_is_of_othello(
    games: OthelloGames, tmp_path: Path
) -> None:
    rng = np.random.default_rng(1)
    shape = shape_of(2, 8)
    for game in ("othello", "go"):
        network = fresh_architecture(f"a network of {game}", replace(shape, game=game), rng)
        write_sparring(tmp_path / game, network, {})
    report = validate(predictor_of(str(tmp_path / "othello")), games, validation_rows(games))
    assert report.name == "a network of othello"
    assert 0 < report.total["probability"] < 0.5
    with pytest.raises(ValueError, match="go is a network of go, not of othello"):
        predictor_of(str(tmp_path / "go"))
    with pytest.raises(ValueError, match="absent"):
        predictor_of(str(tmp_path / "absent"))
