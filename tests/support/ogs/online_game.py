"""One game on the stand-in for OGS: commands, clocks, undo, pauses, removal of stones, chat.

The score and the clocks are counted apart from the engine. A refused command raises Refused. Events
for all who watch the game go to `emit`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from engine.games.go_count import without_history
from tests.support.ogs.board import FREE_PLACEMENT, OnlineBoard, Refused, Wanted
from tests.support.ogs.scoring import AREA_RULES, black_lead
from tests.support.ogs.server_clock import ServerClock

COLORS = ("black", "white")
FEW_MOVES = 6  # a game may be canceled before this move

Emit = Callable[[str, Any], None]  # (event without "game/ID/", data)


@dataclass(frozen=True, slots=True)
class Account:
    """An account of the server."""

    id: int
    username: str
    rank: float = 20.0
    rating: float = 1246.0
    deviation: float = 80.0
    games: int = 100

    def entry(self) -> dict[str, Any]:
        """Returns the account as games and lists show it."""
        return {"id": self.id, "username": self.username, "rank": self.rank, "pro": False}


@dataclass
class OnlineGame(OnlineBoard):
    """A game under way."""

    id: int
    accounts: tuple[Account, Account]  # Black, White
    wanted: Wanted
    now: float  # milliseconds, at the start
    emit: Emit
    moves: list[tuple[int, float]] = field(default_factory=list)  # (move, milliseconds used)
    phase: str = "play"
    outcome: str = ""
    winner: int | str | None = None
    undo: dict[str, Any] | None = None
    removed: set[int] = field(default_factory=set)
    accepted: dict[int, frozenset[int]] = field(default_factory=dict)  # by identity
    chat_log: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    lead: float | None = None  # of Black, once the stones were counted

    def __post_init__(self) -> None:
        self._set_up()
        ids = (self.accounts[0].id, self.accounts[1].id)
        self.clock = ServerClock(self.wanted.time_control, ids, self.color_at(0), self.now)

    # ---- Players

    def color_of(self, player_id: int) -> int:
        ids = [account.id for account in self.accounts]
        if player_id not in ids:
            raise Refused("you are no player of this game")
        return ids.index(player_id)

    @property
    def is_over(self) -> bool:
        return self.phase == "finished"

    # ---- Commands

    def play(self, player_id: int, letters: str, now: float) -> None:
        """Plays a move, as two letters."""
        color = self.color_of(player_id)
        self._want_phase("play")
        if color != self.to_move:
            raise Refused("It is not your turn")
        move = self.move_of(letters)
        if not self.position.is_legal(move, color):
            raise Refused(f"Illegal move {letters}")
        seconds = self.clock.elapsed(now)
        self.position.play(move, color)
        self.moves.append((move, seconds * 1000))
        self.undo = None
        was_paused = "paused" in self.clock.pause_control
        self.clock.press(color, self.to_move, now)
        if was_paused:
            self.clock.resume("paused", now)
        number = len(self.moves)
        point = [*self.point_of(move), int(seconds * 1000)]
        self.emit("move", {"game_id": self.id, "move_number": number, "move": point})
        self.emit_clock(now, is_pause_stated=was_paused)
        if number >= 2 and move == self.moves[-2][0] == self.pass_move:
            self._stop(now)

    def resign(self, player_id: int) -> None:
        """Ends the game for the other player."""
        color = self.color_of(player_id)
        if self.is_over:
            raise Refused("The game is over")
        self.finish("Resignation", self.accounts[1 - color].id)

    def cancel(self, player_id: int) -> None:
        """Annuls the game, early on."""
        color = self.color_of(player_id)
        self._want_phase("play")
        if len(self.moves) >= FEW_MOVES:
            raise Refused("The game is too far on to be canceled")
        self.finish("Cancellation", self.accounts[1 - color].id)

    def request_undo(self, player_id: int, move_number: int) -> None:
        """Asks the other player to take back the requester's last move."""
        color = self.color_of(player_id)
        self._want_phase("play")
        first = len(self.moves) - self.base_moves
        count = 2 if color == self.to_move and self.wanted.is_undo_counted else 1
        if move_number != len(self.moves) or count > first:
            raise Refused("Nothing can be undone")
        self.undo = {
            "move_number": len(self.moves),
            "requested_by": player_id,
            "undo_move_count": count,
        }
        self.emit("undo_requested", self.undo if self.wanted.is_undo_counted else move_number)

    def accept_undo(self, player_id: int, now: float) -> None:
        """Takes the moves back that the other player asked for."""
        color = self.color_of(player_id)
        if self.undo is None or self.color_of(self.undo["requested_by"]) == color:
            raise Refused("There is no undo to accept")
        count = self.undo["undo_move_count"]
        self.undo = None
        del self.moves[len(self.moves) - count :]
        self._replay()
        self.clock.set_turn(self.to_move, now)
        left = len(self.moves)
        counted = {"move_number": left, "undo_move_count": count}
        self.emit("undo_accepted", counted if self.wanted.is_undo_counted else left)
        self.emit_clock(now)

    def cancel_undo(self, player_id: int) -> None:
        """Withdraws or refuses the request."""
        self.color_of(player_id)
        if self.undo is not None:
            self.undo = None
            self.emit("undo_canceled", len(self.moves))

    def pause(self, player_id: int, now: float) -> None:
        """Stops the clocks."""
        self.color_of(player_id)
        self._want_phase("play")
        self.clock.pause("paused", {"pausing_player_id": player_id, "pauses_left": 4}, now)
        self.emit_clock(now, is_pause_stated=True)

    def resume(self, player_id: int, now: float) -> None:
        """Lets the clocks run again."""
        self.color_of(player_id)
        self.clock.resume("paused", now)
        self.emit_clock(now, is_pause_stated=True)

    def chat(self, player_id: int, username: str, fields: dict[str, Any], now: float) -> None:
        """Adds a line of chat."""
        line = {
            "chat_id": f"{self.id}-{len(self.chat_log)}",
            "body": fields["body"],
            "date": now / 1000,
            "move_number": fields.get("move_number", len(self.moves)),
            "player_id": player_id,
            "username": username,
        }
        message = {"channel": fields.get("type", "main"), "line": line}
        self.chat_log.append(message)
        self.emit("chat", message)

    # ---- Removal of dead stones

    def set_removed(self, player_id: int, fields: dict[str, Any]) -> None:
        """Marks stones as dead or alive."""
        self.color_of(player_id)
        self._want_phase("stone removal")
        cells = self.cells_of(fields["stones"])
        self.removed = self.removed | cells if fields["removed"] else self.removed - cells
        self.accepted = {}
        self._emit_removed(cells, is_removed=fields["removed"])

    def accept_removed(self, player_id: int, letters: str) -> None:
        """Accepts the marks; once both players accepted the same ones the stones are counted."""
        self.color_of(player_id)
        self._want_phase("stone removal")
        self.accepted[player_id] = frozenset(self.cells_of(letters))
        agreed = set(self.accepted.values())
        is_done = len(self.accepted) == 2 and len(agreed) == 1
        message = {"player_id": player_id, "stones": letters, "strict_seki_mode": False}
        self.emit("removed_stones_accepted", message | {"phase": self.phase})
        if is_done:
            self.count(agreed.pop())

    def reject_removed(self, player_id: int, now: float) -> None:
        """Goes on with the game."""
        self.color_of(player_id)
        self._want_phase("stone removal")
        captured = self.captured
        self.captured_before = captured
        self.position = without_history(self.position, self.to_move)
        self.base, self.base_moves = self.position.copy(), len(self.moves)
        self.accepted, self.removed, self.phase = {}, set(), "play"
        self.clock.resume("stone-removal", now)
        self.clock.set_turn(self.to_move, now)
        self.emit("phase", "play")
        self.emit_clock(now, is_pause_stated=True)

    def count(self, dead: Collection[int]) -> None:
        """Ends the game by its score."""
        wanted = self.wanted
        handicap = wanted.handicap if wanted.handicap > 1 else 0
        self.lead = black_lead(
            self.position.stones,
            dead,
            rules=wanted.rules,
            komi=wanted.komi,
            handicap=handicap,
            captured=self.captured,
        )
        winner = "tie" if self.lead == 0 else self.accounts[0 if self.lead > 0 else 1].id
        self.finish(f"{abs(self.lead):g} points", winner)

    # ---- The end, the time and the state

    def check_time(self, now: float) -> None:
        """Ends the game if a player has lost on time."""
        if self.phase == "play" and (color := self.clock.loser(now)) is not None:
            self.finish("Timeout", self.accounts[1 - color].id)

    def finish(self, outcome: str, winner: int | str) -> None:
        """Ends the game."""
        self.phase, self.outcome, self.winner = "finished", outcome, winner
        self.emit("phase", "finished")
        self.emit("gamedata", None)

    def state(self, now: float) -> dict[str, Any]:
        """Returns the gamedata."""
        wanted = self.wanted
        state: dict[str, Any] = {
            "game_id": self.id,
            "game_name": "Friendly Match",
            "width": wanted.width,
            "height": wanted.height,
            "rules": wanted.rules,
            "komi": wanted.komi,
            "handicap": wanted.handicap,
            "free_handicap_placement": wanted.rules in FREE_PLACEMENT,
            "ranked": wanted.is_ranked,
            "phase": self.phase,
            "initial_player": COLORS[self.color_at(0)],
            "initial_state": {"black": self.letters_of(self.placed), "white": ""},
            "moves": [[*self.point_of(move), int(used)] for move, used in self.moves],
            "players": {
                name: account.entry() for name, account in zip(COLORS, self.accounts, strict=True)
            },
            "black_player_id": self.accounts[0].id,
            "white_player_id": self.accounts[1].id,
            "time_control": wanted.time_control,
            "clock": self.clock.message(self.id, now, is_pause_stated=False),
            "score_territory": True,
            "score_stones": wanted.rules in AREA_RULES,
        }
        if self.removed or self.phase == "stone removal":
            state["removed"] = self.letters_of(self.removed)
        if self.undo is not None:
            state["undo_requested"] = self.undo["move_number"]
        if self.is_over:
            state |= {"outcome": self.outcome, "winner": self.winner, "end_time": int(now / 1000)}
        return state

    def entry(self) -> dict[str, Any]:
        """Returns the game as the list of active games shows it."""
        return {
            "id": self.id,
            "phase": self.phase,
            "name": "Friendly Match",
            "player_to_move": 0 if self.is_over else self.accounts[self.to_move].id,
            "width": self.wanted.width,
            "height": self.wanted.height,
            "move_number": len(self.moves),
            "paused": bool(self.clock.pause_control),
            "black": self.accounts[0].entry(),
            "white": self.accounts[1].entry(),
        }

    # ---- Within

    def emit_clock(self, now: float, *, is_pause_stated: bool = False) -> None:
        message = self.clock.message(self.id, now, is_pause_stated=is_pause_stated)
        self.emit("clock", message)

    def _emit_removed(self, cells: Collection[int], *, is_removed: bool) -> None:
        message = {"removed": is_removed, "stones": self.letters_of(cells)}
        self.emit("removed_stones", message | {"all_removed": self.letters_of(self.removed)})

    def _want_phase(self, phase: str) -> None:
        if self.phase != phase:
            raise Refused(f"The game is in phase {self.phase!r}, not {phase!r}")

    def _stop(self, now: float) -> None:
        """Enters the phase of stone removal; the server itself counts games of bots."""
        self.phase = "stone removal"
        self.clock.pause("stone-removal", True, now)
        self.emit("phase", "stone removal")
        self.emit_clock(now, is_pause_stated=True)
        if not self.wanted.is_scored_by_players:
            self.removed = self.settled_dead()
            self._emit_removed(self.removed, is_removed=True)
            self.count(self.removed)
