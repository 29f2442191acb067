"""Games kept even by the engine against players of known Elo: the effect of balancing.

The module plays such games, and takes a sample of each of the engine's turns. Games between levels
alone do not show the effect: a balancing player is seldom far ahead, and meets players outside the
ladder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np

from engine.agents import make_agent
from engine.games.chance import draw_by
from engine.games.position import Position
from engine.networks.human_policy import HumanPolicy
from engine.opponents import Posterior
from engine.opponents.margin_model import game_level
from engine.opponents.tracker import GameSoFar, judge_last_move, stranger_on
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.request import MoveRequest
from engine.search.judging import margin_of, points_of
from engine.search.search import Search
from engine.search.weak_rollouts import UNKNOWN, weak_win_rates
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.ladder_games import MOST_OPENING, move_at
from engine.training.opponents.margin_model import MarginSample
from engine.training.opponents.win_model import BalanceSample
from engine.values import Limit, Standing

READING = Limit(visits=100)  # of the engine's own search
STEERED_WEIGHT = 6.0  # of such a position: the tables' main use
LEVEL = "level:"
# By game the share of games with a belief from the start. In Go the effect of a wrong level on the
# margin is fitted: the games need levels far from the rival's.
MET_SHARES = {"go": 0.6}
MISTAKEN_ELO, MET_DEVIATION_ELO = 450.0, 220.0  # the belief's error, and its deviation


@dataclass(frozen=True, slots=True)
class BalancedGame:
    """One game against an agent of known Elo, or a level of the ladder."""

    rival: str  # an agent's text, or level:ELO
    elo: float  # of the rival
    # Our level, the estimate of the rival, and our standing.
    turns: tuple[tuple[float, float, Standing], ...]
    points: float  # ours: 1, 0.5 or 0
    starts: tuple[float, ...] = ()  # of each turn the level planned for the game's start
    margin: float | None = None  # our final score less the rival's, in points; None: no score
    weight: float = STEERED_WEIGHT  # of each turn

    def to_json(self) -> dict[str, Any]:
        """Returns plain values for from_json."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Returns the game of to_json's values."""
        turns = tuple((level, elo, Standing(**stood)) for level, elo, stood in data["turns"])
        starts = tuple(data.get("starts", ()))
        margin, weight = data.get("margin"), data.get("weight", STEERED_WEIGHT)
        return cls(data["rival"], data["elo"], turns, data["points"], starts, margin, weight)

    def positions(self) -> list[BalanceSample]:
        """Returns a sample of each turn of ours, with the rival's estimated strength.

        The estimate is the knowledge at the choice of a move: the samples include its mistakes.
        """
        return [
            BalanceSample(level, believed, stood, self.points, self.weight, steered=True)
            for level, believed, stood in self.turns
        ]

    def margin_sample(self) -> MarginSample | None:
        """Returns the sample of the margin; None for a game without a margin or start levels."""
        if self.margin is None or not self.starts:
            return None
        standings = [standing for _, _, standing in self.turns]
        level = game_level(self.starts, standings)
        return MarginSample(level, self.elo, standings[0], self.margin)


@dataclass
class _BalancingPlayer:
    """The engine's side of such a game."""

    search: Search
    ladder: RatingLadder
    color: int
    rng: np.random.Generator
    human: HumanPolicy | None
    believed: float | None  # the first estimate of the rival, in Elo; None: a stranger

    def __post_init__(self) -> None:
        self.tracker = stranger_on(self.ladder)
        if self.believed is not None:
            opponent = self.tracker.opponent
            met = Posterior.of_stranger(
                self.ladder.lowest,
                self.ladder.highest,
                mean_elo=self.believed,
                deviation_elo=MET_DEVIATION_ELO,
                styles=opponent.posterior.styles,
            )
            self.tracker = replace(self.tracker, opponent=replace(opponent, posterior=met))
        self._even = make_persona("even", self.ladder.board.game)
        self.recent: list[Position] = []
        self.moves: list[tuple[int, int]] = []
        self.turns: list[tuple[float, float, Standing]] = []
        self.starts: list[float] = []

    def choose(self, position: Position) -> int | None:
        """Returns the engine's move."""
        game = GameSoFar(self.color, [*self.recent, position], self.moves, None)
        self.tracker, path = judge_last_move(
            self.search, self.tracker, game, READING, people=lambda: self.human
        )
        self.search.set_position(position, path)
        request = MoveRequest(
            position.copy(),
            READING,
            game=self.ladder.board.game,
            persona=self._even,
            reference=self.human,
            tracker=self.tracker,
            rng=self.rng,
        )
        choice = choose(self.search, request)
        stood = choice.standing
        if choice.level_elo is not None and stood is not None:
            self.tracker = self.tracker.played(choice.level_elo, stood, choice.start_elo)
            # for a strong rival; the tables need all values
            if (stood.greedy, stood.careless) == UNKNOWN:
                greedy, careless = weak_win_rates(position, self.ladder.board.game)
                stood = replace(stood, greedy=greedy, careless=careless)
            believed = self.tracker.opponent.posterior.mean
            self.turns.append((choice.level_elo, believed, stood))
            self.starts.append(self.tracker.starts[-1])
        return choice.move

    def note(self, before: Position, move: int) -> None:
        """Records a move of either side."""
        self.recent = [*self.recent[-1:], before]
        self.moves.append((before.to_move, move))


def play_balanced_game(
    rival: str,
    elo: float,
    search: Search,
    ladder: RatingLadder,
    seed: Sequence[int],
    *,
    human: HumanPolicy | None = None,
) -> BalancedGame:
    """Plays a game of the engine against a rival; the seed decides the engine's color.

    The rival is a stranger, or one of whom the engine has a rough belief (MET_SHARES).
    human: the model of human moves for levels with a rank; None: the search's network stands in.
    """
    rng = np.random.default_rng(seed)
    believed = None
    if rng.random() < MET_SHARES.get(ladder.board.game, 0.0):
        believed = float(np.clip(elo + rng.normal(0, MISTAKEN_ELO), ladder.lowest, ladder.highest))
    ours = _BalancingPlayer(search, ladder, int(seed[-1]) % 2, rng, human, believed)
    their_search = Search(search.evaluator, cache=search.cache)
    agent = None
    if not rival.startswith(LEVEL):
        agent = make_agent(rival, ladder.board.game, int(rng.integers(1 << 31)))
        agent.begin(int(rng.integers(1 << 31)))
    position = ladder.board.start()
    opening = int(rng.integers(MOST_OPENING + 1))
    while not position.is_over:
        before = position.copy()
        if len(ours.moves) < opening:
            move: int | None = int(rng.choice(position.legal_moves()))
        elif position.to_move == ours.color:
            move = ours.choose(before)
        elif agent is not None:
            move = agent.choose(before).move
        else:
            move = move_at(elo, their_search, ladder, before, rng, human=human)
        move = draw_by(rng)(position, position.pass_move if move is None else move)
        position.play(move)
        ours.note(before, move)
    points = points_of(search.evaluator, ladder.board.game, position, ours.color)
    margin = margin_of(search.evaluator, ladder.board.game, position, ours.color)
    return BalancedGame(rival, elo, tuple(ours.turns), points, tuple(ours.starts), margin)
