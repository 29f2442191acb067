"""One game's messages turned into the events of the shared state machine, without I/O."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bots import events
from bots.events import Event, Phase
from bots.fields import WireError
from bots.game_clocks import GameClocks, PlayerClock
from bots.game_setup import (
    NO_LIMIT,
    GameSetup,
    OnlineMove,
    OnlineOpponent,
    OnlineResult,
    OnlineTimeControl,
)
from bots.lichess.messages import UNDECIDED, GameFull, GameState
from bots.lichess.notation import DEAD_STONES
from bots.lichess.server_table import BotServer
from bots.lichess.variant_table import VARIANTS, WireVariant
from bots.lichess.wire_values import ServerPlayer

REASONS = {
    "resign": "resign",
    "outoftime": "time",
    "timeout": "time",  # the opponent left
    "cheat": "illegal",
    "draw": "draw",
    "stalemate": "draw",
}
UNKNOWN_MARGIN = "0"  # the server names no points
# Adds the deviation and the number of games to an opponent's rating, where the server tells them.
Rated = Callable[[OnlineOpponent], OnlineOpponent]


class WireGame:
    """The account of one game: it begins by its GameFull and follows its states."""

    def __init__(self, server: BotServer, account: str, full: GameFull, rated: Rated) -> None:
        """Reads a game; account: our name. Raises WireError on a game that cannot be played."""
        if full.variant not in VARIANTS:
            raise WireError(f"no variant of the bot: {full.variant[:40]!a}")
        self._variant: WireVariant = VARIANTS[full.variant]
        self._start = self._variant.start(full.start)
        sides = [side for side, each in enumerate(full.players) if each.is_named(account)]
        if not sides:
            raise WireError(f"a game without {account!a}")
        self._full, self._server = full, server
        self.color = sides[0]
        self.setup = self._setup(server, rated)
        self.state: GameState = full.state
        self._texts = self._read(full.state)
        self.is_takeback_open = False  # by the opponent

    @property
    def opponent(self) -> ServerPlayer:
        """The other player."""
        return self._full.players[1 - self.color]

    @property
    def moves(self) -> tuple[OnlineMove, ...]:
        """The moves so far."""
        first = self._start.first_to_move
        return tuple(OnlineMove((first + n) % 2, text) for n, text in enumerate(self._texts))

    @property
    def to_move(self) -> int | None:
        """The side to move; None: nobody's turn."""
        if self.phase is not Phase.PLAYING:
            return None
        return (self._start.first_to_move + len(self._texts)) % 2

    @property
    def phase(self) -> Phase:
        """The phase of the last state."""
        if not self.state.is_running:
            return Phase.OVER
        stones = self.state.dead_stones
        is_counting = stones is not None and stones.status in ("pending", "offered")
        return Phase.SCORING if is_counting else Phase.PLAYING

    @property
    def result(self) -> OnlineResult:
        """The result of a game that is over."""
        if self.state.status in UNDECIDED:
            return OnlineResult(None, "abort")
        reason = REASONS.get(self.state.status, UNKNOWN_MARGIN)
        return OnlineResult(self.state.winner, reason)

    @property
    def rematch_terms(self) -> dict[str, str] | None:
        """The form of a challenge to the same game with the sides exchanged.

        None: a game with byoyomi, as no form of the API has it.
        """
        full, server = self._full, self._server
        terms = {"variant": full.variant, "rated": str(full.is_rated).lower()}
        terms[server.side_field] = server.sides[1 - self.color]
        if full.periods:
            return None
        if full.days is not None:
            terms["days"] = f"{full.days:.0f}"
        elif full.initial is not None:
            terms["clock.limit"] = f"{full.initial / 1000:.0f}"
            terms["clock.increment"] = f"{full.increment / 1000:.0f}"
        return terms

    def write(self, move: str) -> str:
        """Returns our next move as the server writes it; raises WireError."""
        return self._variant.write(move, self.wire_moves, self._start, self._variant.size)

    def claims_draw(self, move: str) -> bool:
        """Tests whether our move is no move but the claim of a draw."""
        return self._variant.claims_draw(move)

    @property
    def wire_moves(self) -> Sequence[str]:
        """The moves of the players as the server writes them."""
        return [move for move in self.state.moves if not move.startswith(DEAD_STONES)]

    # ---- Events

    def full_state(self, at: float, answers: int = 0) -> Event:
        """Returns the whole account as one event; answers: the number of the request."""
        return events.StateReceived(
            at, self.setup, self.moves, self.to_move, self._clocks(at), self.phase, answers=answers
        )

    def follow(self, state: GameState, at: float) -> list[Event]:
        """Takes a state and returns its events.

        Raises WireError, with nothing changed, on moves that the variant does not have.
        """
        texts, before, phase = self._read(state), self._texts, self.phase
        self.state, self._texts = state, texts
        clocks = self._clocks(at)
        found: list[Event] = []
        if texts[: len(before)] == before:
            found += self._new_moves(len(before), at, clocks)
            if len(texts) == len(before) and clocks is not None:
                found.append(events.ClocksReceived(at, clocks))
        elif before[: len(texts)] == texts:
            self.is_takeback_open = False
            found.append(events.UndoAccepted(at, len(texts)))
            found += [] if clocks is None else [events.ClocksReceived(at, clocks)]
        else:
            found.append(self.full_state(at))
        if self.phase is not phase and self.phase is not Phase.OVER:
            found.append(events.PhaseChanged(at, self.phase))
        found += self.takeback(at)
        if self.phase is Phase.OVER:
            found.append(events.GameEnded(at, self.result))
        return found

    def replace_full(self, full: GameFull) -> None:
        """Takes the state of a game whose stream was opened again; raises WireError."""
        if full.variant != self._full.variant or full.start != self._full.start:
            raise WireError("the game changed its variant or its start")
        self._texts = self._read(full.state)
        self.state = full.state
        self.is_takeback_open = False

    def _new_moves(self, known: int, at: float, clocks: GameClocks | None) -> list[Event]:
        new = list(enumerate(self.moves))[known:]
        return [
            events.MovePlayed(
                at, number + 1, move, clocks=clocks if number + 1 == len(self._texts) else None
            )
            for number, move in new
        ]

    def takeback(self, at: float) -> list[Event]:
        """Returns the opponent's new request for a takeback, or its withdrawal."""
        is_open = self.state.takebacks[1 - self.color] and self.phase is not Phase.OVER
        was_open, self.is_takeback_open = self.is_takeback_open, is_open
        if is_open and not was_open:
            back = 1 if self.to_move == self.color else 2
            return [events.UndoRequested(at, len(self._texts) - back)]
        return [events.UndoCanceled(at)] if was_open and not is_open else []

    # ---- Reading

    def _read(self, state: GameState) -> list[str]:
        return self._variant.read(state.moves, self._start, self._variant.size)

    def _setup(self, server: BotServer, rated: Rated) -> GameSetup:
        full, variant, player = self._full, self._variant, self.opponent
        opponent = OnlineOpponent(
            player.name,
            server.name,
            pool=full.speed or full.variant,
            rating=player.rating,
            is_provisional=player.is_provisional,
            is_bot=player.is_bot,
        )
        return GameSetup(
            id=full.id,
            color=self.color,
            opponent=rated(opponent),
            game=variant.game,
            width=variant.size,
            height=variant.size,
            rules=variant.rules,
            komi=self._start.komi,
            stones=tuple(OnlineMove(side, point) for side, point in self._start.stones),
            first_to_move=self._start.first_to_move,
            start=variant.start_text(self._start),
            time_control=time_control_of(full),
            speed=full.speed,
            is_rated=full.is_rated,
        )

    def _clocks(self, at: float) -> GameClocks | None:
        """Returns the clocks; they stand until both sides have moved."""
        if self.setup.time_control == NO_LIMIT:
            return None
        players = [self._clock(milliseconds / 1000) for milliseconds in self.state.milliseconds]
        running = self.to_move if len(self._texts) >= 2 else None
        return GameClocks((players[0], players[1]), at, running)

    def _clock(self, seconds: float) -> PlayerClock:
        """Returns a clock; in byoyomi the server adds the periods to the main time."""
        period, periods = self._full.period / 1000, self._full.periods
        if not period or not periods:
            return PlayerClock(seconds)
        if seconds > period * periods:
            return PlayerClock(seconds - period * periods)
        left = min(periods, max(1, -int(-seconds // period)))
        return PlayerClock(max(0.0, seconds - (left - 1) * period), left)


def time_control_of(full: GameFull) -> OnlineTimeControl:
    """Returns the time control of a game; correspondence has no clock for the engine."""
    if full.initial is None or full.days is not None:
        return NO_LIMIT
    main = full.initial / 1000
    if full.period and full.periods:
        return OnlineTimeControl.byoyomi(main, full.period / 1000, full.periods)
    if full.increment:
        return OnlineTimeControl.fischer(main, full.increment / 1000)
    return OnlineTimeControl.absolute(main)


def unrated(opponent: OnlineOpponent) -> OnlineOpponent:
    """Returns the opponent as it is."""
    return opponent


def with_rating(
    opponent: OnlineOpponent, deviation: float | None, games: int | None
) -> OnlineOpponent:
    """Returns the opponent with the deviation of its rating and the games behind it."""
    return replace(opponent, deviation=deviation, games=games)
