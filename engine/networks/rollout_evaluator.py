"""Evaluators without a network, for every game but Go and chess, judged in the core.

They play these games until networks are trained for them: by rollouts, Othello on 6x6 and 8x8 by a
linear evaluation from training, dark chess by DarkKnight's techniques. KINDS has the number of
rollouts per position; the core plays them (engine/core/rollouts). The search is in
engine.search.search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine._core import (
    Connect4Rollouts,
    CpuRows,
    DarkChessRollouts,
    EinsteinRollouts,
    OthelloJudge,
    OthelloRollouts,
)
from engine.errors import SettingError
from engine.games.dark_chess import MATERIAL, counts_of
from engine.games.evaluator import GAME_INPUTS, MISC_OUTPUTS, Multipliers, NetworkDescription
from engine.games.table import GAMES
from engine.networks.othello_weights import OthelloWeights, bundled_path, read_othello_weights

Judge = OthelloJudge | OthelloRollouts | Connect4Rollouts | DarkChessRollouts | EinsteinRollouts

# For dark chess: the share of the lead in weights in the value, the slope of its sigmoid (as in
# DarkKnight's implicit minimax backups), and the weight that makes a move e times as likely.
DARK_CHESS_SCALES = {"material_share": 0.3, "material_scale": 0.02, "policy_scale": 10.0}
POLICY_SCALE = 8.0  # discs of Othello's evaluation that make a move e times as likely
# The core answers in points and probabilities.
MULTIPLIERS = Multipliers(score_mean=1.0, score_deviation=1.0, lead=1.0)


@dataclass(frozen=True)
class RolloutKind:
    """The judge of one game."""

    judged: str  # description for the user, with {playouts} for their number
    playouts: int  # rollouts per position, by default
    make: Callable[[int, int, int, int], Judge]  # (width, height, playouts, seed)


@cache
def _bundled(size: int) -> OthelloWeights | None:
    path = bundled_path(size)
    return read_othello_weights(path) if path.is_file() else None


def _othello(width: int, height: int, playouts: int, seed: int) -> OthelloJudge | OthelloRollouts:
    if width != height:
        raise ValueError(f"Othello is played on squares, not on {width}x{height}")
    bundled = _bundled(width)
    if bundled is None:
        return OthelloRollouts(width, rollouts=playouts, seed=seed)
    return OthelloJudge(
        width,
        bundled.weights,
        win_scales=bundled.win_scales,
        deviations=bundled.deviations,
        policy_scale=POLICY_SCALE,
        rollouts=playouts,
        seed=seed,
    )


def _connect4(width: int, height: int, playouts: int, seed: int) -> Connect4Rollouts:
    return Connect4Rollouts(width, height, rollouts=playouts, seed=seed)


def _dark_chess(width: int, height: int, playouts: int, seed: int) -> DarkChessRollouts:
    material = counts_of(MATERIAL[width, height])
    return DarkChessRollouts(
        width, height, material, rollouts=playouts, seed=seed, **DARK_CHESS_SCALES
    )


def _einstein(_width: int, _height: int, playouts: int, seed: int) -> EinsteinRollouts:
    return EinsteinRollouts(rollouts=playouts, seed=seed)


KINDS: dict[str, RolloutKind] = {
    "othello": RolloutKind(
        judged="linear evaluation on 6x6 and 8x8, rollouts per position: {playouts}",
        playouts=1,
        make=_othello,
    ),
    "connect4": RolloutKind(
        judged="rollouts per position: {playouts}",
        playouts=4,
        make=_connect4,
    ),
    "darkchess": RolloutKind(
        judged="DarkKnight's playouts per position: {playouts}",
        playouts=2,
        make=_dark_chess,
    ),
    "einstein": RolloutKind(
        judged="playouts per position: {playouts}",
        playouts=4,
        make=_einstein,
    ),
}


class RolloutEvaluator:
    """Rollouts as a network; see engine/games/evaluator.py for the contract.

    An answer depends only on the position and the seed, in any order of calls.
    """

    backend = "playouts"
    precision = "fp32"
    device = "the processor, no network"
    preferred_rows = 16
    slots = 1

    def __init__(self, game: str, playouts: int | None = None, *, seed: int = 1) -> None:
        """Raises ValueError for a game without rollouts, or for fewer than one playout."""
        if game not in KINDS:
            raise ValueError(
                f"{game!r} has no rollouts; games with rollouts are {', '.join(KINDS)}"
            )
        self._kind = KINDS[game]
        self._playouts = self._kind.playouts if playouts is None else playouts
        if self._playouts < 1:
            raise ValueError(f"{playouts!r} playouts: at least 1 is needed")
        self._seed = seed
        self.network = NetworkDescription(
            name=f"{game} playouts {self._playouts}, seed {seed}",
            game=game,
            version=8,
            trunk=self._kind.judged.format(playouts=self._playouts),
            parameters=0,
            **GAME_INPUTS[game]._asdict(),
            metadata=0,
            policies=1,
            multipliers=MULTIPLIERS,
        )

    def open(self, width: int, height: int, capacity: int) -> RolloutSlot:
        """Returns a new slot."""
        moves = GAMES[self.network.game].move_count(width, height)
        judge = self._kind.make(width, height, self._playouts, self._seed)
        return RolloutSlot(judge, self.network, (capacity, height, width), moves)


class RolloutSlot:
    """Judges rows in the thread that waits for them, with the GIL released."""

    def __init__(
        self,
        judge: Judge,
        network: NetworkDescription,
        shape: tuple[int, int, int],
        moves: int,
    ) -> None:
        capacity, height, width = shape
        self.spatial: NDArray[np.uint8] = np.zeros(
            (capacity, network.planes, height, width), np.uint8
        )
        self.globals: NDArray[np.float32] = np.zeros((capacity, network.globals), np.float32)
        self.metadata: NDArray[np.float32] = np.zeros((capacity, 0), np.float32)
        self.optimism: NDArray[np.float32] = np.zeros(capacity, np.float32)
        self.policy: NDArray[np.float32] = np.zeros((capacity, moves), np.float32)
        self.value: NDArray[np.float32] = np.zeros((capacity, 3), np.float32)
        self.misc: NDArray[np.float32] = np.zeros((capacity, MISC_OUTPUTS), np.float32)
        self.ownership: NDArray[np.float32] = np.zeros((capacity, height * width), np.float32)
        self.core_rows: CpuRows | None = None
        self.dropout = 0.0
        self.dropout_seed = 0
        self._judge = judge
        self._rows = 0

    def start(self, rows: int) -> None:
        """Stores the number of rows to judge. Raises ValueError for an invalid number."""
        if not 0 < rows <= len(self.spatial):
            raise ValueError(f"cannot evaluate {rows} rows in a slot of {len(self.spatial)}")
        if self.dropout:
            raise SettingError("rollouts have no network to damage")
        if self._rows:
            raise RuntimeError("the slot is still evaluating: wait for it first")
        self._rows = rows

    def wait(self) -> None:
        """Judges the started rows."""
        rows, self._rows = self._rows, 0
        self._judge.evaluate(
            rows,
            self.spatial,
            self.globals,
            self.policy,
            self.value,
            self.misc,
            self.ownership,
        )
