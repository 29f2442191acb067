"""UGI as a conversation: answers questions about the rules, and searches until stopped.

COMMANDS is the table of commands; URGENCIES has their effect during a search. A line with a fault
changes nothing and is reported as `info string`; `go` is always answered. Text goes to `emit`, and
lines come from an inbox.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.errors import RecordError, SettingError
from engine.formats import transcript
from engine.games.clock import Clock, TimeControl
from engine.games.position import Position
from engine.games.table import GAMES, Board
from engine.personas import USUAL
from protocols.command_queue import CommandQueue, Input, Urgency
from protocols.lines import OverlongLine
from protocols.positions import option_lines, search_depth
from protocols.positions.command_lines import OVERLONG, answer
from protocols.positions.conversation import PlayerFor
from protocols.positions.option_lines import LineError, quoted
from protocols.positions.player import PositionAnalysis, PositionPlayer, ThinkingLimits, forced_move
from protocols.ugi import codec, fen
from protocols.ugi.codec import Go
from protocols.ugi.variants import DEFAULT, VARIANTS, variant

NO_MOVE: Final = "0000"  # as cutegames has it; where a move is read it means to pass
MOST_LINES = 20
SHORTEST_SECONDS = 0.001
NAME: Final = "Sparring"
AUTHOR: Final = "the Sparring authors"
FAULTS = (LineError, RecordError, SettingError)


class UgiEngine:
    """One conversation.

    player_for: returns a player of the board's game. emit: sends text, always whole lines.
    """

    def __init__(
        self,
        player_for: PlayerFor,
        emit: Callable[[str], None],
        inbox: Input,
        *,
        game: str = DEFAULT,
        persona: str = USUAL,
        opponent: str = "",
    ) -> None:
        self._player_for = player_for
        self._emit = emit
        self._lines = 1  # variations reported
        self._queue = CommandQueue(inbox, _urgency, at_once=self._answer)
        self._variant = variant(game)
        self._default = game.strip().lower()
        self._persona, self._opponent = persona, opponent
        self._player = self._new_player(self._variant)
        self._player.follow(self._variant.start(), [])

    def _new_player(self, chosen: Board) -> PositionPlayer:
        """Returns a player of a game, with the persona and the opponent set."""
        player = self._player_for(chosen)
        player.set_persona(self._persona)
        player.meet(self._opponent)
        return player

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""
        while (line := self._queue.next()) is not None:
            if not self.handle(line):
                return

    def handle(self, line: str) -> bool:
        """Answers one line; False when it was `quit`."""
        if isinstance(line, OverlongLine):
            self._emit(OVERLONG)
            return True
        words = option_lines.words_of(line)
        if words[:1] == ["quit"]:
            return False
        if words:
            self._answer(line)
        return True

    def _answer(self, line: str) -> None:
        answer(line, COMMANDS, self, self._emit, FAULTS)

    # ---- Identity, options, the game

    def identify(self, _words: Sequence[str]) -> None:
        """Answers the name and the options."""
        names = list(VARIANTS) if self._default in VARIANTS else [*VARIANTS, self._default]
        self._emit(
            f"id name {NAME}\nid author {AUTHOR}\n"
            + codec.combination("Game", self._default, names)
            + option_lines.spin("MultiPV", 1, 1, MOST_LINES)
            + option_lines.text("Persona", self._persona)
            + option_lines.text("Opponent", self._opponent)
            + "ugiok\n"
        )

    def ready(self, _words: Sequence[str]) -> None:
        """Answers that all earlier lines are done."""
        self._emit("readyok\n")

    def set_option(self, words: Sequence[str]) -> None:
        """Sets Game, MultiPV, Persona or Opponent."""
        name, value = option_lines.read_option(words)
        setter = OPTIONS.get(name.casefold())
        if setter is None:
            raise SettingError(f"no option {quoted(name)}")
        setter(self, value)

    def set_game(self, value: str) -> None:
        """Sets the game and begins it."""
        chosen = variant(value)
        if chosen.game != self._variant.game:
            self._player = self._new_player(chosen)
        self._variant = chosen
        self._player.follow(chosen.start(), [])

    def set_lines(self, value: str) -> None:
        """Sets the number of variations reported."""
        if not value.isdecimal() or not value.isascii() or not 1 <= int(value) <= MOST_LINES:
            raise SettingError(f"MultiPV is from 1 to {MOST_LINES}, not {quoted(value)}")
        self._lines = int(value)

    def set_persona(self, value: str) -> None:
        """Sets the persona."""
        self._player.set_persona(value)
        self._persona = value

    def set_opponent(self, value: str) -> None:
        """Names the opponent; without a name it is the usual one."""
        name = "" if value == option_lines.EMPTY else value
        self._player.meet(name)
        self._opponent = name

    def new_game(self, _words: Sequence[str]) -> None:
        """Forgets the search and begins another game."""
        self._player.clear_search()
        self._player.follow(self._variant.start(), [])

    def position(self, words: Sequence[str]) -> None:
        """Sets the position; adds the passes that the moves imply."""
        command = codec.read_position(words)
        reader = POSITIONS.get(command.kind)
        if reader is None:
            raise LineError(f"position needs startpos, fen or pons, not {quoted(command.kind)}")
        start, moves = reader(self._variant, command.text)
        board = start.copy()
        for move in moves:
            board.play(move)
        for number, word in enumerate(command.moves, 1):
            try:
                moves += transcript.play(board, self._read_move(word, board))
            except ValueError as error:
                raise LineError(f"move {number}, {quoted(word)}: {error}") from error
        self._player.follow(start, moves)

    def query(self, words: Sequence[str]) -> None:
        """Answers a question about the position."""
        answer = QUERIES.get(" ".join(words))
        if answer is None:
            raise LineError(f"query {quoted(' '.join(words))} is none of {', '.join(QUERIES)}")
        self._emit(codec.response(answer(self._player.position)))

    def stop(self, _words: Sequence[str]) -> None:
        """Does nothing: the search has ended by now."""

    # ---- Searching

    def go(self, words: Sequence[str]) -> None:
        """Searches within the limits of `go` and answers the best move."""
        wanted, wrong = codec.read_go(words)
        if wrong:
            self._emit(option_lines.note(f"go: no such limit {quoted(' '.join(wrong))}"))
        best = NO_MOVE
        try:
            best = self._best_move(wanted)
            if wanted.infinite:
                self._queue.wait()
        finally:
            self._emit(option_lines.best_move(best))

    def _best_move(self, wanted: Go) -> str:
        """Returns the move to answer; a forced one at once."""
        position = self._player.position
        if position.is_over:
            self._emit(option_lines.note("the game is over"))
            return NO_MOVE
        only = forced_move(position)
        if only is not None and not wanted.infinite:
            return self._write_move(only)
        return self._search(wanted)

    def _search(self, wanted: Go) -> str:
        """Returns the move after a last report of the search."""
        think = self._player.analyze if wanted.infinite else self._player.choose
        stop = self._queue.interrupted
        if wanted.infinite:
            stop = self._queue.interrupted_or_ended
        limits = _limits(wanted, self._player.position, self._variant.game)
        analysis = think(limits, stop=stop, on_analysis=self._send)
        self._send(analysis)
        return self._write_move(analysis.lines[0].variation[0]) if analysis.lines else NO_MOVE

    def _send(self, analysis: PositionAnalysis) -> None:
        milliseconds = round(1000 * analysis.seconds)
        speed = round(analysis.nodes / max(analysis.seconds, SHORTEST_SECONDS))
        parts = []
        for number, line in enumerate(analysis.lines[: self._lines], 1):
            centipawns = 100 * line.score
            if self._variant.game == "connect4":
                centipawns = 200 * line.win_rate - 100
            moves = " ".join(map(self._write_move, line.variation))
            several = f" multipv {number}" if self._lines > 1 else ""
            parts.append(
                f"info depth {len(line.variation)}{several} score cp {round(centipawns)} "
                f"nodes {analysis.nodes} nps {speed} time {milliseconds} pv {moves}\n"
            )
            if number == 1 and line.is_exact:
                parts.append(option_lines.note(f"exact score {line.score:+g}"))
        self._emit("".join(parts))

    def _read_move(self, word: str, board: Position) -> int:
        if word == NO_MOVE and board.pass_move >= 0:
            return board.pass_move
        return GAMES[self._variant.game].read_move(word, board.width, board.height)

    def _write_move(self, move: int) -> str:
        position = self._player.position
        return GAMES[self._variant.game].write_move(move, position.width, position.height)


def _limits(wanted: Go, position: Position, game: str) -> ThinkingLimits:
    """Returns the limits of `go`; those of the usual depth for a bare one."""
    if wanted.infinite:
        return ThinkingLimits(exact_empties=search_depth.exact_empties(game, search_depth.HIGHEST))
    if wanted == Go():
        return ThinkingLimits(visits=search_depth.visits(search_depth.DEFAULT_DEPTH))
    visits = [] if wanted.nodes is None else [wanted.nodes]
    if wanted.depth is not None:
        visits.append(search_depth.visits(wanted.depth))
    clock = None
    left = wanted.times[position.to_move]
    if left is not None:
        increment = wanted.increments[position.to_move] / 1000
        main = max(left / 1000, SHORTEST_SECONDS)
        clock = Clock(TimeControl.fischer(main, increment), main=main)
    seconds = None if wanted.move_time is None else wanted.move_time / 1000
    return ThinkingLimits(min(visits, default=None), wanted.nodes, seconds, clock)


def _urgency(line: str) -> Urgency:
    words = option_lines.words_of(line)
    return URGENCIES.get(words[0], Urgency.LATER) if words else Urgency.LATER


def _result(position: Position) -> str:
    if not position.is_over:
        return "none"
    return {0: "p1win", 1: "p2win"}.get(position.winner, "draw")


URGENCIES = {
    "stop": Urgency.STOP,
    "quit": Urgency.STOP_ALL,
    "go": Urgency.THINK,
    "isready": Urgency.AT_ONCE,
    "query": Urgency.AT_ONCE,
}
QUERIES: dict[str, Callable[[Position], str]] = {
    "gameover": lambda position: codec.truth(position.is_over),
    "p1turn": lambda position: codec.truth(position.to_move == 0),
    "result": _result,
}


def _from_start(chosen: Board, text: str) -> tuple[Position, list[int]]:
    if text:
        raise LineError(f"startpos is followed by moves, not {quoted(text)}")
    return chosen.start(), []


def _from_fen(chosen: Board, text: str) -> tuple[Position, list[int]]:
    return fen.read(chosen.game, text), []


def _from_transcript(chosen: Board, text: str) -> tuple[Position, list[int]]:
    return chosen.start(), transcript.read(chosen.game, text, chosen.start())


POSITIONS: dict[str, Callable[[Board, str], tuple[Position, list[int]]]] = {
    "startpos": _from_start,
    "fen": _from_fen,
    "pons": _from_transcript,  # Connect4's digits; Othello's "f5d6c3" too
}
OPTIONS: dict[str, Callable[[UgiEngine, str], None]] = {
    "game": UgiEngine.set_game,
    "multipv": UgiEngine.set_lines,
    "persona": UgiEngine.set_persona,
    "opponent": UgiEngine.set_opponent,
}
COMMANDS: dict[str, Callable[[UgiEngine, Sequence[str]], None]] = {
    "ugi": UgiEngine.identify,
    "isready": UgiEngine.ready,
    "setoption": UgiEngine.set_option,
    "uginewgame": UgiEngine.new_game,
    "position": UgiEngine.position,
    "query": UgiEngine.query,
    "go": UgiEngine.go,
    "stop": UgiEngine.stop,
}
