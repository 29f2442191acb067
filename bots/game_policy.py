"""The settings of a bot's online games."""

from __future__ import annotations

from dataclasses import dataclass

from bots.game_clocks import PlayerClock

FIRST_SLOW_MOVE = 10  # moves of both sides; the opening goes at once
THINK_FALL = 0.99  # of the share, a move
AWAY = "My engine is away for a moment; the game goes on as soon as it is back."


@dataclass(frozen=True, slots=True)
class GamePolicy:
    """The conduct of one online game. Times are in seconds."""

    confirm_seconds: float = 10.0  # longest wait for the confirmation of a move
    silence_seconds: float = 300.0  # silence of the server until its state is requested
    least_move_seconds: float = 0.0  # shortest time before a move is sent
    think_share: float = 0.0  # of our main time, for a move from the tenth on, see think_seconds
    hurried_speeds: tuple[str, ...] = ()  # speeds of games without such a time
    least_lag_seconds: float = 0.3  # reserved for the way to the server in any case
    most_pause_seconds: float | None = None  # a longer pause is ended; None: never
    can_pause: bool = False  # the server lets one player stop the clocks
    most_undos: int = 0  # requests granted in a game
    most_failures: int = 5  # errors of the engine and refused moves at one move before we resign
    greeting: str = ""  # said once, before the second move
    farewell: str = ""  # said at the end
    away: str = AWAY  # said once while the engine is away
    chats: bool = True  # says anything at all
    challenges: bool = False  # challenges a player who asks for a rematch

    def think_seconds(self, clock: PlayerClock | None, moves: int) -> float:
        """Returns the shortest time for a move after so many moves of the game.

        A share of the main time passes as with a person: it falls by 1% a move, after lichess-bot's
        fake_think_time. clock: ours; None: no limit.

        >>> GamePolicy(think_share=0.025).think_seconds(PlayerClock(600.0), 10)
        15.0
        >>> GamePolicy(think_share=0.025).think_seconds(PlayerClock(600.0), 9)
        0.0
        """
        if clock is None or clock.stones or moves < FIRST_SLOW_MOVE:
            return self.least_move_seconds
        share = self.think_share * THINK_FALL ** (moves - FIRST_SLOW_MOVE)
        return max(self.least_move_seconds, share * clock.seconds)
