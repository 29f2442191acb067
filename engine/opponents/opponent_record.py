"""A stored opponent's record during a session: the posterior to write, and the game under way.

The record decides when the store is read and written, and merges the evidence of two concurrent
sessions. The store is of any kind. Used by one thread.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from engine.games.game import Game
from engine.opponents.ladder_change import on_ladder
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_rating import rating_prior, stranger_prior
from engine.opponents.opponent_store import (
    NewMoves,
    OpponentEntry,
    RatedEvidence,
    StoredGame,
)
from engine.opponents.stored_opponent import StoredOpponent
from engine.opponents.tracker import OpponentTracker
from engine.strength.rating_ladder import RatingLadder

log = logging.getLogger("sparring")

VOID = "Void"  # the result of a game that was given up, as SGF has it


class OpponentRecord:
    """The record of a stored opponent during one session."""

    def __init__(self, stored: StoredOpponent) -> None:
        self.stored = stored
        self._stranger: Opponent | None = None  # the belief without a record
        self._synced: Opponent | None = None  # the belief when it last equalled the store's
        self._state: object = None  # the store's state then
        self._game: int | None = None  # the game's number in the store; None: it is not stored
        self._begun: StoredGame | None = None  # the game as we began to store it
        self._stored_moves: tuple[tuple[int, int], ...] = ()

    # ---- The belief

    def recalled(
        self, stranger: OpponentTracker, now_seconds: float, pace_seconds: float
    ) -> OpponentTracker:
        """Returns the stored opponent's tracker at the start of a game.

        stranger: the tracker without a record, also the answer where the store has none.
        now_seconds: since 1970. pace_seconds: the opponent's time for a move.
        """
        unrated = replace(stranger.opponent, name=self.stored.name.name)
        opponent = self._stranger = self._rated(unrated, stranger.ladder)
        known = self.stored.store.recall(self.stored.name, stranger.ladder.board)
        if known is not None:
            met = on_ladder(opponent_of(known, unrated), stranger.ladder, unrated.posterior)
            met = met.meeting(now_seconds, pace_seconds)
            opponent = self._rated(met, stranger.ladder)
        self._synced, self._state = opponent, None if known is None else known.state
        return replace(stranger, opponent=opponent)

    def _rated(self, opponent: Opponent, ladder: RatingLadder) -> Opponent:
        """Returns the opponent with the prior by its server's present rating."""
        prior = rating_prior(self.stored, ladder, our_games=opponent.games)
        if prior is None or self.stored.rating is None:
            return opponent
        return opponent.rated(prior, self.stored.rating, stranger_prior(ladder))

    def learned(self, tracker: OpponentTracker, new: NewMoves | None = None) -> OpponentTracker:
        """Stores the belief's changes, and returns the tracker with other sessions' changes added.

        new: moves of the game, stored in the same transaction.
        """
        before, after = self._synced, tracker.opponent
        if before is None or after is before:
            return tracker
        ours, remembered, stranger = known_of(after), self._state, self._stranger or before

        def change(known: OpponentEntry | None) -> OpponentEntry:
            if known is None and remembered is not None:  # the record was deleted meanwhile
                return known_of(stranger.with_evidence(before, after))
            if known is None or known.state == remembered:
                return ours
            return known_of(opponent_of(known, before).with_evidence(before, after))

        board = tracker.ladder.board
        known = self.stored.store.revise(self.stored.name, board, change, game=self._game, new=new)
        if known is not ours:
            after = opponent_of(known, after)
        self._synced, self._state = after, known.state
        return replace(tracker, opponent=after)

    # ---- The game

    def begin(self, game: Game, color: int, persona: str) -> None:
        """Begins to store the game, once a game; color: ours."""
        if self._begun is not None:
            return
        self._begun = StoredGame(
            self.stored.name,
            game.game_settings,
            game.width,
            game.height,
            color,
            persona,
            setup=game.setup,
            first_to_move=game.first_to_move,
            moves=game.moves,
            reasons=("",) * len(game.moves),
        )
        self._game, self._stored_moves = self.stored.store.begin_game(self._begun), game.moves

    def resume(self, number: int, game: StoredGame) -> None:
        """Continues a stored game."""
        self._game, self._begun, self._stored_moves = number, game, game.moves

    def follow(
        self, game: Game, tracker: OpponentTracker | None, reason: str = ""
    ) -> OpponentTracker | None:
        """Stores the moves played or taken back since the last call, and a changed belief.

        Returns the tracker. reason: of the last move. A game with another start or other settings
        ends the stored game.
        """
        start = self._begun
        if start is None:
            return tracker
        begun = (start.game_settings, start.width, start.height, start.setup, start.first_to_move)
        if begun != (game.game_settings, game.width, game.height, game.setup, game.first_to_move):
            self.leave()
            return tracker
        new = new_moves(self._stored_moves, game.moves, reason)
        if (
            tracker is not None
            and self._synced is not None
            and tracker.opponent is not self._synced
        ):
            tracker = self.learned(tracker, new)
        elif new is not None and self._game is not None:
            self.stored.store.note_moves(self._game, new)
        self._stored_moves = game.moves  # the store took them
        return tracker

    def finish(self, result: str, points: float | None) -> None:
        """Stores the result, and ends the stored game. points: ours; None: unknown."""
        if self._game is not None:
            self.stored.store.note_result(self._game, result, points)
        self._game = self._begun = None

    def leave(self) -> None:
        """Ends the stored game with the result VOID."""
        self.finish(VOID, None)


def new_moves(
    before: tuple[tuple[int, int], ...], after: tuple[tuple[int, int], ...], reason: str
) -> NewMoves | None:
    """Returns the change from the moves before to those after; None: no change.

    reason: of the last move.
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
    """Returns the entry to store for an opponent."""
    return OpponentEntry(
        opponent.to_json(), opponent.games, opponent.estimate, evidence_of(opponent)
    )


def evidence_of(opponent: Opponent) -> RatedEvidence | None:
    """Returns a rated opponent's strength by our games alone; None without rating or game."""
    if opponent.prior is None or opponent.first_rating is None or not opponent.games:
        return None
    alone = opponent.likelihood
    return RatedEvidence(opponent.first_rating, alone.mean, alone.deviation, opponent.scale)


def opponent_of(known: OpponentEntry, otherwise: Opponent) -> Opponent:
    """Returns the stored opponent; after a warning `otherwise` if the state cannot be read."""
    try:
        return Opponent.from_json(dict(known.state))
    except (ValueError, TypeError) as error:
        log.warning("the record of %r cannot be read: %s", otherwise.name, error)
        return otherwise


def result_text(points: float, color: int, how: str) -> str:
    """Returns the result as SGF writes it: "B+3.5", "W+R", "0" for a draw.

    points: of the player of this color. how: the cause or the margin; empty: unknown.
    """
    if points == 0.5:
        return "0"
    return f"{'BW'[color if points > 0.5 else 1 - color]}+{how}"
