"""Whom a session plays against: what it remembers of them, and the game as far as it is noted.

Knows when the memory is asked and told, and how what two sessions learn at once comes together.
Does not know where the memory is kept, nor what makes a belief change. Used by one thread.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from engine.games.game import Game
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_store import (
    EloEstimate,
    NewMoves,
    OpponentEntry,
    StoredGame,
)
from engine.opponents.stored_opponent import StoredOpponent
from engine.opponents.tracker import OpponentTracker

log = logging.getLogger("sparring")

VOID = "Void"  # the result of a game that was given up, as SGF has it


class OpponentRecord:
    """One opponent of one session.

    named: whether somebody said who it is. Who is only supposed to be there is not remembered by a
    session that plays at full strength.
    """

    def __init__(self, stored: StoredOpponent) -> None:
        self.stored = stored
        self._stranger: Opponent | None = None  # as we would believe if nothing were remembered
        self._told: Opponent | None = None  # as we believed when the memory last knew the same
        self._state: object = None  # what the memory had then
        self._game: int | None = None  # under what number it is noted; None: it is not
        self._kept: StoredGame | None = None  # as it was when we began to note it
        self._noted: tuple[tuple[int, int], ...] = ()  # its moves that are noted

    # ---- What is believed of them

    def recalled(
        self, stranger: OpponentTracker, now_seconds: float, pace_seconds: float
    ) -> OpponentTracker:
        """The watch over them at the beginning of a game, of somebody unknown where it is so.

        pace_seconds: that they have for a move.
        """
        opponent = self._stranger = replace(stranger.opponent, name=self.stored.name.name)
        known = self.stored.store.recall(self.stored.name, stranger.ladder.board)
        if known is not None:
            opponent = opponent_of(known, opponent).meeting(now_seconds, pace_seconds)
        self._told, self._state = opponent, None if known is None else known.state
        return replace(stranger, opponent=opponent)

    def learned(self, tracker: OpponentTracker, new: NewMoves | None = None) -> OpponentTracker:
        """The watch after the memory was told what is new, with what it knew besides.

        new: of the game, where something is new; it is told in the same breath.
        """
        before, after = self._told, tracker.opponent
        if before is None or after is before:
            return tracker
        ours, remembered, stranger = known_of(after), self._state, self._stranger or before

        def change(known: OpponentEntry | None) -> OpponentEntry:
            if known is None and remembered is not None:  # somebody deleted what we believed
                return known_of(stranger.with_evidence(before, after))
            if known is None or known.state == remembered:
                return ours
            return known_of(opponent_of(known, before).with_evidence(before, after))

        board = tracker.ladder.board
        known = self.stored.store.revise(self.stored.name, board, change, game=self._game, new=new)
        if known is not ours:
            after = opponent_of(known, after)
        self._told, self._state = after, known.state
        return replace(tracker, opponent=after)

    # ---- The game

    def begin(self, game: Game, color: int, persona: str) -> None:
        """Notes the game from now on, in which this color is ours, where it is not noted yet."""
        if self._kept is not None:
            return
        self._kept = StoredGame(
            self.stored.name,
            game.terms,
            game.width,
            game.height,
            color,
            persona,
            setup=game.setup,
            first_to_move=game.first_to_move,
            moves=game.moves,
            reasons=("",) * len(game.moves),
        )
        self._game, self._noted = self.stored.store.begin_game(self._kept), game.moves

    def resume(self, number: int, game: StoredGame) -> None:
        """Goes on noting a game that was noted before."""
        self._game, self._kept, self._noted = number, game, game.moves

    def follow(
        self, game: Game, tracker: OpponentTracker | None, reason: str = ""
    ) -> OpponentTracker | None:
        """The watch after what was played or taken back was noted, and what is new of them.

        The reason is of the last move. A game that begins otherwise is another one, and not noted
        any more.
        """
        kept = self._kept
        if kept is None:
            return tracker
        begun = (kept.terms, kept.width, kept.height, kept.setup, kept.first_to_move)
        if begun != (game.terms, game.width, game.height, game.setup, game.first_to_move):
            self.leave()
            return tracker
        new = new_moves(self._noted, game.moves, reason)
        if tracker is not None and self._told is not None and tracker.opponent is not self._told:
            tracker = self.learned(tracker, new)
        elif new is not None and self._game is not None:
            self.stored.store.note_moves(self._game, new)
        self._noted = game.moves  # the memory took them
        return tracker

    def finish(self, result: str, points: float | None) -> None:
        """Notes the result, and that the game is over."""
        if self._game is not None:
            self.stored.store.note_result(self._game, result, points)
        self._game = self._kept = None

    def leave(self) -> None:
        """Notes that the game is not played on, where it was noted."""
        self.finish(VOID, None)


def new_moves(
    before: tuple[tuple[int, int], ...], after: tuple[tuple[int, int], ...], reason: str
) -> NewMoves | None:
    """What was played that leads from the moves before to those after; None: nothing.

    The reason is of the last move.
    """
    same = len(before)
    if after[:same] != before:
        pairs = enumerate(zip(before, after, strict=False))
        same = next((at for at, (old, new) in pairs if old != new), len(after))
    elif len(after) == same:
        return None
    new = after[same:]
    return NewMoves(same, new, ("",) * (len(new) - 1) + (reason,) * (len(new) > 0))


def known_of(opponent: Opponent) -> OpponentEntry:
    """What there is to be kept of an opponent."""
    posterior = opponent.posterior
    estimate = EloEstimate(posterior.mean, *posterior.interval())
    return OpponentEntry(opponent.to_json(), opponent.games, estimate)


def opponent_of(known: OpponentEntry, otherwise: Opponent) -> Opponent:
    """The opponent that was kept; the other one, after a warning, where it cannot be read."""
    try:
        return Opponent.from_json(dict(known.state))
    except (ValueError, TypeError) as error:
        log.warning("what was remembered of %r is of no use: %s", otherwise.name, error)
        return otherwise


def result_text(points: float, color: int, how: str) -> str:
    """The result of the one who has the color, as SGF has it: "B+3.5", "W+R", "0" for a draw.

    how: by what it was won; empty where that is not known.
    """
    if points == 0.5:
        return "0"
    return f"{'BW'[color if points > 0.5 else 1 - color]}+{how}"
