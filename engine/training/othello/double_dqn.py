"""Double deep Q-learning of Othello by self-play (Liang 2022): one network of values a color.

A round plays several games side by side, greedily except for a share of random moves, and then each
network learns from the pool of its own color's moves. The value of a move is the value of the
color's next turn, unless the move ends the game for its color: the learning network chooses the
move there, and its target, an older copy, judges it. This is the "double" of double DQN. A round
depends on the seed, its number and the networks alone: a resumed run equals an uninterrupted one.

The study's open points are ours: the widths, rewards only at the end (1, 0, -1), turned boards,
rounds of several games, and every number in DqnSettings.
"""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine._core import OthelloPosition
from engine.errors import SettingError
from engine.networks.double_dqn import PLANES, QNetwork, QShape, new_networks, part_of

NO_MOVE = -1e9  # below the value of every legal move


@dataclass(frozen=True)
class DqnSettings:
    """The settings of learning."""

    shape: QShape = field(default_factory=QShape)
    seed: int = 1
    games: int = 32  # of a round, played side by side
    batch: int = 128  # moves
    passes: float = 4.0  # mean number of draws of a move from the pool
    learning_rate: float = 5e-4
    target_batches: int = 200  # batches between copies of the network to the target
    first_exploration: float = 1.0  # share of random moves at the start
    last_exploration: float = 0.1
    exploring_rounds: int = 150  # until the share reaches the last
    # A game begins with up to this share of random moves: equal games teach nothing about others.
    opening: float = 0.4

    def exploration(self, number: int) -> float:
        """Returns the share of random moves in a round, numbered from 0."""
        done = min(1.0, number / self.exploring_rounds)
        return self.first_exploration + done * (self.last_exploration - self.first_exploration)


@dataclass
class Pool:
    """The moves of one color in the games of a round, in order."""

    planes: list[NDArray[np.uint8]] = field(default_factory=list)  # [3, size, size], before it
    moves: list[int] = field(default_factory=list)
    # index of the color's next move, -1 for the last
    after: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)  # at the end of the game, 0 before

    def __len__(self) -> int:
        return len(self.moves)


class DqnLearner:
    """One color's network, its target and its progress."""

    def __init__(self, network: QNetwork, learning_rate: float) -> None:
        self.network = network
        self.target = copy.deepcopy(network)
        self.optimizer = torch.optim.Adam(network.parameters(), lr=learning_rate)
        self.batches = 0

    def learn(self, settings: DqnSettings, pool: Pool, rng: np.random.Generator) -> float:
        """Learns from a pool; returns the mean loss of its batches, 0 without batches."""
        if not len(pool):
            return 0.0
        planes = np.stack(pool.planes)
        moves, after = np.array(pool.moves), np.array(pool.after)
        rewards = torch.tensor(pool.rewards, dtype=torch.float32)
        losses = []
        for _ in range(max(1, round(settings.passes * len(pool) / settings.batch))):
            chosen = rng.integers(0, len(pool), min(settings.batch, len(pool)))
            order, place = turns(settings.shape.size)[rng.integers(0, 8)]
            last = torch.from_numpy(after[chosen] < 0)
            wanted = rewards[chosen] + self.future(turned(planes[after[chosen]], order)) * ~last
            values = self.network(turned(planes[chosen], order))
            played = torch.from_numpy(place[moves[chosen]])
            loss = nn.functional.smooth_l1_loss(values.gather(1, played[:, None])[:, 0], wanted)
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            self.batches += 1
            if self.batches % settings.target_batches == 0:
                self.target.load_state_dict(self.network.state_dict())
            losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    @torch.no_grad()
    def future(self, planes: Tensor) -> Tensor:
        """Returns the target's values [n] of the network's best moves.

        `planes` float32 [n, 3, size, size].
        """
        legal = planes[:, -1].flatten(1) > 0
        best = self.network(planes).where(legal, torch.tensor(NO_MOVE)).argmax(dim=1)
        judged: Tensor = self.target(planes).gather(1, best[:, None])[:, 0]
        return judged

    def tensors(self, color: int) -> dict[str, Tensor]:
        """Returns the whole state of learning, tensors [...] by name."""
        values = {f"{color}.{name}": part for name, part in self.network.state_dict().items()}
        values |= {f"target.{color}.{name}": t for name, t in self.target.state_dict().items()}
        for index, state in self.optimizer.state_dict()["state"].items():
            values |= {f"adam.{color}.{index}.{name}": part for name, part in state.items()}
        return values

    def restore(self, color: int, tensors: dict[str, Tensor], batches: int) -> None:
        """Restores a learner's state from its tensors [...]."""
        self.network.load_state_dict(part_of(tensors, f"{color}."))
        self.target.load_state_dict(part_of(tensors, f"target.{color}."))
        state: dict[int, dict[str, Tensor]] = {}
        for name, part in part_of(tensors, f"adam.{color}.").items():
            index, _, what = name.partition(".")
            state.setdefault(int(index), {})[what] = part
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})
        self.batches = batches


class Dqn:
    """Both learners, and their rounds so far."""

    def __init__(self, settings: DqnSettings) -> None:
        self.settings = settings
        networks = new_networks(settings.shape, settings.seed)
        self.learners = [DqnLearner(network, settings.learning_rate) for network in networks]
        self.rounds = 0
        self.positions = 0  # with a chosen and learned move

    def round(self) -> dict[str, float]:
        """Plays and learns one more round; returns its figures."""
        rng = np.random.default_rng([self.settings.seed, self.rounds])
        exploration = self.settings.exploration(self.rounds)
        networks = [learner.network for learner in self.learners]
        pools, black_wins = play_round(self.settings, networks, exploration, rng)
        losses = [
            learner.learn(self.settings, pool, rng)
            for learner, pool in zip(self.learners, pools, strict=True)
        ]
        self.rounds += 1
        self.positions += sum(map(len, pools))
        return {
            "games": self.rounds * self.settings.games,
            "positions": self.positions,
            "exploration": exploration,
            "black_wins": black_wins,
            "black_loss": losses[0],
            "white_loss": losses[1],
        }

    def tensors(self) -> dict[str, Tensor]:
        """Returns the tensors [...] of a run's state, by name."""
        return self.learners[0].tensors(0) | self.learners[1].tensors(1)

    def progress(self) -> dict[str, Any]:
        """Returns the plain values of a run's state."""
        batches = {f"{color}.batches": self.learners[color].batches for color in (0, 1)}
        values = {"rounds": self.rounds, "positions": self.positions, **batches}
        return {**values, "course": asdict(self.settings)}

    def restore(self, tensors: dict[str, Tensor], progress: dict[str, Any]) -> None:
        """Restores a run from its tensors [...] and progress.

        Raises ValueError for incomplete ones, SettingError for a run with other settings.
        """
        try:
            earlier, wanted = progress["course"], asdict(self.settings)
            other = [f"{key} {earlier[key]}" for key in wanted if earlier[key] != wanted[key]]
            if other:
                raise SettingError(f"the checkpoint is of a run with {', '.join(other)}")
            for color, learner in enumerate(self.learners):
                learner.restore(color, tensors, int(progress[f"{color}.batches"]))
            self.rounds, self.positions = int(progress["rounds"]), int(progress["positions"])
        except (KeyError, TypeError, RuntimeError) as error:
            raise ValueError(f"the checkpoint is not whole: {error}") from error


def play_round(
    settings: DqnSettings, networks: list[QNetwork], exploration: float, rng: np.random.Generator
) -> tuple[tuple[Pool, Pool], float]:
    """Plays a round; returns each color's pool, and the share of games won by color 0."""
    pools = Pool(), Pool()
    games = [OthelloPosition(settings.shape.size) for _ in range(settings.games)]
    latest = [[-1, -1] for _ in games]  # index of each color's last move in its pool
    openings = rng.integers(0, int(settings.opening * settings.shape.size**2) + 1, settings.games)
    while going := [index for index, game in enumerate(games) if not game.is_over]:
        for color in (0, 1):
            turn = [index for index in going if _may_choose(games[index], color)]
            if not turn:
                continue
            planes = np.stack([games[index].features()[0][list(PLANES)] for index in turn])
            opening = np.array([games[index].move_number < openings[index] for index in turn])
            share = np.where(opening, 1.0, exploration)
            chosen = _chosen(networks[color], planes, share, rng)
            for index, before, move in zip(turn, planes, chosen, strict=True):
                pool = pools[color]
                if latest[index][color] >= 0:
                    pool.after[latest[index][color]] = len(pool)
                latest[index][color] = len(pool)
                pool.planes.append(before)
                pool.moves.append(int(move))
                pool.after.append(-1)
                pool.rewards.append(0.0)
                games[index].play(int(move))
    won = 0.0
    for game, last in zip(games, latest, strict=True):
        for color, pool in enumerate(pools):
            if game.winner >= 0 and last[color] >= 0:
                pool.rewards[last[color]] = 1.0 if game.winner == color else -1.0
        won += 0.5 if game.winner < 0 else float(game.winner == 0)
    return pools, won / len(games)


def _may_choose(game: OthelloPosition, color: int) -> bool:
    """Whether it is the color's turn, after a forced pass of the other."""
    if game.is_over or game.to_move != color:
        return False
    if game.is_legal(game.pass_move):
        game.play(game.pass_move)
        return False
    return True


def _chosen(
    network: QNetwork,
    planes: NDArray[np.uint8],
    exploration: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Returns a legal move for each board: the best one, or a random one by the exploration."""
    legal = planes[:, -1].reshape(len(planes), -1) > 0
    with torch.inference_mode():
        values = network(torch.from_numpy(planes.astype(np.float32))).numpy()
    anything = rng.random(legal.shape)
    free = rng.random(len(planes)) < exploration
    wanted = np.where(free[:, None], anything, values)
    moves: NDArray[np.int64] = np.where(legal, wanted, NO_MOVE).argmax(axis=1)
    return moves


def turned(planes: NDArray[np.uint8], order: NDArray[np.int64]) -> Tensor:
    """Returns the boards [n, 3, size, size] float32 with their cells in another order [cells]."""
    flat = planes.reshape(*planes.shape[:2], -1)[:, :, order]
    return torch.from_numpy(flat.reshape(planes.shape).astype(np.float32))


@cache
def turns(size: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Returns (source cell of each place, place of each cell) [cells] int64 for 8 symmetries."""
    cells = np.arange(size**2).reshape(size, size)
    orders = [np.rot90(board, quarter) for board in (cells, cells.T) for quarter in range(4)]
    return [(order.ravel().copy(), order.ravel().argsort()) for order in orders]
