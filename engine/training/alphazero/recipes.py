"""The recipes of each game: RECIPES, by the recipe's name and the game's; GO starts from a network.

`sparring` is ours, for a processor of a few cores: randomised searches (KataGo's paper, section
3.1), policy targets without forced visits, exact solvers as teachers of the end, targets beside
policy and result. `alphadda` is table A1 of AlphaDDA's paper (Fujita, PeerJ CS 8:e1123): plain
PUCT, every move searched alike, results alone. Its network has our planes, a superset of the
paper's three, and our heads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.agents.dark_knight import BEST_TECHNIQUES
from engine.strength.alphazero import PLAIN
from engine.training.alphazero.learning import WEIGHTS, LearningSettings
from engine.training.alphazero.recipe import Recipe, Settings
from engine.training.alphazero.strength import Rival
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
        iterations=60,
        growth=Growth(first=60_000),
        learning=LearningSettings(),
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
        iterations=60,
        growth=Growth(first=60_000),
        learning=LearningSettings(),
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
        iterations=60,
        growth=Growth(first=60_000),
        learning=LearningSettings(),
    ),
    "darkchess": Recipe(
        game="darkchess",
        width=4,
        height=8,
        blocks=3,
        channels=48,
        pooled=True,
        play={
            "visits": 200,
            "fast_visits": 32,
            "full_share": 0.3,
            "opening_moves": 16,
            "opening_temperature": 1.0,
            "later_temperature": 0.25,
            "random_openings": 0.5,
            "random_opening_moves": 24,
        },
        search=SEARCH,
        games=200,
        first_games=9000,
        first_judge=False,
        iterations=40,
        growth=Growth(first=60_000),
        learning=LearningSettings(
            weights={name: WEIGHTS[name] for name in ("policy", "value")}  # of flat heads
        ),
        rival=Rival(agent="dark-knight:300"),
        teacher=f"800,{BEST_TECHNIQUES}",
    ),
}

# The network has no second policy for the reply, and keeps its score deviation: expectations have
# none to learn.
GO_KEEPS = ("reply", "score_stdev")
# For a trained network; the command sets its size and the board.
GO = Recipe(
    game="go",
    width=9,
    height=9,
    blocks=6,
    channels=96,
    pooled=True,
    play={
        "visits": 64,
        "fast_visits": 12,
        "full_share": 0.3,
        "opening_moves": 12,
        "opening_temperature": 1.0,
        "later_temperature": 0.2,
        "random_openings": 0.5,
        "random_opening_moves": 4,
    },
    search=SEARCH,
    games=200,
    first_games=200,
    first_judge=False,
    iterations=20,
    growth=Growth(first=20_000),
    learning=LearningSettings(
        learning_rate=5e-4,
        warm_up=20,
        weights={name: weight for name, weight in WEIGHTS.items() if name not in GO_KEEPS},
    ),
    rival=Rival(every=0),
)

SELF_PLAY: Settings = {**PLAIN, "root_epsilon": 0.2}  # a share of playouts tries any move first


def _alphadda(
    ours: Recipe,
    *,
    blocks: int,
    iterations: int,
    games: int,
    visits: int,
    opening: int,
    softness: float,
    queue: int,
    symmetries: int,
) -> Recipe:
    """Returns a column of table A1; `queue` counts every symmetric image of a position."""
    return replace(
        ours,
        blocks=blocks,
        channels=256,
        pooled=False,
        play={
            "visits": visits,
            "full_share": 1.0,
            "forced_playouts": 0.0,
            "reuse_tree": False,
            "opening_moves": opening,
            "opening_softness": softness,
            "later_temperature": 0.0,
            "random_openings": 0.0,
            "solve_empties": 0,
        },
        search=SELF_PLAY,
        games=games,
        first_games=games,
        first_judge=False,
        iterations=iterations,
        growth=Growth(first=queue // symmetries, slope=0.0),
        learning=LearningSettings(
            optimizer="sgd",
            learning_rate=0.2,
            warm_up=0,
            weight_decay=1e-4,
            batch=2048,
            whole_window=True,
            average=0.0,
            gradient_bound=0.0,
            closing_passes=0.0,
            weights={"policy": 1.0, "squares": 1.0},
        ),
    )


ALPHADDA: dict[str, Recipe] = {
    "connect4": _alphadda(
        SPARRING["connect4"],
        blocks=3,
        iterations=600,
        games=30,
        visits=200,
        opening=4,
        softness=50.0,
        queue=20_000,
        symmetries=2,
    ),
    "othello6": _alphadda(
        SPARRING["othello6"],
        blocks=3,
        iterations=600,
        games=10,
        visits=200,
        opening=4,
        softness=20.0,
        queue=20_000,
        symmetries=8,
    ),
    "othello8": _alphadda(
        SPARRING["othello8"],
        blocks=5,
        iterations=700,
        games=10,
        visits=400,
        opening=6,
        softness=40.0,
        queue=50_000,
        symmetries=8,
    ),
}

RECIPES: Mapping[str, Mapping[str, Recipe]] = {"sparring": SPARRING, "alphadda": ALPHADDA}
