"""The settings of a bot's online games."""

from __future__ import annotations

from dataclasses import dataclass

AWAY = "My engine is away for a moment; the game goes on as soon as it is back."


@dataclass(frozen=True, slots=True)
class GamePolicy:
    """The conduct of one online game. Times are in seconds."""

    confirm_seconds: float = 10.0  # longest wait for the confirmation of a move
    silence_seconds: float = 300.0  # silence of the server until its state is requested
    least_move_seconds: float = 0.0  # shortest time before a move is sent
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
