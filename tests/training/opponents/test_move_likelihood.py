from __future__ import annotations

import numpy as np
import pytest

from engine.opponents.move_likelihood import FEATURES, Candidates, MoveLikelihood
from engine.opponents.player_style import PlayerStyle
from engine.opponents.posterior import Posterior
from engine.training.opponents.calibration_players import LIKE_LEVELS
from engine.training.opponents.move_likelihood import (
    OutsidePlayer,
    PlayedMove,
    fit_move_likelihood,
    fit_table,
    share_of_results,
)
from tests.support.strength.tables import KNOTS, drawn, evidence, some_candidates

BLANK = Posterior.of_stranger(0, 1500)


def played(elo: float, rng: np.random.Generator, *, seems: float | None = None) -> PlayedMove:
    among = some_candidates(rng)
    return PlayedMove(elo, among, drawn(evidence(), among, elo if seems is None else seems, rng))


def test_the_table_that_made_the_moves_is_found_again() -> None:
    rng = np.random.default_rng(0)
    moves = [played(float(elo), rng) for elo in rng.uniform(0, 1500, 4000)]
    found = fit_move_likelihood(moves, [], BLANK)
    assert len(found.styles) == 1
    elos = np.array([0.0, 400.0, 800.0, 1200.0, 1500.0])
    apart = []
    for _ in range(50):
        among = some_candidates(rng)
        apart.append(
            np.abs(found.probabilities(among, elos) - evidence().probabilities(among, elos)).mean()
        )
    assert np.mean(apart) < 0.02
    # Features that nobody looks at get no weight.
    unused = [FEATURES.index(name) for name in ("visits", "score_loss", "unvisited", "glance")]
    assert np.abs(found.coefficients[:, :, unused]).max() < 0.06


def test_positions_with_one_move_and_of_unequal_numbers_do_not_disturb_it() -> None:
    rng = np.random.default_rng(1)
    one = Candidates(np.array([4]), np.ones((1, len(FEATURES))))
    few = [
        PlayedMove(elo, among, drawn(evidence(), among, elo, rng))
        for elo in (0.0, 1500.0)
        for among in (some_candidates(rng, 3) for _ in range(200))
    ]
    moves = [*few, *(played(elo, rng) for elo in (0.0, 1500.0) for _ in range(200))]
    alone, beside = fit_table(moves, KNOTS), fit_table([*moves, PlayedMove(700.0, one, 4)], KNOTS)
    assert beside == pytest.approx(alone, abs=1e-6)


def test_players_of_one_strength_are_not_enough() -> None:
    rng = np.random.default_rng(2)
    with pytest.raises(ValueError, match="far apart"):
        fit_move_likelihood([played(500.0, rng) for _ in range(20)], [], BLANK)
    with pytest.raises(ValueError, match="far apart"):
        fit_move_likelihood([], [], BLANK)


def test_moves_are_trusted_as_far_as_they_are_right_about_strangers() -> None:
    rng = np.random.default_rng(3)
    levels = [played(float(elo), rng) for elo in rng.uniform(0, 1500, 1500)]

    def players(offset: float) -> list[OutsidePlayer]:
        found = []
        for elo in np.linspace(200, 1300, 12):
            seems = float(elo + rng.normal(0, offset))
            games = [[played(elo, rng, seems=seems) for _ in range(15)] for _ in range(8)]
            found.append(OutsidePlayer(float(elo), games, "strange"))
        return found

    widths = []
    for offset in (0, 300):
        found = fit_move_likelihood(levels, players(offset), BLANK)
        posteriors = [after_games(found, other, 4) for other in players(offset)]
        intervals = [posterior.interval() for posterior in posteriors]
        places = np.linspace(200, 1300, 12)
        covered = [low <= elo <= high for elo, (low, high) in zip(places, intervals, strict=True)]
        assert sum(covered) >= 10
        widths.append(np.mean([high - low for low, high in intervals]))
    assert widths[0] < 0.85 * widths[1]


def test_players_like_levels_tell_how_far_the_levels_table_is_to_be_trusted() -> None:
    """A game with outside players of no other style, as Go, has one table and an honest temper."""
    rng = np.random.default_rng(3)
    levels = [played(float(elo), rng) for elo in rng.uniform(0, 1500, 1500)]
    deviations = []
    for offset in (0, 300):
        others = []
        for elo in np.linspace(200, 1300, 12):
            seems = float(elo + rng.normal(0, offset))
            games = [[played(elo, rng, seems=seems) for _ in range(15)] for _ in range(8)]
            others.append(OutsidePlayer(float(elo), games, LIKE_LEVELS))
        found = fit_move_likelihood(levels, others, BLANK)
        assert len(found.styles) == 1
        deviations.append(found.styles[0].deviation / found.temper)
    assert deviations[0] < 0.7 * deviations[1]


def test_a_result_counts_less_where_the_moves_of_its_game_led_to_it() -> None:
    """A player's form differs from game to game; its moves show the form."""
    rng = np.random.default_rng(5)
    blank = Posterior.of_stranger(0, 1500, styles=[PlayerStyle(1.0, 0.0)])

    def share(by_form: bool) -> float:
        players, curves = [], []
        for elo in rng.normal(blank.mean, blank.deviation, 200):
            forms = elo + rng.normal(0, 400, 3)
            shown = forms if by_form else np.full(3, elo)
            levels = rng.normal(blank.mean, blank.deviation, 3)
            won = rng.random(3) < 1 / (1 + 10 ** ((levels - shown) / 400))
            results = list(zip(levels.tolist(), won.astype(float).tolist(), strict=True))
            players.append(OutsidePlayer(float(elo), [()] * 3, LIKE_LEVELS, results))
            curves.append([-0.5 * ((blank.grid[None] - form) / 400) ** 2 for form in forms])
        return share_of_results(players, curves, blank, 1.0)

    assert share(by_form=True) < share(by_form=False) == 1
    unknown = [OutsidePlayer(500.0, [()], LIKE_LEVELS)]
    assert share_of_results(unknown, [[np.zeros((1, len(blank.grid)))]], blank, 1.0) == 1


def after_games(table: MoveLikelihood, player: OutsidePlayer, games: int) -> Posterior:
    posterior = Posterior.of_stranger(0, 1500, styles=table.styles)
    for move in (move for game in player.games[:games] for move in game):
        told = table.log_likelihood(move.among, move.move, posterior.grid)
        if told is not None:
            posterior = posterior.after_move(told)
    return posterior
