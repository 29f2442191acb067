"""Questions of examinations: their worth, their choice, their seed."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.games.table import GAMES
from engine.lab.examine.questions import PLAYS, WINDOWS, Question, draw, is_quiet, sign
from engine.match.game_spec import GameSpec
from engine.search.solver import SOLVERS

BOARDS = {
    "connect4": (GameSpec("connect4", 7, 6), range(8, 16)),
    "connect4-5x4": (GameSpec("connect4", 5, 4), range(2, 12)),
    "othello6": (GameSpec("othello", 6, 6), range(3, 10)),
    "othello": (GameSpec("othello", 8, 8), range(3, 10)),
}


def told(question: Question) -> tuple[object, ...]:
    """Returns all but the position itself: it has no equality."""
    return (
        question.moves,
        question.play,
        question.empties,
        question.worth,
        question.score,
        question.quiet,
    )


@pytest.mark.parametrize("name", BOARDS)
def test_questions_are_worth_what_the_solver_says(name: str) -> None:
    start, empties = BOARDS[name]
    solver = SOLVERS[start.game](4)
    for question in draw(start, empties, 2 * len(empties), seed=3):
        position = start.empty()
        for move in question.moves:
            position.play(move)
        assert position.is_same(question.position)
        assert int((position.stones == 0).sum()) == question.empties
        scores = dict(solver.solve_moves(position))
        assert question.score == max(scores.values())
        window = WINDOWS[start.game]
        if window is not None:
            assert window == (-1, 1)
            scores = {move: sign(score) for move, score in scores.items()}
        assert question.worth == scores
        assert min(question.worth.values()) < question.best


@pytest.mark.parametrize("name", ["connect4", "othello6"])
def test_a_seed_settles_the_questions_and_they_are_spread(name: str) -> None:
    start, empties = BOARDS[name]
    most = [told(question) for question in draw(start, empties, 4 * len(empties), seed=5)]
    few = [told(question) for question in draw(start, empties, 5, seed=5)]
    other = [told(question) for question in draw(start, empties, 5, seed=6)]
    assert most[:5] == few != other
    assert set(Counter(row[2] for row in most).values()) == {4}
    assert Counter((row[1], row[2]) for row in most) == dict.fromkeys(
        ((play, number) for play in PLAYS for number in empties), 2
    )
    assert len({row[0] for row in most}) == len(most)


@pytest.mark.parametrize(
    ("columns", "quiet"),
    [
        ("", True),
        ("112", True),
        ("11223", False),  # the other side threatens on both ends
        ("112233", False),  # the side to move wins at once
        ("1122334", None),  # over
    ],
)
def test_a_question_knows_whether_a_move_could_end_the_game(
    columns: str, *, quiet: bool | None
) -> None:
    position = GAMES["connect4"].new_position(7, 6)
    for column in columns:
        position.play(int(column) - 1)
    if quiet is None:
        assert position.is_over
    else:
        assert is_quiet(position) == quiet


def test_what_does_not_come_about_is_said() -> None:
    with pytest.raises(ValueError, match="no question with 12 empty cells"):
        # Four discs stand from the start, and every first move comes to the same.
        list(draw(GameSpec("othello", 4, 4), [12], 1, seed=1))
