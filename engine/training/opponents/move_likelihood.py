"""Fits the tables of move likelihood to games of players with known Elo.

The games are played in ladder_games and outside_players. Each style has a table, fitted to all its
players: a player by rollouts looks weak in the table of players with a network, and wins all the
same. The fit is penalised maximum likelihood by Newton's method (the likelihood is concave), in
numpy. The temper and the styles' deviations maximise the posterior's log density at players' true
strength, a proper score of a distribution, with every player left out of the tables for its own
score. The share of a result beside the moves of its game maximises the score of both together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.opponents import Grid, PlayerStyle, Posterior, Tables
from engine.opponents.move_likelihood import (
    KNOWN_FEATURES,
    Candidates,
    MoveLikelihood,
    basis,
)
from engine.training.opponents.calibration_players import LIKE_LEVELS

KNOT_ELO = 250.0  # distance, about
BEND_PENALTY = 10.0  # on second differences of coefficients, in the units of the features
SLOPE_PENALTY = 1.0  # on first differences: a table is level without moves
SIZE_PENALTY = 0.1
MOST_STEPS = 60
BLOCK = 4096  # moves at a time
TEMPERS = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4)
FIRST_TEMPER, FIRST_DEVIATION_ELO = 0.7, 100.0  # start of the search
DEVIATIONS_ELO = (30.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 400.0, 500.0)
ROUNDS = 2  # of that search, over all numbers one by one
RESULT_SHARES = (0.25, 0.35, 0.5, 0.7, 1.0)
MISTAKEN = 0.05  # share of strangers outside every table: they may be wholly mistaken
LEAST_SCORED = 1e-30  # density
GAMES_SEEN = (1, 3, 8)  # numbers of games before a score of the posterior

Coefficients = NDArray[np.float64]  # [knots, features]


@dataclass(frozen=True, slots=True, eq=False)
class PlayedMove:
    """One move of a player of known Elo."""

    elo: float
    among: Candidates
    move: int


@dataclass(frozen=True, slots=True, eq=False)
class OutsidePlayer:
    """A player outside the ladder: its Elo by results, and its games' moves."""

    elo: float
    games: Sequence[Sequence[PlayedMove]]
    style: str  # the table of this style is fitted to all its players
    # The level in each game in Elo, and the player's points; empty: unknown.
    results: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Moves side by side; positions with fewer moves are filled up with impossible ones."""

    weights: NDArray[np.float64]  # [rows, knots], of each row's Elo
    features: NDArray[np.float64]  # [rows, moves, features]
    legal: NDArray[np.bool_]  # [rows, moves]
    chosen: NDArray[np.intp]  # [rows]


def fit_move_likelihood(
    moves: Sequence[PlayedMove], strangers: Sequence[OutsidePlayer], blank: Posterior
) -> MoveLikelihood:
    """Returns the move likelihood of levels and outside players, tempered by its accuracy.

    The table for an outside player is fitted without that player's moves. blank: a stranger's
    posterior on the ladder. Raises ValueError for levels of similar strength.
    """
    elos = np.array([played.elo for played in moves])
    if len(moves) == 0 or elos.max() - elos.min() < KNOT_ELO:
        raise ValueError("evidence is fitted to moves of players far apart")
    count = max(3, 1 + round((elos.max() - elos.min()) / KNOT_ELO))
    knots = np.linspace(elos.min(), elos.max(), count)
    own = fit_table(moves, knots)
    features = next(known for known in KNOWN_FEATURES if len(known) == own.shape[1])
    groups = _groups(strangers)
    if not strangers:
        return MoveLikelihood(knots, own[None], features=features)
    tables = {style: fit_table(_moves_of(group), knots) for style, group in groups.items()}
    curves = []
    for stranger in strangers:
        without = dict(tables)
        if stranger.style in groups:
            others = [other for other in groups[stranger.style] if other is not stranger]
            without[stranger.style] = fit_table(_moves_of(others), knots)
        stacked = np.stack((own, *without.values()))
        likelihood = MoveLikelihood(knots, stacked, _styles(groups), features=features)
        curves.append([_curve(likelihood, game, blank.grid) for game in stranger.games])
    places = [stranger.elo for stranger in strangers]
    temper, styles = _most_honest(places, curves, blank, _styles(groups))
    coefficients = np.stack((own, *tables.values()))
    share = share_of_results(strangers, curves, blank.restyled(styles), temper)
    return MoveLikelihood(knots, coefficients, styles, temper, features, share)


def _groups(strangers: Sequence[OutsidePlayer]) -> dict[str, list[OutsidePlayer]]:
    """Returns the players of each style with a table: two or more, unlike levels."""
    groups: dict[str, list[OutsidePlayer]] = {}
    for stranger in strangers:
        if stranger.style != LIKE_LEVELS:
            groups.setdefault(stranger.style, []).append(stranger)
    return {style: group for style, group in groups.items() if len(group) > 1}


def _moves_of(strangers: Sequence[OutsidePlayer]) -> list[PlayedMove]:
    return [played for stranger in strangers for game in stranger.games for played in game]


def _styles(groups: Mapping[str, Sequence[OutsidePlayer]]) -> tuple[PlayerStyle, ...]:
    """Returns the styles of levels and groups, equally common, with their players' ranges."""
    share = 1 / (len(groups) + 1)
    reaches = [(min(elos), max(elos)) for elos in ([p.elo for p in g] for g in groups.values())]
    return (
        PlayerStyle(share, FIRST_DEVIATION_ELO),
        *(PlayerStyle(share, FIRST_DEVIATION_ELO, low, high) for low, high in reaches),
    )


def fit_table(moves: Sequence[PlayedMove], knots: NDArray[np.float64]) -> Coefficients:
    """Returns the moves' likeliest coefficients, [knots, features] float64, smooth over Elo."""
    terms = [played for played in moves if len(played.among.moves) > 1]
    blocks = [_block(terms[start : start + BLOCK], knots) for start in range(0, len(terms), BLOCK)]
    if not terms:
        raise ValueError("a table is fitted to moves of some choice, of which there are none")
    penalty = _penalty(len(knots), terms[0].among.features.shape[1])
    values = np.zeros(len(penalty))
    for _ in range(MOST_STEPS):
        gradient = np.asarray(-penalty @ values, dtype=np.float64)
        curvature = penalty.copy()
        for block in blocks:
            slope, bend = _derivatives(block, values.reshape(len(knots), -1))
            gradient += slope
            curvature += bend
        step = np.linalg.solve(curvature, gradient)
        step *= min(1.0, 4.0 / max(np.abs(step).max(), 1e-12))
        values += step
        if np.abs(step).max() < 1e-4:
            break
    return values.reshape(len(knots), -1)


def _block(moves: Sequence[PlayedMove], knots: NDArray[np.float64]) -> _Block:
    most = max(len(played.among.moves) for played in moves)
    features = np.zeros((len(moves), most, moves[0].among.features.shape[1]))
    legal = np.zeros((len(moves), most), dtype=np.bool_)
    chosen = np.zeros(len(moves), dtype=np.intp)
    for row, played in enumerate(moves):
        count = len(played.among.moves)
        features[row, :count] = played.among.features
        legal[row, :count] = True
        chosen[row] = int(np.flatnonzero(played.among.moves == played.move)[0])
    return _Block(basis([played.elo for played in moves], knots), features, legal, chosen)


def _penalty(knots: int, features: int) -> NDArray[np.float64]:
    slopes, bends = (np.diff(np.eye(knots), n=n, axis=0) for n in (1, 2))
    across = BEND_PENALTY * bends.T @ bends + SLOPE_PENALTY * slopes.T @ slopes
    across += SIZE_PENALTY * np.eye(knots)
    return np.asarray(np.kron(across, np.eye(features)), dtype=np.float64)


def _derivatives(
    block: _Block, coefficients: Coefficients
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the gradient of the log likelihood [k] and its negative curvature [k, k]."""
    own = block.weights @ coefficients  # [rows, features]
    liking = np.einsum("rmf,rf->rm", block.features, own)
    liking = np.where(block.legal, liking, -np.inf)
    chances = np.exp(liking - liking.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    mean = np.einsum("rm,rmf->rf", chances, block.features)
    surprise = block.features[np.arange(len(mean)), block.chosen] - mean
    slope = np.einsum("rk,rf->kf", block.weights, surprise).ravel()
    apart = block.features - mean[:, None, :]
    spread = np.einsum("rm,rmf,rmg->rfg", chances, apart, apart, optimize=True)
    bend = np.einsum("rk,rl,rfg->kflg", block.weights, block.weights, spread, optimize=True)
    size = coefficients.size
    return slope, bend.reshape(size, size)


def _curve(evidence: MoveLikelihood, game: Sequence[PlayedMove], grid: Grid) -> Tables:
    """Returns the log likelihood of a game's moves over styles and grid, [styles, grid]."""
    total: Tables = np.zeros((len(evidence.styles), len(grid)))
    for played in game:
        terms = evidence.log_likelihood(played.among, played.move, grid)
        if terms is not None:
            total += terms
    return total


def _most_honest(
    elos: Sequence[float],
    curves: Sequence[Sequence[Tables]],
    blank: Posterior,
    styles: tuple[PlayerStyle, ...],
) -> tuple[float, tuple[PlayerStyle, ...]]:
    """Returns the temper and the styles' deviations with the best score of outside players."""

    def score(temper: float, styles: tuple[PlayerStyle, ...]) -> float:
        stranger = blank.restyled(styles)
        scores = [_score(e, c, temper, stranger) for e, c in zip(elos, curves, strict=True)]
        return float(np.mean(scores))

    temper = FIRST_TEMPER
    for _ in range(ROUNDS):
        temper = max(TEMPERS, key=lambda tried: score(tried, styles))
        for at, style in enumerate(styles):
            tried = [
                (*styles[:at], replace(style, deviation=deviation), *styles[at + 1 :])
                for deviation in DEVIATIONS_ELO
            ]
            styles = max(tried, key=lambda each: score(temper, each))
    return temper, styles


def share_of_results(
    strangers: Sequence[OutsidePlayer],
    curves: Sequence[Sequence[Tables]],
    blank: Posterior,
    temper: float,
) -> float:
    """Returns the share of a result with the best score of outside players; 1 without results.

    curves: by player and game the log likelihood of the moves, [styles, grid]. blank: a stranger's
    posterior with the styles.
    """
    known = [each for each in zip(strangers, curves, strict=True) if each[0].results]
    if not known:
        return 1.0

    def score(share: float) -> float:
        scores = [
            _score(player.elo, games, temper, blank, results=player.results, share=share)
            for player, games in known
        ]
        return float(np.mean(scores))

    return max(RESULT_SHARES, key=score)


def _score(
    elo: float,
    games: Sequence[Tables],
    temper: float,
    stranger: Posterior,
    *,
    results: Sequence[tuple[float, float]] = (),
    share: float = 1.0,
) -> float:
    """Returns the mean log density of a player's strength after some of its games.

    results: as in OutsidePlayer, each counted by `share`; empty: the moves alone.
    """
    scores = []
    for size in (min(count, len(games)) for count in GAMES_SEEN):
        for start in range(0, len(games) - size + 1, size):
            terms = temper * np.sum(games[start : start + size], axis=0)
            believed = stranger.after_move(terms)
            for level, points in results[start : start + size]:
                believed = believed.after_results(level, share * points, games=share)
            density = believed.density
            known = (1 - MISTAKEN) * density + MISTAKEN * stranger.density
            scores.append(np.log(max(float(np.interp(elo, stranger.grid, known)), LEAST_SCORED)))
    return float(np.mean(scores))
