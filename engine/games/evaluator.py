"""A network as the search sees it: input buffers and raw outputs. No runtime and no file format.

A position's features() fills a row from the view of the side to move. In every game, plane 0 is
the board, plane 1 its own stones and plane 2 the opponent's. Value logit 0 is its win, ownership +1
its point. All boards in a slot have exactly the slot's size, without padding or masks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine._core import CpuRows

MISC_OUTPUTS = 6


class GameInputs(NamedTuple):
    """The sizes of a row, as filled by a position's features()."""

    planes: int
    globals: int


GAME_INPUTS: dict[str, GameInputs] = {  # by key of engine/games/table.py's GAMES
    "go": GameInputs(planes=22, globals=19),
    "othello": GameInputs(planes=5, globals=3),
    "connect4": GameInputs(planes=6, globals=2),
    "chess": GameInputs(planes=112, globals=1),  # lc0's planes, and an input of zeros
    "darkchess": GameInputs(planes=18, globals=16),
    "einstein": GameInputs(planes=16, globals=8),
}
# The last planes with a value 0..255 each, the same on every cell; other planes hold 0 and 1.
CONSTANT_PLANES = {"chess": 8}
POLICY_LOGITS = {"chess": 1858}  # of a policy that has no logit for each move of the game
# Width and height of the one board of the networks of a game in which moves are no cells.
ONE_BOARD = {"chess": (8, 8), "darkchess": (4, 8)}


@dataclass(frozen=True)
class Multipliers:
    """Factors from a network's raw outputs to points, turns and probabilities."""

    score_mean: float = 20.0  # points
    score_deviation: float = 20.0  # points, after softplus
    lead: float = 20.0  # points
    variance_time: float = 40.0  # turns, after softplus
    win_loss_error: float = 0.25  # squared probability
    score_error: float = 30.0  # squared points


@dataclass(frozen=True)
class NetworkDescription:
    """The properties of a loaded network, without its weights."""

    name: str
    version: int  # KataGo's model version; the reading of the raw outputs depends on it
    trunk: str  # the trunk in words: "6 blocks x 96 channels"
    parameters: int
    planes: int
    globals: int
    metadata: int  # inputs a row about the players, 0 for none
    policies: int  # 2 or more: the network has an optimistic policy too
    multipliers: Multipliers
    game: str = "go"  # a key of engine/games/table.py's GAMES
    pass_alive_under_suicide: bool = False  # its area planes assume legal suicide
    uses_doublings: bool = False  # it was trained with playout doubling advantages
    digest: str = (
        ""  # digest of the weights; distinguishes networks of one name and size; "" without any
    )
    has_engine: bool = False  # another engine's values stand in for those of its searches

    @property
    def has_short_term_errors(self) -> bool:
        """Whether misc[4:6] predict the changes of win rate and score in the next turns."""
        return self.version >= 9

    @property
    def uses_metadata(self) -> bool:
        """Whether it was trained on human games and takes data about the players as input."""
        return self.metadata > 0


class Slot(Protocol):
    """Buffers of one batch in flight; C-contiguous, filled and read in place by the caller.

    For one thread at a time. Between `start` and `wait` the caller leaves inputs and outputs alone.
    """

    spatial: NDArray[np.uint8]  # [capacity, planes, height, width]; 0 or 1, or constant planes
    globals: NDArray[np.float32]  # [capacity, globals]
    metadata: NDArray[np.float32]  # [capacity, metadata]; zeros until written
    optimism: NDArray[np.float32]  # [capacity] 0 the policy, 1 the optimistic one; zeros at first
    # Dropout probability of the inputs of the heads' last layers, 0 at first. Each row has a mask
    # of its own, drawn by the seed (engine/networks/dropout.py). `start` raises SettingError for a
    # network without support for dropout.
    dropout: float
    dropout_seed: int
    # [capacity, move_count] logits in a position's order of moves, or the
    # [capacity, logits] of POLICY_LOGITS
    policy: NDArray[np.float32]
    value: NDArray[np.float32]  # [capacity, 3] logits of win, loss, no result
    # [capacity, 6] score mean, deviation before softplus, lead, variance time before softplus,
    # short-term win-loss error and score error before softplus; absent ones 0
    misc: NDArray[np.float32]
    # [capacity, height * width] before tanh; unused in a game without ownership
    ownership: NDArray[np.float32]
    core_rows: CpuRows | None  # the same arrays for the core's own search; None: Python serves them

    def start(self, rows: int) -> None:
        """Begins to evaluate the first `rows` rows; does not block."""

    def wait(self) -> None:
        """Blocks until the outputs are ready, with the GIL released; raises the run's errors."""


class Evaluator(Protocol):
    """A loaded network; several sessions open slots on it from several threads."""

    network: NetworkDescription
    backend: str  # a key of engine/networks/runtime.py's BACKENDS
    precision: str  # "fp32", "bf16", "fp16", "int16" or "int8"
    device: str  # the device in words, for the user
    preferred_rows: int  # rows a slot to use the machine fully
    slots: int  # slots in flight to use the machine fully

    def open(self, width: int, height: int, capacity: int) -> Slot:
        """Returns a new slot; the first one of a size may compile for it, about 0.1 s."""
