from __future__ import annotations

import pytest

from engine.formats.solver_positions import SolverBoard, SolverPosition, at_random, read_lines
from engine.games.table import GAMES

OTHELLO = SolverBoard("othello", 8, 8)
CONNECT4 = SolverBoard("connect4", 7, 6)
# After f5: d4, e4, e5, d5 and f5, White to move.
AFTER_F5 = "---------------------------OX------XXX-------------------------- O"


@pytest.mark.parametrize(
    "text", ["f5", "F5", AFTER_F5, f"{AFTER_F5}; f6:+2; d6:-4", AFTER_F5 + ";"]
)
def test_a_position_is_moves_or_a_board(text: str) -> None:
    played = GAMES["othello"].new_position(8, 8)
    played.play(37)
    read = OTHELLO.read(text).position
    assert read.stones.tolist() == played.stones.tolist()
    assert read.to_move == played.to_move == 1


@pytest.mark.parametrize(
    ("line", "score"),
    [
        (AFTER_F5, None),
        (f"{AFTER_F5}; f6:-2; d6:-4", -2),
        (f"{AFTER_F5}; F6:+10; F4:+12;", 12),
    ],
)
def test_a_board_line_gives_the_best_score(line: str, score: int | None) -> None:
    assert OTHELLO.read(line).score == score


def test_connect4_lines_may_have_a_score() -> None:
    problem = CONNECT4.read("4453 -2")
    assert (problem.text, problem.score, problem.empties) == ("4453", -2, 38)
    assert CONNECT4.read("4453").score is None


@pytest.mark.parametrize(
    ("board", "text", "quoted"),
    [
        (OTHELLO, "f5f5", "'f5f5' is not a position"),
        (OTHELLO, "hello", "'hello' is not a position"),
        (OTHELLO, "-" * 36 + " X", "has 36 squares, the board 64"),
        (CONNECT4, "4444444", "'4444444' is not a position"),
    ],
)
def test_a_text_without_a_position_is_quoted(board: SolverBoard, text: str, quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        board.read(text)


def test_files_may_have_comments_and_empty_lines() -> None:
    lines = ["% endings", "", "f5", "# more", "f5d6"]
    assert [problem.text for problem in read_lines(OTHELLO, lines)] == ["f5", "f5d6"]
    with pytest.raises(ValueError, match="line 2: 'x9'"):
        list(read_lines(OTHELLO, ["f5", "x9"]))


@pytest.mark.parametrize("board", [OTHELLO, SolverBoard("othello", 6, 6), CONNECT4])
def test_random_positions_are_drawn_by_their_seed(board: SolverBoard) -> None:
    drawn = at_random(board, [9, 12], 3, seed=4)
    assert [problem.empties for problem in drawn] == [9, 9, 9, 12, 12, 12]
    assert not any(problem.position.is_over for problem in drawn)

    def texts(problems: list[SolverPosition]) -> list[str]:
        return [problem.text for problem in problems]

    assert texts(drawn) == texts(at_random(board, [9, 12], 3, seed=4))
    assert texts(drawn) != texts(at_random(board, [9, 12], 3, seed=5))
    for problem in drawn:
        again = board.read(problem.text).position
        assert again.stones.tolist() == problem.position.stones.tolist()
        assert again.to_move == problem.position.to_move


def test_more_empty_cells_than_the_start_has_are_refused() -> None:
    with pytest.raises(ValueError, match="no game came to 61 empty cells"):
        at_random(OTHELLO, [61], 1, seed=1)
