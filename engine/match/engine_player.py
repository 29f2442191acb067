"""This engine as a player, in this process, under any persona.

An in-process player avoids the cost of a second process, and all tables share one network and its
evaluations. The module knows sessions. It does not know the engine's strength or the steps of a
move.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from engine.errors import SettingError
from engine.games.chance import is_complete
from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.match.engine_options import EngineOptions
from engine.match.game_spec import GameSpec
from engine.match.player import Memory, Move, MoveBudget
from engine.networks.human_policy import HumanPolicy
from engine.opponents import Opponent
from engine.play.game_networks import NetworkChoice
from engine.play.network_pool import NetworkPool
from engine.play.network_use import Network
from engine.play.networks import load
from engine.play.results import score_text
from engine.play.search_source import OneSearch
from engine.play.session import Session
from engine.play.session_settings import Budget as SessionBudget
from engine.play.session_settings import SessionSettings
from engine.search.chess_aids import open_aids
from engine.search.search import Search
from engine.strength.full import Full

GAME_SECONDS = 0.0  # end of each game, for players with a memory: games follow each other at once


class SharedNetworks:
    """The networks of a match's players, each loaded once. Safe from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool = NetworkPool(load, {})

    def network(self, choice: NetworkChoice) -> Network:
        """Returns the loaded network of `choice`; raises SettingError if it cannot be loaded."""
        with self._lock:
            try:
                return self._pool.use(choice).network.result()
            except (OSError, ValueError) as error:
                raise SettingError(f"cannot play with {choice.path}: {error}") from error


class EnginePlayer:
    """A Player that is this engine; a fault of its own never forfeits the game."""

    def __init__(
        self,
        text: str,
        options: EngineOptions,
        network: Network,
        budget: MoveBudget,
        *,
        human: Callable[[], Network | None] = lambda: None,
        biased: Callable[[Path], Network] | None = None,
    ) -> None:
        self.text = text
        self._network = network
        self._biased = biased  # loads the network file that a persona mixes in
        self._human = human  # called when the persona first needs the human policy
        self._settings = SessionSettings(
            budget=SessionBudget(
                visits=options.visits or budget.visits, max_seconds=budget.seconds
            ),
            solve=options.solve,
            persona=options.persona,
        )
        self._aids = open_aids(options.aids)
        self.limited_by = limit_in_words(self._settings.budget)
        self._session: Session | None = None
        self._opponent: Opponent | None = None  # the belief after the last game
        self._color = 0  # in the current game
        self._seconds = 0.0  # of the last choice

    def begin(self, start: GameSpec, seed: int) -> None:
        """Starts a new game, with a new search that shares the network's evaluations."""
        network = self._network
        search = Search(network.evaluator, cache=network.cache, seed=seed, aids=self._aids)
        session = Session(
            search,
            self._settings,
            game_settings=start.game_settings,
            source=OneSearch(
                search, human_policy=self._human_policy, mixed_network=self._mixed_network
            ),
            seed=seed,
            today=lambda: GAME_SECONDS,
        )
        session.start_over((start.width, start.height))
        if start.handicap:
            session.set_up([(0, move) for move in start.handicap], to_move=1)
        for color, move in start.opening_moves():
            session.play(color, move)
        if not isinstance(self._settings.persona.strength, Full):
            session.opponent_model.expect(
                start.board,
                search.network,
                session.settings.persona,
                opening=len(start.opening),
                known=self._opponent,
                now_seconds=GAME_SECONDS,
            )
        self._session = session

    def _human_policy(self) -> HumanPolicy | None:
        network = self._human()
        return None if network is None else HumanPolicy(network.evaluator)

    def _mixed_network(self, path: Path) -> Evaluator | None:
        return None if self._biased is None else self._biased(path).evaluator

    @property
    def session(self) -> Session:
        """The current game; raises RuntimeError before the first."""
        if self._session is None:
            raise RuntimeError("no game has begun")
        return self._session

    def watch(self, color: int, move: int) -> None:
        """Plays a move on the session's board."""
        self.session.play(color, move)

    def choose(self, position: Position) -> Move:
        """Returns the engine's move and plays it on the session's board."""
        began = time.perf_counter()
        self._color = position.to_move
        choice = self.session.genmove(self._color, play=False)
        seconds = time.perf_counter() - began
        if choice.move is None or is_complete(position, choice.move):
            self.session.take(self._color, choice, seconds)
        self._seconds = seconds
        visits = () if choice.report is None else (choice.report.root.visits,)
        return Move(choice.move, seconds, visits, choice.level_elo)

    def reveal(self, color: int, move: int) -> None:
        """Plays the last choice with its outcome on the session's board."""
        choice = self.session.last_choice
        if choice is None:
            raise RuntimeError("no move was chosen")
        self.session.take(color, choice, self._seconds, played=move)

    def finish(self, _position: Position, winner: int | None) -> None:
        """Lets the session learn from the result, for later games."""
        self.session.finish(0.5 if winner is None else float(winner == self._color))
        self._opponent = self.session.opponent_model.opponent or self._opponent

    def recall(self, known: Memory) -> None:
        """Replaces the belief about the opponent from the next game on.

        Raises ValueError for a malformed one.
        """
        opponent = None if known is None else known["opponent"]
        self._opponent = None if opponent is None else Opponent.from_json(opponent)

    def remembered(self) -> Memory:
        """Returns the present belief about the opponent."""
        return {"opponent": None if self._opponent is None else self._opponent.to_json()}

    def final_score(self) -> str | None:
        """Returns the score as the engine counts it, with dead stones of Go removed."""
        return score_text(self.session)

    def close(self) -> None:
        """Drops the game; the network stays for the other players."""
        self._session = None
        self._aids.close()

    def kill(self) -> None:
        """Drops the game."""
        self.close()


def limit_in_words(budget: SessionBudget) -> str:
    """Returns the limit of a move in words, for reports."""
    words = []
    if budget.visits is not None:
        words.append(f"{budget.visits} visits a move")
    if budget.max_seconds is not None:
        words.append(f"{budget.max_seconds:g} s a move")
    return ", ".join(words) or f"at most {budget.default_seconds:g} s a move"
