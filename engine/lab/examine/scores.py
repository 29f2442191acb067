"""The scores of an examination: the answers to its questions, and their scores by groups."""

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

BANDS = 6  # the most groups by the number of empty cells


@dataclass(frozen=True, slots=True)
class MoveOpinion:
    """A chosen move, with the evaluation of the position for the side to move."""

    move: int
    win_rate: float  # 0..1, a draw is half
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The answers to a question: after a search, and by the network alone."""

    question: Question
    searched: MoveOpinion
    alone: MoveOpinion


def answer(question: Question, search: Search, visits: int) -> Answer:
    """Returns the answer of a search of `visits`, from an empty tree."""
    search.set_position(question.position)
    search.clear()
    report = search.run(Limit(visits=visits))
    root, best = report.root, report.best
    if best is None:
        raise RuntimeError("a search without a move")
    return Answer(
        question,
        MoveOpinion(best.move, root.win_rate, root.score_lead),
        MoveOpinion(int(np.argmax(report.policy)), root.raw_win_rate, root.raw_score_lead),
    )


@dataclass(frozen=True, slots=True)
class ExaminationScore:
    """The score of one way of answering over some questions."""

    results_kept: Tally  # wins: positions with a move that keeps the result
    best: Tally  # wins: positions with one of the best moves
    lost: float  # the mean worth lost by a move
    win_rate_error: float  # mean distance from the result, 0..1
    score_error: float  # mean distance from the final score

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "kept": self.results_kept.rate,
            "kept_interval": self.results_kept.interval(),
            "best": self.best.rate,
            "best_interval": self.best.interval(),
            "lost": self.lost,
            "win_rate_error": self.win_rate_error,
            "score_error": self.score_error,
        }


def grade(
    answers: Sequence[Answer], opinion_of: Callable[[Answer], MoveOpinion]
) -> ExaminationScore:
    """Returns the score of one kind of opinion over at least one answer."""
    results_kept, best = Tally(), Tally()
    lost, off, score_off = list[float](), list[float](), list[float]()
    for answered in answers:
        question, opinion = answered.question, opinion_of(answered)
        worth = question.worth[opinion.move]
        results_kept = results_kept.add(0 if question.keeps(opinion.move) else 1)
        best = best.add(0 if worth == question.best else 1)
        lost.append(question.best - worth)
        off.append(abs(opinion.win_rate - (1 + sign(question.score)) / 2))
        score_off.append(abs(opinion.score - question.score))
    return ExaminationScore(
        results_kept,
        best,
        statistics.fmean(lost),
        statistics.fmean(off),
        statistics.fmean(score_off),
    )


@dataclass(frozen=True, slots=True)
class Group:
    """A group of questions, and the scores of both ways of answering them."""

    name: str
    positions: int
    searched: ExaminationScore
    alone: ExaminationScore

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "name": self.name,
            "positions": self.positions,
            "searched": self.searched.values(),
            "alone": self.alone.values(),
        }


def groups(answers: Sequence[Answer]) -> Iterator[Group]:
    """Yields groups by the number of empty cells, by the origin of the positions, and all last."""
    for low, high in bands(sorted({each.question.empties for each in answers})):
        chosen = [each for each in answers if low <= each.question.empties <= high]
        yield _group(f"{low}..{high} empty" if high > low else f"{low} empty", chosen)
    for play in dict.fromkeys(each.question.play for each in answers):
        yield _group(f"{play} play", [each for each in answers if each.question.play == play])
    quiet = [each for each in answers if each.question.quiet]
    if 0 < len(quiet) < len(answers):
        yield _group("no win at once", quiet)
    yield _group("all", answers)


def bands(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Cuts rising numbers into at most BANDS pieces of about equal length: (first, last)."""
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
