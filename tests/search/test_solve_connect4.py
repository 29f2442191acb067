"""The Connect4 solver against plain minimax, and against another solver's scores."""

from __future__ import annotations

import functools
import random
import threading
import time

import pytest

from engine._core import Connect4Position, Connect4Solver

# Positions in Pons' notation, with the scores of his public solver.
KNOWN = [
    ("3261453711113173544733445677", 7),
    ("145212745756622127", 12),
    ("437653222274423", 14),
    ("741527611655623751267411", -9),
    ("1644444345265117765222", -10),
    ("147341574644652533776", 1),
    ("5125642713313331776445", 10),
    ("5336653137561415", 13),
    ("12266375572753", 1),
    ("4427564545475", 15),
    ("75314542544317", 0),
]


def played(moves: str) -> Connect4Position:
    position = Connect4Position()
    for move in moves:
        position.play(int(move) - 1)
    return position


def after(position: Connect4Position, move: int) -> Connect4Position:
    position = position.copy()
    position.play(move)
    return position


@functools.cache
def _best(key: str, width: int, height: int) -> int:
    """The mover's score by trying everything; `key` lists the moves, a letter each."""
    position = Connect4Position(width, height)
    for letter in key:
        position.play(ord(letter) - ord("a"))
    if position.is_over:
        return int(position.black_score) * (1 if position.to_move == 0 else -1)
    return max(-_best(key + chr(ord("a") + m), width, height) for m in position.legal_moves())


def random_game(rng: random.Random, width: int, height: int, empties: int) -> list[int]:
    """The moves of an unfinished game with so many empty cells."""
    while True:
        position, moves = Connect4Position(width, height), list[int]()
        while len(moves) < width * height - empties:
            going_on = [m for m in position.legal_moves() if not after(position, m).is_over]
            if not going_on:
                break
            moves.append(rng.choice(going_on))
            position.play(moves[-1])
        else:
            return moves


@pytest.mark.parametrize(
    ("width", "height", "most_empty"),
    [(7, 6, 6), (4, 4, 7), (5, 5, 6), (5, 4, 6), (4, 15, 7), (12, 4, 5), (8, 7, 6), (6, 7, 6)],
)
def test_agrees_with_trying_everything(width: int, height: int, most_empty: int) -> None:
    rng = random.Random(width * 100 + height)
    solver = Connect4Solver(1)
    for _ in range(12):
        moves = random_game(rng, width, height, rng.randint(1, most_empty))
        position = Connect4Position(width, height)
        for move in moves:
            position.play(move)
        key = "".join(chr(ord("a") + move) for move in moves)
        scores = {
            move: -_best(key + chr(ord("a") + move), width, height)
            for move in position.legal_moves()
        }
        solution = solver.solve(position)
        assert solution.exact
        assert solution.score == max(scores.values())
        assert scores[solution.move] == solution.score
        assert solver.solve_moves(position) == sorted(scores.items())


@pytest.mark.parametrize(("moves", "score"), KNOWN)
def test_agrees_with_another_solver(moves: str, score: int) -> None:
    solver = Connect4Solver()
    position = played(moves)
    solution = solver.solve(position)
    assert (solution.score, solution.exact) == (score, True)
    assert dict(solver.solve_moves(position))[solution.move] == score


@pytest.mark.parametrize("shape", [(4, 4), (5, 4), (4, 5), (5, 5)])
def test_solves_small_boards_from_the_start(shape: tuple[int, int]) -> None:
    """Neither side can force a win on them (Tromp's table)."""
    assert Connect4Solver(16).solve(Connect4Position(*shape)).score == 0


def test_a_line_of_play_leads_to_the_score() -> None:
    solver = Connect4Solver()
    for moves, score in KNOWN:
        position = played(moves)
        mover = position.to_move
        solution = solver.solve(position)
        assert solution.pv[0] == solution.move
        for move in solution.pv:
            position.play(move)
        assert position.is_over
        assert position.black_score * (1 if mover == 0 else -1) == score


def test_mirrored_positions_score_the_same() -> None:
    solver = Connect4Solver()
    for moves, score in KNOWN:
        mirrored = "".join(str(8 - int(move)) for move in moves)
        assert solver.solve(played(mirrored)).score == score


@pytest.mark.parametrize(("moves", "score"), KNOWN[:6])
def test_a_window_tells_no_more_than_asked(moves: str, score: int) -> None:
    solver = Connect4Solver()
    position = played(moves)
    assert solver.solve(position, alpha=score - 2, beta=score + 2).score == score
    assert solver.solve(position, alpha=score + 1, beta=score + 3).score == score + 1
    assert solver.solve(position, alpha=score - 3, beta=score - 1).score == score - 1


def test_a_position_set_up_is_solved_for_its_mover() -> None:
    """Three in a row at the bottom: the side to move decides the game."""
    three = [(0, 35), (0, 36), (0, 37), (1, 28), (1, 29)]
    for to_move, move in ((0, 3), (1, 3)):
        position = Connect4Position()
        position.setup(three, to_move)
        solution = Connect4Solver(1).solve(position, max_seconds=30)
        assert solution.move == move
        assert (solution.score == 19) == (to_move == 0)


def test_a_finished_game_has_its_score_and_no_move() -> None:
    solution = Connect4Solver(1).solve(played("1212121"))
    assert (solution.score, solution.move, solution.exact, solution.pv) == (-18, -1, True, [])
    assert Connect4Solver(1).solve_moves(played("1212121")) == []


def test_limits_end_it() -> None:
    solver = Connect4Solver(1)
    solution = solver.solve(Connect4Position(), max_nodes=1000)
    assert not solution.exact
    assert solution.nodes <= 1100
    assert solution.move in range(7)
    started = time.monotonic()
    assert not solver.solve(Connect4Position(), max_seconds=0.05).exact
    assert time.monotonic() - started < 5
    assert len(solver.solve_moves(Connect4Position(), max_nodes=1000)) < 7


def test_stopped_in_the_middle_it_still_sees_immediate_losses() -> None:
    """Yellow must answer three in a row even without time to search."""
    assert Connect4Solver(1).solve(played("44747"), max_nodes=1).move == 3


def test_stop_ends_it_from_another_thread() -> None:
    solver = Connect4Solver(1)
    timer = threading.Timer(0.1, solver.stop)
    timer.start()
    assert not solver.solve(Connect4Position(), max_seconds=60).exact
    timer.join()


def test_the_table_is_of_one_size_of_board() -> None:
    solver, fresh = Connect4Solver(1), Connect4Solver(1)
    for width, height in ((4, 4), (5, 4), (4, 5), (4, 4)):
        fresh.clear()
        position = Connect4Position(width, height)
        assert solver.solve(position).score == fresh.solve(position).score


def test_remembering_makes_it_quick() -> None:
    solver = Connect4Solver()
    position = played("54633663747357")
    first = solver.solve(position).nodes
    assert solver.solve(position).nodes < first / 10
    solver.clear()
    assert solver.solve(position).nodes == first


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="megabytes 0"):
        Connect4Solver(0)
    solver = Connect4Solver(1)
    with pytest.raises(ValueError, match="max_nodes -1"):
        solver.solve(Connect4Position(), max_nodes=-1)
    with pytest.raises(ValueError, match="max_seconds -1"):
        solver.solve_moves(Connect4Position(), max_seconds=-1.0)
    with pytest.raises(ValueError, match="alpha 3 is not below beta 3"):
        solver.solve(Connect4Position(), alpha=3, beta=3)
