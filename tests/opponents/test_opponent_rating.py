"""The prior of a server's rating in the belief about a stored opponent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.games.evaluator import NetworkDescription
from engine.games.table import Board
from engine.opponents import OpponentName, ServerRating, StoredOpponent, TransientStore
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_rating import rating_prior, stranger_prior
from engine.opponents.opponent_record import OpponentRecord
from engine.opponents.tracker import OpponentTracker, of_stranger
from engine.strength.rank_scale import scale_of
from tests.support.stand_in import description_of

GO9 = Board("go", 9, 9)
ANN = OpponentName("1", "ogs", "Ann")
DAY = 86400.0
TEN_KYU, THREE_KYU = ServerRating(1246.0, 80.0, 100), ServerRating(1684.0, 80.0, 150)


@pytest.fixture
def network() -> NetworkDescription:
    """A network of Go without a ladder of its own."""
    return description_of("go")


def met(
    store: TransientStore, network: NetworkDescription, rating: ServerRating | None, day: float = 0
) -> tuple[OpponentRecord, OpponentTracker]:
    record = OpponentRecord(StoredOpponent(store, ANN, rating=rating))
    return record, record.recalled(of_stranger(GO9, network), day * DAY, 30.0)


def beaten(tracker: OpponentTracker, level_elo: float, games: float = 1.0) -> OpponentTracker:
    """The opponent after losses against a level."""
    posterior = tracker.opponent.posterior.after_results(level_elo, 0.0, games=games)
    opponent = replace(
        tracker.opponent,
        posterior=posterior,
        games=tracker.opponent.games + 1,
        last_game_seconds=0.0,
    )
    return replace(tracker, opponent=opponent)


def test_a_stranger_starts_at_its_rating(network: NetworkDescription) -> None:
    unrated = met(TransientStore(), network, None)[1]
    rated = met(TransientStore(), network, TEN_KYU)[1]
    scale = scale_of(rated.ladder)
    assert scale is not None
    assert rated.opponent.posterior.mean == pytest.approx(scale.elo_of(19), abs=15)
    assert rated.opponent.posterior.deviation < unrated.opponent.posterior.deviation
    stronger = met(TransientStore(), network, THREE_KYU)[1]
    assert stronger.opponent.posterior.mean > rated.opponent.posterior.mean + 100


def test_a_rating_of_an_unknown_server_changes_nothing(network: NetworkDescription) -> None:
    unrated = met(TransientStore(), network, None)[1]
    record = OpponentRecord(
        StoredOpponent(TransientStore(), OpponentName("Ann", "nosuch"), rating=TEN_KYU)
    )
    tracker = record.recalled(of_stranger(GO9, network), 0.0, 30.0)
    assert np.array_equal(tracker.opponent.posterior.density, unrated.opponent.posterior.density)


def test_the_prior_counts_once_however_often_one_meets(network: NetworkDescription) -> None:
    store = TransientStore()
    record, tracker = met(store, network, TEN_KYU)
    first = tracker.opponent.posterior
    record.learned(beaten(tracker, first.mean))
    deviations, means = [], []
    for _ in range(20):
        record, tracker = met(store, network, TEN_KYU)
        record.learned(replace(tracker, opponent=replace(tracker.opponent, last_game_seconds=0.0)))
        deviations.append(tracker.opponent.posterior.deviation)
        means.append(tracker.opponent.posterior.mean)
    assert deviations[-1] == pytest.approx(deviations[0], rel=0.05)
    assert deviations == sorted(deviations)  # games drift, and nothing sharpens
    assert means[-1] == pytest.approx(means[0], abs=25)


def test_a_new_rating_moves_a_friend(network: NetworkDescription) -> None:
    store = TransientStore()
    record, tracker = met(store, network, TEN_KYU)
    record.learned(beaten(tracker, tracker.opponent.posterior.mean, games=0.5))
    same = met(store, network, TEN_KYU, day=30)[1].opponent
    better = met(store, network, THREE_KYU, day=30)[1].opponent
    assert better.posterior.mean > same.posterior.mean + 60
    assert better.first_rating == TEN_KYU  # for the map
    assert better.likelihood.mean == pytest.approx(same.likelihood.mean, abs=1)


def test_the_likelihood_ages_and_the_prior_does_not(network: NetworkDescription) -> None:
    store = TransientStore()
    record, tracker = met(store, network, TEN_KYU)
    fresh = tracker.opponent.posterior
    record.learned(beaten(tracker, fresh.mean + 300, games=0.01))  # hardly any evidence
    late = met(store, network, TEN_KYU, day=3650)[1].opponent.posterior
    assert late.mean == pytest.approx(fresh.mean, abs=15)
    assert late.deviation == pytest.approx(fresh.deviation, rel=0.05)
    # Without a rating the belief widens.
    other = TransientStore()
    record, tracker = met(other, network, None)
    record.learned(beaten(tracker, 1500.0, games=0.01))
    assert met(other, network, None, day=3650)[1].opponent.posterior.deviation > (
        tracker.opponent.posterior.deviation
    )


def test_a_friend_without_a_rating_gets_one(network: NetworkDescription) -> None:
    store = TransientStore()
    record, tracker = met(store, network, None)
    record.learned(beaten(tracker, 2000.0))
    rated = met(store, network, TEN_KYU)[1].opponent
    both = met(TransientStore(), network, TEN_KYU)[1]
    usual = beaten(both, 2000.0).opponent.posterior
    assert rated.posterior.mean == pytest.approx(usual.mean, abs=15)
    assert rated.posterior.deviation == pytest.approx(usual.deviation, rel=0.05)


def test_a_friend_stays_known_where_the_server_states_no_rating(
    network: NetworkDescription,
) -> None:
    store = TransientStore()
    record, tracker = met(store, network, TEN_KYU)
    record.learned(beaten(tracker, tracker.opponent.posterior.mean))
    before = met(store, network, TEN_KYU)[1].opponent.posterior
    again = met(store, network, None)[1].opponent.posterior
    assert np.allclose(again.density, before.density)


def test_a_prior_is_stored_with_the_belief(network: NetworkDescription) -> None:
    opponent = met(TransientStore(), network, TEN_KYU)[1].opponent
    again = Opponent.from_json(opponent.to_json())
    assert (again.prior, again.first_rating) == (opponent.prior, TEN_KYU)
    older = opponent.to_json()
    del older["prior"], older["first_rating"]
    assert Opponent.from_json(older).prior is None


def test_the_prior_of_strangers_is_that_of_the_ladder(network: NetworkDescription) -> None:
    tracker = of_stranger(GO9, network)
    posterior = tracker.opponent.posterior
    density = np.exp(stranger_prior(tracker.ladder).log_density(posterior.grid))
    assert posterior.density == pytest.approx(density / density.sum(), abs=1e-4)
    assert rating_prior(StoredOpponent(TransientStore(), ANN), tracker.ladder) is None


def test_the_players_met_so_far_move_the_map(network: NetworkDescription) -> None:
    """Ten players of 10k are 400 Elo weaker than their rank; the eleventh begins weaker too."""
    store = TransientStore()
    usual = met(store, network, TEN_KYU)[1]
    strength = usual.opponent.posterior.mean - 400
    for number in range(10):
        name = OpponentName(str(number + 2), "ogs")
        record = OpponentRecord(StoredOpponent(store, name, rating=TEN_KYU))
        tracker = record.recalled(of_stranger(GO9, network), 0.0, 30.0)
        for level in (strength - 200, strength + 200):  # a win, and a loss, each
            points = 1.0 if level < strength else 0.0
            posterior = tracker.opponent.posterior.after_results(level, 4 * points, games=4)
            opponent = replace(tracker.opponent, posterior=posterior, games=8)
            tracker = replace(tracker, opponent=opponent)
        record.learned(tracker)
    learned = met(store, network, TEN_KYU)[1].opponent.posterior
    assert learned.mean == pytest.approx(strength, abs=130)
    assert learned.deviation < usual.opponent.posterior.deviation
