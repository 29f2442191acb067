"""How well a network has learned: against its teacher on unseen games, and on human moves.

The numbers are errors in plain units: shares of positions, win rate 0..1, points. Nothing here
learns, and no position of an exam is ever learned from.
"""

from __future__ import annotations

import random
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from engine._core import GoPosition, GoRules
from engine.networks.torch_model import Outputs
from engine.training.go.lessons import (
    LEAD,
    POINTS,
    Lesson,
    Network,
    masked_policy,
    masked_value,
    teach,
)
from engine.training.go.positions import Board, Games, Rows

EXAM_BOARDS = tuple(
    Board(width, height, 1.0)
    for width, height in ((7, 7), (9, 9), (11, 11), (13, 13), (16, 16), (19, 19), (9, 13))
)
MOST_GAMES = 128  # of each board
ROWS_A_GAME = 32
EXAM_SEED = 77_000_000  # far from those of the games that are learned from
ROWS_AT_ONCE = 512
HUMAN_GAMES = 1000
HUMAN_POSITIONS = 8  # of a game
HUMAN_SIZE = 19
# Tygem counts territory under Korean rules, komi 6.5.
HUMAN_RULES = GoRules(ko="SIMPLE", scoring="TERRITORY", tax="SEKI", suicide=False)
HUMAN_KOMI = 6.5


@dataclass(frozen=True)
class HumanMoves:
    """Positions of human games and the move played in each."""

    rows: Rows
    moves: Tensor  # int64 [n]

    def to(self, device: torch.device) -> HumanMoves:
        """The same on `device`."""
        return HumanMoves(self.rows.to(device), self.moves.to(device))


@dataclass(frozen=True)
class Grades:
    """How a network did in an exam."""

    boards: dict[str, dict[str, float]]  # board -> what grade() says
    human_match: float | None  # share of human moves


@dataclass(frozen=True)
class Exam:
    """What networks are graded on."""

    lessons: dict[str, Lesson]  # by board
    humans: HumanMoves | None = None

    @property
    def positions(self) -> int:
        """Positions of all lessons."""
        return sum(len(lesson.globals) for lesson in self.lessons.values())

    def grade(self, network: Network) -> Grades:
        """The grades of a network in every part of the exam."""
        boards = {name: grade(network, lesson) for name, lesson in self.lessons.items()}
        return Grades(boards, match_humans(network, self.humans) if self.humans else None)


def write_exam(
    teacher: Network, *, kept: int, device: torch.device, threads: int
) -> dict[str, Lesson]:
    """Lessons about roughly `kept` positions of each of EXAM_BOARDS, by board."""
    games = max(8, min(MOST_GAMES, kept // ROWS_A_GAME))
    return {
        board.name: write_lesson(
            teacher,
            Games(board, games, seed=EXAM_SEED + index, threads=threads, pinned=False),
            kept=kept,
            device=device,
        )
        for index, board in enumerate(EXAM_BOARDS)
    }


def write_lesson(teacher: Network, games: Games, *, kept: int, device: torch.device) -> Lesson:
    """A lesson about roughly `kept` positions of games that nothing else is learned from.

    They are drawn evenly from as many moves as the board has points.
    """
    turns = (0, 3)  # as it stands and turned by half
    pieces: list[Lesson] = []
    area = games.board.area
    drawn = np.random.default_rng(EXAM_SEED)
    share = kept / (games.pool.games * area)
    for _ in range(area):
        lesson, logits = teach(teacher, games.rows.to(device), turns)
        mask = torch.from_numpy(drawn.random(games.pool.games) < share).to(device)
        pieces.append(Lesson(*(part[mask].clone() for part in lesson)))
        games.advance(logits.cpu(), (lesson.scores[:, LEAD] * POINTS).cpu())
    return Lesson(*(torch.cat(parts) for parts in zip(*pieces, strict=True)))


@torch.no_grad()
def answers(network: Network, planes: Tensor, globals_: Tensor) -> Outputs:
    """Outputs for any number of rows, a few at a time."""
    pieces = [
        network(planes[first : first + ROWS_AT_ONCE], globals_[first : first + ROWS_AT_ONCE])
        for first in range(0, len(globals_), ROWS_AT_ONCE)
    ]
    return Outputs(*(torch.cat(parts).float() for parts in zip(*pieces, strict=True)))


def grade(network: Network, lesson: Lesson) -> dict[str, float]:
    """Mean errors of a network on a lesson.

    policy_kl in nats; same_move the share of positions with the teacher's best move; win_rate
    absolute, 0..1; lead and score_stdev absolute, points; ownership absolute, of a range of 2.
    """
    out = answers(network, lesson.planes, lesson.globals)
    policy = masked_policy(out.policy[:, 0], lesson.legal)
    taught = lesson.policy.float()
    divergence = torch.xlogy(taught, taught) - torch.xlogy(taught, policy.clamp_min(1e-12))
    value = masked_value(out.value, lesson.globals)
    errors = {
        "policy_kl": divergence.sum(dim=1),
        "same_move": (policy.argmax(dim=1) == taught.argmax(dim=1)).float(),
        "win_rate": (_win_rate(value) - _win_rate(lesson.value)).abs(),
        "lead": (out.misc[:, LEAD] - lesson.scores[:, LEAD]).abs() * POINTS,
        "score_stdev": (_stdev(out.misc) - _stdev(lesson.scores)).abs(),
        "ownership": (out.ownership.tanh() - lesson.ownership.float()).abs(),
    }
    return {name: round(float(error.mean()), 4) for name, error in errors.items()}


def match_humans(network: Network, humans: HumanMoves) -> float:
    """The share of positions in which the network's best legal move is the human's."""
    out = answers(network, humans.rows.planes, humans.rows.globals)
    best = masked_policy(out.policy[:, 0], humans.rows.legal).argmax(dim=1)
    return round(float((best == humans.moves).float().mean()), 4)


def read_humans(
    path: Path, *, games: int = HUMAN_GAMES, a_game: int = HUMAN_POSITIONS, seed: int = EXAM_SEED
) -> HumanMoves:
    """`a_game` positions of each of `games` games, all drawn at random, in main memory.

    The file is a zip of one text file, a line a game: number, tab, moves such as `;B[pd];W[dp]`.
    """
    rng = random.Random(seed)  # noqa: S311 - a reproducible draw
    lines = [line for line in _lines(path) if line.count(";") > 40]
    planes, globals_, legal, moves = [], [], [], []
    for line in rng.sample(lines, min(games, len(lines))):
        record = _moves(line)
        asked = set(rng.sample(range(len(record)), a_game))
        position = GoPosition(HUMAN_SIZE, HUMAN_SIZE, HUMAN_RULES, HUMAN_KOMI)
        for number, (color, move) in enumerate(record[: max(asked) + 1]):
            if number in asked and color == position.to_move and not position.is_over:
                spatial, numbers = position.features()
                planes.append(np.array(spatial))
                globals_.append(np.array(numbers))
                legal.append(np.array(position.legal_mask()))
                moves.append(move)
            position.play(move, color, tolerant=True)
    rows = Rows(*(torch.from_numpy(np.stack(part)) for part in (planes, globals_, legal)))
    return HumanMoves(rows, torch.tensor(moves))


def _lines(path: Path) -> Iterator[str]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield from archive.read(name).decode("ascii").splitlines()


def _moves(line: str) -> list[tuple[int, int]]:
    """(color, move)s of a line; a move off the board is a pass."""
    record = []
    for node in line.split("\t", 1)[1].strip(";").split(";"):
        color, point = int(node[0] == "W"), node[2:-1]
        x, y = (ord(letter) - ord("a") for letter in point) if len(point) == 2 else (19, 19)
        on_board = x < HUMAN_SIZE and y < HUMAN_SIZE
        record.append((color, y * HUMAN_SIZE + x if on_board else HUMAN_SIZE**2))
    return record


def _win_rate(value: Tensor) -> Tensor:
    return value[:, 0] + value[:, 2] / 2


def _stdev(scores: Tensor) -> Tensor:
    return torch.nn.functional.softplus(scores[:, 1]) * POINTS
