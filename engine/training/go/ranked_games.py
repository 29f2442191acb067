"""Batches of human games whose players' ranks are known, weak players as often as strong ones.

A tenth of the games, by a hash of their moves, is held out. A batch mixes groups of ranks by their
shares; within a group every player's game is as likely as another.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from engine.errors import SettingError
from engine.games.ranks import STRONGEST
from engine.networks.human_profile import RANK_INPUTS
from engine.training.go.human_shards import AREA_SHARE, POSITIONS_A_GAME
from engine.training.go.humans import (
    AREA_KOMI,
    AREA_RULES,
    TRIES,
    HumanPosition,
    positions_before,
    stacked,
)
from engine.training.go.positions import BoardShare
from engine.training.go.records import (
    NOBODY_WON,
    SET_UP,
    SIZE,
    UNKNOWN,
    WHITE,
    GameTable,
    RecordedGame,
)
from engine.training.go.samples import GoSamples, unlabelled

HELD_OUT = 10  # one game of so many
# A record has a whole rank; the player is anywhere within half a rank of it.
SPREAD = 0.5
# Weak players of the records meet strong ones alone. Shown as equals too, they can be asked for
# as equals.
EQUAL_SHARE = 0.5


@dataclass(frozen=True)
class RankGroup:
    """Some neighbouring ranks, and their share of learning."""

    name: str
    strongest: float  # of engine.games.ranks
    weakest: float
    share: float


RANK_GROUPS = (
    RankGroup("20k+..15k", 24, np.inf, 0.06),
    RankGroup("14k..10k", 19, 23, 0.06),
    RankGroup("9k..5k", 14, 18, 0.08),
    RankGroup("4k..1k", 10, 13, 0.08),
    RankGroup("1d..3d", 7, 9, 0.10),
    RankGroup("4d..6d", 4, 6, 0.14),
    RankGroup("7d..9d", 1, 3, 0.18),
)
# Tygem's games have no names: they are a group of their own beside KGS's 9 dans.
TYGEM_SHARE = 0.30
NAMELESS = 0

Seats = NDArray[np.int64]  # [n, 2] a game's index and the color of a player of it


def held_out(table: GameTable) -> NDArray[np.bool_]:
    """Returns whether each game is for validation alone, [games]."""
    spans = zip(table.starts[:-1], table.starts[1:], strict=True)
    hashes = [zlib.crc32(table.numbers[first:last].tobytes()) for first, last in spans]
    chosen: NDArray[np.bool_] = np.array(hashes, np.int64) % HELD_OUT == 0
    return chosen


def seats_of(table: GameTable, games: NDArray[np.bool_], group: RankGroup) -> Seats:
    """Returns the named players of this group in the chosen games [games]."""
    inside = (table.ranks >= group.strongest) & (table.ranks <= group.weakest)
    return np.argwhere(inside & (table.players != NAMELESS) & games[:, None])


def player_moves(game: RecordedGame, color: int) -> NDArray[np.int64]:
    """Returns the indices [moves] of a player's moves among the game's numbers."""
    played = (game.numbers & SET_UP) == 0
    return np.flatnonzero(played & ((game.numbers & WHITE > 0) == (color == 1)))


class RankedGames:
    """Samples of games with ranks, the moves and the results as targets; see Source."""

    def __init__(self, table: GameTable, share: float, rows: int, device: torch.device) -> None:
        """Raises SettingError for a table without any known rank."""
        self.board, self.share = BoardShare(SIZE, SIZE, share), share
        self._table, self._rows, self._device = table, rows, device
        learned = ~held_out(table)
        nameless = (table.players == NAMELESS) & (table.ranks != UNKNOWN) & learned[:, None]
        groups = [(seats_of(table, learned, group), group.share) for group in RANK_GROUPS]
        groups.append((np.argwhere(nameless), TYGEM_SHARE))
        self._groups = [(seats, share) for seats, share in groups if len(seats)]
        if not self._groups:
            raise SettingError("no player's rank is known in these games")

    def draw(self, drawn: int, rng: np.random.Generator) -> GoSamples:  # noqa: ARG002 - see Source
        """See Source; every batch has other positions."""
        shares = np.array([share for _, share in self._groups])
        positions: list[HumanPosition] = []
        ranks: list[tuple[float, float]] = []
        values: list[tuple[float, float, float]] = []
        for _ in range(TRIES * self._rows):
            seats, _ = self._groups[rng.choice(len(shares), p=shares / shares.sum())]
            index, color = seats[rng.integers(len(seats))].tolist()
            found = self._positions(index, color, rng)
            positions += found
            ranks += [self._ranks(index, color, rng)] * len(found)
            values += [_value(int(self._table.winners[index]), color)] * len(found)
            if len(positions) >= self._rows:
                return self._samples(positions, ranks, values)
        raise ValueError(f"of {TRIES * self._rows} games drawn, hardly any can be played")

    def _positions(self, index: int, color: int, rng: np.random.Generator) -> list[HumanPosition]:
        game = self._table.game(index)
        if rng.random() < AREA_SHARE:
            game = game._replace(rules=AREA_RULES, komi=game.komi + AREA_KOMI)
        own = player_moves(game, color)
        chosen = rng.choice(own, min(POSITIONS_A_GAME, len(own)), replace=False)
        return list(positions_before(game, {int(number) for number in chosen}))

    def _ranks(self, index: int, color: int, rng: np.random.Generator) -> tuple[float, float]:
        """Returns the ranks of the player and of its opponent, somewhere within those recorded."""
        moved = self._table.ranks[index].astype(float) + rng.uniform(-SPREAD, SPREAD, 2)
        own, other = np.clip(moved, STRONGEST, RANK_INPUTS)[[color, 1 - color]].tolist()
        unknown = self._table.ranks[index, 1 - color] == UNKNOWN
        return own, own if unknown or rng.random() < EQUAL_SHARE else other

    def _samples(
        self,
        positions: list[HumanPosition],
        ranks: list[tuple[float, float]],
        values: list[tuple[float, float, float]],
    ) -> GoSamples:
        moves = stacked(positions[: self._rows]).to(self._device)
        return unlabelled(moves.rows)._replace(
            human=moves.moves,
            ranks=torch.tensor(ranks[: self._rows], device=self._device),
            value=torch.tensor(values[: self._rows], device=self._device),
        )


def _value(winner: int, color: int) -> tuple[float, float, float]:
    """Returns the result for the player: win, loss, no result; zeros if it is unknown."""
    if winner == NOBODY_WON:
        return 0.0, 0.0, 0.0
    return float(winner == color), float(winner != color), 0.0
