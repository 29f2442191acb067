"""One game under way with its clocks, its search and its opponent: the engine's only facade.

Conversations, matches and studies drive a session: play, undo, genmove, analyze, change_settings,
meet, finish. It is the only object with a changing game; the game itself is a value of
engine.games.game. Its opponent (engine.opponents) and the choice of a move have their own modules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from engine.errors import SettingError
from engine.games.chance import Draw, fair_draw, without_outcome
from engine.games.clock import pace
from engine.games.evaluator import Evaluator, NetworkDescription
from engine.games.game import Game
from engine.games.game_record import GameRecord
from engine.games.game_settings import GameInFile, GameSettings, GoSettings
from engine.games.go_ending import TurnEvaluation
from engine.games.position import Position
from engine.networks.human_policy import HumanPolicy
from engine.opponents import EloEstimate, OpponentModel, StoredGame, StoredOpponent
from engine.play import move_choice
from engine.play.game_end import cause_of_end, points_of
from engine.play.human_pace import seconds_of, wait_until
from engine.play.search_source import OneSearch, SearchSource
from engine.play.session_clocks import SessionClocks
from engine.play.session_search import ANALYSIS_VISITS, SessionSearch
from engine.play.session_settings import SessionSettings
from engine.play.steps.request import MoveRequest
from engine.play.visits import visits_worth
from engine.search import judging
from engine.search.search import ReportOptions, Restriction, Search, never
from engine.values import Choice, FinalStatus, Limit, Report


class Session:
    """One game, its search and its opponent. Used by one thread at a time.

    source: gives the search of each new game, and further networks; None: `search` alone. If the
    source raises an error, the game stays as it was. seed: of all random choices; None: any.
    """

    def __init__(
        self,
        search: Search,
        settings: SessionSettings | None = None,
        *,
        game_settings: GameSettings | None = None,  # None: Go's usual ones
        source: SearchSource | None = None,
        seed: int | None = None,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        today: Callable[[], float] = time.time,  # seconds since 1970
        draw: Draw | None = None,  # of outcomes by chance; None: by the session's random numbers
    ) -> None:
        self._search = SessionSearch(search)
        self.rng = np.random.default_rng(seed)
        self._draw = draw or fair_draw(seed)
        self.source = source or OneSearch(search)
        self.thinking_seconds = 0.0  # the sum over all moves of the session
        self._now, self._sleep, self._today = now, sleep, today
        self._final_status: FinalStatus | None = None
        # (moves before it, color, evaluation by that color)
        self._evaluations: list[tuple[int, int, TurnEvaluation]] = []
        self._last_choice: Choice | None = None
        self._chosen_after = -1  # number of moves before the last choice of genmove
        self.clocks = SessionClocks()
        self.opponent_model = OpponentModel()
        self.settings = SessionSettings()
        self.change_settings(settings or self.settings)
        self._game = Game.new(game_settings or GoSettings())

    @property
    def search(self) -> Search:
        """The search of the game under way."""
        return self._search.search

    @property
    def evaluator(self) -> Evaluator:
        """The network of this search, ready to run."""
        return self.search.evaluator

    @property
    def network(self) -> NetworkDescription:
        """The network of this search, as Search.network describes it."""
        return self.search.network

    @property
    def game(self) -> Game:
        """The game under way; the methods of the session replace it."""
        return self._game

    def start_over(self, size: tuple[int, int] | None = None) -> None:
        """Begins a new game by the same settings.

        size: (width, height); None: as before. Raises ValueError, with nothing changed, on a size
        the game lacks.
        """
        self._begin(self._game.start_over(size))

    def load(self, record: GameInFile) -> None:
        """Replaces the game by one read from a file. Raises ValueError on another kind of game."""
        self._begin(self._game.load(record))

    def set_up(self, stones: Iterable[tuple[int, int]], to_move: int = 0) -> None:
        """Begins a game from these stones, as Game.set_up does."""
        self._go_on(self._game.set_up(stones, to_move))

    def play(self, color: int, move: int, reason: str = "") -> None:
        """Plays a move as Game.play does, in the search's tree too where possible.

        reason: the reason of our own choice; empty for the opponent's moves.
        """
        before = self._game.position
        game = self._game.play(color, move)
        self._go_on(game, self._search.path_after(before, color, move), reason)

    def play_all(self, moves: Iterable[Callable[[Position], tuple[int, int]]]) -> None:
        """Plays moves as Game.play_all does, and raises its exception afterwards."""
        game, error = self._game.play_all(moves)
        if game is not self._game:
            self._go_on(game)
        if error is not None:
            raise error

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        """Goes to the position after these moves; keeps the tree if they continue the game.

        The last chosen move counts as our own. Raises ValueError on an illegal move, and the
        source's errors on another board.
        """
        beginning = GameRecord.from_start(self._game.game_settings, start, ())
        played = [move for _, move in self._game.moves]
        begun = replace(self._game.record, moves=(), implied=frozenset())
        if begun != beginning or played != list(moves[: len(played)]):
            self.load(beginning)
            played = []
        for number, move in enumerate(moves[len(played) :], len(played)):
            choice, color = self._last_choice, self._game.position.to_move
            own = without_outcome(self._game.position, move)
            if choice is not None and (self._chosen_after, choice.move) == (number, own):
                self.take(color, choice, played=move)
            else:
                self.play(color, move)

    def undo(self, number: int = 1) -> None:
        """Takes the last moves back as Game.undo does."""
        self._go_on(self._game.undo(number))

    def agree(self, game_settings: GameSettings) -> None:
        """Changes the settings of the game under way; its moves stay."""
        game = self._game.agree(game_settings)
        if game is not self._game:
            self._go_on(game)

    def resign(self, color: int) -> None:
        """Records the resignation of a color."""
        self._game = self._game.resign(color)

    def _go_on(self, game: Game, path: list[int] | None = None, reason: str = "") -> None:
        """Stores the game after moves were played or taken back.

        path: the moves from the search's position to the game's; None where the search cannot
        follow. reason: of the last move, if it is our choice.
        """
        self._arrive(game, path)
        self.opponent_model.record_moves(game, reason)

    def _begin(self, game: Game) -> None:
        """Begins another game."""
        self.settle()
        self.opponent_model.leave(self.settings.persona, self._today())
        self._search.search = self.source.search_on(game.board)
        self.opponent_model.begin(game.board)
        self._arrive(game, None)
        self._evaluations.clear()
        self._last_choice = None
        self.clocks.restart()

    def _arrive(self, game: Game, path: list[int] | None) -> None:
        self._game, self._search.path, self._final_status = game, path, None
        self._evaluations = [entry for entry in self._evaluations if entry[0] < len(game.moves)]

    def resume(self, number: int, game: StoredGame) -> None:
        """Resumes this opponent's stored game of this number.

        Raises SettingError, with nothing changed, if its record has a fault.
        """
        if game.fault:
            raise SettingError(f"the game cannot be resumed: {game.fault}")
        self.load(game)
        self.opponent_model.resume(number, game)
        for (_, move), reason in zip(game.moves, game.reasons, strict=True):
            if reason:  # our own; the last one stays
                self._last_choice = Choice(move, reason)

    @property
    def opponent(self) -> StoredOpponent | None:
        """The opponent by name; None: a stranger."""
        return self.opponent_model.stored

    @property
    def opponent_estimate(self) -> EloEstimate | None:
        """The opponent's strength as believed now; None before a persona needs a belief."""
        return self.opponent_model.estimate

    def meet(self, opponent: StoredOpponent | None) -> None:
        """Plays against this opponent from now on; None: a stranger. Counts an ended game first."""
        self.settle()
        self.opponent_model.meet(opponent)

    def finish(self, points: float, won_by: str = "") -> None:
        """Records our result once a game, in points: 1 won, 0.5 drawn, 0 lost.

        won_by: SGF's text behind the plus: "R", "T", "F" or a score; empty if unknown.
        """
        how = partial(
            cause_of_end, self._game, self.final_status, self.opponent_model.our_color, points
        )
        persona, now = self.settings.persona, self._today()
        self.opponent_model.finish(persona, points, now, won_by=won_by, find_won_by=how)

    def finish_won_by(self, winner: int | None, won_by: str = "") -> None:
        """Records the client's result; None: a draw. Ignored unless one color is ours."""
        if self.opponent_model.our_color is not None:
            points = 0.5 if winner is None else float(winner == self.opponent_model.our_color)
            self.finish(points, won_by)

    def settle(self) -> None:
        """Records the result of an ended game, if one color is ours."""
        ours = self.opponent_model.our_color
        if self._game.is_ended and ours is not None and not self.opponent_model.is_finished:
            self.finish(points_of(self._game, self.final_status, ours))

    def limit(self, color: int) -> Limit:
        """Returns the limit of this color's search for a move in the present position."""
        worth = visits_worth(self.settings.persona, self.opponent_model.tracker)
        return self.clocks.limit(color, self._game, self.settings.budget, worth)

    @property
    def last_choice(self) -> Choice | None:
        """The engine's last choice in this game; None before the first."""
        return self._last_choice

    def genmove(
        self,
        color: int,
        *,
        play: bool = True,
        cleanup: bool = False,
        restriction: Restriction | None = None,
        stop: Callable[[], bool] = never,
        on_report: Callable[[Report], None] | None = None,
        report_every_seconds: float = 1.0,
        options: ReportOptions | None = None,
    ) -> Choice:
        """Chooses a move for a color, and takes it unless `play` is false or `stop` is true.

        cleanup: in Go, capture all dead stones before a pass. Raises GameOverError, and
        IllegalMoveError on the opponent's turn.
        """
        started, given, settings = self._now(), self.limit(color), self.settings.ending
        limit, self._search.path = self.opponent_model.observe(
            self._game,
            self.search,
            self.settings.persona,
            color=color,
            path=self._search.path,
            limit=given,
            pace_seconds=pace(self.clocks[color].control, self._game.width * self._game.height),
            today=self._today,
            now=self._now,
            people=self.human_policy,
        )
        position = self._search.set_position(self._game, color)
        persona, mixed = self.settings.persona, self.settings.persona.mixed
        request = MoveRequest(
            position=position,
            limit=limit,
            game=self._game.game_settings.game,
            ending=replace(settings, cleanup_before_pass=True) if cleanup else settings,
            past=[outlook for _, who, outlook in self._evaluations if who == color],
            restriction=restriction,
            persona=persona,
            reference=self.human_policy() if self.opponent_model.needs_people(persona) else None,
            biased=None if mixed is None else self.source.mixed_network(mixed.path),
            recent=(*self._game.recent[:-1], position),
            rng=self.rng,
            tracker=self.opponent_model.tracker,
            solve=self.settings.solve,
            stop=stop,
            on_report=on_report,
            report_every_seconds=report_every_seconds,
            options=options or ReportOptions(),
        )
        self._last_choice = choice = move_choice.choose(self.search, request)
        if pause := seconds_of(self.settings.budget, given, request, choice, self.human_policy):
            wait_until(started + pause, self._now, self._sleep, stop)
        self._chosen_after = len(self._game.moves)
        seconds = self._now() - started
        self.thinking_seconds += seconds
        return self.take(color, choice, seconds) if play and not stop() else choice

    def human_policy(self) -> HumanPolicy | None:
        """Returns the model of human moves; None: the search's own network stands in."""
        return self.source.human_policy_on(self._game.board)

    def take(
        self, color: int, choice: Choice, seconds: float = 0.0, *, played: int | None = None
    ) -> Choice:
        """Plays our own choice of so many seconds, or resigns by it; returns what was played.

        played: the chosen move with its outcome by chance; None: the session draws the outcome.
        """
        if choice.report is not None:
            root = choice.report.root
            outlook = TurnEvaluation(root.win_rate, root.score_lead)
            self._evaluations.append((len(self._game.moves), color, outlook))
        self.opponent_model.record_choice(self._game, self.settings.persona, color, choice)
        self.clocks.after_move(color, self.limit(color), seconds)
        if choice.move is None:
            self.resign(color)
            self.opponent_model.record_moves(self._game)
            return choice
        move = self._draw(self._game.position, choice.move) if played is None else played
        self.play(color, move, choice.reason)
        return choice if move == choice.move else replace(choice, move=move)

    def analyze(
        self,
        color: int,
        *,
        stop: Callable[[], bool],
        on_report: Callable[[Report], None],
        report_every_seconds: float,
        first_report_seconds: float | None = None,
        options: ReportOptions | None = None,
        restriction: Restriction | None = None,
        visits: int | None = None,
    ) -> Report | None:
        """Searches the position with this color to move, with reports, until `stop`.

        Reports come as from Search.run. Returns early after a last report once the search is
        exhausted. visits: the search ends with so many or a few more; None: by `stop` alone.
        Returns the result; None for a final game, without a report. Raises genmove's errors.
        """
        if self._game.is_final:
            return None
        search = self._search.for_analysis(self._game, color)

        def ends() -> bool:
            return (visits is not None and search.visits >= visits) or stop()

        report = search.run(
            Limit(visits=ANALYSIS_VISITS),
            stop=ends,
            on_report=on_report,
            report_every_seconds=report_every_seconds,
            first_report_seconds=first_report_seconds,
            options=options,
            restriction=restriction,
        )
        if not ends():
            on_report(report)
        return report

    def ponder(self, stop: Callable[[], bool]) -> None:
        """Searches the present position during the opponent's time."""
        if not self._game.is_ended:
            self._search.ponder(self._game, stop)

    def warm_up(self) -> None:
        """Searches one visit, so that no clock runs while a network is compiled for this size."""
        self._search.warm_up(self._game)

    def final_status(self) -> FinalStatus:
        """Returns living and dead stones and the score, or an estimate; kept until a move."""
        if self._final_status is None:
            game = self._game.game_settings.game
            self._final_status = judging.judge(self.evaluator, game, self._game.position)
        return self._final_status

    def change_settings(self, settings: SessionSettings) -> None:
        """Replaces the settings; a new persona or new search settings discard the tree."""
        if settings.persona != self.settings.persona:
            self.search.clear()
        self.settings = settings
        self._search.change_settings(settings)

    def clear_search(self) -> None:
        """Discards the search tree and the cached evaluations."""
        self._search.clear()
