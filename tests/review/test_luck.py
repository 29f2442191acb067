"""Luck told apart from skill in reviewed games of chance."""

from __future__ import annotations

import pytest

from engine.games.game_record import GameRecord
from engine.games.game_settings import usual_settings
from engine.games.table import GAMES
from engine.review.bench import Bench
from engine.review.confirming import confirmed
from engine.review.files import ReviewedGame
from engine.review.judging import GameJudgement, Judge
from engine.review.lessons import lessons_of
from engine.review.luck import ChanceJudgement, luck_of, noise_of
from engine.review.luck_words import luck_doubt, luck_sentences
from engine.review.measuring import measured
from engine.review.played import ReplayedGame
from engine.review.review import Reviewed
from tests.review.test_confirming import Counted

EINSTEIN = "123456 123456(2) b5-c4({die})"
SIZES = {"einstein": (5, 5), "darkchess": (2, 4)}


def played(game: str, moves: str) -> ReplayedGame:
    kind, (width, height) = GAMES[game], SIZES[game]
    start = kind.new_position(width, height)
    read = [kind.read_move(move, width, height) for move in moves.split()]
    return ReplayedGame(GameRecord.from_start(usual_settings(game), start, read))


def judged(game: ReplayedGame, visits: int = 20) -> GameJudgement:
    return Judge(Bench(visits=visits, teaches=True)).judge_game(game)


def test_the_luck_of_all_outcomes_has_the_mean_zero() -> None:
    lucks = []
    for die in range(1, 7):
        found = judged(played("einstein", EINSTEIN.format(die=die)))
        assert sorted(found.chance) == [1, 2], "the first placing has no die"
        lucks.append(found.chance[2].luck(0))
    assert sum(lucks) == pytest.approx(0, abs=1e-9)
    assert max(lucks) > 0.01
    # A flip of 2x4: four pieces of each color are equally likely after the first one.
    first = [judged(played("darkchess", f"a1({piece})")).chance[0] for piece in "Pp"]
    assert first[0].expected == pytest.approx(first[1].expected)
    assert first[0].luck(0) == pytest.approx(-first[1].luck(0))
    assert first[0].luck(0) == -first[0].luck(1)


def test_a_loss_is_measured_before_the_luck() -> None:
    game = played("darkchess", "a1(P) a2(p) a1-a2")
    chance = {0: ChanceJudgement(0.5, 0.4), 1: ChanceJudgement(0.3, 0.8)}
    judgement = GameJudgement([0.5, 0.4, 0.8, 0.7], [0.0] * 4, None, [0.1, 0.1, 0.1], chance=chance)
    assert [move.loss for move in measured(game, judgement).moves] == pytest.approx([0, -0.1, 0.1])
    assert luck_of(chance, 0) == pytest.approx(0.4)
    assert luck_of(chance, 1) == pytest.approx(-0.4)
    assert noise_of(judgement.values, chance) == 0.0
    assert noise_of(judgement.values, {}) is None


def test_placings_have_no_marks() -> None:
    game = played("einstein", EINSTEIN.format(die=3))
    assert [move.number for move in measured(game, judged(game)).moves] == [3]


def test_longer_searches_judge_every_outcome() -> None:
    game = played("darkchess", "a1(P) b4(p) a2(P) b3(p) a3(p) b2(P)")
    judge, progress = Judge(Bench(visits=2, teaches=True)), Counted()
    first = judge.judge_game(game, progress)
    assert progress.expected == progress.done == 6 + 6 * 2
    later = confirmed(judge, game, first, progress, factor=20)
    assert later.confirmed, "some move has a mark at two visits"
    for number, (_, after) in later.confirmed.items():
        assert after.value == later.chance[number].expected != first.chance[number].expected


def test_luck_in_words() -> None:
    game = played("einstein", EINSTEIN.format(die=3))
    judgement = judged(game)
    measure = measured(game, judgement)
    lessons = lessons_of(game, judgement, measure.moves)
    reviewed = Reviewed(
        ReviewedGame("one", game, ("Ann", "Bea")), judgement, measure, "", "", lessons
    )
    total, greatest = luck_sentences([(reviewed, 0)])
    assert total.startswith("Luck brought ")
    assert greatest.startswith("The greatest strokes of luck: move ")
    assert "b5-c4(3)" in greatest
    assert luck_sentences([(reviewed, 0)] * 2)[0].endswith("in 2 games.")
    assert luck_doubt(reviewed) == "", "one pair of searches tells no noise"
    [row] = reviewed.values()["moves"]
    assert row["outcome"] == "b5-c4(3)"
    assert row["luck"] == judgement.chance[2].luck(0)
