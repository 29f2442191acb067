"""UGI as a conversation: the rules of the game answered, moves searched for, on request stopped.

Knows the table of commands and what may be asked while a search runs. What cannot be followed is
told as `info string` and changes nothing; `go` is always answered. Reads and writes nothing itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final

from engine.errors import RecordError, SettingError
from engine.formats import transcript
from engine.games.clock import Clock, TimeControl
from engine.games.position import Position
from engine.games.table import GAMES, Board
from engine.personas import USUAL
from protocols import search_depth
from protocols.command_queue import CommandQueue, Input, Urgency
from protocols.lines import LONGEST_LINE, OverlongLine
from protocols.outbox import ClientGoneError
from protocols.thinker import Effort, Thinker, Thought, forced
from protocols.ugi import codec, fen
from protocols.ugi.codec import Go, UgiError, quoted
from protocols.ugi.variants import DEFAULT, VARIANTS, variant

log = logging.getLogger(__name__)

NO_MOVE: Final = "0000"  # as cutegames has it; where a move is read it means to pass
MOST_LINES = 20
SHORTEST_SECONDS = 0.001
NAME: Final = "Sparring"
AUTHOR: Final = "the Sparring authors"


class UgiEngine:
    """One conversation.

    thinker_for: an engine for a game, on that board first. emit: given text to send, always whole
    lines.
    """

    def __init__(
        self,
        thinker_for: Callable[[Board], Thinker],
        emit: Callable[[str], None],
        inbox: Input,
        *,
        game: str = DEFAULT,
        persona: str = USUAL,
        opponent: str = "",
    ) -> None:
        self._thinker_for = thinker_for
        self._emit = emit
        self._lines = 1  # variations told of
        self._attention = CommandQueue(inbox, _urgency, at_once=self._answer)
        self._variant = variant(game)
        self._default = game.strip().lower()
        self._persona, self._opponent = persona, opponent
        self._thinker = self._new_thinker(self._variant)
        self._thinker.follow(self._variant.start(), [])

    def _new_thinker(self, chosen: Board) -> Thinker:
        """An engine for a game, with everything that was set."""
        thinker = self._thinker_for(chosen)
        thinker.play_as(self._persona)
        thinker.meet(self._opponent)
        return thinker

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""
        while (line := self._attention.next()) is not None:
            if not self.handle(line):
                return

    def handle(self, line: str) -> bool:
        """Answers one line; False when it was `quit`."""
        if isinstance(line, OverlongLine):
            self._emit(codec.note(f"ignored a line of more than {LONGEST_LINE} bytes"))
            return True
        words = codec.words_of(line)
        if words[:1] == ["quit"]:
            return False
        if words:
            self._answer(line)
        return True

    def _answer(self, line: str) -> None:
        name, *words = codec.words_of(line)
        handler = COMMANDS.get(name)
        if handler is None:
            self._emit(codec.note(f"unknown command {quoted(name)}"))
            return
        try:
            handler(self, words)
        except (UgiError, RecordError, SettingError) as error:
            self._emit(codec.note(f"{quoted(name)} ignored: {error}"))
        except ClientGoneError:
            raise
        except Exception:
            log.exception("%s failed", quoted(line))
            self._emit(codec.note(f"internal error at {quoted(name)}"))

    # ---- Identity, options, the game

    def identify(self, _words: Sequence[str]) -> None:
        """Tells the name and the options."""
        names = list(VARIANTS) if self._default in VARIANTS else [*VARIANTS, self._default]
        self._emit(
            f"id name {NAME}\nid author {AUTHOR}\n"
            + codec.combination("Game", self._default, names)
            + codec.spin("MultiPV", 1, 1, MOST_LINES)
            + codec.text("Persona", self._persona)
            + codec.text("Opponent", self._opponent)
            + "ugiok\n"
        )

    def ready(self, _words: Sequence[str]) -> None:
        """Says that everything sent before has been done."""
        self._emit("readyok\n")

    def set_option(self, words: Sequence[str]) -> None:
        """Sets Game, MultiPV, Persona or Opponent."""
        name, value = codec.read_option(words)
        setter = OPTIONS.get(name.casefold())
        if setter is None:
            raise SettingError(f"no option {quoted(name)}")
        setter(self, value)

    def set_game(self, value: str) -> None:
        """Chooses the game, at its beginning."""
        chosen = variant(value)
        if chosen.game != self._variant.game:
            self._thinker = self._new_thinker(chosen)
        self._variant = chosen
        self._thinker.follow(chosen.start(), [])

    def set_lines(self, value: str) -> None:
        """Sets how many variations are told of."""
        if not value.isdecimal() or not value.isascii() or not 1 <= int(value) <= MOST_LINES:
            raise SettingError(f"MultiPV is from 1 to {MOST_LINES}, not {quoted(value)}")
        self._lines = int(value)

    def set_persona(self, value: str) -> None:
        """Chooses how it plays."""
        self._thinker.play_as(value)
        self._persona = value

    def set_opponent(self, value: str) -> None:
        """Names who plays against it; without a name whoever sits there."""
        name = "" if value == codec.EMPTY else value
        self._thinker.meet(name)
        self._opponent = name

    def new_game(self, _words: Sequence[str]) -> None:
        """Goes to the beginning of another game."""
        self._thinker.start_over()
        self._thinker.follow(self._variant.start(), [])

    def position(self, words: Sequence[str]) -> None:
        """Takes a position; passes that the moves leave out are put in."""
        told = codec.read_position(words)
        reader = POSITIONS.get(told.kind)
        if reader is None:
            raise UgiError(f"position needs startpos, fen or pons, not {quoted(told.kind)}")
        start, moves = reader(self._variant, told.text)
        board = start.copy()
        for move in moves:
            board.play(move)
        for number, word in enumerate(told.moves, 1):
            try:
                moves += transcript.play(board, self._read_move(word, board))
            except ValueError as error:
                raise UgiError(f"move {number}, {quoted(word)}: {error}") from error
        self._thinker.follow(start, moves)

    def query(self, words: Sequence[str]) -> None:
        """Answers a question about the position."""
        answer = QUERIES.get(" ".join(words))
        if answer is None:
            raise UgiError(f"query {quoted(' '.join(words))} is none of {', '.join(QUERIES)}")
        self._emit(codec.response(answer(self._thinker.position)))

    def stop(self, _words: Sequence[str]) -> None:
        """Nothing: a search that ran has ended by now."""

    # ---- Searching

    def go(self, words: Sequence[str]) -> None:
        """Searches as long as asked and answers the best move."""
        asked, wrong = codec.read_go(words)
        if wrong:
            self._emit(codec.note(f"go: no such limit {quoted(' '.join(wrong))}"))
        best = NO_MOVE
        try:
            best = self._best_move(asked)
            if asked.infinite:
                self._attention.wait()
        finally:
            self._emit(codec.best_move(best))

    def _best_move(self, asked: Go) -> str:
        """The move to answer, at once where there is no choice."""
        position = self._thinker.position
        if position.is_over:
            self._emit(codec.note("the game is over"))
            return NO_MOVE
        only = forced(position)
        if only is not None and not asked.infinite:
            return self._write_move(only)
        return self._search(asked)

    def _search(self, asked: Go) -> str:
        """The move found, the last state of the search having been told."""
        think = self._thinker.look if asked.infinite else self._thinker.choose
        stop = self._attention.interrupted
        if asked.infinite:
            stop = self._attention.interrupted_or_ended
        wanted = _effort(asked, self._thinker.position, self._variant.game)
        thought = think(wanted, stop=stop, tell=self._tell)
        self._tell(thought)
        return self._write_move(thought.lines[0].variation[0]) if thought.lines else NO_MOVE

    def _tell(self, thought: Thought) -> None:
        milliseconds = round(1000 * thought.seconds)
        speed = round(thought.nodes / max(thought.seconds, SHORTEST_SECONDS))
        parts = []
        for number, line in enumerate(thought.lines[: self._lines], 1):
            worth = 100 * line.score
            if self._variant.game == "connect4":
                worth = 200 * line.win_rate - 100
            moves = " ".join(map(self._write_move, line.variation))
            several = f" multipv {number}" if self._lines > 1 else ""
            parts.append(
                f"info depth {len(line.variation)}{several} score cp {round(worth)} "
                f"nodes {thought.nodes} nps {speed} time {milliseconds} pv {moves}\n"
            )
            if number == 1 and line.is_exact:
                parts.append(codec.note(f"exact score {line.score:+g}"))
        self._emit("".join(parts))

    def _read_move(self, word: str, board: Position) -> int:
        if word == NO_MOVE and board.pass_move >= 0:
            return board.pass_move
        return GAMES[self._variant.game].read_move(word, board.width, board.height)

    def _write_move(self, move: int) -> str:
        position = self._thinker.position
        return GAMES[self._variant.game].write_move(move, position.width, position.height)


def _effort(asked: Go, position: Position, game: str) -> Effort:
    """How hard `go` asks to think; a bare one as at the usual depth."""
    if asked.infinite:
        return Effort(exact_empties=search_depth.exact_empties(game, search_depth.HIGHEST))
    if asked == Go():
        return Effort(visits=search_depth.visits(search_depth.DEFAULT_DEPTH))
    visits = [] if asked.nodes is None else [asked.nodes]
    if asked.depth is not None:
        visits.append(search_depth.visits(asked.depth))
    clock = None
    left = asked.times[position.to_move]
    if left is not None:
        increment = asked.increments[position.to_move] / 1000
        main = max(left / 1000, SHORTEST_SECONDS)
        clock = Clock(TimeControl.fischer(main, increment), main=main)
    seconds = None if asked.move_time is None else asked.move_time / 1000
    return Effort(min(visits, default=None), asked.nodes, seconds, clock)


def _urgency(line: str) -> Urgency:
    words = codec.words_of(line)
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
        raise UgiError(f"startpos is followed by moves, not {quoted(text)}")
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
