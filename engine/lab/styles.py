"""The effect of styles: a persona's openings against itself in each style, and their measures.

Every style plays on from the same openings, with both colors, so no opponent's answer hides its
effect. Each style has a measure of its own, over all its chosen moves.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.games.table import Board
from engine.lab.cost import session_on
from engine.match.game_spec import GameSpec
from engine.match.openings import opening
from engine.networks.raw import evaluate_raw
from engine.play.session import Session
from engine.style.distance import distances
from engine.style.edge_distance import edge_distances
from engine.style.measures import MeanEstimate, mean_of, values_of
from engine.style.policy_bias import Scene, attack, defence, shares

NORMAL = "normal"  # no style at all
# Cells of a board of Go: the moves of its opening. Those of 19x19 and 13x13 are Shi et al.'s.
GO_OPENINGS = {81: 20, 169: 40, 361: 60}
INNER_LINE = {"go": 4, "othello": 3, "connect4": 3}  # moves from this line on are in the middle


@dataclass(frozen=True, slots=True)
class StyleMove:
    """A chosen move of a style."""

    scene: Scene  # the position before the move, with the network's ownership
    move: int
    deviation: float  # standard deviation of the score after it, in points, by the network alone


@dataclass(frozen=True, slots=True)
class Showing:
    """A style's measure of a move."""

    of: Callable[[StyleMove], float]  # NaN for a move without a value
    about: str
    summed: bool = False  # a game counts by the sum over its moves, not by their mean


def in_the_middle(played: StyleMove) -> float:
    """Returns 1 on the fourth line of Go or farther in, elsewhere the third; else 0."""
    line = edge_distances(played.scene.game, played.scene.position)[played.move]
    return float(INNER_LINE[played.scene.game] <= line < math.inf)


def distance(played: StyleMove) -> float:
    """Returns the distance to the opponent's last move."""
    to_last_move = distances(played.scene.game, played.scene.recent)
    return math.nan if to_last_move is None else _finite(to_last_move[played.move])


def attacked(played: StyleMove) -> float:
    """Returns the share of attack: 1 if no move has more, 0 if none has less."""
    return float(shares(attack(played.scene), played.scene.position)[played.move])


def defended(played: StyleMove) -> float:
    """Returns the share of defence: 1 if no move has more, 0 if none has less."""
    return float(shares(defence(played.scene), played.scene.position)[played.move])


def _finite(value: float) -> float:
    return float(value) if math.isfinite(value) else math.nan


SHOWINGS: dict[str, Showing] = {
    "middle": Showing(in_the_middle, "moves on the fourth line or farther in (Go)", summed=True),
    "distance": Showing(distance, "from the move before"),
    "deviation": Showing(lambda played: played.deviation, "of the score after a move, in points"),
    "attack": Showing(attacked, "how weak the opponent was near a move, 0..1 of all moves"),
    "defence": Showing(defended, "how weak one was there oneself, 0..1 of all moves"),
}


@dataclass(frozen=True, slots=True)
class StyleFindings:
    """One style's openings."""

    style: str
    games: int
    shown: Mapping[str, MeanEstimate | None]  # measures by their names in SHOWINGS

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        shown = {name: values_of(estimate) for name, estimate in self.shown.items()}
        return {"style": self.style, "games": self.games, **shown}


def opening_moves(board: Board) -> int:
    """Returns the length of the opening: in Go as published, or the nearest board's, else half."""
    cells = board.width * board.height
    if board.game != "go":
        return cells // 2
    return GO_OPENINGS[min(GO_OPENINGS, key=lambda known: abs(known - cells))]


def openings(board: Board, count: int, seed: int) -> list[tuple[int, ...]]:
    """Returns `count` openings of a few moves."""
    start = GameSpec(board.game, board.width, board.height)
    rng = random.Random(seed)  # noqa: S311 (openings are no secret)
    return [opening(start, rng) for _ in range(count)]


def measure(
    board: Board,
    evaluator: Evaluator,
    persona: str,
    *,
    beginnings: Sequence[Sequence[int]],
    visits: int,
    seed: int,
    mixed_network: Callable[[Path], Evaluator | None] = lambda _path: None,
    on_game: Callable[[], object] = lambda: None,
) -> dict[str, MeanEstimate | None]:
    """Returns the persona's measures after each of the openings, by the name of SHOWINGS.

    mixed_network: as OneSearch takes it.
    """
    shown: dict[str, list[float]] = {name: [] for name in SHOWINGS}
    session = session_on(board, evaluator, persona, visits, seed, mixed_network=mixed_network)
    for beginning in beginnings:
        game = play(session, board, beginning, evaluator)
        for name, showing in SHOWINGS.items():
            values = [value for move in game if not math.isnan(value := showing.of(move))]
            if values:
                total = math.fsum(values)
                shown[name].append(total if showing.summed else total / len(values))
        on_game()
    return {name: mean_of(values) for name, values in shown.items()}


def play(
    session: Session, board: Board, beginning: Sequence[int], evaluator: Evaluator
) -> list[StyleMove]:
    """Returns the session's chosen moves after an opening."""
    session.start_over((board.width, board.height))
    session.clear_search()
    for number, move in enumerate(beginning):
        session.play(number % 2, move)
    played: list[StyleMove] = []
    last = opening_moves(board)
    while not session.game.position.is_over and session.game.position.move_number < last:
        recent = list(session.game.recent)
        choice = session.genmove(recent[-1].to_move)
        if choice.move is None:
            break
        scene = Scene(board.game, recent, ownership=evaluate_raw(evaluator, recent[-1]).ownership)
        played.append(StyleMove(scene, choice.move, deviation(evaluator, session.game.position)))
    return played


def deviation(evaluator: Evaluator, position: Position) -> float:
    """Returns the score's standard deviation, in points; NaN if the game is over."""
    if position.is_over:
        return math.nan
    raw = evaluate_raw(evaluator, position)
    return math.sqrt(max(0.0, raw.score_mean_square - raw.score_mean**2))
