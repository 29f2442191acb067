"""The prior of a stranger by board."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.ranks import parse_rank
from engine.games.table import Board
from engine.opponents.opponent_model import OpponentModel
from engine.opponents.opponent_rating import stranger_prior
from engine.opponents.player_style import USUAL_STYLES, PlayerStyle
from engine.opponents.posterior import Posterior
from engine.opponents.rating_map import server_scale
from engine.opponents.stranger_prior import PRIORS, stranger_posterior
from engine.opponents.tracker import stranger_on
from engine.personas import make_persona
from engine.strength.level import RANDOM, Level
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import RatingLadder, Rung, ladder_for
from tests.support.stand_in import description_of


def ladder(board: Board) -> RatingLadder:
    rungs = (
        Rung(-400.0, 30.0, Level(greed=-1.0)),
        Rung(0.0, 30.0, RANDOM),
        Rung(2400.0, 30.0, Level()),
    )
    return RatingLadder(board, "mine", rungs)


@pytest.mark.parametrize("board", [Board("connect4", 7, 6)])
def test_strangers_in_the_small_games_are_weaker_than_the_middle_of_the_ladder(
    board: Board,
) -> None:
    own = stranger_posterior(ladder(board), USUAL_STYLES)
    usual = Posterior.of_stranger(-400.0, 2400.0)
    assert own.mean == pytest.approx(PRIORS[board.name].mean_elo, abs=40)
    assert own.mean < usual.mean - 250
    assert own.deviation == pytest.approx(usual.deviation, rel=0.05)
    assert stranger_on(ladder(board)).opponent.posterior.mean == pytest.approx(own.mean, abs=1)


@pytest.mark.parametrize("size", [9, 13, 19])
def test_in_go_a_stranger_has_the_usual_rank_on_every_board(size: int) -> None:
    board = Board("go", size, size)
    own_ladder = ladder_for(board, description_of("go"))
    own, scale = stranger_posterior(own_ladder, USUAL_STYLES), scale_of(own_ladder)
    assert scale is not None
    assert own.mean == pytest.approx(scale.elo_of(parse_rank("15k")), abs=150)
    usual = Posterior.of_stranger(own_ladder.lowest, own_ladder.highest)
    deviation = 1500.0 if size == 19 else usual.deviation
    assert own.deviation == pytest.approx(deviation, rel=0.15)


def test_in_chess_a_stranger_is_between_the_people_of_1100_and_of_1500() -> None:
    own_ladder = ladder_for(Board("chess", 8, 8), description_of("chess"))
    people = {rung.elo: rung.level.rating for rung in own_ladder.rungs if rung.level.is_imitation}
    own = stranger_posterior(own_ladder, USUAL_STYLES)
    assert 1100 <= np.interp(own.mean, list(people), list(people.values())) <= 1500
    rated = server_scale("lichess", own_ladder.board, None)
    assert rated is not None
    of_1500, error = rated.first_map(0.0, 900.0).moments(rated.elo(1500.0), 0.0, 0.0)
    assert np.interp(of_1500, list(people), list(people.values())) == pytest.approx(1500, abs=100)
    assert error < 300


def test_on_other_boards_a_stranger_has_the_usual_prior() -> None:
    styles = (PlayerStyle(1.0, 80.0),)
    own = stranger_posterior(ladder(Board("othello", 6, 6)), styles)
    usual = Posterior.of_stranger(-400.0, 2400.0, styles=styles)
    assert own.to_json() == usual.to_json()


@pytest.mark.parametrize("board", [Board("connect4", 7, 6), Board("go", 9, 9)])
def test_a_servers_rating_takes_the_place_of_the_boards_own_prior(board: Board) -> None:
    own = ladder_for(board, description_of(board.game))
    by_rating, stranger = stranger_prior(own), stranger_posterior(own, USUAL_STYLES)
    known = stranger.reweighed(-by_rating.log_density(stranger.grid))
    assert known.density == pytest.approx(np.full(len(known.grid), 1 / len(known.grid)), rel=1e-6)


def test_natural_play_takes_a_stranger_for_weaker_in_othello() -> None:
    """It can hardly give a lead back; other play can."""
    board = Board("othello", 8, 8)
    natural, other = (
        stranger_on(ladder(board), is_natural=each).opponent.posterior for each in (True, False)
    )
    assert natural.mean < other.mean - 200
    assert natural.deviation < other.deviation
    assert other.to_json() == stranger_posterior(ladder(board), other.styles).to_json()
    for name, first in (("even", natural.mean), ("strength:even", other.mean)):
        model = OpponentModel()
        description = description_of("othello")
        persona = make_persona(name, "othello")
        model.expect(board, description, persona, opening=0, known=None, now_seconds=0.0)
        assert model.opponent is not None
        expected = stranger_on(ladder_for(board, description), is_natural=name == "even")
        assert model.opponent.posterior.mean == expected.opponent.posterior.mean
        assert (model.opponent.posterior.mean < 1100) == (first < 1100)
