"""Longer searches around the moves that a review would mark."""

from __future__ import annotations

from dataclasses import replace

from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings
from engine.games.rules import RULE_SETS
from engine.review.bench import Bench
from engine.review.confirming import FACTOR, confirmed
from engine.review.judging import (
    UNWATCHED,
    Judge,
    PositionJudgement,
    judged,
)
from engine.review.lessons import lessons_of
from engine.review.measuring import measured
from engine.review.played import ReplayedGame

GO = GoSettings(RULE_SETS["japanese"], 6.5)
MOVES = ((0, 40), (1, 0), (0, 30), (1, 8), (0, 31), (1, 80))  # White plays in the corners
PLAYED = ReplayedGame(GameRecord(GO, 9, 9, moves=MOVES))


class Counted:
    """A progress that counts."""

    def __init__(self) -> None:
        self.expected = self.done = 0

    def expect(self, positions: int) -> None:
        self.expected += positions

    def advance(self) -> None:
        self.done += 1


def test_marked_moves_alone_are_judged_again() -> None:
    progress = Counted()
    judge = Judge(Bench(visits=10, teaches=True))
    first = judge.judge_game(PLAYED, progress)
    assert progress.done == progress.expected == len(MOVES)
    again = confirmed(judge, PLAYED, first, progress)
    assert {1, 3} <= again.confirmed.keys(), "stones in corners are bad"
    assert len(again.confirmed) < len(MOVES)
    assert progress.done == progress.expected > len(MOVES)
    assert again.leads == first.leads
    assert "confirmed" not in again.row(1)


def test_a_lesson_follows_the_longer_searches() -> None:
    judge = Judge(Bench(visits=10, teaches=True))
    first = judge.judge_game(PLAYED)
    advice = replace(first.advice_by_move[1], best_line=(50, 51))
    before = PositionJudgement(0.5, 2.0, exact=False, advice=advice)
    for after, mark in ((2.0, None), (30.0, "blunder")):
        around = {1: (before, PositionJudgement(0.5, after, exact=False))}
        judgement = replace(first, confirmed=around)
        lesson = lessons_of(PLAYED, judgement, measured(PLAYED, judgement).moves)[1]
        assert lesson.mark == mark
        assert lesson.best_line == (50, 51)
        assert lesson.points == after - 2.0, "White loses when Black's lead grows"
        assert lesson.people == first.advice_by_move[1].people


def test_confirming_searches_have_more_visits() -> None:
    visits = list[int]()

    class Listening(Judge):
        def judge_positions(
            self, *arguments: object, **more: object
        ) -> dict[int, PositionJudgement]:
            visits.append(int(str(arguments[2])))
            return super().judge_positions(*arguments, **more)  # type: ignore[arg-type]

    judge = Listening(Bench(visits=4, teaches=True))
    confirmed(judge, PLAYED, judge.judge_game(PLAYED), UNWATCHED)
    assert visits == [4 * FACTOR]
    confirmed(judge, PLAYED, judge.judge_game(PLAYED), UNWATCHED, factor=3)
    assert visits[1:] == [12]
    assert not confirmed(judge, PLAYED, judge.judge_game(PLAYED), UNWATCHED, factor=1).confirmed


def test_games_without_a_judge_are_not_judged_again() -> None:
    (found,) = judged(Bench(visits=None), [PLAYED], 1, revise=confirmed)
    assert not found.confirmed
