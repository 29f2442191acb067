"""Longer searches before and after the moves that a review would mark.

A short search misjudges fights, and its marks would teach wrong things. The marked moves are few:
each is judged again with several times the visits.
"""

from __future__ import annotations

from dataclasses import replace

from engine.review.judging import GameJudgement, Judge, PositionJudgement, Progress
from engine.review.lessons import Lesson, judged_after, lessons_of
from engine.review.marks import mark_of
from engine.review.measuring import measured
from engine.review.played import ReplayedGame

FACTOR = 8  # usual visits of a longer search by those of the first


def confirmed(
    judge: Judge,
    played: ReplayedGame,
    judgement: GameJudgement,
    progress: Progress,
    *,
    factor: int = FACTOR,
    color: int | None = None,
) -> GameJudgement:
    """Returns the judgement with longer searches around its bad and good moves.

    factor: visits of a longer search by those of the first; 1: none. color: of the moves; None:
    both.
    """
    if judge.visits is None or factor == 1:
        return judgement
    lessons = lessons_of(played, judgement, measured(played, judgement).moves)
    last = len(judgement.advice_by_move)
    pairs: dict[int, int] = {}  # number of a move -> number of the position after it
    for lesson in lessons:
        number = lesson.number - 1 - played.opening
        after = judged_after(played, judgement, number)
        is_chosen = color is None or lesson.color == color
        if is_chosen and is_told(lesson) and number < after < last:
            pairs[number] = after
    visits = factor * judge.visits
    drawn = judgement.chance.keys() & pairs.keys()  # their value is a mean over the outcomes
    later = {after for number, after in pairs.items() if number not in drawn}
    positions = judge.judge_positions(played, pairs.keys() | later, visits, progress)
    chance = judge.judge_outcomes(played, drawn, visits, progress)
    around = {
        number: (
            positions[number],
            PositionJudgement(chance[number].expected, positions[number].lead, exact=False)
            if number in drawn
            else positions[after],
        )
        for number, after in pairs.items()
    }
    return replace(judgement, confirmed=around, chance={**judgement.chance, **chance})


def is_told(lesson: Lesson) -> bool:
    """Whether a review would mark the move, or does so at another one."""
    return lesson.is_good or (mark_of(lesson.badness) is not None and not lesson.is_best)
