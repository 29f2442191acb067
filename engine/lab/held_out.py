"""Opponents to estimate, by board: agents and settings outside every ladder and fit.

HELD_OUT is the table of steady opponents. An opponent of CHANGING has two players: one for a few
games, and another from then on. A player is a text; its strength is measured elsewhere.
"""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass

from engine.networks.bundled import WEIGHTS

UNKNOWN_GAME_AGENTS = ("random", "first-legal")
STEADY, CHANGE, SHAM = "staying", "changing", "sandbagging"  # kinds of strangers


@dataclass(frozen=True, slots=True)
class Stranger:
    """One opponent of an estimate."""

    name: str
    before: str  # the player of the first games
    after: str  # the player of the others; the same for a steady opponent
    change: int = 0  # number of the first games
    kind: str = STEADY

    def player(self, game: int) -> str:
        """Returns the player of the game with this number, from 0."""
        return self.before if game < self.change else self.after


def _human(name: str, visits: int) -> str:
    """Returns the network of human moves, with a short search."""
    path = shlex.quote(str(WEIGHTS / f"{name}.safetensors"))
    return f"sparring:full --no-solver --visits {visits} --network {path}"


HELD_OUT: dict[str, tuple[str, ...]] = {
    "othello8": (
        *("alphabeta:1", "alphabeta:3", "alphabeta:5", "minimax1", "minimax2", "min-score"),
        *("mcts:40", "mcts:250", "mcts-roxanne:50", "careless:0.3:mcts:250"),
        *(_human("othello8-human", 1), "sparring:full --no-solver --visits 7"),
    ),
    "othello6": (
        *("alphabeta:1", "alphabeta:3", "minimax1", "minimax2", "min-score", "mcts:40"),
        *("mcts:250", "careless:0.3:mcts:250", "sparring:full --no-solver --visits 7"),
    ),
    "connect4": (
        *("minimax1", "minimax2", "mcts:10", "mcts:40", "mcts:250", "mcts:1000"),
        *("careless:0.3:mcts:250", "careless:0.15:mcts:1000"),
        *("sparring:full --no-solver --visits 3", "sparring:full --no-solver --visits 17"),
    ),
    "go9": (
        *(_human("go-human", 1), _human("go-human", 7)),
        *("sparring:full --visits 1", "sparring:full --visits 13", "sparring:full --visits 70"),
    ),
}
# before, after, number of the first games
CHANGING: dict[str, tuple[tuple[str, str, int], ...]] = {
    "othello8": (("mcts:40", "alphabeta:5", 5), ("alphabeta:5", "mcts:40", 5)),
    "othello6": (("mcts:40", "mcts:250", 5), ("alphabeta:3", "min-score", 5)),
    "connect4": (("mcts:10", "mcts:250", 5), ("mcts:250", "mcts:10", 5)),
    "go9": (("random", "sparring:full --visits 1", 5),),
}
# a few bad games, then their true strength
SANDBAGGING: dict[str, tuple[tuple[str, str, int], ...]] = {
    "othello8": (("random", "alphabeta:5", 3),),
    "othello6": (("random", "mcts:250", 3),),
    "connect4": (("random", "mcts:1000", 3),),
    "go9": (("random", "sparring:full --visits 13", 3),),
}
GNU_GO_LEVELS = (1, 10)  # if it is installed


def strangers(board: str) -> list[Stranger]:
    """Returns the opponents of a board by its name; on other boards the players of every game."""
    steady = [*HELD_OUT.get(board, UNKNOWN_GAME_AGENTS)]
    if board.startswith("go") and shutil.which("gnugo"):
        steady += [
            f"gtp:gnugo --mode gtp --level {level} --chinese-rules" for level in GNU_GO_LEVELS
        ]
    steady_ones = [stranger(text) for text in steady]
    for kind, table in ((CHANGE, CHANGING), (SHAM, SANDBAGGING)):
        for before, after, change in table.get(board, ()):
            name = f"{kind} from {before} to {after} after {change}"
            steady_ones.append(Stranger(name, before, after, change, kind))
    return steady_ones


def stranger(text: str) -> Stranger:
    """Returns a steady opponent."""
    return Stranger(short(text), text, text)


def short(text: str) -> str:
    """Returns a player's text without folders.

    >>> short("sparring:full --network /some/where/go-human.safetensors")
    'sparring:full --network go-human.safetensors'
    """
    return " ".join(word.rsplit("/", 1)[-1] for word in text.split())
