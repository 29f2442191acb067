"""The full state of a game on OGS, as the server sends it after game/connect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bots.fields import (
    WireError,
    integer,
    mapping,
    number,
    one_of,
    sequence,
    text,
    truth,
    wrong,
)
from bots.ogs.clock import OgsClock, pause_of, read_clock
from bots.ogs.coordinates import decode_cells, decode_moves
from bots.ogs.time_settings import OgsTimeSettings, read_time_settings

BLACK, WHITE = 0, 1
COLORS = {"black": BLACK, "white": WHITE}
PHASES = {phase: phase for phase in ("play", "stone removal", "finished")}
# OGS's rule sets (GobanEngine.ts, getDefaults) -> ours, by name or in KataGo's words. White's bonus
# for handicap stones is N under Ing rules there.
RULES = {
    "chinese": "chinese-ogs",
    "japanese": "japanese",
    "korean": "korean",
    "aga": "aga",
    "nz": "new-zealand",
    "ing": "koPOSITIONALscoreAREAtaxNONEsui1whbNfpok1",
}
SIZES = range(1, 26)  # sides of a board on the server


@dataclass(frozen=True, slots=True)
class OgsPlayer:
    """A player of a game; the rank is OGS's number, 30 = 1 dan."""

    id: int
    username: str
    rank: float | None = None


@dataclass(frozen=True, slots=True)
class GameData:
    """The state of a game."""

    game_id: int
    phase: str  # a key of PHASES
    width: int
    height: int
    rules: str  # a name of engine.games.rules
    komi: float
    handicap: int
    has_free_placement: bool  # Black places the handicap by moves in a row
    black: OgsPlayer
    white: OgsPlayer
    stones: tuple[tuple[int, int], ...]  # (color, cell) before the first move
    first_to_move: int  # color of the first move, after the stones
    moves: tuple[int, ...]
    time_settings: OgsTimeSettings
    clock: OgsClock
    is_ranked: bool = False
    outcome: str = ""
    winner_id: int | None = None
    removed: frozenset[int] = frozenset()  # cells marked as removed
    undo_requested: int | None = None  # the number of the move to take back

    def color_of(self, player_id: int) -> int | None:
        """Returns the color of a player; None for another one."""
        return {self.black.id: BLACK, self.white.id: WHITE}.get(player_id)

    def color_at(self, index: int) -> int:
        """Returns the color of the move with this index, 0 for the first.

        Under free placement Black places all handicap stones before White's first move.
        """
        free = self.handicap if self.has_free_placement and self.handicap > 1 else 0
        if index < free:
            return BLACK
        if free:
            return WHITE if (index - free) % 2 == 0 else BLACK
        return self.first_to_move ^ (index & 1)

    @property
    def to_move(self) -> int:
        """The color to move."""
        return self.color_at(len(self.moves))


def read_game_data(value: object) -> GameData:
    """Reads the state of a game. Raises WireError where it cannot be played from."""
    data = mapping(value, "gamedata")
    if data.get("rengo"):
        raise WireError("a game of teams (rengo) cannot be played")
    width, height = (read_side(data.get(key), key) for key in ("width", "height"))
    players = mapping(data.get("players"), "players")
    game = GameData(
        game_id=integer(data.get("game_id"), "game_id"),
        phase=one_of(data.get("phase", "play"), "phase", PHASES),
        width=width,
        height=height,
        rules=one_of(data.get("rules", "japanese"), "rules", RULES),
        komi=number(data.get("komi", 0), "komi"),
        handicap=max(0, integer(data.get("handicap") or 0, "handicap")),
        has_free_placement=truth(data.get("free_handicap_placement"), "free_handicap_placement"),
        black=read_player(players.get("black")),
        white=read_player(players.get("white")),
        stones=_stones(data.get("initial_state"), width, height),
        first_to_move=one_of(data.get("initial_player", "black"), "initial_player", COLORS),
        moves=decode_moves(data.get("moves"), width, height),
        time_settings=read_time_settings(data.get("time_control")),
        clock=_clock(data),
        is_ranked=truth(data.get("ranked"), "ranked"),
        outcome=str(data.get("outcome") or "")[:200],
        winner_id=_winner(data, players),
        removed=_removed(data.get("removed"), width, height),
        undo_requested=_undo(data.get("undo_requested")),
    )
    return _with_turns(game)


def read_player(value: object) -> OgsPlayer:
    """Reads a player of a game, of a challenge or of a list."""
    data = mapping(value, "player")
    rank = data.get("rank", data.get("ranking"))
    name = data.get("username", data.get("name"))
    return OgsPlayer(
        integer(data.get("id"), "id"),
        text(name, "username", longest=200),
        None if rank is None else number(rank, "rank"),
    )


def _with_turns(game: GameData) -> GameData:
    """Returns the game with the color of its first move by the clock, as forked games need it."""
    if game.phase != "play" or (game.has_free_placement and game.handicap > 1):
        return game
    to_move = game.color_of(game.clock.current_player_id)
    if to_move is None or to_move == game.to_move:
        return game
    return replace(game, first_to_move=1 - game.first_to_move)


def read_side(value: object, name: str) -> int:
    """Returns the length of a side of a board in points."""
    side = integer(value, name)
    if side not in SIZES:
        raise wrong(name, f"a side of {SIZES[0]} to {SIZES[-1]} points", value)
    return side


def _clock(data: Mapping[str, Any]) -> OgsClock:
    """Returns the clock; a paused game may have its pause beside it, a running one has none."""
    clock = read_clock(data.get("clock"))
    control = data.get("pause_control") or {}
    if clock.pause is not None or not isinstance(control, dict):
        return clock
    since = number(data.get("paused_since") or clock.last_move_ms, "paused_since")
    return replace(clock, pause=pause_of(control, since))


def _stones(value: object, width: int, height: int) -> tuple[tuple[int, int], ...]:
    """Returns the stones before the first move, as (color, cell)s."""
    state = mapping(value or {}, "initial_state")
    return tuple(
        (color, cell)
        for name, color in COLORS.items()
        for cell in decode_cells(text(state.get(name) or "", name), width, height)
    )


def _winner(data: Mapping[str, Any], players: Mapping[str, Any]) -> int | None:
    """Returns the player who won: the server names an identity or a color."""
    winner = data.get("winner")
    if winner in COLORS:
        winner = read_player(players.get(winner)).id
    return winner if isinstance(winner, int) and not isinstance(winner, bool) else None


def _removed(value: object, width: int, height: int) -> frozenset[int]:
    if value is None:
        return frozenset()
    if isinstance(value, str):
        return frozenset(decode_cells(value, width, height))
    cells = decode_moves(sequence(value, "removed"), width, height)
    return frozenset(cell for cell in cells if cell != width * height)


def _undo(value: object) -> int | None:
    if isinstance(value, dict):
        value = value.get("move_number")
    return None if value is None else integer(value, "undo_requested")
