"""Two accounts of one player: their evidence joined and parted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.opponents import ServerRating
from engine.opponents.linked_accounts import joined, parted
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_record import known_of
from engine.opponents.opponent_store import OpponentEntry
from engine.opponents.player_style import PlayerStyle
from engine.opponents.posterior import Posterior
from engine.opponents.rating_prior import RatingPrior

LOWEST, HIGHEST = -200.0, 2500.0
STYLES = (PlayerStyle(0.7, 150.0), PlayerStyle(0.3, 100.0, 0.0, 2000.0))


def stranger() -> Opponent:
    return Opponent("Ann", Posterior.of_stranger(LOWEST, HIGHEST, styles=STYLES))


def after(opponent: Opponent, points: float, games: float, level: float = 1200.0) -> Opponent:
    posterior = opponent.posterior.after_results(level, points, games=games)
    return replace(opponent, posterior=posterior, games=opponent.games + int(games))


def read(entry: OpponentEntry) -> Opponent:
    return Opponent.from_json(dict(entry.state))


def density(opponent: Opponent) -> object:
    return pytest.approx(opponent.posterior.density, abs=1e-3)


def test_joined_accounts_know_as_much_as_one() -> None:
    first, second = after(stranger(), 6, 10), after(stranger(), 3, 10, 1500.0)
    both = read(joined(known_of(first), known_of(second)))
    one = after(after(stranger(), 6, 10), 3, 10, 1500.0)
    assert both.posterior.density == density(one)
    assert both.games == 20


def test_joined_accounts_know_what_their_steered_games_told() -> None:
    posterior = replace(stranger().posterior, steered_deviation=250.0)
    told = -0.5 * ((posterior.grid - 1800.0) / 300) ** 2
    ann = replace(stranger(), posterior=posterior.after_steered_game(told))
    both = read(joined(known_of(ann), known_of(ann))).posterior
    twice = posterior.after_steered_game(2 * told)
    assert both.density == pytest.approx(twice.density, abs=1e-3)
    assert both.steered_density == pytest.approx(twice.steered_density, abs=1e-3)


def test_the_rating_of_the_second_account_does_not_count() -> None:
    prior = RatingPrior(2000.0, 150.0, 0.05)
    usual = RatingPrior(1250.0, 2500 / 3, 0.0)
    rated = stranger().rated(prior, ServerRating(1900.0), usual)
    first, second = after(stranger(), 6, 10), after(rated, 3, 10, 1500.0)
    both = read(joined(known_of(first), known_of(second)))
    assert both.posterior.density == density(after(after(stranger(), 6, 10), 3, 10, 1500.0))


def test_an_undone_link_keeps_the_games_since() -> None:
    first, second = known_of(after(stranger(), 6, 10)), known_of(after(stranger(), 3, 10, 1500.0))
    both = joined(first, second)
    later = known_of(after(read(both), 8, 8, 1300.0))
    alone = read(parted(later, both, first))
    assert alone.posterior.density == density(after(after(stranger(), 6, 10), 8, 8, 1300.0))
    assert alone.games == 18


def test_a_first_account_without_an_entry_takes_the_second() -> None:
    second = known_of(after(stranger(), 3, 10))
    assert joined(None, second) is second
    assert parted(second, second, None) is second


def test_beliefs_of_other_tables_do_not_join() -> None:
    other = Opponent("Bob", Posterior.of_stranger(LOWEST, 3000.0, styles=STYLES))
    first, second = known_of(after(stranger(), 6, 10)), known_of(after(other, 3, 20))
    assert joined(first, second) is second
    assert joined(second, first) is second
    assert np.isfinite(read(joined(first, second)).posterior.density).all()
