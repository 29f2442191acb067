"""Ranks beside the Elo of a ladder of Go."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games.ranks import parse_rank
from engine.games.table import Board
from engine.strength.fixed_elo import FixedElo
from engine.strength.level import RANDOM, Level
from engine.strength.rank_scale import (
    RankScale,
    estimate_words,
    rating_at,
    scale_of,
    scale_on,
    with_rank,
)
from engine.strength.rating_ladder import RatingLadder, Rung, write_ladder
from engine.strength.settings_curve import knots_of, level_at

BOARD = Board("go", 13, 13)
RUNGS = (
    Rung(0.0, 1.0, RANDOM),
    Rung(900.0, 9.0, Level(index=0.5, greed=1.0, rank=29.0)),  # mixed: no rank of people
    Rung(1000.0, 9.0, Level(rank=29.0)),
    Rung(1500.0, 9.0, Level(rank=19.0)),
    Rung(1600.0, 9.0, Level(rank=19.0, visits=9, restraint=1.0)),  # no higher rank
    Rung(2000.0, 9.0, Level(rank=9.0)),
    Rung(2500.0, 9.0, Level(visits=64)),
)


def ladder_on(board: Board, rungs: tuple[Rung, ...] = RUNGS) -> RatingLadder:
    return RatingLadder(board, "mine", rungs)


def scale() -> RankScale:
    found = scale_of(ladder_on(BOARD))
    assert found is not None
    return found


def test_the_rungs_of_people_join_the_scales() -> None:
    assert scale() == RankScale((1000.0, 1500.0, 2000.0), (29.0, 19.0, 9.0))


@pytest.mark.parametrize(
    ("elo", "text"),
    [(999.0, "below 20k"), (1000.0, "20k"), (1250.0, "15k"), (1600.0, "8k"), (1990.0, "1d"),
     (2000.0, "1d"), (2001.0, "above 1d")],
)  # fmt: skip
def test_an_elo_between_rungs_is_a_rank_between(elo: float, text: str) -> None:
    assert scale().text(elo) == text


@pytest.mark.parametrize(("text", "elo"), [("20k", 1000), ("15k", 1250), ("8k", 1600), ("1d", 2000),
                                           ("25k", 1000), ("5d", 2000)])  # fmt: skip
def test_a_rank_is_played_at_its_elo(text: str, elo: float) -> None:
    assert scale().elo_of(parse_rank(text)) == pytest.approx(elo)
    assert FixedElo.read(text).on(ladder_on(BOARD)) == pytest.approx(elo)
    assert FixedElo.read("1234.5").on(ladder_on(BOARD)) == 1234.5


@pytest.mark.parametrize(
    ("mean", "low", "high", "text"),
    [
        (1600, 1400, 1750, "about 8k (5k to 12k)"),
        (1100, 700, 1400, "about 18k (12k to below 20k)"),
        (500, 100, 900, "below 20k"),
        (2200, 1900, 2400, "above 1d (above 1d to 2k)"),
        (1500, 1499, 1501, "about 10k"),
    ],
)
def test_an_estimate_has_its_strongest_end_first(
    mean: float, low: float, high: float, text: str
) -> None:
    assert scale().estimate(mean, low, high) == text


def test_a_ladder_without_people_takes_the_curves_assumed_elo() -> None:
    found = scale_of(ladder_on(BOARD, (RUNGS[0], RUNGS[-1])))
    assert found is not None
    assumed = {each.level.rank: each.elo for each in knots_of(BOARD) if each.level.is_imitation}
    for rank, elo in assumed.items():
        assert found.elo_of(rank) == pytest.approx(elo)


def test_a_rank_of_the_curve_lies_between_two_rungs() -> None:
    """A ladder may have no rung just at the weakest people."""
    board = Board("go", 19, 19)
    places = (0.0, 1600.0, 2000.0, 2230.0)
    rungs = tuple(Rung(2 * place, 9.0, level_at(board, place)) for place in places)
    found = scale_of(ladder_on(board, rungs))
    assert found == RankScale((3600.0, 3700.0, 4000.0, 4460.0), (29.0, 24.0, 19.0, 14.0))


def test_other_games_have_no_ranks() -> None:
    othello = ladder_on(Board("othello", 8, 8))
    assert scale_of(othello) is None
    assert scale_on(othello.board) is None
    assert with_rank(None, 812.4) == "812"
    assert with_rank(None, -93.2) == "-93 (weaker than random play)"
    assert with_rank(None, -0.3) == "0"
    assert estimate_words(None, 204.0, -316.0, 687.0) == ""
    with pytest.raises(ValueError, match="'8k' is no Elo: the game has no ranks"):
        FixedElo.read("8k").on(othello)


def test_without_a_network_the_bundled_ladder_of_the_board_has_the_ranks(tmp_path: Path) -> None:
    write_ladder(ladder_on(BOARD), tmp_path / "go13.json")
    assert scale_on(BOARD, tmp_path) == scale()
    assert scale_on(Board("go", 9, 9), tmp_path) == scale_of(
        ladder_on(Board("go", 9, 9), RUNGS[::6])
    )
    assert with_rank(scale(), 1600.0) == "1600 (about 8k)"
    assert with_rank(scale(), 10.0) == "10 (below 20k)"


def test_levels_of_chess_have_the_rating_of_their_players() -> None:
    rungs = (
        Rung(0.0, 1.0, RANDOM),
        Rung(600.0, 9.0, Level(index=0.5, rating=1100.0)),  # weakened: no rating of people
        Rung(1000.0, 9.0, Level(rating=1100.0)),
        Rung(1400.0, 9.0, Level(rating=1900.0)),
        Rung(2000.0, 9.0, Level(visits=64)),
    )
    ladder = ladder_on(Board("chess", 8, 8), rungs)
    assert [rating_at(ladder, elo) for elo in (0, 1000, 1100, 1400, 2000)] == [
        1100, 1100, 1300, 1900, 1900
    ]  # fmt: skip
    assert rating_at(ladder_on(BOARD), 1500.0) is None
