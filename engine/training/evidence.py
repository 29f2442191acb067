"""Fits the table of evidence to games whose players' Elo is known.

Knows numpy and what Evidence is made of; not how the games were played. The fit is penalised
maximum likelihood by Newton's method (the likelihood is concave); the temper and the style's
deviation are those under which intervals tell the truth: they make the posterior's log density at
players' true strength highest, which is a proper score of a distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.strength.evidence import FEATURES, Candidates, Evidence, basis
from engine.strength.posterior import Grid, Posterior

KNOT_ELO = 250.0  # about so far apart
BEND_PENALTY = 20.0  # on second differences of coefficients, in the units of the features
SIZE_PENALTY = 0.1
MOST_STEPS = 60
BLOCK = 4096  # moves at a time
TEMPERS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
STYLES_ELO = (25.0, 50.0, 75.0, 100.0, 125.0, 150.0, 175.0, 200.0, 250.0, 300.0)
GAMES_SEEN = (1, 3, 8)  # after how many games the posterior is scored


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """One move of a player whose Elo is known."""

    elo: float
    among: Candidates
    move: int


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Moves side by side; positions with fewer moves are filled up with impossible ones."""

    weights: NDArray[np.float64]  # [rows, knots], of each row's Elo
    features: NDArray[np.float64]  # [rows, moves, features]
    legal: NDArray[np.bool_]  # [rows, moves]
    chosen: NDArray[np.intp]  # [rows]


def fit_evidence(moves: Sequence[Played]) -> Evidence:
    """The coefficients that make the moves likeliest, smooth over Elo; temper and style as usual.

    ValueError where all players are of one Elo.
    """
    elos = np.array([played.elo for played in moves])
    if len(moves) == 0 or elos.max() - elos.min() < KNOT_ELO:
        raise ValueError("evidence is fitted to moves of players far apart")
    knots = np.linspace(
        elos.min(), elos.max(), max(3, 1 + round((elos.max() - elos.min()) / KNOT_ELO))
    )
    told = [played for played in moves if len(played.among.moves) > 1]
    blocks = [_block(told[start : start + BLOCK], knots) for start in range(0, len(told), BLOCK)]
    size = len(knots) * len(FEATURES)
    penalty = _penalty(len(knots))
    values = np.zeros(size)
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
    return Evidence(knots=knots, coefficients=values.reshape(len(knots), -1))


def _block(moves: Sequence[Played], knots: NDArray[np.float64]) -> _Block:
    most = max(len(played.among.moves) for played in moves)
    features = np.zeros((len(moves), most, len(FEATURES)))
    legal = np.zeros((len(moves), most), dtype=np.bool_)
    chosen = np.zeros(len(moves), dtype=np.intp)
    for row, played in enumerate(moves):
        count = len(played.among.moves)
        features[row, :count] = played.among.features
        legal[row, :count] = True
        chosen[row] = int(np.flatnonzero(played.among.moves == played.move)[0])
    return _Block(basis([played.elo for played in moves], knots), features, legal, chosen)


def _penalty(knots: int) -> NDArray[np.float64]:
    bends = np.diff(np.eye(knots), n=2, axis=0)
    across = BEND_PENALTY * bends.T @ bends + SIZE_PENALTY * np.eye(knots)
    return np.asarray(np.kron(across, np.eye(len(FEATURES))), dtype=np.float64)


def _derivatives(
    block: _Block, coefficients: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slope of the log likelihood and its negative curvature by all coefficients."""
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


def fit_honesty(
    evidence: Evidence,
    players: Sequence[tuple[float, Sequence[Sequence[Played]]]],
    blank: Posterior,
) -> Evidence:
    """The evidence with the temper and style's deviation under which the players are found best.

    players: each one's strength and games, a game being his moves. blank: a stranger's posterior.
    """
    plain = replace(evidence, temper=1.0)
    curves = [(elo, [_curve(plain, game, blank.grid) for game in games]) for elo, games in players]
    best, chosen = -np.inf, (1.0, STYLES_ELO[-1])
    for temper in TEMPERS:
        for style in STYLES_ELO:
            score = _score(curves, temper, replace(blank, style_deviation=style))
            if score > best:
                best, chosen = score, (temper, style)
    return replace(evidence, temper=chosen[0], style_deviation=chosen[1])


def _curve(evidence: Evidence, game: Sequence[Played], grid: Grid) -> Grid:
    """The log likelihood of a game's moves over the grid."""
    total = np.zeros(len(grid))
    for played in game:
        told = evidence.log_likelihood(played.among, played.move, grid)
        if told is not None:
            total += told
    return total


def _score(curves: Sequence[tuple[float, list[Grid]]], temper: float, blank: Posterior) -> float:
    """The mean log density of the players' strength after some of their games."""
    scores = []
    for elo, games in curves:
        for seen in GAMES_SEEN:
            for start in range(0, len(games) - seen + 1, seen):
                told = temper * np.sum(games[start : start + seen], axis=0)
                density = blank.after_move(told).density
                scores.append(np.log(max(float(np.interp(elo, blank.grid, density)), 1e-30)))
    return float(np.mean(scores))
