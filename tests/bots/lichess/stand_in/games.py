"""One game on the stand-in: its referee, clocks, offers and the streams that follow it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bots.lichess.server_table import BotServer
from tests.bots.lichess.stand_in.referees import GoReferee, Referee


class Refusal(Exception):  # noqa: N818
    """An answer 400 with a text."""


@dataclass
class Account:
    name: str
    token: str
    title: str = "BOT"
    rating: int = 1500

    @property
    def id(self) -> str:
        return self.name.lower()


@dataclass
class GameTerms:
    """The agreement of a game; times in seconds."""

    variant: str
    limit: float | None = 60.0
    increment: float = 0.0
    is_rated: bool = False
    first_move_seconds: float = 30.0


@dataclass
class StandInGame:
    id: str
    server: BotServer
    players: tuple[Account, Account]
    terms: GameTerms
    make_referee: Callable[[], Referee]
    moves: list[str] = field(default_factory=list)
    plays: list[str] = field(default_factory=list)  # as the referee takes them
    status: str = "started"
    winner: int | None = None
    draws: list[bool] = field(default_factory=lambda: [False, False])
    takebacks: list[bool] = field(default_factory=lambda: [False, False])
    offered_by: int | None = None  # an agreement on dead stones
    dead: tuple[str, ...] = ()
    was_rejected: bool = False
    gone: list[bool] = field(default_factory=lambda: [False, False])
    chat: list[tuple[str, str, str]] = field(default_factory=list)  # room, name, text
    streams: dict[int, asyncio.Queue[str | None]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)  # wrong things that a client did

    def __post_init__(self) -> None:
        self.referee = self.make_referee()
        limit = self.terms.limit
        self.left = [1e6 if limit is None else limit] * 2
        self.at = self._now()
        self.changed = asyncio.Condition()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    # ---- Reading

    @property
    def is_running(self) -> bool:
        return self.status in ("created", "started")

    @property
    def is_counting(self) -> bool:
        referee = self.referee
        return isinstance(referee, GoReferee) and referee.is_counting and not self.was_rejected

    @property
    def active(self) -> int:
        """The side to act: to move, or to answer an offer of dead stones."""
        return self.referee.to_move if self.offered_by is None else 1 - self.offered_by

    @property
    def is_abortable(self) -> bool:
        return self.is_running and len(self.moves) < 2

    def side_of(self, account: Account) -> int:
        return [player.name for player in self.players].index(account.name)

    def clocks(self) -> list[float]:
        left = list(self.left)
        if self.is_running and len(self.moves) >= 2 and self.terms.limit is not None:
            left[self.active] -= self._now() - self.at
        return left

    def state(self) -> dict[str, Any]:
        wtime, btime = (int(1000 * seconds) for seconds in self.clocks())
        increment = int(1000 * self.terms.increment)
        state: dict[str, Any] = {
            "type": "gameState",
            "moves": " ".join(self.moves),
            "wtime": wtime,
            "btime": btime,
            "winc": increment,
            "binc": increment,
            "wdraw": self.draws[0],
            "bdraw": self.draws[1],
            "status": self.status,
        }
        if self.server.has_takebacks:
            state |= {"wtakeback": self.takebacks[0], "btakeback": self.takebacks[1]}
        if self.winner is not None:
            state["winner"] = self.server.sides[self.winner]
        if self.is_running and len(self.moves) < 2:
            wait = int(1000 * self.terms.first_move_seconds)
            idle = int(1000 * (self._now() - self.at))
            state["expiration"] = {"idleMillis": idle, "millisToMove": wait}
        if self.server.marks_dead_stones:
            state["activeplayer"] = self.server.sides[self.active]
            state["selectedsquares"] = self._agreement()
        return state

    def _agreement(self) -> dict[str, Any] | None:
        if not self.is_counting and not self.was_rejected:
            return None
        offering = None if self.offered_by is None else self.server.sides[self.offered_by]
        status = "rejected" if self.was_rejected else "offered" if offering else "pending"
        return {"status": status, "squares": " ".join(self.dead), "playerOffering": offering}

    def full(self) -> dict[str, Any]:
        if self.server.name == "pychess":
            variant: dict[str, Any] = {"name": self.terms.variant}
        else:
            names = {"chess960": "Chess960"}
            name = names.get(self.terms.variant, self.terms.variant.capitalize())
            variant = {"key": self.terms.variant, "name": name, "short": "x"}
        full: dict[str, Any] = {
            "type": "gameFull",
            "id": self.id,
            "variant": variant,
            "speed": "blitz",
            "perf": {"name": "Blitz"},
            "rated": self.terms.is_rated,
            "createdAt": 1_745_112_707_998,
            "initialFen": self.referee.start,
            "state": self.state(),
        }
        if self.terms.limit is not None:
            clock = {"initial": 1000 * self.terms.limit, "increment": 1000 * self.terms.increment}
            full["clock"] = {name: int(value) for name, value in clock.items()}
        for side, account in zip(self.server.sides, self.players, strict=True):
            full[side] = {
                "id": account.id,
                "name": account.name,
                "title": account.title or None,
                "rating": account.rating,
            }
        return full

    # ---- Changing

    def play(self, side: int, move: str) -> None:
        if not self.is_running or self.active != side or self.offered_by is not None:
            raise Refusal("Not your turn, or game already over")
        try:
            text = self.referee.play(move)
        except ValueError as error:
            self.faults.append(f"illegal move {move} after {self.moves}")
            raise Refusal(str(error)) from error
        self._charge(side)
        self.moves.append(text)
        self.plays.append(move)
        self.draws, self.takebacks, self.was_rejected = [False, False], [False, False], False
        outcome = self.referee.outcome()
        if outcome is not None:
            if isinstance(self.referee, GoReferee):
                self.moves.append(self.referee.moves[-1])
            self.end(*outcome)

    def _charge(self, side: int) -> None:
        if len(self.moves) >= 2:
            self.left[side] -= self._now() - self.at
            self.left[side] += self.terms.increment
        self.at = self._now()

    def end(self, status: str, winner: int | None = None) -> None:
        if self.is_running:
            self.status, self.winner = status, winner

    def abort(self) -> None:
        if not self.is_abortable:
            raise Refusal("This game can no longer be aborted")
        self.end("aborted")

    def resign(self, side: int) -> None:
        if self.is_abortable:
            self.abort()
        elif self.is_running:
            self.end("resign", 1 - side)
        else:
            raise Refusal("This game cannot be resigned")

    def offer_draw(self, side: int, *, is_yes: bool) -> None:
        self.draws[side] = is_yes
        if not is_yes:
            self.draws = [False, False]
        if all(self.draws):
            self.end("draw")

    def offer_takeback(self, side: int, *, is_yes: bool) -> None:
        other = 1 - side
        if not is_yes:
            self.takebacks = [False, False]
        elif self.takebacks[other]:
            back = 2 if self.referee.to_move == other else 1
            self._rewind(len(self.plays) - back)
        elif len(self.plays) > side:
            self.takebacks[side] = True

    def _rewind(self, length: int) -> None:
        self.referee = self.make_referee()
        self.plays = self.plays[: max(0, length)]
        self.moves = [self.referee.play(move) for move in self.plays]
        self.takebacks, self.draws, self.at = [False, False], [False, False], self._now()

    def select_squares(self, side: int, squares: tuple[str, ...]) -> None:
        if not self.is_counting or self.active != side or self.offered_by is not None:
            raise Refusal("No dead stones to choose")
        self.offered_by, self.dead = side, squares

    def decide_squares(self, side: int, *, is_yes: bool) -> None:
        if self.offered_by is None or self.offered_by == side:
            raise Refusal("No dead stones were offered")
        if is_yes and isinstance(self.referee, GoReferee):
            self.referee.count(self.dead)
            self.moves.append(self.referee.moves[-1])
            outcome = self.referee.outcome()
            assert outcome is not None
            self.end(*outcome)
        self.was_rejected = not is_yes
        self.offered_by, self.dead, self.at = None, (), self._now()

    def claim(self, side: int, status: str, winner: int | None) -> None:
        if not self.gone[1 - side]:
            raise Refusal("Cannot claim: the opponent is there")
        self.end(status, winner)

    # ---- Waiting

    async def announce(self) -> None:
        """Wakes all that wait for a change."""
        async with self.changed:
            self.changed.notify_all()
