"""Grades of exams by hand-made answers: shares, losses, errors and groups."""

from __future__ import annotations

import pytest

from engine.games.table import GAMES
from engine.lab.examine.questions import Question
from engine.lab.examine.scores import Answer, MoveOpinion, answer, bands, grade, groups
from engine.search.search import Search
from engine.search.solver import SOLVERS
from tests.support.stand_in import StandInEvaluator

START = GAMES["othello"].new_position(8, 8)
NOTHING = MoveOpinion(0, 0.5, 0.0)


def question(
    worth: dict[int, int], empties: int = 5, play: str = "random", *, quiet: bool = True
) -> Question:
    return Question(START, (), play, empties, worth, max(worth.values()), quiet)


@pytest.mark.parametrize(
    ("worth", "kept"),
    [
        ({0: 6, 1: 2, 2: 0, 3: -4}, [True, True, False, False]),
        ({0: 0, 1: -2, 2: 0, 3: -8}, [True, False, True, False]),
        ({0: -2, 1: -40, 2: -2, 3: -64}, [True, True, True, True]),
    ],
)
def test_a_result_is_kept_or_lost(worth: dict[int, int], kept: list[bool]) -> None:
    assert [question(worth).keeps(move) for move in range(4)] == kept


def test_a_grade_counts_and_averages() -> None:
    asked = question({0: 6, 1: 2, 2: -4})
    lost = question({0: -6, 1: -2, 2: -2})
    answers = [
        Answer(asked, MoveOpinion(0, 0.9, 5.0), NOTHING),
        Answer(asked, MoveOpinion(1, 0.8, 8.0), NOTHING),
        Answer(asked, MoveOpinion(2, 0.1, -6.0), NOTHING),
        Answer(lost, MoveOpinion(0, 0.3, -2.0), NOTHING),
    ]
    found = grade(answers, lambda each: each.searched)
    assert (found.results_kept.wins, found.results_kept.games) == (3, 4)
    assert (found.best.wins, found.best.games) == (1, 4)
    assert found.lost == (0 + 4 + 10 + 4) / 4
    assert found.win_rate_error == pytest.approx((0.1 + 0.2 + 0.9 + 0.3) / 4)
    assert found.score_error == pytest.approx((1 + 2 + 12 + 0) / 4)
    alone = grade(answers, lambda each: each.alone)
    assert (alone.results_kept.rate, alone.win_rate_error) == (1.0, 0.5)


def test_a_drawn_game_is_half_won() -> None:
    drawn = Answer(question({0: 0, 1: -2}), MoveOpinion(0, 0.5, 0.0), NOTHING)
    assert grade([drawn], lambda each: each.searched).win_rate_error == 0


def test_groups_by_empties_by_play_and_all() -> None:
    answers = [
        Answer(
            question({0: 2, 1: -2}, empties, play, quiet=empties > 9),
            MoveOpinion(0 if empties > 9 else 1, 0.5, 0.0),
            NOTHING,
        )
        for empties in (8, 9, 10, 11)
        for play in ("random", "half-sensible")
    ]
    found = {
        group.name: (group.positions, group.searched.results_kept.wins) for group in groups(answers)
    }
    assert found == {
        "8 empty": (2, 0),
        "9 empty": (2, 0),
        "10 empty": (2, 2),
        "11 empty": (2, 2),
        "random play": (4, 2),
        "half-sensible play": (4, 2),
        "no win at once": (4, 4),
        "all": (8, 4),
    }


@pytest.mark.parametrize(
    ("numbers", "pieces"),
    [
        ([7], [(7, 7)]),
        (range(6), [(n, n) for n in range(6)]),
        (range(6, 37), [(6, 11), (12, 17), (18, 23), (24, 29), (30, 35), (36, 36)]),
    ],
)
def test_bands(numbers: range | list[int], pieces: list[tuple[int, int]]) -> None:
    assert bands(list(numbers)) == pieces


def test_an_answer_is_of_the_search_and_of_the_network_alone() -> None:
    """Enough visits correct the stand-in's random numbers."""
    position = GAMES["connect4"].new_position(4, 4)
    for column in (0, 1, 0, 1, 0):
        position.play(column)
    worth = dict(SOLVERS["connect4"](1).solve_moves(position))
    asked = Question(position, (), "random", 11, worth, max(worth.values()), quiet=False)
    search = Search(StandInEvaluator(game="connect4"), seed=1)
    first = answer(asked, search, 1)
    assert first.searched.win_rate == pytest.approx(first.alone.win_rate)
    found = answer(asked, search, 300)
    assert found.alone == first.alone
    assert found.searched.move == 0  # the only block
    assert answer(asked, search, 300) == found
