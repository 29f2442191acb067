"""One game between a person and the engine, as the page plays it: a session and its turns.

It follows a session by its own methods. The messages are in protocols.page.conversation.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.errors import CannotUndoError, IllegalMoveError
from engine.games.chains import chain_at
from engine.games.chance import Draw, fair_draw
from engine.games.game import Game
from engine.games.game_settings import GameInFile
from engine.games.table import GAMES
from engine.opponents import (
    ON_TIME,
    RESIGNED,
    EloEstimate,
    OpponentEntry,
    StoredGame,
    StoredOpponent,
    StoreError,
)
from engine.personas import Persona
from engine.play.search_source import SearchSource
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.review.played import ReplayedGame
from engine.search.search import ReportOptions
from engine.strength.rank_scale import RankScale, scale_of
from engine.strength.rating_ladder import ladder_for
from engine.values import Choice, Report
from protocols.page.counting import count_without
from protocols.page.page_clocks import PageClocks
from protocols.page.pieces import PieceLog
from protocols.page.terms import GameTerms

log = logging.getLogger("sparring")

HINT_VISITS = 200
SEED_BITS = 63
MakePersona = Callable[[str, str], Persona]
NEVER_SECONDS = 1e9  # between two reports of a hint


class PageGame:
    """One game under way. Used by one thread.

    `begin` comes before all other calls. source: gives the searches of the session. opponent: the
    person in a store. make_persona: returns the persona of a strength in a game, or raises
    SettingError. budget: of a move. draw: of outcomes by chance; None: a hidden arrangement of the
    pieces, where the game has one.
    """

    def __init__(
        self,
        terms: GameTerms,
        source: SearchSource,
        opponent: StoredOpponent,
        make_persona: MakePersona,
        *,
        budget: Budget,
        now: Callable[[], float] = time.monotonic,
        draw: Draw | None = None,
    ) -> None:
        self.terms = terms
        self.pieces = PieceLog()
        self._draw = draw or draw_of(terms.board.game)
        self._now = now
        self.clocks = PageClocks(terms.control, terms.person, terms.left, now)
        self.lost_on_time: int | None = None  # a color
        self._make_persona = make_persona
        self._budget = budget
        persona = make_persona(terms.strength, terms.board.game)
        self._session = Session(
            source.search_on(terms.board),
            SessionSettings(persona=persona, budget=budget),
            game_settings=terms.record.game_settings,
            source=source,
            draw=self._draw,
        )
        self._session.meet(opponent)
        self._dead: NDArray[np.bool_] | None = None  # [H, W], while the stones are counted
        self._is_agreed = False
        self.estimate_before: EloEstimate | None = None  # of the person, before the game

    # ---- The game as it stands

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._session.game

    @property
    def opponent(self) -> StoredOpponent | None:
        """The person in the store."""
        return self._session.opponent

    @property
    def engine(self) -> int:
        """The engine's color."""
        return 1 - self.terms.person

    @property
    def is_over(self) -> bool:
        """Whether the game has its result; in Go both players agree on the dead stones first."""
        return self.is_ended and not self.is_counting

    @property
    def is_ended(self) -> bool:
        """Whether the rules, a resignation or a clock ended the play."""
        return self.game.is_ended or self.lost_on_time is not None

    @property
    def loss(self) -> tuple[int, str] | None:
        """The color that lost without the rules, and the cause: RESIGNED or ON_TIME; else None."""
        if self.game.resigned is not None:
            return self.game.resigned, RESIGNED
        return None if self.lost_on_time is None else (self.lost_on_time, ON_TIME)

    @property
    def is_counting(self) -> bool:
        """Whether the players mark dead stones: in Go, after the passes."""
        can_resume = self.game.adjudication.resume is not None
        return (
            can_resume and self.loss is None and self.game.position.is_over and not self._is_agreed
        )

    @property
    def is_engines_turn(self) -> bool:
        """Whether the engine moves next."""
        return not self.is_ended and self.game.position.to_move == self.engine

    @property
    def last_choice(self) -> Choice | None:
        """The engine's last choice that still stands on the board; None: there is none."""
        own = [move for color, move in self.game.moves if color == self.engine]
        choice = self._session.last_choice
        if choice is None or self.game.resigned == self.engine:
            return choice
        return choice if own and own[-1] == choice.move else None

    @property
    def scale(self) -> RankScale | None:
        """The ranks of the board; None for a game without ranks."""
        return scale_of(ladder_for(self.game.board, self._session.network))

    def known(self) -> OpponentEntry | None:
        """Returns the present estimate of the person; None before the first one."""
        try:
            return None if self.opponent is None else self.opponent.entry(self.game.board)
        except StoreError as error:
            log.warning("page: %s", error)
            return None

    def rank(self) -> float | None:
        """Returns the person's rank as estimated, in the numbers of engine.games.ranks, or None."""
        known, scale = self.known(), self.scale
        return None if scale is None or known is None else scale.rank_of(known.estimate.mean)

    def estimates(self) -> tuple[EloEstimate, ...]:
        """Returns the estimates of the person over time, one a game, the present one last."""
        stored = self.opponent
        if stored is None:
            return ()
        return tuple(each.estimate for each in stored.history(self.game.board))

    # ---- Moves

    def begin(self, record: GameInFile | None = None) -> None:
        """Begins the game, or goes to the end of a record of it; leases the board's network."""
        self._session.load(record or self.terms.record)
        known = self.known()
        self.estimate_before = None if known is None else known.estimate

    def prepare(self) -> None:
        """Loads the networks of the engine's first move, while the person thinks."""
        if not self.game.is_ended:
            self._session.warm_up()
            self._session.human_policy()

    def resume(self, number: int, stored: StoredGame) -> None:
        """Continues a stored game; raises SettingError if its record has a fault."""
        self._session.resume(number, stored)
        earlier = self.estimates()[:-1]  # the last one has the moves of this game
        self.estimate_before = earlier[-1] if earlier else None

    def play(self, text: str) -> None:
        """Plays the person's move, its outcome by chance drawn; ValueError on an illegal one."""
        game = self.game
        if self.is_ended or game.position.to_move == self.engine:
            raise IllegalMoveError("it is not your turn")
        move = game.kind.read_move(text, game.width, game.height)
        if not game.position.is_legal(move):
            raise IllegalMoveError(f"{text} is not a legal move")
        if not self.flag():
            self.clocks.end_turn()
            self._play(self._draw(game.position, move))

    def _play(self, move: int) -> None:
        self._session.play(self.terms.person, move)
        self._after_move()

    def reply(self, stop: Callable[[], bool]) -> None:
        """Plays the engine's move, and each pass that is the person's only move after it.

        Plays nothing once `stop` is true.
        """
        while self.is_engines_turn and not stop():
            started, before = self._now(), self.game
            self._limit_by_clock()
            self._session.genmove(self.engine, stop=stop)
            has_moved = self.game is not before
            if has_moved and self.clocks.after_engine(self._now() - started):
                self._lose_on_time(self.engine)
                return
            self._after_move()
            while not self.is_ended and self._must_pass():
                self._play(self.game.position.pass_move)

    def _limit_by_clock(self) -> None:
        """Gives the next move as much time as the engine's clock has for it, at most the usual."""
        usual, settings = self._budget.default_seconds, self._session.settings
        seconds = min(usual, self.clocks.engine_seconds(self.game))
        if seconds != settings.budget.default_seconds:
            budget = replace(settings.budget, default_seconds=seconds)
            self._session.change_settings(replace(settings, budget=budget))

    def begin_turn(self) -> None:
        """Starts the person's clock on its turn, from its second move on."""
        has_moved = any(color == self.terms.person for color, _ in self.game.moves)
        if has_moved and not self.is_ended and not self.is_engines_turn:
            self.clocks.begin_turn()

    def flag(self) -> bool:
        """Returns whether the person's clock has ended; the game is lost then."""
        if self.is_ended or not self.clocks.has_person_lost():
            return False
        self._lose_on_time(self.terms.person)
        return True

    def _lose_on_time(self, color: int) -> None:
        self.clocks.end_turn()
        self.lost_on_time = color
        self._session.finish_won_by(1 - color, ON_TIME)

    def _must_pass(self) -> bool:
        position = self.game.position
        mine = position.to_move == self.terms.person
        is_decision = self.game.adjudication.give_turn is not None  # as a pass of Go
        return mine and not is_decision and position.legal_moves() == [position.pass_move]

    def _after_move(self) -> None:
        self._dead, self._is_agreed = None, False
        if self.is_over:
            self._session.settle()

    def undo(self) -> None:
        """Takes back the person's last move and all that follows it; raises CannotUndoError."""
        if self.is_over:
            raise CannotUndoError("the game is over")
        moves, forced = self.game.moves, self.game.position.pass_move
        if self.game.adjudication.give_turn is not None:
            forced = -1
        chosen = [
            number
            for number, (color, move) in enumerate(moves)
            if color == self.terms.person and move != forced
        ]
        if not chosen:
            raise CannotUndoError("there is no move to take back")
        self._session.undo(len(moves) - chosen[-1])
        self._after_move()

    def resign(self) -> None:
        """Resigns for the person."""
        if not self.is_over:
            self._session.resign(self.terms.person)
            self._session.settle()

    def change_strength(self, strength: str) -> None:
        """Plays at another strength from now on; raises SettingError quoting an unknown one."""
        persona = self._make_persona(strength, self.game.name)
        self._session.change_settings(replace(self._session.settings, persona=persona))
        self.terms = self.terms.with_strength(strength)

    # ---- Counting

    def dead(self) -> NDArray[np.bool_]:
        """Returns the dead stones: [H, W] bool, by the engine's judgement until some are marked."""
        if self._dead is None:
            self._dead = self._session.final_status().dead.copy()
        return self._dead

    def mark(self, text: str) -> None:
        """Marks the chain of a stone as dead, or as alive again; ValueError on an empty point."""
        if not self.is_counting:
            raise ValueError("stones are marked after both players have passed")
        game = self.game
        cell, stones = game.kind.read_move(text, game.width, game.height), game.position.stones
        if cell >= stones.size or not stones.flat[cell]:
            raise ValueError(f"there is no stone at {text}")
        dead = self.dead()
        dead.flat[chain_at(stones, cell)] = not dead.flat[cell]

    def agree(self) -> None:
        """Ends the game with the score without the dead stones."""
        if not self.is_counting:
            raise ValueError("there is nothing to count yet")
        score = self.score()
        self._is_agreed = True
        winner = None if score == 0 else int(score < 0)
        self._session.finish_won_by(winner, f"{abs(score):g}")

    def play_on(self) -> None:
        """Takes the passes back that ended the game."""
        if not self.is_counting:
            raise CannotUndoError("the game is over or goes on")
        passes, end = 0, self.game.position.pass_move
        for _, move in reversed(self.game.moves):
            if move != end:
                break
            passes += 1
        self._session.undo(passes)
        self._after_move()

    # ---- The end of a game, and advice

    def score(self) -> float:
        """Returns color 0's score; in Go without the dead stones."""
        if self.game.adjudication.resume is not None and self.game.position.is_over:
            return count_without(self.game.position, self.dead())[0]
        return self.game.position.black_score

    def played(self) -> ReplayedGame:
        """Returns the finished game for a review, with its result and both players' ranks."""
        game = self.game
        value: float | None = None  # a clock's decision tells nothing about the position
        score: float | None = None
        if self.loss is not None:
            loser, cause = self.loss
            value = float(loser == 1) if cause == RESIGNED else None
        else:
            score = self.score()
            value = 0.5 if score == 0 else float(score > 0)
        own, level = map(_whole, (self.rank(), self._level_rank()))
        ranks = (own, level) if self.terms.person == 0 else (level, own)
        return ReplayedGame(game.record, 0, value, score, ranks=ranks)

    def _level_rank(self) -> float | None:
        """Returns the rank of the engine's last level; without one, the person's."""
        scale, choice = self.scale, self._session.last_choice
        if scale is None or choice is None or choice.level_elo is None:
            return self.rank()
        return scale.rank_of(choice.level_elo)

    def leave(self) -> None:
        """Ends the game for this session, and counts its result if it is decided."""
        self._session.start_over()

    def hint(self, stop: Callable[[], bool]) -> Report | None:
        """Returns the report of a search at full strength for the person's move."""
        return self._session.analyze(
            self.game.position.to_move,
            stop=stop,
            on_report=_ignore,
            report_every_seconds=NEVER_SECONDS,
            options=ReportOptions(),
            visits=HINT_VISITS,
        )


def draw_of(game: str) -> Draw:
    """Returns the draw of one game's outcomes by chance.

    A hidden arrangement gives the same piece again after an undone flip.
    """
    deal = GAMES[game].deal
    return fair_draw(None) if deal is None else deal(secrets.randbits(SEED_BITS))


def _whole(rank: float | None) -> float | None:
    """Returns an estimated rank as people say it, without a fraction."""
    return None if rank is None else float(round(rank))


def _ignore(_report: Report) -> None:
    """Nothing."""
