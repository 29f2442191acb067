"""What a session sees of its opponent: their moves are judged, and what is believed follows.

Knows when a move can be judged, how long to search for it, and what a judgement does to the
opponent's posterior. Changes nothing but the search's position. Does not choose moves.

The tree stands where the opponent moved from, after our own move: most of what is needed is known
already, and what is searched under their move helps ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from engine._core import MoveReport, one_ply_heuristic
from engine.games.evaluator import NetworkDescription
from engine.games.position import Position, phase_of
from engine.games.table import Board
from engine.opponents.advantage import NOTHING, Advantage
from engine.opponents.balance_controller import BalanceController
from engine.opponents.move_likelihood import Candidates, MoveLikelihood, candidates
from engine.opponents.opponent import Opponent
from engine.opponents.posterior import Grid, Posterior
from engine.opponents.transfer import move_likelihood_of, win_model_of
from engine.opponents.win_model import WinModel, unsettled
from engine.search.report import MOVES_ALONE
from engine.search.search import Search
from engine.search.weak_rollouts import UNKNOWN, weak_win_rates
from engine.strength.rating_ladder import RatingLadder, ladder_for
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Floats, Limit, MoveStats, Report, Standing

STRANGER = "stranger"
OBSERVED_SHARE = 0.1  # of our own move's visits, for judging a move; most of them are kept
LEAST_SURE = 1e-6  # a chance that no table may call certain
FEWEST_OBSERVED, MOST_OBSERVED = 8, 64
WEAK = 0.75  # of the ladder's highest: games of weak players tell nothing of stronger opponents


@dataclass(frozen=True, slots=True)
class OpponentTracker:
    """The opponent of a game as far as it has gone; each method gives a new value."""

    ladder: RatingLadder
    move_likelihood: MoveLikelihood  # the ladder's, borrowed or guessed
    win_model: WinModel  # so too
    opponent: Opponent
    judged: int = 0  # moves of the game that were looked at
    levels: tuple[float, ...] = ()  # Elo of our own moves in this game
    advantage: Advantage = NOTHING  # what the opponent was given in this game
    opening: int = 0  # moves that it began with and nobody chose
    # How it stood at each of these moves, for us; None where the game was not steered by it.
    standings: tuple[Standing | None, ...] = ()

    def in_game_on(self, board: Board) -> OpponentTracker | None:
        """The same opponent in a new game on that board; None where it is another board."""
        if board != self.ladder.board:
            return None
        return replace(self, judged=0, levels=(), advantage=NOTHING, opening=0, standings=())

    def controller(self, aim: TargetWinRate) -> BalanceController:
        """Returns the controller of one move; aim: of the persona, before any correction."""
        return BalanceController(
            aim.paying_back(self.opponent.surplus),
            self.opponent.posterior,
            self.win_model,
            self.ladder.lowest,
            self.ladder.highest,
            self.advantage,
        )

    def stands(self, position: Position, report: Report) -> Standing:
        """How the game stands for who is to move, as the search read it."""
        return standing_of(position, report, self.weak(position))

    def weak(self, position: Position) -> tuple[float, float]:
        """What the side to move wins between weak players, where the opponent may be one."""
        if self.opponent.posterior.mean > WEAK * self.ladder.highest:
            return UNKNOWN
        return weak_win_rates(position, self.ladder.board.game)

    def played(self, level_elo: float | None, standing: Standing | None = None) -> OpponentTracker:
        """After a move of ours at that level; None: at none of the ladder's.

        standing: how the game stood, where the level follows from it.
        """
        if level_elo is None:
            return self
        return replace(
            self,
            levels=(*self.levels, level_elo),
            standings=(*self.standings, standing),
        )

    def ended(
        self,
        points: float,
        now_seconds: float,
        *,
        weight: float = 1.0,
        by_index: bool = False,
        target: float | None = None,
    ) -> OpponentTracker:
        """After the game, in which the opponent had so many points.

        weight: how much of a game the result is worth. by_index: we played by the strength index
        that results adjust. wanted: the chance with which we were to win, where we steered by one.
        """
        level = float(np.mean(self.levels)) if self.levels else None
        grid = self.opponent.posterior.grid
        after = self.opponent.after_game(
            points=points,
            level_elo=level,
            now_seconds=now_seconds,
            bonus_elo=0.0 if level is None else self.advantage.between(level, grid),
            weight=weight,
            by_index=by_index,
            result_log_likelihood=self._result_log_likelihood(points),
            target=target,
        )
        return replace(self, opponent=after)

    def _result_log_likelihood(self, points: float) -> Grid | None:
        """The log likelihood of the opponent's points in a steered game; None where it was not.

        The level of such a game is no level of its own: it falls as the game is won. But each turn
        had a chance of winning from there against players of each strength, and what the result
        says of them is the mean of what it says of each turn's: they are of one result.
        """
        outcome, grid = self.win_model, self.opponent.posterior.grid
        total, turns = np.zeros(len(grid)), 0
        for level, standing in zip(self.levels, self.standings, strict=True):
            if standing is not None:
                theirs = grid + unsettled(standing.phase) * self.advantage.between(level, grid)
                ours = outcome.steered_chances(theirs, standing)
                ours = np.clip(ours, LEAST_SURE, 1 - LEAST_SURE)
                total += points * np.log(1 - ours) + (1 - points) * np.log(ours)
                turns += 1
        return total / turns if turns else None


@dataclass(frozen=True, slots=True)
class GameSoFar:
    """What there is to be looked at."""

    color: int  # ours
    recent: Sequence[Position]  # the last positions, oldest first, the present one last
    moves: Sequence[tuple[int, int]]  # all of them, as (color, move)
    path: list[int] | None  # since the search was last shown the game; None: it can't follow


def of_stranger(board: Board, network: NetworkDescription, name: str = STRANGER) -> OpponentTracker:
    """The watch over somebody of whom nothing is known."""
    return stranger_on(ladder_for(board, network), name)


@lru_cache(maxsize=32)
def stranger_on(ladder: RatingLadder, name: str = STRANGER) -> OpponentTracker:
    """The same on that ladder."""
    evidence = move_likelihood_of(ladder)
    posterior = Posterior.of_stranger(ladder.lowest, ladder.highest, styles=evidence.styles)
    return OpponentTracker(ladder, evidence, win_model_of(ladder), Opponent(name, posterior))


def standing_of(position: Position, report: Report, weak: tuple[float, float]) -> Standing:
    """How the game stands for who is to move; weak: what that side wins between weak players."""
    return Standing(phase_of(position), report.root.win_rate, report.root.score_lead, *weak)


def judge_last_move(
    search: Search,
    tracker: OpponentTracker,
    game: GameSoFar,
    limit: Limit,
    *,
    glimpse: bool = False,
) -> tuple[OpponentTracker, list[int] | None]:
    """The watch after the last move was judged, and the moves since the search's position.

    limit: of our own move. Nothing is searched where the last move is not the opponent's or left
    no choice. glimpse: nor else, so that our own search is what it would be without; a move is
    judged then where enough was found before it was made.
    """
    played = len(game.moves)
    if played <= max(tracker.judged, tracker.opening) or len(game.recent) < 2:
        return tracker, game.path
    tracker = replace(tracker, judged=played)
    (who, move), before = game.moves[-1], game.recent[-2]
    if who == game.color or before.to_move != who or len(before.legal_moves()) < 2:
        return tracker, game.path
    search.set_position(before, game.path[:-1] if game.path else None)
    if glimpse and search.visits < FEWEST_OBSERVED:
        return tracker, [move]
    if not glimpse:
        search.run(observed(limit), options=MOVES_ALONE)
    tree = search.tree
    among = searched_candidates(tree.policy(), tree.report(1), before, tracker.ladder.board.game)
    evidence, posterior = tracker.move_likelihood, tracker.opponent.posterior
    told = evidence.log_likelihood(among, move, posterior.grid)
    if told is not None:
        # One who is remembered may have been judged by other tables.
        posterior = posterior.restyled(evidence.styles).after_move(told)
        tracker = replace(tracker, opponent=replace(tracker.opponent, posterior=posterior))
    return tracker, [move]


def observed(limit: Limit) -> Limit:
    """How long to look at a position whose move is judged."""
    visits = MOST_OBSERVED if limit.visits is None else int(OBSERVED_SHARE * limit.visits)
    most = limit.max_seconds if limit.max_seconds is not None else limit.seconds
    return Limit(
        visits=limit.within(min(max(visits, FEWEST_OBSERVED), MOST_OBSERVED)),
        playouts=limit.playouts,
        max_seconds=None if most is None else OBSERVED_SHARE * most,
    )


def searched_candidates(
    policy: Floats,
    found: Sequence[MoveStats | MoveReport],
    position: Any,  # noqa: ANN401 (of that game)
    game: str,
) -> Candidates:
    """The moves of the position that a search looked at, as evidence takes them."""
    return candidates(
        policy, found, np.asarray(one_ply_heuristic(position), dtype=np.float64), game
    )
