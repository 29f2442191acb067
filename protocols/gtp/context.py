"""The context of a GTP command: the session, the reply, and waiting input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.games.game import Game
from engine.games.game_settings import USUAL_GO, GoSettings
from engine.games.position import Position
from engine.opponents import OpponentStore
from engine.personas import Persona
from engine.play.results import score_text
from engine.play.search_source import SearchSource
from engine.play.session import Session
from protocols.gtp import arguments
from protocols.gtp.codec import GtpCommand, GtpError, Reply, quoted
from protocols.gtp.spelling import SPELLINGS, Spelling
from protocols.rights import Rights


def do_nothing() -> None:
    """Does nothing."""


class LineSource(Protocol):
    """The input of a conversation."""

    def waiting(self) -> bool:
        """Whether a line waits or the input has ended."""

    def wait(self) -> None:
        """Returns once `waiting` is true."""

    def abandoned(self) -> bool:
        """Whether the client has gone."""


@dataclass
class Context:
    """The surroundings of the commands of one conversation."""

    session: Session
    inbox: LineSource
    name: str  # the answer of the command `name`
    rights: Rights  # the client's rights
    tables: Mapping[str, Mapping[str, Handler]]  # the commands of each game
    source: SearchSource | None  # searches for other games; None: no other game can be played
    memory: OpponentStore  # the store of opponents
    reply: Reply  # the reply to the present command
    game_settings: GoSettings = USUAL_GO  # settings of Go for a later game of Go
    always_points: bool = False  # write moves of every game as points
    points: bool = False  # write moves of this game as points: the controller shows a board of Go
    as_katago: bool = False  # answer KataGo's name and version
    quitting: bool = False
    persona_before_chat: Persona | None = None  # None: chat has not changed the strength
    keeper: object = None  # saves the conversation: protocols.gtp.saved.Keeper
    end: Callable[[], None] = do_nothing  # ends the conversation: its client is back elsewhere

    @property
    def game(self) -> Game:
        """The session's game under way."""
        return self.session.game

    @property
    def commands(self) -> Mapping[str, Handler]:
        """The commands of the game under way."""
        return self.tables[self.game.name]

    @property
    def spelling(self) -> Spelling:
        """The spelling of the game under way."""
        return SPELLINGS[self.game.name]

    def color(self, word: str) -> int:
        """Returns the color of a word in this game, 0 the first to move; raises GtpError."""
        return arguments.color(word, self.spelling.colors)

    def color_or_none(self, word: str) -> int | None:
        """Returns the color of a word in this game, 0 the first to move; None if it is none."""
        return arguments.color_or_none(word, self.spelling.colors)

    def result(self) -> str:
        """Returns the result of the game: `B+3.5`, `W+R` or `0`; an estimate until its end."""
        game, letters = self.game, [name[0].upper() for name in self.spelling.colors]
        if game.resigned is not None:
            return f"{letters[1 - game.resigned]}+R"
        text = score_text(self.session)
        return letters["BW".index(text[0])] + text[1:] if text[0] in "BW" else text

    def vertex(self, word: str, position: Position | None = None) -> int:
        """Returns the move of a word in a position, None for the present one; raises GtpError."""
        spelling = self.spelling
        read = spelling.read_point if self.points else spelling.read_move
        return self._read(word, read, position)

    def cell(self, word: str) -> int:
        """Returns the cell of a word on the present board; raises GtpError."""
        return self._read(word, self.spelling.read_cell)

    def _read(self, word: str, read: Callable[..., int], position: Position | None = None) -> int:
        try:
            return read(word, self.game.position if position is None else position)
        except ValueError as error:
            raise GtpError(f"Could not parse vertex: {quoted(word)}") from error

    def vertex_writer(self) -> Callable[[int], str]:
        """Returns a writer of moves in the present position, valid after it changes."""
        position = self.game.position
        if self.points:
            return lambda move: self.spelling.write_point(move, position)
        return self.move_writer()

    def move_writer(self) -> Callable[[int], str]:
        """Returns a writer of moves on the present board, in the game's own spelling."""
        game = self.game
        return lambda move: game.kind.write_move(move, game.width, game.height)

    def vertex_names(self, moves: tuple[int, ...]) -> str:
        """Writes moves for GTP, separated by spaces."""
        return " ".join(map(self.vertex_writer(), moves))


Handler = Callable[[Context, GtpCommand], str]
