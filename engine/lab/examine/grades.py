"""What an exam came to: the answers to its questions, summed up by groups.

Knows what counts as kept, lost and wrong. Does not know how positions are drawn or shown.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.lab.examine.questions import Question, sign
from engine.match.tally import Tally
from engine.search.search import Search
from engine.values import Limit

BANDS = 6  # that the numbers of empty cells are shown in, at most


@dataclass(frozen=True, slots=True)
class ExamOpinion:
    """A move, and what its chooser thinks of the position, by the side to move's view."""

    move: int
    win_rate: float  # 0..1, a draw being half
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said to a question: after a search, and by the network at first sight."""

    question: Question
    searched: ExamOpinion
    alone: ExamOpinion


def answer(question: Question, search: Search, visits: int) -> Answer:
    """The answer of a search of so many visits, which begins with nothing known."""
    search.set_position(question.position)
    search.clear()
    report = search.run(Limit(visits=visits))
    root, best = report.root, report.best
    if best is None:
        raise RuntimeError("a search without a move")
    return Answer(
        question,
        ExamOpinion(best.move, root.win_rate, root.score_lead),
        ExamOpinion(int(np.argmax(report.policy)), root.raw_win_rate, root.raw_score_lead),
    )


@dataclass(frozen=True, slots=True)
class ExamGrade:
    """How one way of answering did over some questions."""

    kept: Tally  # positions whose result the move keeps, as wins
    best: Tally  # positions whose best worth it keeps
    lost: float  # worth given away a move
    win_rate_error: float  # mean distance from the result, 0..1
    score_error: float  # mean distance from the final score

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "kept": self.kept.rate,
            "kept_interval": self.kept.interval(),
            "best": self.best.rate,
            "best_interval": self.best.interval(),
            "lost": self.lost,
            "win_rate_error": self.win_rate_error,
            "score_error": self.score_error,
        }


def grade(answers: Sequence[Answer], opinion_of: Callable[[Answer], ExamOpinion]) -> ExamGrade:
    """The grade of one kind of opinion in at least one answer."""
    kept, best = Tally(), Tally()
    lost, off, score_off = list[float](), list[float](), list[float]()
    for found in answers:
        question, opinion = found.question, opinion_of(found)
        worth = question.worth[opinion.move]
        kept = kept.add(0 if question.keeps(opinion.move) else 1)
        best = best.add(0 if worth == question.best else 1)
        lost.append(question.best - worth)
        off.append(abs(opinion.win_rate - (1 + sign(question.score)) / 2))
        score_off.append(abs(opinion.score - question.score))
    return ExamGrade(
        kept, best, statistics.fmean(lost), statistics.fmean(off), statistics.fmean(score_off)
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Some of an exam's questions, and how both ways of answering did on them."""

    name: str
    positions: int
    searched: ExamGrade
    alone: ExamGrade

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "name": self.name,
            "positions": self.positions,
            "searched": self.searched.values(),
            "alone": self.alone.values(),
        }


def groups(answers: Sequence[Answer]) -> Iterator[Group]:
    """By the number of empty cells, by how the positions came about, and all of them last."""
    for low, high in bands(sorted({found.question.empties for found in answers})):
        chosen = [found for found in answers if low <= found.question.empties <= high]
        yield _group(f"{low}..{high} empty" if high > low else f"{low} empty", chosen)
    for play in dict.fromkeys(found.question.play for found in answers):
        yield _group(f"{play} play", [found for found in answers if found.question.play == play])
    quiet = [found for found in answers if found.question.quiet]
    if 0 < len(quiet) < len(answers):
        yield _group("no win at once", quiet)
    yield _group("all", answers)


def bands(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Rising numbers cut into at most BANDS pieces of about the same length: (first, last)."""
    length = -(-len(numbers) // BANDS)
    pieces = [numbers[at : at + length] for at in range(0, len(numbers), length)]
    return [(piece[0], piece[-1]) for piece in pieces]


def _group(name: str, answers: Sequence[Answer]) -> Group:
    return Group(
        name,
        len(answers),
        grade(answers, lambda found: found.searched),
        grade(answers, lambda found: found.alone),
    )
