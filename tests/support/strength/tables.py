"""Tables of evidence as the tests want them, and positions with moves to choose from."""

from __future__ import annotations

import numpy as np

from engine.opponents.move_likelihood import FEATURES, Candidates, MoveLikelihood

KNOTS = np.array([0.0, 500.0, 1000.0, 1500.0])


def evidence() -> MoveLikelihood:
    """Random play at 0; the stronger, the more a player sees what a search sees."""
    coefficients = np.zeros((1, len(KNOTS), len(FEATURES)))
    coefficients[0, :, FEATURES.index("prior")] = [0, 0.3, 0.7, 0.9]
    coefficients[0, :, FEATURES.index("rate_loss")] = [0, -2, -6, -15]
    return MoveLikelihood(KNOTS, coefficients)


def some_candidates(rng: np.random.Generator, moves: int = 8) -> Candidates:
    """A position as searches see them: most moves improbable, some of those that look good bad."""
    prior = rng.dirichlet(np.full(moves, 0.5))
    features = np.zeros((moves, len(FEATURES)))
    features[:, FEATURES.index("prior")] = np.log(np.maximum(prior, 1e-4))
    features[:, FEATURES.index("rate_loss")] = rng.exponential(0.2, moves) * (
        rng.random(moves) > 0.2
    )
    return Candidates(np.arange(moves) * 3, features)


def drawn(table: MoveLikelihood, among: Candidates, elo: float, rng: np.random.Generator) -> int:
    """A move of a player of that Elo."""
    probabilities = table.probabilities(among, np.array([elo]))[0, 0]
    return int(rng.choice(among.moves, p=probabilities / probabilities.sum()))
