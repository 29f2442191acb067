"""What the search asks of a network: buffers in, raw outputs out. No runtime and no file format.

Rows are what a position's features() fills: seen by the side to move, planes 0, 1 and 2 being the
board, its own stones and the opponent's in every game. Value logit 0 is its win, ownership +1 is
its point. Boards in a slot have
exactly the slot's size, so nothing is padded or masked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

MISC_OUTPUTS = 6


class GameInputs(NamedTuple):
    """What a position's features() fills in a row."""

    planes: int
    globals: int


GAME_INPUTS: dict[str, GameInputs] = {  # by a key of engine/games/table.py's GAMES
    "go": GameInputs(planes=22, globals=19),
    "othello": GameInputs(planes=5, globals=3),
    "connect4": GameInputs(planes=6, globals=2),
}


@dataclass(frozen=True)
class Multipliers:
    """What a network's raw outputs are multiplied by to be points, turns and probabilities."""

    score_mean: float = 20.0  # points
    score_deviation: float = 20.0  # points, after softplus
    lead: float = 20.0  # points
    variance_time: float = 40.0  # turns, after softplus
    win_loss_error: float = 0.25  # squared probability
    score_error: float = 30.0  # squared points


@dataclass(frozen=True)
class NetworkDescription:
    """What is known of a loaded network beside its weights."""

    name: str
    version: int  # KataGo's model version: decides how the raw outputs are read
    trunk: str  # in words: "6 blocks x 96 channels"
    parameters: int
    planes: int
    globals: int
    metadata: int  # numbers about the players that it wants in each row, 0 where none
    policies: int  # 2 or more: has an optimistic policy too
    multipliers: Multipliers
    game: str = "go"  # a key of engine/games/table.py's GAMES
    pass_alive_under_suicide: bool = False  # its area planes take suicide as legal
    uses_doublings: bool = False  # it was trained with playout doubling advantages
    digest: str = ""  # of its weights: tells apart networks of one name and size; "" without any

    @property
    def has_short_term_errors(self) -> bool:
        """Whether misc[4:6] say how far win rate and score will move in the next turns."""
        return self.version >= 9

    @property
    def uses_metadata(self) -> bool:
        """Whether it was trained on human games and wants to know who plays."""
        return self.metadata > 0


class Slot(Protocol):
    """Buffers of one batch in flight; C-contiguous, filled and read in place by the caller.

    Used by one thread at a time. Between `start` and `wait` neither side of it is touched.
    """

    spatial: NDArray[np.uint8]  # [capacity, planes, height, width], 0 or 1
    globals: NDArray[np.float32]  # [capacity, globals]
    metadata: NDArray[np.float32]  # [capacity, metadata]; zeros until written
    optimism: NDArray[np.float32]  # [capacity] 0 the policy, 1 the optimistic one; zeros at first
    # Probability with which inputs of the heads' last layers are dropped: 0 at first. Each row has
    # a mask of its own, drawn by the seed, see engine/networks/dropout.py; where a network cannot
    # be damaged `start` raises SettingError.
    dropout: float
    dropout_seed: int
    policy: NDArray[np.float32]  # [capacity, move_count] logits, in a position's order of moves
    value: NDArray[np.float32]  # [capacity, 3] logits of win, loss, no result
    # [capacity, 6] score mean, deviation before softplus, lead, variance time before softplus,
    # short-term win-loss error and score error before softplus; absent ones 0
    misc: NDArray[np.float32]
    # [capacity, height * width] before tanh; not looked at in a game without ownership
    ownership: NDArray[np.float32]

    def start(self, rows: int) -> None:
        """Begin evaluating the first `rows` rows; does not block."""

    def wait(self) -> None:
        """Return when the outputs are there, the GIL released; raises what went wrong."""


class Evaluator(Protocol):
    """A network ready to run; several sessions open slots on it from several threads."""

    network: NetworkDescription
    backend: str  # a key of engine/networks/runtime.py's BACKENDS
    precision: str  # "fp32", "bf16" or "fp16"
    device: str  # in words, for the user
    preferred_rows: int  # rows a slot that use the machine fully
    slots: int  # slots in flight that use the machine fully

    def open(self, width: int, height: int, capacity: int) -> Slot:
        """A new slot; may compile for this size once (about 0.1 s), remembered afterwards."""
