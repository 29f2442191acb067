"""Games of DarkKnight against itself: the first ones that a network of dark chess learns from.

DarkKnight plays a whole game in the time of some moves of a network's search, and much better than
random weights. Openings, temperatures and the share of full searches are those of self-play.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from engine._core import (
    DarkChessPosition,
    DarkKnightSettings,
    SelfPlaySettings,
    search_dark_knight,
)
from engine.agents.dark_knight import read_setting
from engine.games.chance import draw_by
from engine.training.alphazero.games import Tell, play_settings
from engine.training.alphazero.recipe import Settings
from engine.training.common.rows import SampleRows, joined

SEEDS = 1 << 62


class SearchedTurn(NamedTuple):
    """A fully searched position."""

    position: DarkChessPosition
    ply: int
    policy: NDArray[np.float32]  # [moves], sum 1


@dataclass(frozen=True)
class TeacherGamesTask:
    """A task for workers: the games of some numbers, played by DarkKnight."""

    width: int
    height: int
    teacher: str  # a setting of engine/agents/dark_knight.py, for full searches
    play: Settings  # fields of the core's SelfPlaySettings
    seed: int
    threads: int

    def __call__(self, numbers: range, tell: Tell) -> SampleRows:
        """Plays the games of these numbers; returns the rows of their full searches, in order."""
        games: list[SampleRows] = []
        with ThreadPoolExecutor(max_workers=self.threads) as pool:
            for rows in pool.map(self._rows, numbers):
                games += rows
                tell(1)
        return joined(games)

    def _rows(self, number: int) -> list[SampleRows]:
        """Returns the rows of a game, if it has any."""
        settings = play_settings(self.play)
        rng = np.random.default_rng([self.seed, number])
        position = opened(DarkChessPosition(self.width, self.height), settings, rng)
        turns = list(self._played(position, settings, rng))
        return [rows_of_game(turns, number, position.winner)] if turns else []

    def _played(
        self, position: DarkChessPosition, settings: SelfPlaySettings, rng: np.random.Generator
    ) -> Iterator[SearchedTurn]:
        """Plays the position to its end; yields the turns with a full search."""
        full = read_setting(self.teacher).native()
        fast = read_setting(self.teacher).native()
        fast.simulations = max(1, full.simulations * settings.fast_visits // settings.visits)
        draw, ply = draw_by(rng), position.move_number
        while not position.is_over:
            is_full = rng.random() < settings.full_share
            policy = searched_policy(position, full if is_full else fast, rng)
            if is_full:
                yield SearchedTurn(position.copy(), ply, policy)
            is_opening = ply < settings.opening_moves
            temperature = settings.opening_temperature if is_opening else settings.later_temperature
            weights = (policy / policy.max()).astype(np.float64) ** (1 / temperature)
            move = int(rng.choice(len(weights), p=weights / weights.sum()))
            position.play(draw(position, move))
            ply += 1


def opened(
    position: DarkChessPosition, settings: SelfPlaySettings, rng: np.random.Generator
) -> DarkChessPosition:
    """Returns the position, in a share of the games after some random moves."""
    if rng.random() < settings.random_openings:
        for _ in range(int(rng.integers(1, settings.random_opening_moves + 1))):
            if position.is_over:
                break
            position.play(draw_by(rng)(position, int(rng.choice(position.legal_moves()))))
    return position


def searched_policy(
    position: DarkChessPosition, settings: DarkKnightSettings, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Returns [moves] the shares of a search's visits, without the first visit of each action.

    The search visits each action once before it chooses among them.
    """
    result = search_dark_knight(position, settings, int(rng.integers(SEEDS)))
    policy: NDArray[np.float32] = np.zeros(position.move_count, np.float32)
    for move, (visits, _) in result.actions:
        policy[move] = max(0, visits - 1)
    if not policy.any():
        policy[result.finding.move] = 1
    policy /= policy.sum()
    return policy


def rows_of_game(turns: list[SearchedTurn], number: int, winner: int) -> SampleRows:
    """Returns the rows of a game's turns, one or more.

    number: of the game. winner: the side; -1 for a draw.
    """
    size, position = len(turns), turns[0].position
    features = [turn.position.features() for turn in turns]
    zeros = torch.zeros(size)
    results = [0.5 if winner < 0 else float(winner == turn.position.to_move) for turn in turns]
    return SampleRows(
        planes=_stacked([planes for planes, _ in features]),
        globals=_stacked([inputs for _, inputs in features]),
        legal=_stacked([turn.position.legal_mask() for turn in turns]),
        policy=_stacked([turn.policy for turn in turns]).half(),
        policy_weight=zeros + 1,
        reply=torch.zeros(size, position.move_count, dtype=torch.float16),
        reply_weight=zeros,
        result=torch.tensor(results),
        score=zeros,
        ownership=torch.zeros(size, position.width * position.height, dtype=torch.int8),
        exact=torch.zeros(size, dtype=torch.uint8),
        game=torch.full((size,), number, dtype=torch.int32),
        ply=torch.tensor([turn.ply for turn in turns], dtype=torch.int16),
    )


def _stacked(arrays: list[NDArray[np.generic]]) -> torch.Tensor:
    return torch.from_numpy(np.stack(arrays))
