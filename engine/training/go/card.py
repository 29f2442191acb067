"""The cards of Go's networks: words around the numbers of their run.

The numbers of the networks are measured in engine.training.go.validation.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.networks.fresh import Shape
from engine.training.common.card import Card, table
from engine.training.common.policy_metrics import PolicyMetrics
from engine.training.go.student import Totals
from engine.training.go.validation import GoMetrics

COLUMNS = {
    "policy_kl": "policy divergence (nats)",
    "same_move": "same best move",
    "win_rate": "win rate error",
    "lead": "lead error (points)",
    "score_stdev": "deviation error (points)",
    "ownership": "ownership error (of 2)",
}
RANKED_VALUES = (
    "The ranks of both players are an input, from 9 dan to 25 kyu. Its win rate is the result of "
    "games between such players; score and ownership mean little."
)
NORMAL_BOUND = 1.96  # standard errors to either side of 95%


@dataclass(frozen=True)
class CardRun:
    """The facts of a network's training, for its card. The field names are keys on disk."""

    name: str
    shape: Shape
    parameters: int
    teacher: str  # "" without a teacher
    orientations: int  # of each position for the teacher
    archives: tuple[str, ...]  # of human games; empty without human games
    held_out: str  # the validation archive; "" without one
    device: str
    totals: Totals
    origin: str  # the network that the weights began as; "" for random ones
    grades: GoMetrics
    teacher_grades: GoMetrics | None  # of the teacher in one orientation
    doubter: str = ""  # the file that chose the positions of human games; "" for a draw at random
    ranked: bool = False  # learned from games of all ranks, with both ranks as an input


def go_card(run: CardRun) -> Card:
    """Returns the card of the network with the teacher's policy."""
    return Card(
        name="go",
        about=f"A network for Go on any board from 7x7 to 19x19, made for Sparring: {_shape(run)}",
        made=_made(run) + " Its policy is what the teacher would play.",
        scored="\n\n".join([*_teacher_lines(run), *_human_lines(run)]),
    )


def human_card(run: CardRun) -> Card:
    """Returns the card of the network with the policy of humans."""
    if run.ranked:
        players, values = "human players of any rank", RANKED_VALUES
    else:
        players, values = "strong human players", _values(run)
    return Card(
        name="go-human",
        about=f"The moves of {players} in Go, made for Sparring: {_shape(run)} {values}",
        made=_made(run) + " Its policy is the human's next move.",
        scored="\n\n".join(_human_lines(run)),
    )


def _values(run: CardRun) -> str:
    return (
        "Win rate, score and ownership are those of `go`, whose trunk it shares."
        if run.teacher
        else "It had no teacher: its win rate, score and ownership mean nothing."
    )


def _shape(run: CardRun) -> str:
    shape = run.shape
    return (
        f"{len(shape.blocks)} residual blocks of {shape.channels} channels with global pooling, "
        f"{run.parameters:,} parameters, kept in half precision. Input features V7 and the outputs "
        "of KataGo's model version 8: policy, win rate, score, lead and ownership."
    )


def _made(run: CardRun) -> str:
    totals = run.totals
    parts = [
        f"From {_start(run)}: {totals.positions:,} positions were learned from in "
        f"{totals.batches:,} batches, {totals.seconds / 60:.0f} minutes on {run.device}, and the "
        "mean of the weights over the last steps is what is kept."
        + ("" if run.origin else " No weights were taken over.")
    ]
    if run.teacher:
        parts.append(
            f"KataGo's network {run.teacher} judged each position in {_orientations(run)}."
        )
        quick = totals.positions - totals.human_positions
        parts.append(
            f"{quick:,} positions are of quick games on all sizes and under all rules, with "
            "handicaps, scattered stones, random moves, weak and stubborn players."
        )
    players = "any rank, weak ones weighted up," if run.ranked else "6 dan or better"
    if run.archives:
        parts.append(
            f"{totals.human_positions:,} positions, with the move played, are of games by 9 dans "
            f"on Tygem and by players of {players} on KGS, a quarter of them shown under area "
            f"rules ({', '.join(run.archives)})."
        )
    if run.doubter:
        parts.append(
            f"Most of these were in doubt: {run.doubter} and the player of the quick games "
            "disagreed about them."
        )
    course = "go --teacher FILE" if run.teacher else "go-human"
    course += " --ranked" if run.ranked else ""
    games = " --games DIR" if run.archives else ""
    parts.append(f"`sparring train {course}{games}` does it again.")
    return " ".join(parts)


def _start(run: CardRun) -> str:
    return f"the weights of {run.origin}" if run.origin else "random weights"


def _orientations(run: CardRun) -> str:
    return "one orientation" if run.orientations == 1 else f"{run.orientations} orientations"


def _teacher_lines(run: CardRun) -> list[str]:
    if run.teacher_grades is None:
        return []
    rows = []
    for board, metrics in run.grades.boards.items():
        other = run.teacher_grades.boards[board]
        rows.append([board, *(f"{metrics[key]:.3f} ({other[key]:.3f})" for key in COLUMNS)])
    return [
        "On games that nothing was learned from, against the mean of the teacher's two "
        "orientations (in brackets: the teacher in one orientation against the same mean).",
        table(["board", *COLUMNS.values()], rows),
    ]


def _human_lines(run: CardRun) -> list[str]:
    """Returns the human moves' metrics, with the teacher's policy beside them."""
    players = [("this network", run.grades)]
    if run.teacher_grades is not None:
        players.append((run.teacher, run.teacher_grades))
    rows = [
        [who, f"{each.moves:,}", share_with_bound(each), f"{each.probability:.3f}"]
        for who, metrics in players
        for each in metrics.humans
    ]
    if not rows:
        return []
    return [
        f"Moves of games that nothing was learned from ({run.held_out}), drawn at random, and the "
        "raw policy:",
        table(["policy", "moves", "best move played", "geometric mean probability"], rows),
    ]


def share_with_bound(each: PolicyMetrics) -> str:
    """Returns the share of correct moves with the bound of 95%, such as "46.6% +- 2.8%"."""
    return f"{each.top1:.1%} +- {NORMAL_BOUND * each.top1_error:.1%}"
