"""The subcommand `sparring solve`: exact scores of positions, their time, and a peer's time.

engine.formats.solver_positions reads positions, engine.lab.solver_peer times a peer. Seconds are
processor time: other programs on the machine disturb it less than the wall clock.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine._core import Solution
from engine.errors import UsageError
from engine.formats.solver_positions import SolverBoard, SolverPosition, at_random, read_lines
from engine.games.table import GAMES
from engine.lab.solver_peer import PeerError, PeerTime, SolvingPeer
from engine.match.game_spec import board_of
from engine.search.solver import SOLVERS, Solver
from engine.util.interruptible import interruptible
from protocols.cli import solve_dark_chess
from protocols.cli.argument_types import count, counts, positive
from protocols.cli.options import Say

MOVES_SHOWN = 8  # moves of the best line in the table
PATIENCE = 3600.0  # longest wait for a peer, in seconds
EPILOG = """\
positions: moves from the start (f5d6c3, 4453), or in Othello a board: 64 of - X O, a blank and the
side to move, as in .obf files. A score after the position is compared with the solver's.
In darkchess2x4, a material of each side (KGGP), perhaps with moves (PPPP:a1(p),b3(P)) or a board
(KGGP:-g/XX/KX/-X red GGkp) after it; without any, all 24 materials. Values are exact fractions.

A peer reads the positions, one a line, from standard input, or from a file in place of {} in its
command. Its time without positions is subtracted.

examples:
  sparring solve connect4 44444 445566
  sparring solve othello --positions endings.obf
  sparring solve othello --random 50 --empties 16
  sparring solve darkchess2x4 PPPP --moves
  sparring solve othello --random 20 --empties 14,16,18 --rounds 3 \\
      --peer "edax -solve {} -l 60 -n 1"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring solve`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add(
        "game",
        metavar="GAME",
        help="othello (8x8), othello6 ..., connect4 (7x6), connect4-8x7 ..., darkchess2x4",
    )
    add("texts", metavar="POSITION", nargs="*", help="positions, see below; default: the start")
    add("--positions", type=Path, metavar="FILE", help="file with a position on each line")
    add("--random", type=count, default=0, metavar="N",
        help="draw N random positions for each number of --empties; default: 0")  # fmt: skip
    add("--empties", type=counts, default=[16], metavar="N,N",
        help="empty cells of random positions; default: 16")  # fmt: skip
    add("--seed", type=int, default=1, metavar="S",
        help="seed of random positions; default: %(default)s")  # fmt: skip
    add("--moves", action="store_true", help="also print the score of every move")
    add("--megabytes", type=int, default=64, metavar="N",
        help="megabytes of the solver's table; default: %(default)s")  # fmt: skip
    add("--seconds", type=positive, default=0.0, metavar="T",
        help="longest time of a position, in seconds; default: no limit")  # fmt: skip
    add("--peer", metavar="COMMAND", help="another solver, timed in turn on the same positions")
    add("--rounds", type=count, default=1, metavar="N",
        help="number of times that everything is solved; default: %(default)s")  # fmt: skip
    add("--picture", type=Path, metavar="FILE",
        help="draw the distributions of values of darkchess2x4")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object")
    add("--quiet", action="store_true", help="no progress bar")


@dataclass(frozen=True, slots=True)
class SolveRow:
    """A position, its solution, and the processor time in seconds."""

    problem: SolverPosition
    solution: Solution
    seconds: float

    @property
    def is_wrong(self) -> bool:
        """Whether the position came with another score."""
        expected = self.problem.score
        return expected is not None and self.solution.exact and expected != self.solution.score


def run(options: argparse.Namespace, say: Say) -> int:
    """Solves and reports; returns 1 where a score is unknown or differs from the position's."""
    if options.game == solve_dark_chess.NAME:
        return solve_dark_chess.run(options, say)
    if options.picture:
        raise UsageError(f"--picture is for {solve_dark_chess.NAME}")
    board, problems = _problems(options)
    try:
        solver = SOLVERS[board.game](options.megabytes)
    except ValueError as error:
        raise UsageError(str(error)) from error
    shows = not options.json
    if shows:
        say(HEADER)
    rounds: list[list[SolveRow]] = []
    peers: list[PeerTime] = []
    try:
        peer = SolvingPeer(options.peer, patience=PATIENCE) if options.peer else None
        total = options.rounds * len(problems)
        with tqdm(total=total, unit="position", disable=options.quiet, file=sys.stderr) as bar:
            for number in range(options.rounds):
                solver.clear()
                rounds.append([])
                for problem in problems:
                    rounds[-1].append(_solve(solver, problem, options.seconds))
                    bar.update()
                    if shows and number == 0:
                        say(_row(board, rounds[-1][-1]))
                    if shows and number == 0 and options.moves:
                        say(_moves_row(board, solver, problem, options.seconds))
                if peer:
                    peers.append(peer.solve([problem.text for problem in problems]))
    except PeerError as error:
        raise UsageError(str(error)) from error
    values = _values(board, rounds, peers)
    for line in [json.dumps(values)] if options.json else _summary(values, rounds, peers):
        say(line)
    return 1 if any(row.is_wrong or not row.solution.exact for row in rounds[0]) else 0


def _problems(options: argparse.Namespace) -> tuple[SolverBoard, list[SolverPosition]]:
    try:
        board = SolverBoard(*board_of(options.game))
        if board.game not in SOLVERS:
            raise UsageError(f"no solver for {options.game!r}: there are {', '.join(SOLVERS)}")
        problems = [board.read(text) for text in options.texts]
        if options.positions:
            problems += _read(board, options.positions)
        if options.random:
            problems += at_random(board, options.empties, options.random, options.seed)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return board, problems or [board.read("")]


def _read(board: SolverBoard, path: Path) -> list[SolverPosition]:
    """Returns the positions of a file; raises ValueError with the file and a wrong line."""
    try:
        return list(read_lines(board, path.read_text(errors="replace").splitlines()))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _solve(solver: Solver, problem: SolverPosition, seconds: float) -> SolveRow:
    began = time.process_time()
    work = partial(solver.solve, problem.position, max_seconds=seconds)
    solution = interruptible(work, solver.stop)
    return SolveRow(problem, solution, time.process_time() - began)


HEADER = (
    f"{'empties':>7} {'score':>6} {'move':>5} {'nodes':>12} {'seconds':>9} {'nodes/s':>10}  line"
)


def _written(board: SolverBoard, move: int) -> str:
    return "-" if move < 0 else GAMES[board.game].write_move(move, board.width, board.height)


def _row(board: SolverBoard, row: SolveRow) -> str:
    solution = row.solution
    score = f"{solution.score:+d}" if solution.exact else "?"
    line = " ".join(_written(board, move) for move in solution.pv[:MOVES_SHOWN])
    expected = f"  (expected: {row.problem.score:+d})" if row.is_wrong else ""
    return (
        f"{row.problem.empties:>7} {score:>6} {_written(board, solution.move):>5} "
        f"{solution.nodes:>12} {row.seconds:>9.4f} {_rate(solution.nodes, row.seconds):>10.0f}  "
        f"{line}{expected}"
    )


def _moves_row(board: SolverBoard, solver: Solver, problem: SolverPosition, seconds: float) -> str:
    work = partial(solver.solve_moves, problem.position, max_seconds=seconds)
    solved = interruptible(work, solver.stop)
    solved.sort(key=lambda pair: -pair[1])
    return "        " + " ".join(f"{_written(board, move)}:{score:+d}" for move, score in solved)


def _rate(nodes: int, seconds: float) -> float:
    return nodes / seconds if seconds > 0 else 0.0


def _values(
    board: SolverBoard, rounds: Sequence[Sequence[SolveRow]], peers: Sequence[PeerTime]
) -> dict[str, Any]:
    """Returns all results as JSON values."""
    first = rounds[0]
    by_empties: dict[int, list[float]] = {}
    for row in first:
        by_empties.setdefault(row.problem.empties, []).append(row.seconds)
    return {
        "game": board.game,
        "width": board.width,
        "height": board.height,
        "positions": [
            {
                "position": row.problem.text,
                "score": row.solution.score,
                "move": _written(board, row.solution.move),
                "exact": row.solution.exact,
                "told": row.problem.score,
                "nodes": row.solution.nodes,
                "seconds": row.seconds,
            }
            for row in first
        ],
        "median_seconds": {
            str(empties): statistics.median(seconds)
            for empties, seconds in sorted(by_empties.items())
        },
        "rounds": [_side(_total(rows)) for rows in rounds],
        "peer_rounds": [_side(peer) for peer in peers],
    }


def _total(rows: Sequence[SolveRow]) -> PeerTime:
    return PeerTime(sum(row.seconds for row in rows), sum(row.solution.nodes for row in rows))


def _side(side: PeerTime) -> dict[str, float]:
    return {
        "seconds": side.seconds,
        "nodes": side.nodes,
        "nodes_per_second": _rate(side.nodes, side.seconds),
    }


def _summary(
    values: dict[str, Any], rounds: Sequence[Sequence[SolveRow]], peers: Sequence[PeerTime]
) -> list[str]:
    lines = [
        f"{empties} empty: median {seconds * 1000:.1f} ms"
        for empties, seconds in values["median_seconds"].items()
    ]
    ours = [_total(rows) for rows in rounds]
    for number, own in enumerate(ours, 1):
        lines.append(f"round {number}: ours {_text(own)}")
        if peers:
            peer = peers[number - 1]
            ratio = own.seconds / peer.seconds if peer.seconds > 0 else float("nan")
            lines[-1] += f"; peer {_text(peer)}; time ratio {ratio:.2f}"
    wrong = sum(row.is_wrong for row in rounds[0])
    if any(row.problem.score is not None for row in rounds[0]):
        lines.append(f"{wrong} of {len(rounds[0])} scores differ from those of the positions")
    return lines


def _text(side: PeerTime) -> str:
    nodes = f", {side.nodes} nodes, {_rate(side.nodes, side.seconds):.0f}/s" if side.nodes else ""
    return f"{side.seconds:.3f} s{nodes}"
