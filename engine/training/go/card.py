"""The card of a distilled network for Go: the words around the numbers of its run.

Knows nothing of how the numbers were found.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.networks.fresh import Shape
from engine.training.card import Card, table
from engine.training.go.exam import Grades
from engine.training.go.student import Totals

COLUMNS = {
    "policy_kl": "policy divergence (nats)",
    "same_move": "same best move",
    "win_rate": "win rate error",
    "lead": "lead error (points)",
    "score_stdev": "deviation error (points)",
    "ownership": "ownership error (of 2)",
}


@dataclass(frozen=True)
class Run:
    """What is to be told of a network's making."""

    name: str
    shape: Shape
    parameters: int
    teacher: str
    device: str
    orientations: int  # in which the teacher judged each position
    totals: Totals
    grades: Grades
    teacher_grades: Grades  # of the teacher in one orientation


def card_of(run: Run) -> Card:
    """What is to be told of a run."""
    shape, totals = run.shape, run.totals
    return Card(
        name=run.name,
        about="A network for Go on any board from 7x7 to 19x19, made for Sparring: "
        f"{len(shape.blocks)} residual blocks of {shape.channels} channels with global pooling, "
        f"{run.parameters:,} parameters, kept in half precision. Input features V7 and the outputs "
        "of KataGo's model version 8: policy, win rate, score, lead and ownership.",
        made=f"From random weights by distillation: {totals.positions:,} positions of quick games, "
        f"each judged by KataGo's network {run.teacher} in {_orientations(run)}, were learned from "
        f"in {totals.batches:,} batches, {totals.seconds / 60:.0f} minutes on {run.device}. No "
        "weights were taken over, and no human game was learned from. The games are on all sizes "
        "and under all rules, with handicaps, scattered stones, random moves, weak and stubborn "
        "players. `sparring train go --teacher FILE` does it again.",
        scored="\n\n".join(
            [
                "On games that nothing was learned from, against the mean of the teacher's two "
                "orientations (in brackets: the teacher in one orientation against the same mean).",
                _grades(run),
                *_human_lines(run),
            ]
        ),
    )


def _orientations(run: Run) -> str:
    return "one orientation" if run.orientations == 1 else f"{run.orientations} orientations"


def _grades(run: Run) -> str:
    rows = []
    for board, grades in run.grades.boards.items():
        other = run.teacher_grades.boards[board]
        rows.append([board, *(f"{grades[key]:.3f} ({other[key]:.3f})" for key in COLUMNS)])
    return table(["board", *COLUMNS.values()], rows)


def _human_lines(run: Run) -> list[str]:
    own, other = run.grades.human_match, run.teacher_grades.human_match
    if own is None or other is None:
        return []
    return [
        f"Its best move is the one played by Tygem's 9 dans on 19x19 in {own:.1%} of positions "
        f"(the teacher's in {other:.1%})."
    ]
