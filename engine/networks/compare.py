"""Deviation of a network's fast precision from fp32: win rate, lead and policy in its own games.

The module returns `report` as text, and the command line prints it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.games.table import GAMES
from engine.networks.raw import RawOutput, evaluate_raw
from engine.networks.runtime import load_evaluator

PLAYED = 4  # games per board size
STEPS = 6  # compared positions per game
SEED = 20


@dataclass(frozen=True)
class Sample:
    """The compared positions of one game."""

    sizes: tuple[tuple[int, int], ...]  # (width, height)
    moves_between: int


SAMPLES: dict[str, Sample] = {  # by a key of GAMES
    "go": Sample(((9, 9), (13, 13), (19, 19)), moves_between=9),
    "othello": Sample(((6, 6), (8, 8)), moves_between=5),
    "connect4": Sample(((7, 6),), moves_between=2),
}


@dataclass(frozen=True)
class Difference:
    """The deviation at one position."""

    size: tuple[int, int]  # width, height
    move_number: int
    win_rate: float  # probability
    lead: float  # points
    policy: float  # total variation distance, 0..1
    same_move: bool  # both precisions have the same most likely move

    @staticmethod
    def between(position: Position, fast: RawOutput, exact: RawOutput) -> Difference:
        """Returns the deviation of `fast` from `exact`."""
        policies = np.nan_to_num(fast.policy), np.nan_to_num(exact.policy)
        return Difference(
            size=(position.width, position.height),
            move_number=position.move_number,
            win_rate=abs(fast.win - exact.win),
            lead=abs(fast.lead - exact.lead),
            policy=float(np.abs(policies[0] - policies[1]).sum()) / 2,
            same_move=bool(policies[0].argmax() == policies[1].argmax()),
        )


def compare(fast: Evaluator, exact: Evaluator) -> list[Difference]:
    """Compares both evaluators at positions of games that `exact` plays by its own policy."""
    rng = np.random.default_rng(SEED)
    differences = []
    game = exact.network.game
    for size in SAMPLES[game].sizes:
        for _ in range(PLAYED):
            position = GAMES[game].new_position(*size)
            for _ in range(STEPS):
                _play_on(exact, position, rng)
                if position.is_over:
                    break
                outputs = evaluate_raw(fast, position), evaluate_raw(exact, position)
                differences.append(Difference.between(position, *outputs))
    return differences


def _play_on(evaluator: Evaluator, position: Position, rng: np.random.Generator) -> None:
    """Plays moves drawn from the policy; passes only without another move."""
    for _ in range(SAMPLES[evaluator.network.game].moves_between):
        if position.is_over:
            return
        chances = np.nan_to_num(evaluate_raw(evaluator, position).policy).astype(np.float64)
        if np.count_nonzero(position.legal_mask()) > 1 and position.pass_move >= 0:
            chances[position.pass_move] = 0
        position.play(int(rng.choice(chances.size, p=chances / chances.sum())))


def compare_file(path: Path, *, backend: str = "auto", precision: str = "auto") -> str:
    """Returns the report on a network file: `precision` against fp32 on the same backend."""
    fast = load_evaluator(path, backend=backend, precision=precision)
    exact = load_evaluator(path, backend=backend, precision="fp32")
    return report(compare(fast, exact), fast, exact)


def report(differences: list[Difference], fast: Evaluator, exact: Evaluator) -> str:
    """Returns a table for the user: a row per board size, mean and largest differences."""
    lines = [
        f"{fast.network.name} on {fast.backend} ({fast.device}): "
        f"{fast.precision} against {exact.precision}",
        "            win rate         lead (points)    policy (total variation)",
        "size   n    mean   largest   mean   largest   mean   largest   same first move",
    ]
    for size in sorted({row.size for row in differences}):
        rows = [row for row in differences if row.size == size]
        cells = [
            f"{np.mean(values):.4f} {np.max(values):.4f}"
            for values in (
                [row.win_rate for row in rows],
                [row.lead for row in rows],
                [row.policy for row in rows],
            )
        ]
        same = sum(row.same_move for row in rows)
        name = f"{size[0]}x{size[1]}"
        lines.append(f"{name:5} {len(rows):3}  {'    '.join(cells)}    {same} of {len(rows)}")
    return "\n".join(lines)
