"""How far a network's fast precision is from fp32: win rate, lead and policy on fixed positions.

Prints nothing; the command line prints `report`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine._core import GoPosition, GoRules
from engine.evaluator import Evaluator
from engine.networks.raw import RawOutput, evaluate_raw
from engine.networks.runtime import load_evaluator

SIZES = (9, 13, 19)
GAMES = 4  # a size
STEPS = 6  # positions looked at in each game
MOVES_BETWEEN = 9
SEED = 20


@dataclass(frozen=True)
class Difference:
    """One position in both precisions."""

    size: int
    move_number: int
    win_rate: float  # probability
    lead: float  # points
    policy: float  # total variation distance, 0..1
    same_move: bool  # the most likely move is the same

    @staticmethod
    def between(position: GoPosition, fast: RawOutput, exact: RawOutput) -> Difference:
        """How far `fast` is from `exact`."""
        policies = np.nan_to_num(fast.policy), np.nan_to_num(exact.policy)
        return Difference(
            size=position.width,
            move_number=position.move_number,
            win_rate=abs(fast.win - exact.win),
            lead=abs(fast.lead - exact.lead),
            policy=float(np.abs(policies[0] - policies[1]).sum()) / 2,
            same_move=bool(policies[0].argmax() == policies[1].argmax()),
        )


def compare(fast: Evaluator, exact: Evaluator) -> list[Difference]:
    """Both evaluators on positions of games that `exact` plays by its own policy."""
    rng = np.random.default_rng(SEED)
    found = []
    for size in SIZES:
        for _ in range(GAMES):
            position = GoPosition(size, size, GoRules())
            for _ in range(STEPS):
                for _ in range(MOVES_BETWEEN):
                    policy = np.nan_to_num(evaluate_raw(exact, position).policy[:-1])
                    position.play(int(rng.choice(policy.size, p=_chances(policy))))
                outputs = evaluate_raw(fast, position), evaluate_raw(exact, position)
                found.append(Difference.between(position, *outputs))
    return found


def compare_file(path: Path, *, backend: str = "auto", precision: str = "auto") -> str:
    """The report on a network file: `precision` against fp32 on the same backend."""
    fast = load_evaluator(path, backend=backend, precision=precision)
    exact = load_evaluator(path, backend=backend, precision="fp32")
    return report(compare(fast, exact), fast, exact)


def report(differences: list[Difference], fast: Evaluator, exact: Evaluator) -> str:
    """A table a person reads: a row a size, mean and largest differences."""
    lines = [
        f"{fast.network.name} on {fast.backend} ({fast.device}): "
        f"{fast.precision} against {exact.precision}",
        "           win rate         lead (points)    policy (total variation)",
        "size  n    mean   largest   mean   largest   mean   largest   same first move",
    ]
    for size in SIZES:
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
        lines.append(f"{size:4} {len(rows):3}  {'    '.join(cells)}    {same} of {len(rows)}")
    return "\n".join(lines)


def _chances(policy: np.ndarray[tuple[int], np.dtype[np.float32]]) -> list[float]:
    """The policy's probabilities without passing, for a draw."""
    chances = policy.astype(np.float64)
    return list(chances / chances.sum())
