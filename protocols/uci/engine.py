"""UCI as a conversation: answers a GUI, and gives one best move for each `go`.

COMMANDS is the table of commands; URGENCIES has their effect during a search; OPTIONS is the table
of options. A line with a fault changes nothing and is reported as `info string`. Text goes to
`emit`, and lines come from an inbox.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.errors import SettingError
from engine.games.chess_game import new_position, read_uci, write_uci
from engine.games.clock import Clock, TimeControl
from engine.games.table import Board, usual_board
from engine.personas import USUAL
from protocols.command_queue import CommandQueue, Input, Urgency
from protocols.lines import OverlongLine
from protocols.positions import option_lines, search_depth
from protocols.positions.command_lines import OVERLONG, answer
from protocols.positions.conversation import PlayerFor
from protocols.positions.option_lines import LineError, quoted
from protocols.positions.player import PositionAnalysis, PositionPlayer, ThinkingLimits
from protocols.uci import codec
from protocols.uci.codec import NO_MOVE, UciLimits
from protocols.uci.elo_scale import ladder_elo

NAME: Final = "Sparring"
AUTHOR: Final = "the Sparring authors"
FAULTS = (LineError, SettingError)
CHESS: Final = "chess"
MOST_LINES = 100
USUAL_OVERHEAD, MOST_OVERHEAD = 100, 5000  # milliseconds
SHORTEST_SECONDS = 0.001
LOWEST_ELO, USUAL_ELO, HIGHEST_ELO = 0, 1500, 4000
MOST_MEGABYTES, MOST_THREADS = 1 << 20, 1024
TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class UciSettings:
    """The options as the GUI has set them."""

    lines: int = 1  # variations reported
    shows_wdl: bool = False
    is_limited: bool = False  # by `elo`
    elo: int = USUAL_ELO
    is_chess960: bool = False
    analyses: bool = False  # searches at full strength, whatever the persona
    overhead: int = USUAL_OVERHEAD  # milliseconds kept back from each move
    persona: str = USUAL
    opponent: str = ""  # as protocols.opponent_identity reads it
    tables: str = ""  # folders of Syzygy tables; empty: the engine's own ones

    @property
    def played(self) -> str:
        """The persona that plays: a fixed level under UCI_LimitStrength."""
        return f"level:{ladder_elo(self.elo):.0f}" if self.is_limited else self.persona


class UciEngine:
    """One conversation.

    player_for: returns a player of the board's game. emit: sends text, always whole lines.
    """

    def __init__(
        self,
        player_for: PlayerFor,
        emit: Callable[[str], None],
        inbox: Input,
        *,
        persona: str = USUAL,
        opponent: str = "",
    ) -> None:
        self._emit = emit
        self._queue = CommandQueue(inbox, _urgency, at_once=self._answer)
        self.settings = UciSettings(persona=persona, opponent=opponent)
        self._player: PositionPlayer = player_for(BOARD)
        self._player.set_persona(persona)
        self._player.meet(opponent)
        self._start: Any = new_position()
        self._player.follow(self._start, [])
        self._quits = False
        self._kept: str | None = None

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""
        while not self._quits and (line := self._next()) is not None:
            self.handle(line)

    def _next(self) -> str | None:
        """Returns the next line, one kept from the end of pondering first."""
        line, self._kept = self._kept, None
        return self._queue.next() if line is None else line

    def handle(self, line: str) -> None:
        """Answers one line."""
        if isinstance(line, OverlongLine):
            self._emit(OVERLONG)
        elif option_lines.words_of(line):
            self._answer(line)

    def _answer(self, line: str) -> None:
        answer(line, COMMANDS, self, self._emit, FAULTS)

    # ---- Identity, options, the game

    def identify(self, _words: Sequence[str]) -> None:
        """Answers the name and the options."""
        usual, set_now = UciSettings(), self.settings
        self._emit(
            f"id name {NAME}\nid author {AUTHOR}\n"
            + option_lines.spin("Hash", 16, 1, MOST_MEGABYTES)
            + option_lines.spin("Threads", 1, 1, MOST_THREADS)
            + option_lines.spin("MultiPV", usual.lines, 1, MOST_LINES)
            + option_lines.spin("Move Overhead", usual.overhead, 0, MOST_OVERHEAD)
            + option_lines.spin("UCI_Elo", usual.elo, LOWEST_ELO, HIGHEST_ELO)
            + codec.check("UCI_LimitStrength", default=False)
            + codec.check("UCI_ShowWDL", default=False)
            + codec.check("UCI_AnalyseMode", default=False)
            + codec.check("UCI_Chess960", default=False)
            + codec.check("Ponder", default=False)
            + option_lines.text("SyzygyPath", "")
            + option_lines.text("UCI_Opponent", "")
            + option_lines.text("Persona", set_now.persona)
            + option_lines.text("Opponent", set_now.opponent)
            + "uciok\n"
        )

    def ready(self, _words: Sequence[str]) -> None:
        """Answers that all earlier lines are done."""
        self._emit("readyok\n")

    def set_option(self, words: Sequence[str]) -> None:
        """Sets an option of OPTIONS. Raises SettingError on an unknown one or a wrong value."""
        name, value = option_lines.read_option(words)
        row = OPTIONS.get(name.casefold())
        if row is None:
            raise SettingError(f"no option {quoted(name)}")
        changed = row(self.settings, "" if value == option_lines.EMPTY else value)
        if changed.played != self.settings.played:
            self._player.set_persona(changed.played)
        if changed.tables != self.settings.tables:
            self._player.set_tables(changed.tables)
        if changed.opponent != self.settings.opponent:
            self._player.meet(changed.opponent)
        self.settings = changed

    def new_game(self, _words: Sequence[str]) -> None:
        """Forgets the search and begins another game."""
        self._player.clear_search()
        self._player.follow(self._start, [])

    def position(self, words: Sequence[str]) -> None:
        """Sets the position. Raises LineError on an impossible one."""
        command = codec.read_position(words)
        start = self._start_of(command.fen)
        board, moves = start.copy(), []
        for number, word in enumerate(command.moves, 1):
            try:
                moves.append(board.read_move(word))
                board.play(moves[-1])
            except ValueError as error:
                raise LineError(f"move {number}, {quoted(word)}: {error}") from error
        self._player.follow(start, moves)

    def _start_of(self, fen: str) -> Any:  # noqa: ANN401 (python-chess is an optional module)
        if not fen and not self.settings.is_chess960:
            return self._start
        from engine.games.chess_position import ChessPosition  # noqa: PLC0415 (the same)

        chess960 = self.settings.is_chess960
        try:
            return ChessPosition(fen or self._start.fen, chess960=chess960)
        except ValueError as error:
            raise LineError(str(error)) from error

    def nothing(self, _words: Sequence[str]) -> None:
        """Does nothing: `stop` and `ponderhit` have no search to end, `debug` no effect."""

    def quit(self, _words: Sequence[str]) -> None:
        """Ends the conversation."""
        self._quits = True

    # ---- Searching

    def go(self, words: Sequence[str]) -> None:
        """Searches within the limits of `go` and answers the best move."""
        wanted, wrong = codec.read_go(words)
        if wrong:
            self._emit(option_lines.note(f"go: no such limit {quoted(' '.join(wrong))}"))
        best: tuple[str, ...] = (NO_MOVE,)
        try:
            best = self._best_moves(wanted)
        finally:
            reply = f" ponder {best[1]}" if len(best) > 1 else ""
            self._emit(option_lines.best_move(best[0] + reply))

    def _best_moves(self, wanted: UciLimits) -> tuple[str, ...]:
        """Returns the best move and the expected reply; NO_MOVE at the end of the game."""
        position: Any = self._player.position
        if position.is_over:
            playable = position.after_draw()
            if playable is None:
                if wanted.infinite or wanted.ponder:
                    self._queue.wait()
                return (NO_MOVE,)
            self._player.follow(playable, [])
        limits = self.limits_of(wanted)
        if wanted.ponder:
            analysis = self._search(replace(limits, seconds=None, clock=None), endless=True)
            if self._is_hit():
                analysis = self._search(limits, endless=False)
        else:
            analysis = self._search(limits, endless=wanted.infinite)
            if wanted.infinite:
                self._queue.wait()
        line = analysis.lines[0].variation if analysis.lines else ()
        if not line:  # a search that was stopped before its first evaluation
            line = tuple(self._player.position.legal_moves()[:1])
        return tuple(write_uci(move) for move in line[:2])

    def _is_hit(self) -> bool:
        """Answers lines up to the end of pondering; returns whether it was `ponderhit`."""
        while (line := self._queue.next()) is not None:
            words = option_lines.words_of(line)
            if words[:1] == ["quit"]:
                self._quits = True
            if words[:1] in (["ponderhit"], ["stop"], ["quit"]):
                return words[0] == "ponderhit"
            if words[:1] in (["go"], ["position"], ["ucinewgame"]):
                self._kept = line
                return False
            self.handle(line)
        return False

    def _search(self, limits: ThinkingLimits, *, endless: bool) -> PositionAnalysis:
        """Searches and reports; endless: until a line ends it."""
        analyses = endless or self.settings.analyses
        think = self._player.analyze if analyses else self._player.choose
        stop = self._queue.interrupted_or_ended if endless else self._queue.interrupted
        analysis = think(limits, stop=stop, on_analysis=self._send)
        self._send(analysis)
        return analysis

    def limits_of(self, wanted: UciLimits) -> ThinkingLimits:
        """Returns the limits of `go`. A `go` with none takes the usual time."""
        position = self._player.position
        allowed = []
        for word in wanted.moves:
            try:
                allowed.append(read_uci(word))
            except ValueError as error:
                raise LineError(f"searchmoves: {error}") from error
        visits = [] if wanted.nodes is None else [wanted.nodes]
        if wanted.depth is not None:
            visits.append(search_depth.visits(wanted.depth))
        if wanted.mate is not None:
            visits.append(search_depth.visits(2 * wanted.mate))
        move_time = wanted.move_time
        return ThinkingLimits(
            visits=min(visits, default=None),
            playouts=wanted.nodes,
            seconds=None if move_time is None else self._thinking_seconds(move_time),
            clock=self._clock(wanted, position.to_move),
            only=tuple(allowed),
            lines=self.settings.lines,
        )

    def _clock(self, wanted: UciLimits, color: int) -> Clock | None:
        """Returns the clock of a color, less the overhead; None without one."""
        left = wanted.times[color]
        if left is None:
            return None
        main = self._thinking_seconds(left)
        if wanted.moves_to_go is not None:
            control = TimeControl.canadian(0.0, main, wanted.moves_to_go)
            return Clock.start(control).stated(main, wanted.moves_to_go)
        return Clock(TimeControl.fischer(main, wanted.increments[color] / 1000), main=main)

    def _thinking_seconds(self, milliseconds: int) -> float:
        """Returns the time without the overhead, at least half of it."""
        left = max(milliseconds - self.settings.overhead, milliseconds / 2)
        return max(left / 1000, SHORTEST_SECONDS)

    def _send(self, analysis: PositionAnalysis) -> None:
        milliseconds = round(1000 * analysis.seconds)
        speed = round(analysis.nodes / max(analysis.seconds, SHORTEST_SECONDS))
        several = self.settings.lines > 1
        for number, line in enumerate(analysis.lines[: self.settings.lines], 1):
            moves = " ".join(map(write_uci, line.variation))
            score = codec.score(line, shows_wdl=self.settings.shows_wdl)
            self._emit(
                f"info depth {len(line.variation)}{f' multipv {number}' if several else ''} "
                f"score {score} nodes {analysis.nodes} nps {speed} time {milliseconds} "
                f"pv {moves}\n"
            )


BOARD: Final[Board] = usual_board(CHESS)


def _urgency(line: str) -> Urgency:
    words = option_lines.words_of(line)
    return URGENCIES.get(words[0], Urgency.LATER) if words else Urgency.LATER


def _truth(value: str) -> bool:
    if value.lower() not in TRUTHS:
        raise SettingError(f"{quoted(value)} is neither true nor false")
    return TRUTHS[value.lower()]


def _whole(value: str, low: int, high: int) -> int:
    number = option_lines.integer(value)
    if number is None or not low <= number <= high:
        raise SettingError(f"{quoted(value)} is not a number from {low} to {high}")
    return number


def _unused(settings: UciSettings, value: str) -> UciSettings:
    """Checks a number of the GUI's that the engine has no use for."""
    _whole(value, 1, MOST_MEGABYTES)
    return settings


def _unused_truth(settings: UciSettings, value: str) -> UciSettings:
    """Checks that a value is true or false: `go ponder` needs no option."""
    _truth(value)
    return settings


URGENCIES = {
    "stop": Urgency.STOP,
    "ponderhit": Urgency.STOP,
    "quit": Urgency.STOP_ALL,
    "go": Urgency.THINK,
    "isready": Urgency.AT_ONCE,
}
OPTIONS: dict[str, Callable[[UciSettings, str], UciSettings]] = {
    "hash": _unused,
    "threads": _unused,
    "multipv": lambda each, value: replace(each, lines=_whole(value, 1, MOST_LINES)),
    "move overhead": lambda each, value: replace(each, overhead=_whole(value, 0, MOST_OVERHEAD)),
    "uci_elo": lambda each, value: replace(each, elo=_whole(value, LOWEST_ELO, HIGHEST_ELO)),
    "uci_limitstrength": lambda each, value: replace(each, is_limited=_truth(value)),
    "uci_showwdl": lambda each, value: replace(each, shows_wdl=_truth(value)),
    "uci_analysemode": lambda each, value: replace(each, analyses=_truth(value)),
    "uci_chess960": lambda each, value: replace(each, is_chess960=_truth(value)),
    "ponder": _unused_truth,
    "syzygypath": lambda each, value: replace(each, tables=value),
    "uci_opponent": lambda each, value: replace(each, opponent=codec.read_opponent(value)),
    "persona": lambda each, value: replace(each, persona=value),
    "opponent": lambda each, value: replace(each, opponent=value),
}
COMMANDS: dict[str, Callable[[UciEngine, Sequence[str]], None]] = {
    "uci": UciEngine.identify,
    "isready": UciEngine.ready,
    "setoption": UciEngine.set_option,
    "ucinewgame": UciEngine.new_game,
    "position": UciEngine.position,
    "go": UciEngine.go,
    "stop": UciEngine.nothing,
    "ponderhit": UciEngine.nothing,
    "debug": UciEngine.nothing,
    "quit": UciEngine.quit,
}
