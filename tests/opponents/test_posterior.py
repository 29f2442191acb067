from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.opponents.drift import DAY_DRIFT_ELO, GAME_DRIFT_ELO
from engine.opponents.elo_grid import Grid
from engine.opponents.player_style import PlayerStyle
from engine.opponents.posterior import Posterior
from engine.util.elo import POINTS_PER_LOG_ODDS

LOWEST, HIGHEST = -200.0, 1600.0
MIDDLE = 700.0


def stranger(deviation: float = 150.0, steered: float = 0.0) -> Posterior:
    return Posterior.of_stranger(
        LOWEST,
        HIGHEST,
        mean_elo=MIDDLE,
        deviation_elo=600,
        styles=[PlayerStyle(1.0, deviation)],
        steered_deviation=steered,
    )


def seeming(posterior: Posterior, level: float, error: float) -> Posterior:
    """After moves that measure the apparent level with that error."""
    told = -0.5 * ((posterior.grid - level) / error) ** 2
    return posterior.after_move(np.tile(told, (len(posterior.styles), 1)))


def chance(strength: Any, level: float) -> Any:
    return 1 / (1 + 10 ** ((level - strength) / 400))


def bell(values: Grid, mean: Grid | float, deviation: float) -> Grid:
    return np.exp(-0.5 * ((values - mean) / deviation) ** 2)


def moments(values: Grid, weights: Grid) -> tuple[float, float]:
    mean = float((values * weights).sum() / weights.sum())
    return mean, math.sqrt(float(((values - mean) ** 2 * weights).sum() / weights.sum()))


@pytest.mark.parametrize(
    "styles",
    [(PlayerStyle(1.0, 150.0),), (PlayerStyle(0.5, 50.0), PlayerStyle(0.5, 100.0, 700.0, 900.0))],
)
def test_a_stranger_is_between_random_play_and_the_strongest(
    styles: tuple[PlayerStyle, ...],
) -> None:
    posterior = Posterior.of_stranger(LOWEST, HIGHEST, styles=styles)
    low, high = posterior.interval(0.95)
    assert posterior.mean == pytest.approx(HIGHEST / 2, abs=10)
    assert posterior.deviation == pytest.approx(max(HIGHEST / 3, 400), rel=0.05)
    assert posterior.density.sum() == pytest.approx(1)
    assert low < 0
    assert high > HIGHEST - 100
    assert (posterior.grid[0], posterior.grid[-1]) == (LOWEST - 600, HIGHEST + 600)


def test_results_against_integration_by_hand() -> None:
    fine = np.arange(LOWEST - 600, HIGHEST + 600, 1.0)
    weights = bell(fine, MIDDLE, 600)
    posterior = stranger()
    for level, points in ((400.0, 1.0), (900.0, 0.0), (650.0, 0.5), (650.0, 1.0)):
        won = chance(fine, level)
        weights = weights * won**points * (1 - won) ** (1 - points)
        posterior = posterior.after_results(level, points)
    mean, deviation = moments(fine, weights)
    assert posterior.mean == pytest.approx(mean, abs=1)
    assert posterior.deviation == pytest.approx(deviation, abs=1)
    shares = np.cumsum(weights) / weights.sum()
    low, high = np.interp([0.025, 0.975], shares, fine)
    assert posterior.interval(0.95) == pytest.approx((low, high), abs=6)


def test_moves_and_results_against_integration_over_strength_and_style() -> None:
    # Moves that fit an apparent level of 1100 best, results that fit 600: both count by their
    # information, and the moves' is no sharper than the style's deviation.
    fine = np.arange(LOWEST - 600, HIGHEST + 600, 5.0)
    level = fine[None, :]
    joint = bell(fine, MIDDLE, 600)[:, None] * bell(level, fine[:, None], 150)
    joint = joint * bell(level, 1100, 60) * chance(fine, 700)[:, None] ** 2
    joint = joint * (1 - chance(fine, 500))[:, None] ** 3
    mean, deviation = moments(fine, joint.sum(axis=1))
    posterior = stranger()
    posterior = seeming(posterior, 1100, 60)
    posterior = posterior.after_results(700, 2, games=2).after_results(500, 0, games=3)
    assert posterior.mean == pytest.approx(mean, abs=2)
    assert posterior.deviation == pytest.approx(deviation, abs=2)


def test_moves_alone_never_tell_more_than_the_style_allows() -> None:
    posterior = stranger(120)
    for _ in range(500):
        posterior = seeming(posterior, 900, 60)
    assert posterior.mean == pytest.approx(900, abs=15)
    assert 105 < posterior.deviation < 125
    certain = replace(posterior, styles=(PlayerStyle(1.0, 0.0),))
    assert certain.deviation < 15


def lost(posterior: Posterior, level: float) -> Grid:
    """The log likelihood of a lost steered game against that level."""
    return np.log(1 - chance(posterior.grid, level))


def test_steered_games_against_integration_over_both_strengths() -> None:
    fine = np.arange(LOWEST - 600, HIGHEST + 600, 5.0)
    met = fine[None, :]
    joint = bell(fine, MIDDLE, 600)[:, None] * bell(met, fine[:, None], 250)
    joint = joint * bell(fine, 1100, math.hypot(60, 150))[:, None]  # the moves
    joint = joint * (1 - chance(met, 500)) ** 12
    posterior = seeming(stranger(steered=250), 1100, 60)
    posterior = posterior.after_steered_game(12 * lost(posterior, 500))
    mean, deviation = moments(fine, joint.sum(axis=1))
    assert posterior.mean == pytest.approx(mean, abs=2)
    assert posterior.deviation == pytest.approx(deviation, abs=2)
    mean, deviation = moments(fine, joint.sum(axis=0))
    density, grid = posterior.steered_density, posterior.grid
    assert moments(grid, density) == pytest.approx((mean, deviation), abs=2)
    assert density.sum() == pytest.approx(1)


def test_any_number_of_steered_games_leaves_the_deviation_of_their_offset() -> None:
    posterior = stranger(steered=200)
    told = -0.5 * ((posterior.grid - 900) / 30) ** 2
    sure = posterior.after_steered_game(50 * told)
    assert sure.deviation == pytest.approx(200 * 600 / math.hypot(200, 600), rel=0.03)
    spread = moments(sure.grid, sure.steered_density)[1]
    assert spread < 30
    # Without the offset, a steered game is as good as another one.
    plain = stranger()
    assert plain.after_steered_game(lost(plain, 700)).density == pytest.approx(
        plain.after_results(700, 0).density
    )
    assert plain.steered_density == pytest.approx(plain.density)


def test_other_tables_keep_what_steered_games_told() -> None:
    known = stranger(steered=200)
    known = known.after_steered_game(5 * lost(known, 500))
    other = known.restyled([PlayerStyle(0.5, 50), PlayerStyle(0.5, 80)])
    assert other.steered_density == pytest.approx(known.steered_density, abs=1e-9)
    # With another offset they told the strength alone.
    wider = known.restyled(known.styles, 300.0)
    assert wider.density == pytest.approx(known.density, abs=1e-9)
    assert wider.steered_deviation == 300.0
    assert not wider.steered.any()


def test_moves_tell_the_style_as_well_as_the_level() -> None:
    # In one style these moves are those of 400, in the other of 1200, and less probable: together
    # they are two bumps in the proportion of their likelihoods, here e to one.
    two = Posterior.of_stranger(
        LOWEST, HIGHEST, deviation_elo=1e6, styles=[PlayerStyle(0.5, 50), PlayerStyle(0.5, 50)]
    )
    tables = [-0.5 * ((two.grid - 400) / 60) ** 2, -1 - 0.5 * ((two.grid - 1200) / 60) ** 2]
    known = two.after_move(np.stack(tables))
    first = known.density[known.grid < 800].sum()
    assert first == pytest.approx(math.e / (1 + math.e), abs=0.001)
    # More of them decide which it is; so does a result.
    assert known.after_move(4 * np.stack(tables)).mean == pytest.approx(400, abs=10)
    assert known.after_results(800, 2, games=2).mean > known.mean + 200


def test_other_tables_continue_from_the_belief() -> None:
    known = seeming(stranger(), 900, 60).after_results(700, 1)
    assert known.restyled(known.styles) is known
    two = known.restyled([PlayerStyle(0.5, 50), PlayerStyle(0.5, 80)])
    assert two.density == pytest.approx(known.density, abs=1e-9)
    assert seeming(two, 900, 60).deviation < known.deviation
    # What was learned by other tables cannot be added to: it takes the place.
    later = seeming(two, 900, 60)
    assert known.with_evidence(two, later) is later


def test_no_moves_change_nothing() -> None:
    posterior = stranger().after_results(500, 1)
    same = posterior.after_move(np.full((1, len(posterior.grid)), -3.0))
    assert same.density == pytest.approx(posterior.density)
    assert replace(posterior, styles=(PlayerStyle(1.0, 10.0),)).density == pytest.approx(
        posterior.density
    )


@pytest.mark.parametrize("games", [1, 3, 15])
def test_intervals_cover_simulated_opponents(games: int) -> None:
    # Opponents drawn from the prior, each with a style of his own, play against levels that
    # follow what is believed of them; each game's moves measure the apparent level roughly.
    rng = np.random.default_rng(games)
    covered, errors = 0, []
    for _ in range(400):
        strength = rng.normal(MIDDLE, 600)
        seems = strength + rng.normal(0, 150)
        posterior = stranger(150)
        for _ in range(games):
            level = posterior.mean
            measured = rng.normal(seems, 150)
            posterior = seeming(posterior, measured, 150)
            points = float(rng.random() < chance(strength, level))
            posterior = posterior.after_results(level, points)
        low, high = posterior.interval(0.95)
        covered += low <= strength <= high
        errors.append(abs(posterior.mean - strength))
    assert 0.90 <= covered / 400 <= 0.98
    assert np.mean(errors) < {1: 180, 3: 140, 15: 80}[games]


def test_ignoring_the_style_would_not_cover() -> None:
    # What the test above is able to see: the same opponents, taken at their moves' word.
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        strength = rng.normal(MIDDLE, 600)
        seems = strength + rng.normal(0, 150)
        posterior = stranger(0)
        for measured in rng.normal(seems, 150, size=15):
            posterior = seeming(posterior, measured, 150)
        low, high = posterior.interval(0.95)
        covered += low <= strength <= high
    assert covered / 200 < 0.6


def test_an_advantage_shifts_the_strength_by_its_elo() -> None:
    # Scoring alike with 200 Elo of advantage is the performance of somebody 200 weaker.
    flat = Posterior.of_stranger(LOWEST, HIGHEST, mean_elo=MIDDLE, deviation_elo=1e6)
    even = flat.after_results(700, 10, games=20)
    helped = flat.after_results(700, 10, games=20, bonus_elo=200)
    assert even.mean == pytest.approx(700, abs=1)
    assert helped.mean == pytest.approx(500, abs=1)
    assert helped.deviation == pytest.approx(even.deviation, abs=1)


def test_results_alone_narrow_the_posterior() -> None:
    # 347 / sqrt(n) Elo after n even games [SSA].
    flat = Posterior.of_stranger(LOWEST, HIGHEST, deviation_elo=1e6)
    expected = 2 * POINTS_PER_LOG_ODDS / math.sqrt(60)
    assert flat.after_results(700, 30, games=60).deviation == pytest.approx(expected, rel=0.03)


def test_part_of_a_game_tells_part_of_it() -> None:
    half = stranger().after_results(600, 0.5, games=0.5)
    assert half.after_results(600, 0.5, games=0.5).density == pytest.approx(
        stranger().after_results(600, 1).density
    )


def test_drift_adds_its_variance() -> None:
    known = stranger().after_results(700, 50, games=100)
    before, after = known.deviation, known.drifted(days=0)
    assert after.mean == pytest.approx(known.mean, abs=2)
    # Jumps are rare and far: they are in the tails, not within the middle half.
    inner = after.interval(0.5)[1] - after.interval(0.5)[0]
    sharp = known.interval(0.5)[1] - known.interval(0.5)[0]
    assert inner == pytest.approx(sharp * math.hypot(1, GAME_DRIFT_ELO / before), rel=0.05)
    year = known.drifted(days=365)
    slow = math.sqrt(before**2 + GAME_DRIFT_ELO**2 + 365 * DAY_DRIFT_ELO**2)
    spread = year.interval(0.68)[1] - year.interval(0.68)[0]
    assert spread / 2 == pytest.approx(slow, rel=0.06)


def test_drift_blurs_the_strength_exactly_for_any_evidence() -> None:
    posterior = stranger(steered=100)
    posterior = seeming(posterior, 1100, 40)
    posterior = posterior.after_steered_game(3 * lost(posterior, 600))
    posterior = posterior.after_results(900, 6, games=10)
    before, later = posterior.density, posterior.drifted(days=30)
    slow = math.sqrt(GAME_DRIFT_ELO**2 + 30 * DAY_DRIFT_ELO**2)
    grid = posterior.grid

    def spread(deviation: float) -> Grid:
        kernel = bell(grid[None, :], grid[:, None], deviation)
        return before @ (kernel / kernel.sum(axis=1, keepdims=True))

    expected = 0.99 * spread(slow) + 0.01 * spread(math.hypot(slow, 400))
    assert later.density == pytest.approx(expected, abs=1e-6)
    # And the apparent level is blurred too: new moves may now say something else.
    assert later.apparent.sum() > posterior.apparent.sum()
    assert later.steered.sum() > posterior.steered.sum()


def test_the_posterior_follows_a_change_of_level() -> None:
    rng = np.random.default_rng(3)
    posterior = stranger()
    for strength in [400.0] * 15 + [1300.0] * 15:
        posterior = posterior.drifted()
        level = posterior.mean
        measured = rng.normal(strength + 80, 150)
        posterior = seeming(posterior, measured, 150)
        posterior = posterior.after_results(level, float(rng.random() < chance(strength, level)))
    assert posterior.mean > 1050


def test_on_paper_and_back() -> None:
    posterior = stranger(steered=250).after_results(500, 2, games=3).drifted(2)
    posterior = seeming(posterior, 1100, 90)
    posterior = posterior.after_steered_game(lost(posterior, 500))
    written = json.loads(json.dumps(posterior.to_json()))
    again = Posterior.from_json(written)
    assert again.to_json() == written
    assert again.mean == pytest.approx(posterior.mean, abs=0.1)
    assert again.interval() == pytest.approx(posterior.interval(), abs=0.1)


def test_values_of_older_versions_are_read() -> None:
    posterior = seeming(stranger(), 1100, 90)
    older = {name: getattr(posterior, name).tolist() for name in ("strength", "apparent")}
    data = json.loads(json.dumps(posterior.to_json() | older))
    del data["steered"], data["steered_deviation"]
    again = Posterior.from_json(data)
    assert again.steered_density == pytest.approx(posterior.density)
    assert again.strength.tolist() == posterior.strength.tolist()
    assert again.apparent.tolist() == posterior.apparent.tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"strength": [0.0, 1.0]},
        {"strength": "AAAA"},
        {"apparent": "high"},
        {"step_elo": None},
        {"strength": [math.nan] * 121},
        {"styles": [[0.5, 100.0]]},
        {"styles": [[0.5, 100.0], [0.5, 50.0]]},
        {"styles": [[1.0, -1.0]]},
        {"steered": [0.0, 1.0]},
        {"steered_deviation": -1.0},
        {"steered_deviation": math.inf},
    ],
)
def test_anything_but_a_posterior_is_an_error(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a posterior"):
        Posterior.from_json(stranger().to_json() | change)
    with pytest.raises(ValueError, match="not a posterior"):
        Posterior.from_json({})


def test_bad_evidence_is_an_error() -> None:
    posterior = stranger()
    for attempt, message in (
        (lambda: posterior.after_results(500, 2), "2 points of 1.0 games"),
        (lambda: posterior.after_results(500, -1, games=3), "-1 points of 3 games"),
        (lambda: posterior.after_move(np.zeros(3)), "of .3,. points"),
        (lambda: posterior.after_move(np.full((1, len(posterior.grid)), -math.inf)), "not finite"),
        (lambda: posterior.after_steered_game(np.zeros(3)), "of .3,. points"),
        (lambda: posterior.reweighed(np.zeros(3)), "of .3,. points"),
        (lambda: posterior.drifted(-1), "-1 days"),
        (lambda: posterior.interval(1), "1 is not a probability"),
        (lambda: Posterior.of_stranger(100, 100), "from 100 to 100"),
    ):
        with pytest.raises(ValueError, match=message):
            attempt()


def test_moves_like_those_of_a_style_beyond_its_reach_are_not_its_own() -> None:
    # A table that knows players up to 500 alone says as much of all above.
    styles = (PlayerStyle(0.5, 50.0), PlayerStyle(0.5, 50.0, 200.0, 500.0))
    blank = Posterior.of_stranger(LOWEST, HIGHEST, styles=styles)
    likely = np.minimum(0.0, (blank.grid - 450) / 50)
    own = -0.5 * ((blank.grid - 700) / 60) ** 2 - 3
    seen = blank.after_move(np.stack((own, likely)))
    assert 350 < seen.mean < 650
    anywhere = [replace(style, lowest_elo=-1e5, highest_elo=1e5) for style in styles]
    everywhere = Posterior.of_stranger(LOWEST, HIGHEST, styles=anywhere)
    assert everywhere.after_move(np.stack((own, likely))).mean > seen.mean + 100
