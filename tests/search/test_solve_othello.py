"""The Othello solver against a slow one of another make, and against published scores."""

from __future__ import annotations

import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from engine._core import OthelloPosition, OthelloSolver
from engine.agents import make_agent
from engine.games.table import GAMES

BRUTE = Path(__file__).with_name("brute_othello.cpp")
DISCS = "-XO"

# The first of the French federation's endgame tests, and the first of its hard ones: the board by
# rows, the side to move, its best move and score.
FFO = {
    1: ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X", "g8", 18),
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------", "X", "a2", 38),
}


def position_of(board: str, side: str) -> OthelloPosition:
    size = round(len(board) ** 0.5)
    position = OthelloPosition(size)
    discs = [(DISCS.index(disc) - 1, cell) for cell, disc in enumerate(board) if disc != "-"]
    position.setup(discs, to_move=DISCS.index(side) - 1)
    return position


def board_of(position: OthelloPosition) -> str:
    return "".join(DISCS[disc] for disc in position.stones.ravel())


def empties(position: OthelloPosition) -> int:
    return int((position.stones == 0).sum())


def mover_score(position: OthelloPosition) -> int:
    return position.black_score if position.to_move == 0 else -position.black_score


def endings(size: int, wanted: Iterable[int], seed: int) -> list[OthelloPosition]:
    """A position with so many empty squares for each number, random play and Roxanne's in turn."""
    rng = random.Random(seed)
    found: list[OthelloPosition] = []
    for count in wanted:
        while True:
            agents = [
                make_agent(name, "othello", rng.getrandbits(32))
                for name in (("random", "roxanne")[len(found) % 2], "random")
            ]
            position = OthelloPosition(size)
            while not position.is_over and empties(position) > count:
                agent = agents[position.to_move]
                move = agent.choose(position).move
                assert move is not None
                position.play(move)
            if not position.is_over:
                break
        found.append(position)
    return found


@pytest.fixture(scope="session")
def brute(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("needs a C++ compiler")
    program = tmp_path_factory.mktemp("brute") / "brute"
    subprocess.run([compiler, "-O2", "-std=c++20", "-o", program, BRUTE], check=True)
    return program


def scores_by(program: Path, positions: Sequence[OthelloPosition]) -> list[int]:
    lines = [f"{p.width} {board_of(p)} {DISCS[p.to_move + 1]}\n" for p in positions]
    done = subprocess.run(
        [program], input="".join(lines), capture_output=True, text=True, check=True
    )
    return [int(line) for line in done.stdout.split()]


# (size, empty squares): ten and more on every size, more on sizes with a quick brute force.
SHARES = {
    4: [10, 11, 12] * 4,
    6: [8, 10, 12, 12] * 3,
    8: [6, 8, 10, 12, 13] * 6,
    10: [7, 9, 10] * 4,
}


@pytest.mark.parametrize("size", SHARES)
def test_scores_are_those_of_brute_force(brute: Path, size: int) -> None:
    positions = endings(size, SHARES[size], seed=size)
    solver = OthelloSolver(4)
    assert [solver.solve(p).score for p in positions] == scores_by(brute, positions)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_scores_of_300_endings_are_those_of_brute_force(brute: Path) -> None:
    positions = endings(8, [12, 13, 14, 15, 16] * 60, seed=300)
    solver = OthelloSolver(64)
    assert [solver.solve(p).score for p in positions] == scores_by(brute, positions)


@pytest.mark.parametrize("number", FFO)
def test_known_endings(number: int) -> None:
    board, side, move, score = FFO[number]
    solution = OthelloSolver(64).solve(position_of(board, side))
    assert solution.exact
    assert solution.score == score
    assert GAMES["othello"].write_move(solution.move, 8, 8) == move


def test_instructions_make_no_difference() -> None:
    if OthelloSolver().instructions == "base":
        pytest.skip("this processor has one set only")
    for size in (4, 6, 8, 10):
        for position in endings(size, [9, 11], seed=2 * size):
            best = OthelloSolver(4).solve(position)
            base = OthelloSolver(4, instructions="base").solve(position)
            assert (base.score, base.nodes, base.pv) == (best.score, best.nodes, best.pv)


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_best_lines_lead_to_the_score(size: int) -> None:
    solver = OthelloSolver(4)
    for position in endings(size, [6, 9, 11], seed=3 * size):
        solution = solver.solve(position)
        end = position.copy()
        for move in solution.pv:
            end.play(move)  # raises for a missing pass
        assert solution.pv[0] == solution.move
        assert end.is_over
        assert mover_score(end) * (1 if end.to_move == position.to_move else -1) == solution.score


def test_moves_have_the_scores_of_the_positions_after_them() -> None:
    solver, fresh = OthelloSolver(4), OthelloSolver(4)
    for position in endings(8, [8, 10, 11], seed=5):
        solved = solver.solve_moves(position)
        assert [move for move, _ in solved] == position.legal_moves()
        for move, score in solved:
            after = position.copy()
            after.play(move)
            sign = 1 if after.to_move == position.to_move else -1
            assert score == sign * fresh.solve(after).score
        assert max(score for _, score in solved) == fresh.solve(position).score


def test_a_pass_is_solved_and_reported() -> None:
    # The one empty square flips nothing for O, a disc for X.
    position = position_of("XXO-XXXXXXXXXXXX", "O")
    assert position.legal_moves() == [position.pass_move]
    solution = OthelloSolver(1).solve(position)
    assert (solution.score, solution.move, solution.pv) == (-16, 16, [16, 3])


def test_empty_squares_go_to_the_winner_when_neither_can_move() -> None:
    position = position_of("XXX-XXXXXXXXXX--", "O")
    assert position.is_over
    solution = OthelloSolver(1).solve(position)
    assert (solution.score, solution.move, solution.exact, solution.pv) == (-16, -1, True, [])
    assert OthelloSolver(1).solve_moves(position) == []


def test_windows_tell_which_bound_the_score_passes() -> None:
    solver = OthelloSolver(4)
    for position in endings(8, [9, 10, 11], seed=6):
        score = OthelloSolver(4).solve(position).score
        for alpha in range(-64, 64, 16):
            told = solver.solve(position, alpha=alpha, beta=alpha + 16).score
            if score <= alpha:
                assert score <= told <= alpha
            elif score >= alpha + 16:
                assert alpha + 16 <= told <= score
            else:
                assert told == score


def test_the_same_calls_find_the_same() -> None:
    positions = endings(8, [10, 12, 14], seed=7)

    def all_found(solver: OthelloSolver) -> list[tuple[int, int, int, list[int]]]:
        found = [solver.solve(position) for position in positions]
        return [(one.score, one.move, one.nodes, one.pv) for one in found]

    solver = OthelloSolver(2)
    first, second = all_found(solver), all_found(solver)
    assert [row[0] for row in first] == [row[0] for row in second]
    assert sum(row[2] for row in second) < sum(row[2] for row in first), "it remembers"
    solver.clear()
    assert all_found(solver) == first == all_found(OthelloSolver(2))


def test_boards_of_other_sizes_are_not_mistaken() -> None:
    solver = OthelloSolver(1)
    for small, large in zip(endings(6, [8] * 4, 8), endings(8, [8] * 4, 8), strict=True):
        for position in (small, large):
            assert solver.solve(position).score == OthelloSolver(1).solve(position).score


def test_limits_end_a_search_with_the_best_known() -> None:
    position = endings(8, [26], seed=9)[0]
    solver = OthelloSolver(4)
    by_nodes = solver.solve(position, max_nodes=100_000)
    assert not by_nodes.exact
    assert by_nodes.move in position.legal_moves()
    assert 100_000 <= by_nodes.nodes < 200_000
    at_once = solver.solve(position, max_nodes=1)
    assert not at_once.exact
    assert at_once.move in position.legal_moves()
    began = time.monotonic()
    by_time = solver.solve(position, max_seconds=0.05)
    assert not by_time.exact
    assert 0.04 < time.monotonic() - began < 5
    assert len(solver.solve_moves(position, max_nodes=1000)) < len(position.legal_moves())


def test_another_thread_stops_it() -> None:
    position = endings(8, [30], seed=10)[0]
    solver = OthelloSolver(4)
    solutions = []
    thread = threading.Thread(target=lambda: solutions.append(solver.solve(position)))
    thread.start()
    while thread.is_alive():  # a stop before the call has no effect
        solver.stop()
        thread.join(0.05)
    assert not solutions[0].exact
    assert solver.solve(endings(8, [8], seed=10)[0]).exact


def test_bad_arguments_are_quoted() -> None:
    solver = OthelloSolver(1)
    position = OthelloPosition(4)
    with pytest.raises(ValueError, match="megabytes 0"):
        OthelloSolver(0)
    with pytest.raises(ValueError, match="'sse9'"):
        OthelloSolver(1, instructions="sse9")
    with pytest.raises(ValueError, match="alpha 4 is not below beta 4"):
        solver.solve(position, alpha=4, beta=4)
    with pytest.raises(ValueError, match="max_nodes -1"):
        solver.solve(position, max_nodes=-1)
