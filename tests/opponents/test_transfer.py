"""Tables that a ladder has not: whose it borrows, and that they mean the same on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.games.ranks import parse_rank
from engine.games.table import Board
from engine.opponents.move_likelihood import FEATURES, Candidates, MoveLikelihood, basis
from engine.opponents.transfer import (
    corresponding,
    move_likelihood_of,
    source_for,
    stretched,
    win_model_of,
)
from engine.opponents.win_model import WinModel
from engine.strength.level import RANDOM, Level
from engine.strength.rating_ladder import BUNDLED, RatingLadder, Rung, shipped_ladders, write_ladder
from engine.values import Standing

STRONG = Level(visits=8)
MIDDLING = Standing(0.6, 0.7, 2.0, 0.4, 0.6)


def ladder(board: Board, lowest: float = -300.0, highest: float = 1000.0) -> RatingLadder:
    rungs = (
        Rung(lowest, 9.0, Level(index=-1.0)),
        Rung(0.0, 9.0, RANDOM),
        Rung(highest, 9.0, STRONG),
    )
    return RatingLadder(board, "somebody's", rungs)


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (Board("othello", 10, 10), "othello8"),
        (Board("othello", 4, 4), "othello6"),
        (Board("connect4", 8, 7), "connect4"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_ladder_nearest_in_size_lends(board: Board, expected: str) -> None:
    lender = source_for(board)
    assert lender is not None
    assert lender.board.name == expected


def test_a_ladder_without_tables_is_no_source(tmp_path: Path) -> None:
    write_ladder(ladder(Board("go", 9, 9)), tmp_path / "go9.json")
    assert source_for(Board("go", 13, 13), tmp_path) is None


def test_ladders_that_were_read_need_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(24, "Too many open files")

    shipped_ladders(BUNDLED)  # as `sparring serve` does at its start
    source_for.cache_clear()
    for name in ("glob", "open", "read_text"):
        monkeypatch.setattr(Path, name, fail)
    assert source_for(Board("othello", 6, 6)) is not None
    assert source_for(Board("othello", 8, 8)) is not None


def test_own_tables_come_first() -> None:
    own = source_for(Board("othello", 6, 6))
    assert own is not None
    assert move_likelihood_of(own).to_json() == own.evidence
    assert win_model_of(own).to_json() == own.outcome


def drawn(evidence: MoveLikelihood, elos: Sequence[float]) -> np.ndarray:
    features = np.random.default_rng(4).normal(size=(5, len(FEATURES)))
    return evidence.probabilities(Candidates(np.arange(5), features), np.array(elos))


def test_the_middle_of_a_ladder_corresponds_to_the_middle() -> None:
    lender = source_for(Board("othello", 8, 8))
    assert lender is not None
    own = replace(ladder(Board("othello", 10, 10)), evidence={}, outcome={})
    there = (0.5 * lender.lowest, 0.0, 0.5 * lender.highest, 0.9 * lender.highest)
    here = (-150.0, 0.0, 500.0, 900.0)
    assert [stretched(elo, lender, own) for elo in there] == pytest.approx(here)
    lent, borrowed = MoveLikelihood.from_json(lender.evidence), move_likelihood_of(own)
    assert drawn(borrowed, here) == pytest.approx(drawn(lent, there))
    assert borrowed.temper < lent.temper
    outcome, kept_even = WinModel.from_json(lender.outcome), win_model_of(own)
    assert kept_even.steered_win_rates(np.array(here), MIDDLING) == pytest.approx(
        outcome.steered_win_rates(np.array(there), MIDDLING)
    )
    assert kept_even.leaning_at(here[2]) == pytest.approx(outcome.leaning_at(there[2]))


def test_on_one_board_the_same_settings_correspond() -> None:
    """A network with a stronger search has stronger high levels alone."""
    lender = source_for(Board("go", 9, 9))
    assert lender is not None
    *lower, top = lender.rungs
    own = replace(
        lender, rungs=(*lower, replace(top, elo=top.elo + 400.0)), evidence={}, outcome={}
    )
    for elo in (0.0, *(rung.elo for rung in lower)):
        assert corresponding(elo, lender, own) == pytest.approx(elo)
    assert corresponding(top.elo, lender, own) == pytest.approx(top.elo + 400.0)
    assert corresponding(top.elo + 9.0, lender, own) == pytest.approx(top.elo + 409.0)
    lent, borrowed = MoveLikelihood.from_json(lender.evidence), move_likelihood_of(own)
    knots = np.union1d(lent.knots, 0.0)
    kept = knots <= lower[-1].elo
    at = np.searchsorted(borrowed.knots, knots[kept] - 0.01)
    assert borrowed.knots[at] == pytest.approx(knots[kept])
    lent_rows = basis(knots[kept], lent.knots) @ lent.coefficients[0]
    assert borrowed.coefficients[-1, at] == pytest.approx(lent_rows)
    assert borrowed.knots[-1] > knots[-1] + 300.0


def of_ranks(side: int, ranks: Sequence[tuple[float, str]], games: int = 100) -> RatingLadder:
    """A ladder of Go with levels of people, as (Elo, rank)."""
    people = [Rung(elo, 9.0, Level(rank=parse_rank(rank))) for elo, rank in ranks]
    ends = ladder(Board("go", side, side), lowest=-600.0 * side / 9, highest=4000.0).rungs
    rungs = (*ends[:2], *people, ends[2])
    return RatingLadder(Board("go", side, side), "somebody's", rungs, games=games)


def test_on_measured_boards_of_go_the_same_ranks_correspond() -> None:
    small = of_ranks(9, [(1000.0, "15k"), (2000.0, "5k"), (3000.0, "5d")])
    large = of_ranks(18, [(1800.0, "15k"), (2800.0, "5k")])
    found = [corresponding(elo, small, large) for elo in (-600, 0, 500, 1000, 1500, 2000, 4000)]
    assert found == pytest.approx([-1200, 0, 900, 1800, 2300, 2800, 4000])
    guessed = replace(large, games=0)
    assert corresponding(1000.0, small, guessed) == stretched(1000.0, small, guessed)


def test_a_style_known_everywhere_stays_so() -> None:
    lender = source_for(Board("othello", 8, 8))
    assert lender is not None
    own = ladder(Board("othello", 10, 10))
    lent = MoveLikelihood.from_json(lender.evidence)
    for style, before in zip(move_likelihood_of(own).styles, lent.styles, strict=True):
        assert style.share == before.share
        assert style.deviation == pytest.approx(before.deviation * 1000.0 / lender.highest)
        for now, then in (
            (style.lowest_elo, before.lowest_elo),
            (style.highest_elo, before.highest_elo),
        ):
            assert (now == then) == (abs(then) >= 1e5 or then == 0)


def test_tables_reach_a_ladder_that_begins_at_random_play() -> None:
    """Its knots rise: those below random play are left out."""
    source = source_for(Board("go", 13, 13))
    assert source is not None
    assert source.lowest < 0
    rungs = (Rung(0.0, 1.0, RANDOM), Rung(2000.0, 1.0, Level()))
    own = RatingLadder(Board("go", 13, 13), "mine", rungs)
    likelihood = move_likelihood_of(own)
    assert likelihood.knots[0] == 0
    assert (np.diff(likelihood.knots) > 0).all()
