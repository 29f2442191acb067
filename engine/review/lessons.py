"""The lessons of a judged game: each move with its mark, the better move and the moves of people.

engine.review.judging judges, engine.review.marks has the thresholds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.review.advice import PositionAdvice
from engine.review.certainty import certain_badness, is_restless
from engine.review.judging import GameJudgement, PositionJudgement
from engine.review.level_win_rates import rank_of, win_rates_around
from engine.review.marks import (
    POINT_LOSSES,
    WIN_RATE_LOSSES,
    MoveMark,
    badness,
    factor_of,
    mark_of,
)
from engine.review.played import ReplayedGame
from engine.strength.rank_scale import RANKED_GAME
from engine.style.measures import MoveMeasure

FEW_PEOPLE = 0.1  # the greatest share of people who play a good move
FAR_POINTS = 10.0  # between the judge's last lead and the record's score
LEAST_LEADS = 2
LATE = 0.75  # share of a misjudged game that has marks
WORST = 5  # listed bad moves of a player

NO_ADVICE = PositionAdvice()
Chance = tuple[int, tuple[int, ...], int]  # color, better move, how often it was played before


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of one move."""

    number: int  # number of the move in its game, from 1
    color: int
    move: int
    badness: float  # 1 is an inaccuracy, 2 a mistake, 3 a blunder
    points: float | None  # lost by the move; None: a game without points
    win_rates: tuple[float, float]  # of its side, before and after the move
    best_line: tuple[int, ...]  # the best move and the moves after it; empty: unknown
    people: tuple[tuple[int, float], ...]  # (move, share of people of the level)
    people_share: float | None  # share of people who play this move; None: unknown
    is_good: bool = False  # the best move, played by few people of the level
    repeats: int | None = None  # number of a worse move that missed the same better move
    answer: int | None = None  # the opponent's best answer to the move; None: unknown

    @property
    def mark(self) -> MoveMark | None:
        """The mark of a bad move; None without one. The same better move is told once."""
        return None if self.is_best or self.repeats is not None else mark_of(self.badness)

    @property
    def is_best(self) -> bool:
        """Whether the move is the best one."""
        return self.best_line[:1] == (self.move,)

    def values(self, write: Callable[[int], str]) -> dict[str, Any]:
        """Returns JSON values; write: returns a move as text."""
        before, after = self.win_rates
        return {
            "mark": None if self.mark is None else str(self.mark),
            "good": self.is_good,
            "repeats": self.repeats,
            "win_rate_before": before,
            "win_rate_after": after,
            "best": write(self.best_line[0]) if self.best_line else None,
            "best_line": [write(move) for move in self.best_line],
            "answer": None if self.answer is None else write(self.answer),
            "people": [{"move": write(move), "share": share} for move, share in self.people],
            "people_share": self.people_share,
        }


def lessons_of(
    played: ReplayedGame, judgement: GameJudgement, moves: Sequence[MoveMeasure]
) -> tuple[Lesson, ...]:
    """Returns the lessons of the selected moves; none without advice."""
    if not judgement.advice_by_move:
        return ()
    last = LATE * len(played.game_record.moves) if is_misjudged(played, judgement) else None
    lessons = [
        lesson
        if last is None or lesson.number <= last
        else replace(lesson, badness=0, is_good=False)
        for lesson in _lessons(played, judgement, moves)
    ]
    chances = [_chance(played, lesson) for lesson in lessons]
    worst_of: dict[Chance, Lesson] = {}
    for chance, lesson in zip(chances, lessons, strict=True):
        if chance not in worst_of or worst_of[chance].badness < lesson.badness:
            worst_of[chance] = lesson
    return tuple(
        _told_once(lesson, worst_of[chance])
        for chance, lesson in zip(chances, lessons, strict=True)
    )


def _chance(played: ReplayedGame, lesson: Lesson) -> Chance:
    """Returns the better move as a chance of the player, which ends once the move is played.

    A column of Connect4 is another chance after each disc in it, a point of Go after each capture.
    """
    best = lesson.best_line[:1]
    earlier = played.game_record.moves[: lesson.number - 1]
    return lesson.color, best, sum((move,) == best for _, move in earlier)


def _told_once(lesson: Lesson, worst_one: Lesson) -> Lesson:
    """Returns the lesson, as a repetition if this worse move missed the same better move."""
    is_told = lesson is worst_one or not lesson.best_line or mark_of(lesson.badness) is None
    return lesson if is_told else replace(lesson, repeats=worst_one.number)


def is_misjudged(played: ReplayedGame, judgement: GameJudgement) -> bool:
    """Whether the judge's last lead is far from the record's score: late marks are wrong then."""
    margin, leads = played.margin, judgement.leads
    if margin is None or len(leads) < LEAST_LEADS or played.board.game != RANKED_GAME:
        return False
    return abs(leads[-2] - margin) > FAR_POINTS


def worst(lessons: Sequence[Lesson], most: int = WORST) -> list[Lesson]:
    """Returns the marked moves, the worst first; at most so many."""
    marked = [lesson for lesson in lessons if lesson.mark is not None]
    return sorted(marked, key=lambda lesson: -lesson.badness)[:most]


def counts(lessons: Sequence[Lesson]) -> dict[MoveMark, int]:
    """Returns the number of moves with each mark."""
    marks = [lesson.mark for lesson in lessons]
    return {mark: marks.count(mark) for mark in MoveMark}


def _lessons(
    played: ReplayedGame, judgement: GameJudgement, moves: Sequence[MoveMeasure]
) -> Iterator[Lesson]:
    for measure in moves:
        number = measure.number - 1 - played.opening
        before, after = _judgements(played, judgement, number)
        rank = rank_of(played, measure.color) if played.board.game == RANKED_GAME else None
        factor = 1.0 if rank is None else factor_of(rank)
        win_rates = win_rates_around(played, judgement, (before, after), measure.color)
        points = None
        if measure.points is not None:
            sign = 1 if measure.color == 0 else -1
            points = sign * (before.lead - after.lead)
        advice = before.advice
        is_certain = not is_restless(played, judgement, number)
        bad = badness(points, win_rates, factor) if is_certain else 0.0
        yield Lesson(
            number=measure.number,
            color=measure.color,
            move=measure.move,
            badness=certain_badness(bad, advice.people_share, rank),
            points=points,
            win_rates=win_rates,
            best_line=advice.best_line,
            people=advice.people,
            people_share=advice.people_share,
            is_good=is_certain
            and _is_good(advice, measure.move, factor, has_points=points is not None),
            answer=_answer(played, judgement, number, after),
        )


def _answer(
    played: ReplayedGame, judgement: GameJudgement, number: int, after: PositionJudgement
) -> int | None:
    """Returns the opponent's best answer to a move; None if it is unknown or no answer follows.

    after: the judgement after the move.
    """
    colors = [color for color, _ in played.game_record.moves[played.opening + number :][:2]]
    is_answered = len(colors) == 2 and colors[0] != colors[1] and not played.has_chance
    if not is_answered or judged_after(played, judgement, number) != number + 1:
        return None
    return next(iter(after.advice.best_line), None)


def _judgements(
    played: ReplayedGame, judgement: GameJudgement, number: int
) -> tuple[PositionJudgement, PositionJudgement]:
    """Returns the judgements before and after a move, by longer searches where there are some."""
    advice = judgement.advice_by_move[number]
    if number in judgement.confirmed:
        before, after = judgement.confirmed[number]
        people = replace(before.advice, people=advice.people, people_share=advice.people_share)
        return replace(before, advice=people), after
    values, leads, later = (
        judgement.values,
        judgement.leads,
        judged_after(played, judgement, number),
    )
    chance = judgement.chance.get(number)
    value = values[later] if chance is None else chance.expected
    later_advice = judgement.advice_by_move[later : later + 1]
    return (
        PositionJudgement(values[number], leads[number], exact=False, advice=advice),
        PositionJudgement(value, leads[later], exact=False, advice=[*later_advice, NO_ADVICE][0]),
    )


def judged_after(played: ReplayedGame, judgement: GameJudgement, number: int) -> int:
    """Returns the number of the position whose evaluation tells the loss of a move, from 0.

    It is the next position. If the better move is still the best one at the player's next turn, it
    is that turn: both moves in between were forcing ones, or neither player saw the better move.
    The last turn to play it has the whole loss. In a game of chance it is the next position: luck
    is in between. In a solved position it is the next one too: its value is certain. The end of a
    game is no evaluation of the judge if the file states it: then the last move loses nothing.
    """
    advice = judgement.advice_by_move
    if number == len(advice) - 1 and _ends_by_file(played):
        return number
    is_solved = judgement.exact is not None and number >= judgement.exact
    if is_solved or played.has_chance:
        return number + 1
    first = played.opening + number
    turns = played.game_record.moves[first : first + 3]
    colors = [color for color, _ in turns]
    best = advice[number].best_line[:1]
    if len(turns) < 3 or not colors[0] == colors[2] != colors[1]:
        return number + 1
    is_played = any((move,) == best for _, move in turns[:2])
    still_best = bool(best) and not is_played and advice[number + 2].best_line[:1] == best
    return number + 2 if still_best else number + 1


def _ends_by_file(played: ReplayedGame) -> bool:
    """Whether the file states the result."""
    return played.value is not None or played.margin is not None


def _is_good(advice: PositionAdvice, move: int, factor: float, *, has_points: bool) -> bool:
    """Whether it is the best move, few people play it, and the move of most people is bad."""
    if advice.best_line[:1] != (move,) or not advice.people or advice.people_share is None:
        return False
    usual, _ = advice.people[0]
    loss = advice.losses.get(usual)
    if usual == move or loss is None or advice.people_share > FEW_PEOPLE:
        return False
    return loss >= (POINT_LOSSES[0] * factor if has_points else WIN_RATE_LOSSES[0])
