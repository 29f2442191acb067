"""The client's own account of its game on CGOS, by the messages so far.

The server sends the whole game at a login alone, and does not echo our moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bots.cgos.messages import CgosGenmove, CgosPlay, CgosPlayer, CgosSetup
from bots.events import MovePlayed, StateReceived
from bots.fields import WireError
from bots.game_clocks import GameClocks, PlayerClock
from bots.game_setup import GameSetup, OnlineMove, OnlineOpponent, OnlineTimeControl

SERVER = "cgos"
RULES = "tromp-taylor"  # area scoring, positional superko, no suicide


@dataclass(frozen=True, slots=True)
class CgosAccount:
    """One game of ours. The clocks are those after each player's last move."""

    setup: GameSetup
    moves: tuple[OnlineMove, ...]
    left: tuple[float, float]  # seconds of Black and of White
    is_asked: bool = False  # the server waits for our move

    @classmethod
    def of(cls, line: CgosSetup, name: str, rules: str) -> CgosAccount:
        """Returns the account of a setup; raises WireError unless we play in it."""
        if name not in (line.white.name, line.black.name):
            raise WireError(f"{name} plays neither color in game {line.game}")
        color = 1 if line.white.name == name else 0
        setup = GameSetup(
            line.game,
            color,
            opponent_of(line.black if color else line.white, line.size),
            game="go",
            width=line.size,
            height=line.size,
            rules=rules,
            komi=line.komi,
            time_control=OnlineTimeControl.absolute(line.seconds),
            is_rated=True,
        )
        return cls(setup, line.moves, line.left)

    @property
    def color_to_move(self) -> int:
        """The side to move; Black begins."""
        return len(self.moves) % 2

    def clocks(self, at: float) -> GameClocks:
        """Returns the clocks as a reading."""
        running = self.color_to_move if self.is_asked else None
        return GameClocks((PlayerClock(self.left[0]), PlayerClock(self.left[1])), at, running)

    def state(self, at: float, answers: int) -> StateReceived:
        """Returns the event of this account. Before `genmove` it is nobody's turn."""
        is_theirs = self.color_to_move != self.setup.color
        to_move = self.color_to_move if self.is_asked or is_theirs else None
        return StateReceived(at, self.setup, self.moves, to_move, self.clocks(at), answers=answers)

    def played(self, play: CgosPlay) -> CgosAccount:
        """Returns the account after the opponent's move; raises WireError out of turn."""
        if play.move.color != self.color_to_move or play.move.color == self.setup.color:
            raise WireError(f"a move out of turn in game {self.setup.id}")
        left = (
            (play.seconds, self.left[1]) if play.move.color == 0 else (self.left[0], play.seconds)
        )
        return replace(self, moves=(*self.moves, play.move), left=left, is_asked=False)

    def requested(self, genmove: CgosGenmove) -> CgosAccount:
        """Returns the account at our turn; raises WireError out of turn."""
        if genmove.color != self.setup.color or genmove.color != self.color_to_move:
            raise WireError(f"asked for a move out of turn in game {self.setup.id}")
        own = genmove.seconds
        left = (own, self.left[1]) if genmove.color == 0 else (self.left[0], own)
        return replace(self, left=left, is_asked=True)

    def sent(self, text: str) -> CgosAccount:
        """Returns the account after our move."""
        move = OnlineMove(self.setup.color, text)
        return replace(self, moves=(*self.moves, move), is_asked=False)

    def last_move(self, at: float, *, is_ours_next: bool) -> MovePlayed:
        """Returns the event of the last move. is_ours_next: whether the server asks us.

        The server states our clock when it asks us alone; after our move it is unknown.
        """
        to_move = self.setup.color if is_ours_next else 1 - self.setup.color
        clocks = self.clocks(at) if is_ours_next else None
        return MovePlayed(at, len(self.moves), self.moves[-1], to_move, clocks)


def opponent_of(player: CgosPlayer, size: int) -> OnlineOpponent:
    """Returns the opponent; each board has its own server and ratings."""
    return OnlineOpponent(
        player.name,
        SERVER,
        pool=f"{size}x{size}",
        rating=player.rating,
        is_provisional=player.is_provisional,
        is_bot=True,
    )
