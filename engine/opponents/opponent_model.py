"""The opponent model of one session: identity, estimated strength, and the record of games.

This is the entry to the package. A session calls `begin` for each game, `observe` before each move
of its own, `record_choice` and `record_moves` as moves are played, and `finish` with the result.
engine.opponents.tracker judges moves, engine.opponents.opponent_record writes the store. Used by
the session's thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from engine.games.evaluator import NetworkDescription
from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents.advantage import NOTHING, Advantage, advantage_of
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_record import OpponentRecord, result_text
from engine.opponents.opponent_store import EloEstimate, StoredGame
from engine.opponents.stored_opponent import StoredOpponent
from engine.opponents.tracker import (
    GameSoFar,
    OpponentTracker,
    judge_last_move,
    no_people,
    of_stranger,
)
from engine.personas import Persona
from engine.search.search import Search
from engine.strength.fixed_elo import FixedElo
from engine.strength.full import Full
from engine.strength.softmax_index import Softmax
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Choice, Limit

# The cause of a win, as SGF writes it behind the plus, and the weight of such a result. A player
# resigns a lost game. A clock beats good positions too, and a forfeit is no evidence of strength:
# an illegal move is a fault of a program or of a finger, a lost connection nobody's.
RESIGNED, ON_TIME, FORFEITED = "R", "T", "F"
WEIGHTS = {ON_TIME: 0.25, FORFEITED: 0.0}


class OpponentModel:
    """The model of a session's opponent, over all games of the session."""

    def __init__(self) -> None:
        self.tracker: OpponentTracker | None = None  # made when a persona first needs one
        self._record: OpponentRecord | None = None  # None: the opponent is not stored
        self._our_colors: set[int] = set()  # colors that this session has played in the game
        self._finished = False  # the game's result is counted

    # ---- Queries

    @property
    def opponent(self) -> Opponent | None:
        """The opponent as believed now; None before a persona needs a belief."""
        return None if self.tracker is None else self.tracker.opponent

    @property
    def estimate(self) -> EloEstimate | None:
        """The opponent's strength as believed now; None before a persona needs a belief."""
        return None if self.opponent is None else self.opponent.estimate

    @property
    def stored(self) -> StoredOpponent | None:
        """The opponent in its store; None where the session's opponent has no name."""
        return None if self._record is None else self._record.stored

    @property
    def our_color(self) -> int | None:
        """The one color that this session plays; None where it plays no color, or both."""
        return min(self._our_colors) if len(self._our_colors) == 1 else None

    @property
    def is_finished(self) -> bool:
        """Whether the game's result is counted."""
        return self._finished

    def needs_people(self, persona: Persona) -> bool:
        """Whether the persona's moves need the human policy, by its parts or by its ladder."""
        ladder = None if self.tracker is None else self.tracker.ladder
        by_ladder = persona.plays_by_ladder and ladder is not None and ladder.needs_people
        return persona.needs_human_policy or by_ladder

    # ---- The opponent and the game

    def meet(self, stored: StoredOpponent | None) -> None:
        """Plays against this opponent from now on, and keeps its record in the store.

        None: an opponent without a name; the belief about it ends with the session.
        """
        if self._record is not None:
            self._record.leave()
        self._record = None if stored is None else OpponentRecord(stored)
        self.tracker = None

    def begin(self, board: Board) -> None:
        """Begins another game."""
        if self._record is not None:
            self._record.leave()
            self.tracker = None  # recalled when it is needed, time having passed
        self.tracker = None if self.tracker is None else self.tracker.in_game_on(board)
        self._our_colors.clear()
        self._finished = False

    def expect(
        self,
        board: Board,
        network: NetworkDescription,
        persona: Persona,
        *,
        opening: int,
        known: Opponent | None,
        now_seconds: float,
    ) -> None:
        """Sets the belief at the start of a game; `begin` is called before.

        persona: of our play, for the belief about a stranger. opening: moves at the start of the
        game that neither player chose. known: the opponent after an earlier game; None: a stranger.
        now_seconds: since 1970.
        """
        is_natural = persona.naturalness is not None
        tracker = replace(of_stranger(board, network, is_natural=is_natural), opening=opening)
        if known is not None:
            tracker = replace(tracker, opponent=known.meeting(now_seconds))
        self.tracker = tracker

    def resume(self, number: int, game: StoredGame) -> None:
        """Continues a stored game of this opponent; number: the game's in the store."""
        self._our_colors.add(game.color)
        if self._record is not None:
            self._record.resume(number, game)

    # ---- One move

    def observe(
        self,
        game: Game,
        search: Search,
        persona: Persona,
        *,
        color: int,
        path: list[int] | None,
        limit: Limit,
        pace_seconds: float,
        today: Callable[[], float],
        now: Callable[[], float],
        people: Callable[[], HumanPolicy | None] = no_people,
    ) -> tuple[Limit, list[int] | None]:
        """Judges the opponent's last move before a move of our color.

        Nothing is judged where neither the persona's strength nor a store uses the belief. A search
        is run only for a persona that plays by the ladder: others play as if nothing were judged.

        path: moves since the search's position; None: it cannot follow them. limit: of our own
        move. pace_seconds: the opponent's time for a move. today: seconds since 1970. now: a clock
        in seconds. people: makes the human policy, for tables that need it.

        Returns the limit less the time spent, and the moves since the search's new position.
        """
        self._recall(game, search.network, persona, today(), pace_seconds)
        if self.tracker is None:
            return limit, path
        advantage = advantage_in(game, 1 - color, self.tracker.opening)
        self.tracker = replace(self.tracker, advantage=advantage)
        if not self._uses_belief(persona):
            return limit, path
        began = now()
        self.tracker, path = judge_last_move(
            search,
            self.tracker,
            GameSoFar(color, game.recent, game.moves, path),
            limit,
            glimpse=limit.is_hurried or not isinstance(persona.strength, TargetWinRate | FixedElo),
            people=people,
        )
        return limit.after(now() - began), path

    def _recall(
        self,
        game: Game,
        network: NetworkDescription,
        persona: Persona,
        now_seconds: float,
        pace_seconds: float,
    ) -> None:
        """Makes the tracker: of the stored opponent, or of a stranger."""
        record = self._record_for(persona)
        if self.tracker is None:
            if record is None and isinstance(persona.strength, Full):
                return
            is_natural = persona.naturalness is not None
            self.tracker = of_stranger(game.board, network, is_natural=is_natural)
            if record is not None:
                self.tracker = record.recalled(self.tracker, now_seconds, pace_seconds)

    def _uses_belief(self, persona: Persona) -> bool:
        """Whether the belief sets our strength, or is stored."""
        by_belief = isinstance(persona.strength, TargetWinRate)
        return by_belief or self._record_for(persona) is not None

    def record_choice(self, game: Game, persona: Persona, color: int, choice: Choice) -> None:
        """Notes our choice before it is played; the first one begins the game in the store."""
        if self.tracker is not None:
            self.tracker = self.tracker.played(choice.level_elo, choice.standing, choice.start_elo)
        self._our_colors.add(color)
        record = self._record_for(persona)
        if self._record is not None and len(self._our_colors) > 1:
            self._record.leave()  # the session plays both sides, and has no opponent
        elif record is not None:
            record.begin(game, color, persona.name)

    def record_moves(self, game: Game, reason: str = "") -> None:
        """Stores the moves played or taken back since the last call, and the belief if it changed.

        reason: of the last move.
        """
        if self._record is not None:
            self.tracker = self._record.follow(game, self.tracker, reason)

    def finish(
        self,
        persona: Persona,
        points: float,
        now_seconds: float,
        *,
        won_by: str,
        find_won_by: Callable[[], str],
    ) -> None:
        """Counts the game's result, once a game.

        points: ours, 1 for a win, 0.5 for a draw, 0 for a loss. now_seconds: since 1970. won_by:
        the cause as SGF writes it behind the plus; empty: unknown, and `find_won_by` returns it.
        """
        if self._finished:
            return
        self._finished = True
        is_needed = self.tracker is not None or self._record is not None
        cause = won_by or (find_won_by() if is_needed else "")
        weight = WEIGHTS.get(won_by, 1.0)
        self._learn(persona, points, now_seconds, weight, self._margin(cause, points))
        if self._record is not None and self._our_colors:
            self._record.finish(result_text(points, min(self._our_colors), cause), points)

    def leave(self, persona: Persona, now_seconds: float) -> None:
        """Learns from a game that is left before its end, if its result is decided.

        The game keeps its unknown result in the store. now_seconds: since 1970.
        """
        if self._finished or self.tracker is None or self.our_color is None:
            return
        points = self.tracker.decided_points()
        if points is not None:
            self._finished = True
            self._learn(persona, points, now_seconds, 1.0, self._margin(RESIGNED, points))

    def _margin(self, cause: str, points: float) -> float | None:
        """Returns our margin in points, by the cause of the end and our points; None: unknown."""
        if self.tracker is None:
            return None
        if cause == RESIGNED:
            return self.tracker.last_lead(points)
        try:
            score = abs(float(cause))
        except ValueError:
            return None
        return score * (2 * points - 1) if math.isfinite(score) else None

    def _learn(
        self,
        persona: Persona,
        points: float,
        now_seconds: float,
        weight: float,
        margin: float | None,
    ) -> None:
        """Changes the belief by a result of this weight; points and margin: ours."""
        strength, record = persona.strength, self._record_for(persona)
        if self.tracker is None:
            return
        by_index = isinstance(strength, Softmax) and strength.between_games
        self.tracker = self.tracker.ended(
            1 - points,
            now_seconds,
            weight=weight,
            by_index=by_index and weight > 0,
            target=strength.chance if isinstance(strength, TargetWinRate) else None,
            margin=margin,
        )
        if record is not None:
            self.tracker = record.learned(self.tracker)

    def _record_for(self, persona: Persona) -> OpponentRecord | None:
        """Returns the record, where a session under this persona keeps one."""
        if self._record is not None and isinstance(persona.strength, Full):
            return self._record if self._record.stored.is_named else None
        return self._record


def advantage_in(game: Game, color: int, opening: int) -> Advantage:
    """Returns the color's advantage at the start of a game.

    opening: moves at the start that neither player chose.
    """
    if isinstance(game.game_settings, GoSettings):
        return advantage_of(
            color,
            game.board,
            setup=game.setup,
            first_to_move=game.first_to_move,
            komi=game.game_settings.komi,
            white_bonus=game.game_settings.rules.white_handicap_bonus,
        )
    return NOTHING if opening else advantage_of(color, game.board, setup=game.setup)
