"""The tracker of an opponent during a game: it judges each of their moves to update the posterior.

A move is judged by a short search of the position before it. This position is still the root of the
tree from our own last move: the tree already holds most of the judgement, and a visit below the
opponent's move also serves our next move. The tracker changes the search's position and nothing
else. Our own moves are chosen in engine.play.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from engine._core import MoveReport
from engine.games.chance import without_outcome
from engine.games.evaluator import NetworkDescription
from engine.games.position import Position
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents.advantage import NOTHING, Advantage
from engine.opponents.balance_controller import BalanceController, leeway_of
from engine.opponents.elo_grid import Grid
from engine.opponents.move_likelihood import (
    PEOPLE_OF,
    Candidates,
    MoveLikelihood,
    candidates,
    guessed,
)
from engine.opponents.opponent import Opponent
from engine.opponents.outcome_model import OutcomeModel, is_decided, strengths_met
from engine.opponents.outcome_tables import GameEnd, PlayedTurn
from engine.opponents.standing import standing_of
from engine.opponents.stranger_prior import stranger_posterior
from engine.opponents.transfer import move_likelihood_of, win_model_of
from engine.search.one_ply import one_ply_values
from engine.search.report import MOVES_ALONE
from engine.search.search import Search
from engine.search.weak_rollouts import UNKNOWN, weak_win_rates
from engine.strength.elo_scale import elo_scale_of
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import RatingLadder, ladder_for
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Floats, Limit, MoveStats, Report, Standing

log = logging.getLogger("sparring")

STRANGER = "stranger"
OBSERVED_SHARE = (
    0.1  # share of our own move's visits for judging a move; the tree keeps most of them
)
FEWEST_OBSERVED, MOST_OBSERVED = 8, 64
WEAK = 0.75  # up to this share of the ladder's highest Elo, weak rollouts are informative


@dataclass(frozen=True, slots=True)
class OpponentTracker:
    """The opponent and the game so far; each method returns a new value."""

    ladder: RatingLadder
    move_likelihood: MoveLikelihood  # the ladder's, transferred or guessed
    win_model: OutcomeModel  # the ladder's, transferred or guessed
    opponent: Opponent
    judged: int = 0  # the game's moves up to the last judged one
    levels: tuple[float, ...] = ()  # Elo of our own moves in this game
    advantage: Advantage = NOTHING  # the opponent's, at the start of this game
    opening: int = 0  # moves at the start of the game that neither player chose
    # For each of `levels` our standing before the move; None: it did not decide the level.
    standings: tuple[Standing | None, ...] = ()
    starts: tuple[float, ...] = ()  # for each of `levels` the planned level of the game's start
    updates: int = 0  # number of updates of the posterior by the opponent's moves in this game

    def in_game_on(self, board: Board) -> OpponentTracker | None:
        """Returns the opponent at the start of a new game; None on another kind of board."""
        if board != self.ladder.board:
            return None
        return replace(
            self,
            judged=0,
            levels=(),
            advantage=NOTHING,
            opening=0,
            standings=(),
            starts=(),
            updates=0,
        )

    def controller(self, settings: TargetWinRate, *, is_natural: bool = False) -> BalanceController:
        """Returns the controller of one move; settings: of the persona, before any correction.

        A surplus of wins moves the level by as many Elo in each game. is_natural: whether a
        naturalness budget restricts our moves.
        """
        scale, mean = scale_of(self.ladder), self.opponent.posterior.mean
        is_with_beginner = scale is not None and mean < scale.elos[0]
        leeway = leeway_of(self.ladder.board, is_with_beginner=is_with_beginner)
        surplus = self.win_model.level_share * self.opponent.surplus
        settings = replace(settings, closeness=leeway.closeness * settings.closeness)
        return BalanceController(
            settings.paying_back(surplus),
            self.opponent.posterior,
            self.win_model,
            self.ladder.lowest,
            self.ladder.highest,
            self.advantage,
            leeway,
            next((standing for standing in self.standings if standing is not None), None),
            is_natural,
            math.sqrt(self.ladder.board.width * self.ladder.board.height),
            self.ladder.lowest_sighted,
        )

    def stands(self, position: Position, report: Report) -> Standing:
        """Returns the standing of the side to move, as the search evaluates it."""
        return standing_of(position, report, self.weak(position))

    def weak(self, position: Position) -> tuple[float, float]:
        """Returns the win rates of the side to move between greedy and between careless players.

        UNKNOWN for an opponent believed to be strong.
        """
        if self.opponent.posterior.mean > WEAK * self.ladder.highest:
            return UNKNOWN
        return weak_win_rates(position, self.ladder.board.game)

    def played(
        self,
        level_elo: float | None,
        standing: Standing | None = None,
        start_elo: float | None = None,
    ) -> OpponentTracker:
        """Returns the tracker after a move of ours.

        level_elo: of the move; None: a move outside the ladder. standing: before the move; None: it
        did not decide the level. start_elo: the level that this belief plans for the game's start;
        None: level_elo.
        """
        if level_elo is None:
            return self
        return replace(
            self,
            levels=(*self.levels, level_elo),
            standings=(*self.standings, standing),
            starts=(*self.starts, level_elo if start_elo is None else start_elo),
        )

    def ended(
        self,
        points: float,
        now_seconds: float,
        *,
        weight: float = 1.0,
        by_index: bool = False,
        target: float | None = None,
        margin: float | None = None,
    ) -> OpponentTracker:
        """Returns the tracker after the game's result.

        points: the opponent's, 1, 0.5 or 0. now_seconds: since 1970. weight: of the result, 1 for a
        full game. by_index: we played by the strength index, and the result adjusts it. target: our
        target win rate; None: the persona has none. margin: our final score less the opponent's, in
        points; None: unknown.
        """
        level = float(np.mean(self.levels)) if self.levels else None
        grid = self.opponent.posterior.grid
        after = self.opponent.after_game(
            points=points,
            level_elo=level,
            now_seconds=now_seconds,
            bonus_elo=0.0 if level is None else self.advantage.between(level, grid),
            weight=weight,
            share=self.move_likelihood.result_share if self.updates else 1.0,
            by_index=by_index,
            result_log_likelihood=self._result_log_likelihood(GameEnd(1 - points, margin)),
            target=target,
        )
        return replace(self, opponent=after)

    def decided_points(self) -> float | None:
        """Returns our points, 1 or 0, in a game decided before our last move; None: it was open."""
        standing = self.standings[-1] if self.standings else None
        if standing is None:
            return None
        level = self.levels[-1]
        theirs = self._theirs(level, standing)
        win_rates = self.win_model.balanced_win_rates(level, theirs, standing)
        win_rate = float(self.opponent.posterior.steered_density @ win_rates)
        return float(win_rate > 0.5) if is_decided(standing, win_rate) else None

    def last_lead(self, points: float) -> float | None:
        """Returns our lead before our last move, in points, if it agrees with our points.

        It is the margin of a game that ends by resignation or is left. None: no such lead.
        """
        standing = self.standings[-1] if self.standings else None
        if standing is None or (standing.lead > 0) != (points > 0.5):
            return None
        return standing.lead

    def _result_log_likelihood(self, end: GameEnd) -> Grid | None:
        """Returns [points] the log likelihood of the end of a steered game; None: not steered."""
        turns = [
            PlayedTurn(start, self._theirs(level, standing), standing)
            for level, start, standing in zip(self.levels, self.starts, self.standings, strict=True)
            if standing is not None
        ]
        return self.win_model.result_log_likelihood(turns, end) if turns else None

    def _theirs(self, level: float, standing: Standing) -> Grid:
        """Returns [points] the grid with each strength's advantage against this level, in Elo."""
        grid = self.opponent.posterior.grid
        return strengths_met(self.win_model, grid, self.advantage, level, standing)


@dataclass(frozen=True, slots=True)
class GameSoFar:
    """A game before a move of ours."""

    color: int  # our color
    recent: Sequence[Position]  # the last positions, oldest first, the present one last
    moves: Sequence[tuple[int, int]]  # all of them, as (color, move)
    path: list[int] | None  # moves since the search's position; None: it cannot follow them


def of_stranger(
    board: Board,
    network: NetworkDescription,
    name: str = STRANGER,
    *,
    is_natural: bool = False,
) -> OpponentTracker:
    """Returns the tracker of an unknown opponent on this board's ladder.

    is_natural: whether a naturalness budget restricts our moves.
    """
    return stranger_on(ladder_for(board, network), name, is_natural=is_natural)


@lru_cache(maxsize=32)
def stranger_on(
    ladder: RatingLadder, name: str = STRANGER, *, is_natural: bool = False
) -> OpponentTracker:
    """Returns the tracker of an unknown opponent on this ladder; is_natural: as in of_stranger."""
    likelihood = move_likelihood_of(ladder)
    win_model = win_model_of(ladder)
    posterior = stranger_posterior(
        ladder, likelihood.styles, win_model.gain_deviation, is_natural=is_natural
    )
    opponent = Opponent(name, posterior, scale=elo_scale_of(ladder))
    return OpponentTracker(ladder, likelihood, win_model, opponent)


def no_people() -> None:
    """Returns no human policy."""


def judge_last_move(
    search: Search,
    tracker: OpponentTracker,
    game: GameSoFar,
    limit: Limit,
    *,
    glimpse: bool = False,
    people: Callable[[], HumanPolicy | None] = no_people,
) -> tuple[OpponentTracker, list[int] | None]:
    """Judges the last move of the game. Returns the tracker and the moves since the search's root.

    A move of ours, or a forced one, is not judged. limit: of our own move. glimpse: judges by the
    tree as it is and runs no search, so our own search stays the same; a tree with fewer than
    FEWEST_OBSERVED visits judges nothing. people: makes the human policy for tables that need it.
    """
    played = len(game.moves)
    if played <= max(tracker.judged, tracker.opening) or len(game.recent) < 2:
        return tracker, game.path
    tracker = replace(tracker, judged=played)
    (color, move), before = game.moves[-1], game.recent[-2]
    if color == game.color or before.to_move != color or len(before.legal_moves()) < 2:
        return tracker, game.path
    search.set_position(before, game.path[:-1] if game.path else None)
    if glimpse and search.visits < FEWEST_OBSERVED:
        return tracker, [move]
    if not glimpse:
        search.run(observed(limit), options=MOVES_ALONE)
    tree = search.tree
    likelihood, posterior = tracker.move_likelihood, tracker.opponent.posterior
    human = people() if likelihood.needs_people else None
    if likelihood.needs_people and human is None:
        likelihood = guessed_without_people(tracker.ladder)
    among = searched_candidates(
        tree.policy(), tree.report(1), before, tracker.ladder.board.game, human
    )
    log_likelihood = likelihood.log_likelihood(among, without_outcome(before, move), posterior.grid)
    if log_likelihood is not None:
        # Other tables may have judged the earlier moves of a stored opponent.
        posterior = posterior.restyled(likelihood.styles).after_move(log_likelihood)
        opponent = replace(tracker.opponent, posterior=posterior)
        tracker = replace(tracker, opponent=opponent, updates=tracker.updates + 1)
    return tracker, [move]


@lru_cache(maxsize=32)
def guessed_without_people(ladder: RatingLadder) -> MoveLikelihood:
    """Returns a guessed table for a ladder whose own one needs the human policy.

    The log has one message a ladder.
    """
    log.warning(
        "opponents on %s are judged by a guess: there is no network of human moves",
        ladder.board.name,
    )
    return guessed(ladder.lowest, ladder.highest)


def observed(limit: Limit) -> Limit:
    """Returns the limit of the search for judging a move; limit: of our own move."""
    visits = MOST_OBSERVED if limit.visits is None else int(OBSERVED_SHARE * limit.visits)
    most = limit.max_seconds if limit.max_seconds is not None else limit.seconds
    return Limit(
        visits=limit.within(min(max(visits, FEWEST_OBSERVED), MOST_OBSERVED)),
        playouts=limit.playouts,
        max_seconds=None if most is None else OBSERVED_SHARE * most,
    )


def searched_candidates(
    policy: Floats,
    stats: Sequence[MoveStats | MoveReport],
    position: Any,  # noqa: ANN401 (of that game)
    game: str,
    people: HumanPolicy | None = None,
) -> Candidates:
    """Returns the legal moves of a searched position with their features.

    policy: [moves] float32, below 0 for illegal moves. stats: of the search, best move first.
    people: the human policy; None: without its features.
    """
    glance = one_ply_values(position)
    players = () if people is None else PEOPLE_OF[game]
    policies = [people.policy_at(position, (each, each)) for each in players] if people else []
    return candidates(policy, stats, glance, game, policies)
