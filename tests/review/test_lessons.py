"""Lessons of judged games: marks, better moves, moves of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings, PlainSettings
from engine.games.ranks import parse_rank
from engine.games.rules import RULE_SETS
from engine.review.advice import PositionAdvice
from engine.review.bench import Bench
from engine.review.files import ReviewedGame
from engine.review.judging import GameJudgement, Judge
from engine.review.lessons import Lesson, counts, lessons_of, worst
from engine.review.marks import MoveMark
from engine.review.measuring import measured
from engine.review.played import ReplayedGame
from engine.review.review import Reviewed
from engine.review.sentences import counted_marks, doubt_of, sentences_of

GO = GoSettings(RULE_SETS["japanese"], 6.5)
MOVES = ((0, 40), (1, 30), (0, 31))  # 9x9: E5, D6, E6


def game(**changes: object) -> ReplayedGame:
    """A game of Go on 9x9 of three moves."""
    record = GameRecord(GO, 9, 9, moves=MOVES)
    return replace(ReplayedGame(record), **changes)  # type: ignore[arg-type]


def judged(leads: Sequence[float], each: Sequence[PositionAdvice]) -> GameJudgement:
    """A judgement with these leads of Black."""
    return GameJudgement(
        [0.5] * len(leads), leads, None, [0.5] * (len(leads) - 1), advice_by_move=each
    )


def advice(**changes: object) -> PositionAdvice:
    """A position in the middle of a game."""
    usual = PositionAdvice((50, 41, 42), {50: 0.0}, 10.0, 60.0)
    return replace(usual, **changes)  # type: ignore[arg-type]


def three() -> list[PositionAdvice]:
    """The advice of a game of three moves; the better move of the third is another one."""
    return [advice(), advice(), advice(best_line=(60, 61))]


def lessons(played: ReplayedGame, judgement: GameJudgement) -> tuple[Lesson, ...]:
    return lessons_of(played, judgement, measured(played, judgement).moves)


def test_a_move_that_loses_much_is_marked_with_the_better_move() -> None:
    found = lessons(game(), judged([0.0, -9.0, -9.0, -9.0], [advice()] * 3))
    assert [lesson.mark for lesson in found] == [MoveMark.BLUNDER, None, None]
    assert (found[0].best_line, found[0].points) == ((50, 41, 42), 9.0)
    assert found[0].win_rates[0] == 0.5 > found[0].win_rates[1]
    assert counts(found) == {MoveMark.INACCURACY: 0, MoveMark.MISTAKE: 0, MoveMark.BLUNDER: 1}


def test_the_best_move_is_never_marked() -> None:
    best = advice(best_line=(40,))
    found = lessons(game(), judged([0.0, -9.0, -9.0, -9.0], [best, advice(), advice()]))
    assert found[0].mark is None


def test_the_last_move_is_not_judged_by_a_result_of_the_file_alone() -> None:
    judgement = judged([0.0, 0.0, 0.0, -30.0], [advice()] * 3)
    stated = lessons(game(margin=-30.0), judgement)[2]
    assert (stated.mark, stated.points) == (None, 0.0)
    assert lessons(game(), judgement)[2].mark == MoveMark.BLUNDER, "the judge searched the end"


def test_marks_follow_the_rank_of_the_player() -> None:
    judgement = judged([0.0, -4.0, 0.0, 0.0], three())
    marks = {}
    for rank in ("9d", "20k"):
        ranks = parse_rank(rank), parse_rank(rank)
        marks[rank] = lessons(game(ranks=ranks), judgement)[0].mark
    assert marks == {"9d": MoveMark.BLUNDER, "20k": MoveMark.INACCURACY}


def test_a_handicap_counts_as_fair() -> None:
    """A lead of the handicap's size is an even game, and its loss is a mistake."""
    setup = ((0, 20), (0, 24), (0, 56), (0, 60))
    record = GameRecord(GO, 9, 9, setup=setup, first_to_move=1, moves=((1, 40), (0, 30), (1, 31)))
    judgement = judged([40.0, 40.0, 31.0, 31.0], [advice()] * 3)
    found = lessons(ReplayedGame(record), judgement)
    assert found[1].win_rates[0] == pytest.approx(0.5)
    assert found[1].mark == MoveMark.BLUNDER
    even = lessons(game(), judged([40.0, 31.0, 31.0, 31.0], [advice()] * 3))
    assert even[0].mark == MoveMark.INACCURACY, "a lead of 40 points decides an even game"


def test_the_worst_moves_come_first() -> None:
    found = lessons(game(), judged([0.0, -5.0, 15.0, -25.0], three()))
    assert [lesson.number for lesson in worst(found)] == [3, 2, 1]
    assert [lesson.number for lesson in worst(found, 1)] == [3]


def test_a_better_move_that_stays_is_missed_once() -> None:
    """Both players forgo the same point twice; the last turn to play it has the loss."""
    moves = ((0, 40), (1, 30), (0, 31), (1, 32), (0, 33), (1, 34))
    played = ReplayedGame(GameRecord(GO, 9, 9, moves=moves))
    urgent, other = advice(best_line=(50, 51)), advice(best_line=(60, 61))
    leads = [0.0, -9.0, 0.0, -9.0, -9.0, -9.0, -9.0]
    found = lessons(played, judged(leads, [urgent, urgent, urgent, other, other, other]))
    assert [lesson.mark is not None for lesson in found[:4]] == [False, True, True, False]
    assert found[0].points == 0.0, "the exchange lost nothing"


def test_a_forcing_move_has_the_loss_of_its_exchange() -> None:
    moves = ((0, 40), (1, 30), (0, 50))
    played = ReplayedGame(GameRecord(GO, 9, 9, moves=moves))
    each = [advice(best_line=(50, 51)), advice(best_line=(30, 50)), advice(best_line=(50, 51))]
    found = lessons(played, judged([0.0, -6.0, -6.0, -6.0], each))
    assert (found[0].points, found[2].is_best) == (6.0, True)


@pytest.mark.parametrize(
    ("share", "usual_loss", "is_good"), [(0.03, 8.0, True), (0.3, 8.0, False), (0.03, 1.0, False)]
)
def test_the_best_move_of_few_people_is_good(
    share: float, usual_loss: float, is_good: bool
) -> None:
    best = advice(
        best_line=(40,), losses={40: 0.0, 50: usual_loss}, people=((50, 0.7),), people_share=share
    )
    found = lessons(game(), judged([0.0] * 4, [best, advice(), advice()]))
    assert found[0].is_good == is_good


def test_sentences_name_loss_better_move_and_people() -> None:
    played = game(ranks=(parse_rank("5k"), None))
    people = advice(people=((50, 0.41), (41, 0.2)), people_share=0.004)
    judgement = judged([0.0, -9.0, -9.0, -9.0], [people, advice(), advice()])
    reviewed = Reviewed(
        ReviewedGame("a", played, ("Ann", "Bob")),
        judgement,
        measured(played, judgement),
        "go-human",
        "go",
        lessons(played, judgement),
    )
    first, second, third = sentences_of(reviewed, reviewed.lessons[0])
    assert first.startswith(
        "Blunder: E5 loses 9.0 points; the win rate between players of 5k falls from 50% to "
    )
    assert second == "F4 is better, followed by F5 G5."
    assert third == "Players of 5k play F4 (41%), F5 (20%) and E5 (under 1%)."
    assert counted_marks("Ann", reviewed.of_player("Ann")) == "Ann: 1 blunder"
    assert counted_marks("Bob", reviewed.of_player("Bob")) == "Bob: no marked move"
    assert sentences_of(reviewed, reviewed.lessons[1]) == []


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (30, "White's best answer is D6, as played."),
        (41, "White's best answer is F5, not D6."),
        (81, "White's best answer is a pass, not D6."),
    ],
)
def test_a_marked_move_has_its_best_answer(answer: int, sentence: str) -> None:
    played = game()
    each = [advice(), advice(best_line=(answer,)), advice(best_line=(60,))]
    judgement = judged([0.0, -9.0, -9.0, -9.0], each)
    reviewed = Reviewed(
        ReviewedGame("a", played, ("Ann", "Bob")),
        judgement,
        measured(played, judgement),
        "go-human",
        "go",
        lessons(played, judgement),
    )
    assert sentences_of(reviewed, reviewed.lessons[0])[2] == sentence


def test_games_without_points_are_marked_by_the_win_rate() -> None:
    record = GameRecord(PlainSettings("connect4"), 7, 6, moves=((0, 3), (1, 3), (0, 0)))
    played = ReplayedGame(record)
    judgement = GameJudgement(
        [1.0, 1.0, 1.0, 0.5], [0.0] * 4, 0, [0.5] * 3, advice_by_move=[advice(best_line=(2,))] * 3
    )
    position = replace(played, game_record=replace(record, moves=(*record.moves, (1, 0))))
    longer = replace(
        judgement, values=[1.0, 1.0, 1.0, 0.5, 0.5], leads=[0.0] * 5, likely=[0.5] * 4,
        advice_by_move=[advice(best_line=(2,))] * 4,
    )  # fmt: skip
    found = lessons(position, longer)
    assert [lesson.mark for lesson in found] == [None, None, MoveMark.BLUNDER, None]
    assert found[2].points is None
    reviewed = Reviewed(
        ReviewedGame("a", position, ("Ann", "Bob")),
        longer,
        measured(position, longer),
        "connect4",
        "connect4",
        found,
    )
    first, second, third = sentences_of(reviewed, found[2])
    assert first.startswith("Blunder: with column 1 the win rate falls from 100% to ")
    assert second == "Column 3 is better."
    assert third == "Yellow's best answer is column 3, not column 1."


def test_a_judge_that_teaches_names_better_moves_and_people_of_the_rank() -> None:
    shares = []
    for rank in ("9d", "20k"):
        ranks = parse_rank(rank), parse_rank(rank)
        found = Judge(Bench(visits=4, teaches=True)).judge_game(game(ranks=ranks))
        assert len(found.advice_by_move) == 3
        first = found.advice_by_move[0]
        assert first.best_line
        assert first.losses[first.best_line[0]] == 0.0
        assert first.open_points > 0
        assert first.people[0][1] >= first.people[-1][1] > 0
        assert first.people_share is not None
        shares.append(first.people_share)
        assert "advice_by_move" not in found.row(1)
    assert shares[0] != shares[1], "players of other ranks play other moves"
    assert Judge(Bench(visits=4)).judge_game(game()).advice_by_move == []


def test_a_judge_far_from_the_records_score_says_so() -> None:
    record = GameRecord(GO, 9, 9, moves=(*MOVES, (1, 81), (0, 81)))
    for margin, is_far in ((-4.5, False), (-30.0, True), (None, False)):
        played = ReplayedGame(record, margin=margin)
        judgement = judged([0.0] * 5 + [margin or 0.0], [advice()] * 5)
        reviewed = Reviewed(
            ReviewedGame("a", played, ("Ann", "Bob"), "W+30"),
            judgement,
            measured(played, judgement),
            "go-human",
            "go",
            lessons(played, judgement),
        )
        assert (doubt_of(reviewed) is not None) == is_far


def test_the_same_better_move_is_told_once() -> None:
    """Black misses the same point at moves 1 and 5; the greater loss has the mark."""
    moves = ((0, 40), (1, 30), (0, 31), (1, 32), (0, 33), (1, 34))
    played = ReplayedGame(GameRecord(GO, 9, 9, moves=moves))
    urgent, other = advice(best_line=(50, 51)), advice(best_line=(60, 61))
    leads = [0.0, -5.0, -5.0, -5.0, -5.0, -25.0, -25.0]
    found = lessons(played, judged(leads, [urgent, other, other, other, urgent, other]))
    assert [lesson.number for lesson in found if lesson.mark is not None] == [5]
    assert found[0].repeats == 5
    assert found[0].badness > 1


def test_a_column_of_connect4_is_a_new_chance_after_each_disc() -> None:
    """Red misses column 3 twice; between both misses Yellow plays there, or elsewhere."""
    values = [1.0, 0.5, 0.5, 0.0, 0.0]
    for yellow, numbers in ((2, [1, 3]), (4, [1])):
        moves = ((0, 0), (1, yellow), (0, 1), (1, 5))
        played = ReplayedGame(GameRecord(PlainSettings("connect4"), 7, 6, moves=moves))
        judgement = GameJudgement(
            values, [0.0] * 5, 0, [0.5] * 4, advice_by_move=[advice(best_line=(2,))] * 4
        )
        found = lessons(played, judgement)
        marked = [lesson.number for lesson in found if lesson.mark is not None]
        assert marked == numbers, yellow


@pytest.mark.parametrize(("exact", "lost"), [(None, 0.0), (0, 9.0)])
def test_a_solved_move_has_its_own_loss(exact: int | None, lost: float) -> None:
    """The opponent misses the same point: a solver is certain that the move lost points."""
    each = [advice(best_line=(50,)), advice(best_line=(50,)), advice(best_line=(50,))]
    judgement = replace(judged([0.0, -9.0, 0.0, 0.0], each), exact=exact)
    assert lessons(game(), judgement)[0].points == lost


def test_the_last_quarter_of_a_misjudged_game_has_no_marks() -> None:
    moves = tuple((number % 2, 30 + number) for number in range(8))
    each = [advice(best_line=(number, 80)) for number in range(8)]
    leads = [0.0, *[-9.0] * 6, -29.0]
    for margin, numbers in ((-60.0, [1]), (-29.0, [1, 7])):
        played = ReplayedGame(GameRecord(GO, 9, 9, moves=moves), margin=margin)
        found = lessons(played, judged([*leads, margin], each))
        assert [lesson.number for lesson in found if lesson.mark is not None] == numbers
