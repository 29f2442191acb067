"""A session's part in its game: which side is ours, against whom, and what is learned of them.

Knows when an opponent is watched and remembered. Part of a session's state, and used by its thread;
does not know how moves are judged (engine.opponents.tracker) nor what is kept
(engine.opponents.opponent_record).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.games.evaluator import NetworkDescription
from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.games.table import Board
from engine.opponents.advantage import NOTHING, Advantage, given_to
from engine.opponents.opponent_record import OpponentRecord, result_text
from engine.opponents.opponent_store import StoredGame
from engine.opponents.tracker import OpponentTracker, of_stranger
from engine.personas import Persona
from engine.strength.full import Full
from engine.strength.softmax_index import Softmax
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Choice

# By what a game was won, as SGF has it behind the plus: what part of a game's result that is worth.
# Who resigns was beaten. The clock beats good positions too, and a forfeit says nothing of play: an
# illegal move was a fault of a program or of a finger, a lost line nobody's.
RESIGNED, ON_TIME, FORFEITED = "R", "T", "F"
WORTH = {ON_TIME: 0.25, FORFEITED: 0.0}


class OpponentLink:
    """One game after the other against somebody."""

    def __init__(self) -> None:
        self.tracker: OpponentTracker | None = (
            None  # over the opponent, once a persona plays weaker
        )
        self.opponent_record: OpponentRecord | None = None  # who it is, where somebody said so
        self._ours: set[int] = set()  # colors that we played in this game
        self._finished = False  # the game's result is known to us

    @property
    def color(self) -> int | None:
        """The color that is ours in this game; None where neither is, or both are."""
        return min(self._ours) if len(self._ours) == 1 else None

    @property
    def is_finished(self) -> bool:
        """Whether the result was learned."""
        return self._finished

    def meet(self, opponent_record: OpponentRecord | None) -> None:
        """Plays against this one from now on, of whom it is remembered what they do; None: nobody.

        Without one, what is believed of an opponent stays in this session.
        """
        if self.opponent_record is not None:
            self.opponent_record.leave()
        self.opponent_record, self.tracker = opponent_record, None

    def begin(self, board: Board) -> None:
        """Goes on to another game."""
        if self.opponent_record is not None:
            self.opponent_record.leave()
            self.tracker = None  # recalled when it is needed, time having passed
        self.tracker = None if self.tracker is None else self.tracker.in_game_on(board)
        self._ours.clear()
        self._finished = False

    def resume(self, number: int, game: StoredGame) -> None:
        """Goes on with a game of this opponent that was noted under that number."""
        self._ours.add(game.color)
        if self.opponent_record is not None:
            self.opponent_record.resume(number, game)

    def recognise(
        self,
        game: Game,
        persona: Persona,
        network: NetworkDescription,
        *,
        color: int,
        now_seconds: float,
        pace_seconds: float,
    ) -> None:
        """Recalls the opponent before a move of this color, ours; a stranger where none is known.

        pace_seconds: that they have for a move.
        """
        known = self._remembered(persona)
        if self.tracker is None:
            if known is None and isinstance(persona.strength, Full):
                return
            self.tracker = of_stranger(board_of(game), network)
            if known is not None:
                self.tracker = known.recalled(self.tracker, now_seconds, pace_seconds)
        self.tracker = replace(self.tracker, given=given_in(game, 1 - color, self.tracker.opening))

    def is_curious(self, persona: Persona) -> bool:
        """Whether the opponent's moves are judged: we play by who they are, or remember it."""
        return isinstance(persona.strength, TargetWinRate) or self._remembered(persona) is not None

    def chose(self, game: Game, persona: Persona, color: int, choice: Choice) -> None:
        """Notes a move of ours before it is played."""
        if self.tracker is not None:
            self.tracker = self.tracker.played(choice.level_elo, choice.standing)
        self._ours.add(color)
        known = self._remembered(persona)
        if self.opponent_record is not None and len(self._ours) > 1:
            self.opponent_record.leave()  # we play both sides: nobody is met
        elif known is not None:
            known.begin(game, color, persona.name)

    def follow(self, game: Game, reason: str = "") -> None:
        """Notes what was played or taken back, and what it told; the reason is of the last move."""
        if self.opponent_record is not None:
            self.tracker = self.opponent_record.follow(game, self.tracker, reason)

    def finish(
        self,
        persona: Persona,
        points: float,
        now_seconds: float,
        *,
        told: str,
        how: Callable[[], str],
    ) -> None:
        """Learns the result, once a game, in our points.

        told: by what it was won as SGF has it; empty where nobody said so: `how` finds out.
        """
        if self._finished:
            return
        self._finished = True
        if self.tracker is not None:
            weight = WORTH.get(told, 1.0)
            by_index = isinstance(persona.strength, Softmax) and persona.strength.between_games
            self.tracker = self.tracker.ended(
                1 - points,
                now_seconds,
                weight=weight,
                by_index=by_index and weight > 0,
                wanted=persona.strength.chance
                if isinstance(persona.strength, TargetWinRate)
                else None,
            )
        known = self._remembered(persona)
        if known is not None and self.tracker is not None:
            self.tracker = known.learned(self.tracker)
        if self.opponent_record is not None and self._ours:
            text = result_text(points, min(self._ours), told or how())
            self.opponent_record.finish(text, points)

    def _remembered(self, persona: Persona) -> OpponentRecord | None:
        """The opponent, where what they do is remembered."""
        if self.opponent_record is not None and isinstance(persona.strength, Full):
            return self.opponent_record if self.opponent_record.named else None
        return self.opponent_record


def board_of(game: Game) -> Board:
    """What it is played on."""
    return Board(game.terms.game, game.width, game.height)


def given_in(game: Game, color: int, opening: int) -> Advantage:
    """What the color was given before the first move; opening: moves that nobody chose."""
    if isinstance(game.terms, GoSettings):
        return given_to(
            color,
            board_of(game),
            setup=game.setup,
            first_to_move=game.first_to_move,
            komi=game.terms.komi,
        )
    return NOTHING if opening else given_to(color, board_of(game), setup=game.setup)
