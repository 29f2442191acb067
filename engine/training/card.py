"""The card of a network: how it was made, from what, how long, and what it scored.

Turns the numbers of a run into a page in Markdown; knows nothing of how they were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.networks.fresh import Shape
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


def write_card(run: Run) -> str:
    """The card as Markdown."""
    shape, totals = run.shape, run.totals
    sections = [
        f"# {run.name}",
        "A network for Go on any board from 7x7 to 19x19, made for Sparring.",
        "## What it is",
        f"{len(shape.blocks)} residual blocks of {shape.channels} channels with global pooling, "
        f"{run.parameters:,} parameters, kept in half precision. Input features V7 and the outputs "
        "of KataGo's model version 8: policy, win rate, score, lead and ownership.",
        "## How it was made",
        f"From random weights by distillation: {totals.positions:,} positions of quick games, each "
        f"judged by KataGo's network {run.teacher} in {_orientations(run)}, were learned from in "
        f"{totals.batches:,} batches, {totals.seconds / 60:.0f} minutes on {run.device}. No "
        "weights were taken over, and no human game was learned from. The games are on all sizes "
        "and under all rules, with handicaps, scattered stones, random moves, weak and stubborn "
        "players. `sparring train go --teacher FILE` does it again.",
        "## What it scored",
        "On games that nothing was learned from, against the mean of the teacher's two "
        "orientations (in brackets: the teacher in one orientation against the same mean).",
        _table(run),
        *_human_lines(run),
    ]
    return "\n\n".join(sections) + "\n"


def _orientations(run: Run) -> str:
    return "one orientation" if run.orientations == 1 else f"{run.orientations} orientations"


def _table(run: Run) -> str:
    head = ["board", *COLUMNS.values()]
    rows: list[Sequence[str]] = [head, ["---"] * len(head)]
    for board, grades in run.grades.boards.items():
        other = run.teacher_grades.boards[board]
        rows.append([board, *(f"{grades[key]:.3f} ({other[key]:.3f})" for key in COLUMNS)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _human_lines(run: Run) -> list[str]:
    own, other = run.grades.human_match, run.teacher_grades.human_match
    if own is None or other is None:
        return []
    return [
        f"Its best move is the one played by Tygem's 9 dans on 19x19 in {own:.1%} of positions "
        f"(the teacher's in {other:.1%})."
    ]
