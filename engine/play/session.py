"""One game being played, with its clocks and the search that thinks about it.

The only object with changing game state; what concerns the board alone is in engine.games.game. It
knows no protocol, leaves what is particular about a game to the tables of engine.games.adjudication
and engine.play.move_choice, and does not choose moves itself. Used by one thread at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from engine.errors import GameOverError, SettingError
from engine.games.clock import pace
from engine.games.game import Game
from engine.games.game_record import GameRecord
from engine.games.game_settings import GameInFile, GameSettings, GoSettings
from engine.games.go_ending import TurnEvaluation
from engine.games.position import Position
from engine.networks.human_policy import HumanPolicy
from engine.opponents import RESIGNED, OpponentModel, StoredGame, StoredOpponent
from engine.play import move_choice
from engine.play.search_source import OneSearch, SearchSource
from engine.play.session_clocks import SessionClocks
from engine.play.session_settings import SessionSettings
from engine.play.steps.request import MoveRequest
from engine.search import judging
from engine.search.search import ReportOptions, Restriction, Search, SearchSettings, never
from engine.values import Choice, FinalStatus, Limit, Report

PONDER_SECONDS = 120.0
ANALYSIS_VISITS = 1_000_000  # beyond them more time finds little, and the tree fills the memory


class Session:
    """One game and the search that thinks about it: the one facade for all conversations.

    source: gives the search for each new game, and networks beside it; None: `search` alone. An
    error of the source leaves the game as it was. seed: of every random choice; None: random.
    """

    def __init__(
        self,
        search: Search,
        settings: SessionSettings | None = None,
        *,
        terms: GameSettings | None = None,  # None: Go's usual ones
        source: SearchSource | None = None,
        seed: int | None = None,
        now: Callable[[], float] = time.monotonic,
        today: Callable[[], float] = time.time,  # seconds since 1970
    ) -> None:
        self.search = search
        self.rng = np.random.default_rng(seed)
        self.source = source or OneSearch(search)
        self.thinking_seconds = 0.0  # spent on all moves since the beginning
        self._now = now
        self._today = today
        # Moves since the search was last shown this game; None where it can't follow them.
        self._path: list[int] | None = None
        self._verdict: FinalStatus | None = None
        self._outlooks: list[
            tuple[int, int, TurnEvaluation]
        ] = []  # after so many moves, a color's view
        self._last_choice: Choice | None = None
        self._chosen_after = -1  # number of moves before the last choice of genmove
        self.clocks = SessionClocks()
        self.opponent_model = OpponentModel()
        self.settings = SessionSettings()
        self.change_settings(settings or self.settings)
        self._game = Game.new(terms or GoSettings())

    # ---- The game

    @property
    def game(self) -> Game:
        """The game as far as it has gone; methods of the session change it."""
        return self._game

    def start_over(self, size: tuple[int, int] | None = None) -> None:
        """Clears the board for a new game, of another (width, height) where one is given.

        Raises ValueError, with nothing changed, on a board that the game is not played on.
        """
        self._begin(self._game.start_over(size))

    def load(self, record: GameInFile) -> None:
        """Takes over a game of the same kind that was read from a file."""
        self._begin(self._game.load(record))

    def set_up(self, stones: Iterable[tuple[int, int]], to_move: int = 0) -> None:
        """Begins a game from these stones, as Game.set_up does."""
        self._go_on(self._game.set_up(stones, to_move))

    def play(self, color: int, move: int, reason: str = "") -> None:
        """Plays a move as Game.play does; the search follows it where it can.

        reason: the reason of our own choice, where the move is one.
        """
        before, path = self._game.position, self._path
        game = self._game.play(color, move)
        if path is not None:
            in_turn = color == before.to_move and not before.is_over
            path = [*path, move] if in_turn else None
        self._go_on(game, path, reason)

    def play_all(self, moves: Iterable[Callable[[Position], tuple[int, int]]]) -> None:
        """Plays moves as Game.play_all does; raises its error after the moves before it."""
        game, error = self._game.play_all(moves)
        if game is not self._game:
            self._go_on(game)
        if error is not None:
            raise error

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        """Goes to the position after these moves; keeps the tree if they continue the game.

        A move that the engine chose there counts as its own. Raises ValueError on an illegal move,
        and an error of the source on another board.
        """
        beginning = GameRecord.from_start(self._game.terms, start, ())
        played = [move for _, move in self._game.moves]
        begun = replace(self._game.record, moves=(), implied=frozenset())
        if begun != beginning or played != list(moves[: len(played)]):
            self.load(beginning)
            played = []
        for number, move in enumerate(moves[len(played) :], len(played)):
            choice, color = self._last_choice, self._game.position.to_move
            if choice is not None and (self._chosen_after, choice.move) == (number, move):
                self.take(color, choice)
            else:
                self.play(color, move)

    def undo(self, number: int = 1) -> None:
        """Takes the last moves back as Game.undo does."""
        self._go_on(self._game.undo(number))

    def agree(self, terms: GameSettings) -> None:
        """Changes the terms of the game under way; the game itself stays."""
        game = self._game.agree(terms)
        if game is not self._game:
            self._go_on(game)

    def resign(self, color: int) -> None:
        """Notes that a color gave up."""
        self._game = self._game.resign(color)

    def _go_on(self, game: Game, path: list[int] | None = None, reason: str = "") -> None:
        """Takes over the game with moves added or taken back.

        path: the moves from the search's position to the game's; None where the search cannot
        follow. reason: of the last move, where the engine chose it.
        """
        self._arrive(game, path)
        self.opponent_model.record_moves(game, reason)

    def _begin(self, game: Game) -> None:
        """Takes over another game."""
        self.settle()
        self.search = self.source.search_on(game.board)
        self.opponent_model.begin(game.board)
        self._arrive(game, None)
        self._outlooks.clear()
        self._last_choice = None
        self.clocks.restart()

    def _arrive(self, game: Game, path: list[int] | None) -> None:
        self._game, self._path, self._verdict = game, path, None
        self._outlooks = [entry for entry in self._outlooks if entry[0] < len(game.moves)]

    def resume(self, number: int, game: StoredGame) -> None:
        """Goes on with a game of this opponent that was noted under that number.

        Raises SettingError, with nothing changed, where its record has a fault.
        """
        if game.fault:
            raise SettingError(f"the game cannot be resumed: {game.fault}")
        self.load(game)
        self.opponent_model.resume(number, game)
        for (_, move), reason in zip(game.moves, game.reasons, strict=True):
            if reason:  # ours, the last of them at last
                self._last_choice = Choice(move, reason)

    def meet(self, opponent: StoredOpponent | None) -> None:
        """Plays against this opponent from now on; None: a stranger. Counts an ended game first."""
        self.settle()
        self.opponent_model.meet(opponent)

    def finish(self, points: float, won_by: str = "") -> None:
        """Learns how the game ended, in our points: 1 won, 0.5 drawn, 0 lost; once a game.

        won_by: as SGF has it behind the plus, where somebody said so: "R", "T", "F" or a score.
        """
        persona, now = self.settings.persona, self._today()
        self.opponent_model.finish(
            persona, points, now, won_by=won_by, find_won_by=self._how_it_ended
        )

    def finish_won_by(self, winner: int | None, won_by: str = "") -> None:
        """Learns the result from the client; None: a draw. Ignored unless one color is ours."""
        if self.opponent_model.our_color is not None:
            points = 0.5 if winner is None else float(winner == self.opponent_model.our_color)
            self.finish(points, won_by)

    def _how_it_ended(self) -> str:
        if self._game.resigned is not None:
            return RESIGNED
        return f"{abs(self.verdict().black_score):g}" if self._game.is_ended else ""

    def settle(self) -> None:
        """Finishes a game that has ended, where one of its sides was ours."""
        ours, resigned = self.opponent_model.our_color, self._game.resigned
        if not self._game.is_ended or ours is None or self.opponent_model.is_finished:
            return
        black_score = self.verdict().black_score if resigned is None else 2.0 * resigned - 1
        score = black_score if ours == 0 else -black_score
        self.finish(0.5 if score == 0 else float(score > 0))

    # ---- Time

    def limit(self, color: int) -> Limit:
        """Returns the limit of this color's search for a move in the present position."""
        return self.clocks.limit(color, self._game, self.settings.budget)

    # ---- Thinking

    @property
    def last_choice(self) -> Choice | None:
        """What the engine chose last in this game, and why; None while it chose nothing."""
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
        """The engine's move for a color, played unless `play` is false or it was told to stop.

        cleanup: all dead stones are captured before it passes, in Go. Raises GameOverError, and
        IllegalMoveError where it is not this color's turn.
        """
        started = self._now()
        settings = self.settings.ending
        limit, self._path = self.opponent_model.observe(
            self._game,
            self.search,
            self.settings.persona,
            color=color,
            path=self._path,
            limit=self.limit(color),
            pace_seconds=pace(self.clocks[color].control, self._game.width * self._game.height),
            today=self._today,
            now=self._now,
        )
        position = self._show_search(color, self.settings.search)
        mixed = self.settings.persona.mixed
        request = MoveRequest(
            position=position,
            limit=limit,
            game=self._game.terms.game,
            ending=replace(settings, cleanup_before_pass=True) if cleanup else settings,
            past=[outlook for _, who, outlook in self._outlooks if who == color],
            restriction=restriction,
            persona=self.settings.persona,
            reference=self._reference(),
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
        self._chosen_after = len(self._game.moves)
        seconds = self._now() - started
        self.thinking_seconds += seconds
        if play and not stop():
            self.take(color, choice, seconds)
        return choice

    def _reference(self) -> HumanPolicy | None:
        """What is natural here, where the persona asks for it."""
        if not self.settings.persona.needs_human_policy:
            return None
        return self.source.human_policy_on(self._game.board)

    def take(self, color: int, choice: Choice, seconds: float = 0.0) -> None:
        """Plays a move that the engine chose here, which cost so much time; it may resign."""
        if choice.report is not None:
            root = choice.report.root
            outlook = TurnEvaluation(root.win_rate, root.score_lead)
            self._outlooks.append((len(self._game.moves), color, outlook))
        self.opponent_model.record_choice(self._game, self.settings.persona, color, choice)
        self.clocks.after_move(color, self.limit(color), seconds)
        if choice.move is None:
            self.resign(color)
            self.opponent_model.record_moves(self._game)
        else:
            self.play(color, choice.move, choice.reason)

    def analyze(
        self,
        color: int,
        *,
        stop: Callable[[], bool],
        on_report: Callable[[Report], None],
        report_every_seconds: float,
        options: ReportOptions | None = None,
        restriction: Restriction | None = None,
    ) -> None:
        """Searches the position with this color to move, reporting, until told to stop.

        Returns early, after a last report, where nothing is left to find; of a game that is over
        for good there is none. Raises IllegalMoveError as genmove does.
        """
        if self._game.is_final:
            return
        self._show_search(color, self._analysis_search)
        report = self.search.run(
            Limit(visits=ANALYSIS_VISITS),
            stop=stop,
            on_report=on_report,
            report_every_seconds=report_every_seconds,
            options=options,
            restriction=restriction,
        )
        if not stop():
            on_report(report)

    def ponder(self, stop: Callable[[], bool]) -> None:
        """Thinks on the opponent's time, about the position as it stands."""
        if not self._game.is_ended:
            self._show_search(self._game.position.to_move, self.settings.search)
            limit = Limit(visits=ANALYSIS_VISITS, max_seconds=PONDER_SECONDS)
            self.search.run(limit, stop=stop)

    def warm_up(self) -> None:
        """Makes ready for this board's size, so that no clock runs while a network is compiled."""
        self._show_search(self._game.position.to_move, self.settings.search)
        self.search.run(Limit(visits=1))

    def verdict(self) -> FinalStatus:
        """Who lives and the score: of a finished game the result, else an estimate.

        The same until the game changes: asking twice never gives two answers.
        """
        if self._verdict is None:
            network = self.search.evaluator
            self._verdict = judging.judge(network, self._game.terms.game, self._game.position)
        return self._verdict

    def change_settings(self, settings: SessionSettings) -> None:
        """Replaces the settings; the tree is dropped where they alter how it grows or is used."""
        if settings.persona != self.settings.persona:
            self.search.clear()
        self.settings = settings
        noise = settings.analysis_wide_root_noise
        self._analysis_search = settings.search
        if noise != settings.search.wide_root_noise:
            self._analysis_search = settings.search.copy()
            self._analysis_search.wide_root_noise = noise

    def clear_search(self) -> None:
        """Forgets what the search knows, the evaluations included."""
        self.search.clear()
        if self.search.cache is not None:
            self.search.cache.clear()

    def _show_search(self, color: int, settings: SearchSettings) -> Position:
        """The position to think about for this color, after the search has been set to it.

        Raises GameOverError, and IllegalMoveError where it is not this color's turn.
        """
        position, path = self._game.position, self._path
        if position.is_over:  # asked to go on all the same: what is there left to do?
            if self._game.adjudication.resume is None:
                raise GameOverError("the game is over")
            position, path = self._game.adjudication.resume(position, color), None
        elif position.to_move != color:
            position, path = self._game.adjudication.at_turn_of(position, color)[0], None
        if self.search.settings is not settings:
            self.search.change_settings(settings)
        self.search.set_position(position, path)
        self._path = [] if position is self._game.position else None
        return position
