"""The servers of the Lichess bot API: one row a server, with its departures from Lichess.

Sources: lichess-org/api doc/specs; the bot module of Mind-Sports-Games/lila; server/bot_api.py of
gbtami/pychess-variants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BotServer:
    """One server of the API. A side is 0, the first to move from the usual start, or 1."""

    name: str  # of the server in the engine's store
    url: str
    sides: tuple[str, str] = ("white", "black")  # names of the sides in messages
    side_field: str = "color"  # of a challenge: the challenger's wish
    final_side_field: str = "finalColor"  # of a challenge: the challenger's side
    tests_tokens: bool = True  # POST /api/token/test
    lists_games: bool = True  # GET /api/account/playing lists all current games
    has_takebacks: bool = True  # bots may take part in takebacks
    has_claims: bool = True  # bots may claim the victory or a draw from an absent opponent
    has_ratings: bool = True  # GET /api/user/NAME has perfs with deviations
    can_challenge: bool = True  # bots may challenge others
    announces_variants: bool = False  # the event stream wants the header CAPABILITIES
    marks_dead_stones: bool = False  # players agree on the dead stones of Go
    longest_chat: int = 140  # characters of a line


CAPABILITIES = "X-PyChess-Bot-Capabilities"

SERVERS: Mapping[str, BotServer] = {
    "lichess": BotServer("lichess", "https://lichess.org"),
    "playstrategy": BotServer(
        "playstrategy",
        "https://playstrategy.org",
        sides=("p1", "p2"),
        side_field="playerIndex",
        final_side_field="finalPlayerIndex",
        tests_tokens=False,
        has_takebacks=False,
        has_claims=False,
        marks_dead_stones=True,
    ),
    "pychess": BotServer(
        "pychess",
        "https://www.pychess.org",
        lists_games=False,
        has_takebacks=False,
        has_claims=False,
        has_ratings=False,
        can_challenge=False,
        announces_variants=True,
    ),
}
