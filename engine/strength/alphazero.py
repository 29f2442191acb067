"""AlphaZero as the base of AlphaDDA's paper: plain PUCT, the same search for every move.

Fujita, AlphaDDA, PeerJ CS 8:e1123, 2022, table A1 and equation of PUCT: a simulation follows the
greatest Q(s,a) + C_puct P(s,a) sqrt(N(s)) / (1 + N(s,a)). Q of a new edge is 0, and N(s) counts the
node's own visit. (The paper's code sums the visits of the edges instead. Its first simulation below
a node thus takes the first legal move, at any policy.) The module sets the core's search
accordingly, for any network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine._core import SearchSettings
from engine.games.table import Board

# The core's search without its additions to PUCT; the constant is the paper's C_puct. One
# simulation runs at a time.
PLAIN: Mapping[str, float | int | bool] = {
    "static_score_utility_factor": 0.0,
    "dynamic_score_utility_factor": 0.0,
    "cpuct_exploration": 1.25,
    "cpuct_exploration_log": 0.0,
    "cpuct_weight_offset": 1.0,
    "cpuct_utility_stdev_scale": 0.0,
    "fpu_parent_share": 0.0,
    "fpu_reduction_max": 0.0,
    "root_fpu_reduction_max": 0.0,
    "value_weight_exponent": 0.0,
    "use_noise_pruning": False,
    "subtree_value_bias_factor": 0.0,
    "use_uncertainty": False,
    "use_graph_search": False,
    "proves": False,
    "random_symmetries": False,
    "root_dirichlet_weight": 0.0,
    "root_symmetries": 1,
    "policy_optimism": 0.0,
    "use_lcb_for_selection": False,
    "in_flight_factor": 0.0,
}

# Connect4's; boards up to this size get its playouts, larger ones those of 8x8 Othello
SMALL_CELLS = 42
SMALL_PLAYOUTS = 200
LARGE_PLAYOUTS = 400


@dataclass(frozen=True, slots=True)
class AlphaZero:
    """Play as AlphaZero: the most visited move of a new search by PUCT, of `playouts` or fewer."""


def plain_search() -> SearchSettings:
    """Returns the settings of plain PUCT for play, without the noise of self-play."""
    settings = SearchSettings()
    for name, value in PLAIN.items():
        setattr(settings, name, value)
    return settings


def playouts(board: Board) -> int:
    """Returns the playouts per move: 200 in Connect4 and 6x6 Othello, 400 on larger boards."""
    return SMALL_PLAYOUTS if board.width * board.height <= SMALL_CELLS else LARGE_PLAYOUTS
