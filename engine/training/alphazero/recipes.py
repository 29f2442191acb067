"""How each game is learned: RECIPES, by the recipe's name and the game's.

`sparring` is ours, for a processor of a few cores: randomised searches (KataGo's paper, section
3.1), policies to learn without forced visits, exact solvers as teachers of the end, targets beside
policy and result.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.training.alphazero.learning import Learning
from engine.training.alphazero.recipe import Recipe, Settings
from engine.training.alphazero.window import Growth

# Root values in the root's own orientation alone: the network learns all orientations alike.
SEARCH: Settings = {"root_symmetries": 1}

SPARRING: dict[str, Recipe] = {
    "connect4": Recipe(
        game="connect4",
        width=7,
        height=6,
        blocks=4,
        channels=64,
        pooled=True,
        play={
            "visits": 200,
            "fast_visits": 32,
            "full_share": 0.3,
            "opening_moves": 10,
            "opening_temperature": 1.0,
            "later_temperature": 0.25,
            "random_openings": 0.5,
            "random_opening_moves": 8,
            "solve_empties": 22,
        },
        search=SEARCH,
        games=600,
        first_games=2000,
        first_judge=True,
        iterations=24,
        growth=Growth(first=60_000),
        learning=Learning(),
    ),
    "othello6": Recipe(
        game="othello",
        width=6,
        height=6,
        blocks=4,
        channels=64,
        pooled=True,
        play={
            "visits": 200,
            "fast_visits": 32,
            "full_share": 0.3,
            "opening_moves": 8,
            "opening_temperature": 1.0,
            "later_temperature": 0.25,
            "random_openings": 0.5,
            "random_opening_moves": 8,
            "solve_empties": 14,
        },
        search=SEARCH,
        games=600,
        first_games=2000,
        first_judge=True,
        iterations=24,
        growth=Growth(first=60_000),
        learning=Learning(),
    ),
    "othello8": Recipe(
        game="othello",
        width=8,
        height=8,
        blocks=5,
        channels=64,
        pooled=True,
        play={
            "visits": 200,
            "fast_visits": 32,
            "full_share": 0.25,
            "opening_moves": 12,
            "opening_temperature": 1.0,
            "later_temperature": 0.25,
            "random_openings": 0.5,
            "random_opening_moves": 10,
            "solve_empties": 12,
        },
        search=SEARCH,
        games=200,
        first_games=1500,
        first_judge=True,
        iterations=24,
        growth=Growth(first=60_000),
        learning=Learning(),
    ),
}

RECIPES: Mapping[str, Mapping[str, Recipe]] = {"sparring": SPARRING}
