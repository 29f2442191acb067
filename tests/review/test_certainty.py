"""The certainty of a judge: restless fights have no marks, agreed moves need more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings, PlainSettings
from engine.games.ranks import parse_rank
from engine.games.rules import RULE_SETS
from engine.review.advice import PositionAdvice
from engine.review.certainty import MOST_CHANGE, NEAR_MOVES, certain_badness, is_restless, unrest
from engine.review.files import ReviewedGame
from engine.review.judging import GameJudgement
from engine.review.lessons import lessons_of
from engine.review.marks import MoveMark
from engine.review.measuring import measured
from engine.review.played import ReplayedGame
from engine.review.review import Reviewed
from engine.review.sentences import doubt_of

GO = GoSettings(RULE_SETS["japanese"], 6.5)
MOVES = tuple((number % 2, number) for number in range(40))
DAN = parse_rank("6d"), parse_rank("6d")
PLAYED = ReplayedGame(GameRecord(GO, 9, 9, moves=MOVES), ranks=DAN)


def judged(leads: list[float], people_share: float = 0.1) -> GameJudgement:
    """A judgement with these leads of Black; no move is the best one."""
    advice = PositionAdvice(
        (70, 71), {70: 0.0}, 8.0, 60.0, people=((70, 0.2),), people_share=people_share
    )
    return GameJudgement([0.5] * 41, leads, None, [0.5] * 40, advice_by_move=[advice] * 40)


def test_unrest_is_the_mean_change_near_a_move_without_its_own() -> None:
    zigzag = [0.0, 2.0] * 6
    assert unrest(zigzag, 1) == pytest.approx(2.0)
    assert unrest([*zigzag, 80.0], 11) == pytest.approx(2.0)
    assert unrest([*zigzag, 80.0], 1) == pytest.approx((10 * 2.0 + MOST_CHANGE) / 11)
    assert unrest([0.0, 9.0, 0.0, 9.0], 0) == 0.0, "three moves tell nothing"
    far = [0.0] * (NEAR_MOVES + 2) + [50.0]
    assert unrest(far, 0) == 0.0


def marks(played: ReplayedGame, judgement: GameJudgement) -> list[MoveMark | None]:
    found = lessons_of(played, judgement, measured(played, judgement).moves)
    return [lesson.mark for lesson in found]


def test_a_single_great_loss_is_marked() -> None:
    one = judged([5.0] * 21 + [-15.0] * 20)
    assert [number for number, mark in enumerate(marks(PLAYED, one)) if mark] == [20]


def swinging(size: float) -> GameJudgement:
    """A judgement that finds a loss at each of twenty moves, of both players in turn."""
    fight = [size * (number % 2) for number in range(21)]
    return judged([0.0] * 10 + fight + [fight[-1]] * 10)


def test_a_fight_that_swings_has_no_marks() -> None:
    assert not any(marks(PLAYED, swinging(14.0)))
    # Players of 20 kyu lose so much.
    kyu = replace(PLAYED, ranks=(parse_rank("20k"),) * 2)
    assert is_restless(PLAYED, swinging(8.0), 20)
    assert not is_restless(kyu, swinging(8.0), 20)


def test_the_end_of_the_record_is_no_swing() -> None:
    calm = judged([0.0] * 40 + [90.0])
    assert not is_restless(PLAYED, calm, 36)


def test_other_games_have_no_restless_fights() -> None:
    othello = ReplayedGame(GameRecord(PlainSettings("othello"), 8, 8))
    assert not is_restless(othello, swinging(14.0), 20)


def test_a_review_says_where_it_has_no_marks() -> None:
    for judgement, says in ((swinging(14.0), True), (judged([0.0] * 41), False)):
        reviewed = Reviewed(
            ReviewedGame("a", PLAYED, ("Ann", "Bob")),
            judgement,
            measured(PLAYED, judgement),
            "go-human",
            "go",
        )
        doubt = doubt_of(reviewed)
        assert (doubt is not None) == says
        assert doubt is None or "does not understand a fight" in doubt


@pytest.mark.parametrize(
    ("rank", "share", "badness"),
    [
        ("2k", 0.92, 1.5),
        ("2k", 0.5, 3.0),
        ("1d", 0.92, 1.0),
        ("6d", 0.5, 1.0),
        ("6d", 0.3, 3.0),
        ("6d", None, 3.0),
        (None, 0.92, 1.5),
        (None, 0.5, 3.0),
    ],
)
def test_the_agreement_of_people_discounts_a_loss(
    rank: str | None, share: float | None, badness: float
) -> None:
    number = None if rank is None else parse_rank(rank)
    assert certain_badness(3.0, share, number) == pytest.approx(badness)


def test_a_move_that_most_people_play_has_a_lesser_mark() -> None:
    loss = [5.0] * 21 + [0.5] * 20
    assert marks(PLAYED, judged(loss))[20] is not None
    assert marks(PLAYED, judged(loss, people_share=0.92))[20] != marks(PLAYED, judged(loss))[20]
