"""Many games of one client on the stand-in for OGS, drawn by a seed.

As a command it waits for any client that speaks the protocol, and prints one line a game:
`python -m tests.support.ogs.tournament --port 9000 --games 20 --concurrent 4`
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.ogs import opponents
from tests.support.ogs.board import Wanted
from tests.support.ogs.challenges import Challenge
from tests.support.ogs.faults import Faults
from tests.support.ogs.online_game import Account, OnlineGame
from tests.support.ogs.opponents import Plan
from tests.support.ogs.server import OgsStandIn

TIMES: dict[str, dict[str, Any]] = {
    "fischer": {"speed": "live", "initial_time": 30, "time_increment": 5, "max_time": 60},
    "byoyomi": {"speed": "live", "main_time": 10, "period_time": 15, "periods": 3},
    "canadian": {"speed": "live", "main_time": 15, "period_time": 60, "stones_per_period": 5},
    "simple": {"speed": "blitz", "per_move": 20},
    "absolute": {"speed": "rapid", "total_time": 120},
    "none": {"speed": "correspondence"},
}
SIZES = ((5, 5), (5, 5), (6, 5), (7, 7))
BUSY = "try again later"  # in a rejection
RULES = ("chinese", "japanese", "aga", "korean", "nz", "ing")


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """One game of the tournament."""

    seed: int
    wanted: Wanted
    bot_color: int
    plan: Plan


@dataclass
class Tournament:
    """The games and how they ended."""

    games: list[OnlineGame] = field(default_factory=list)
    drawn: list[DrawnGame] = field(default_factory=list)
    rejections: list[dict[str, Any]] = field(default_factory=list)
    delays: int = 0  # challenges that the bot was too busy for; they were made again

    @property
    def outcomes(self) -> Counter[str]:
        """The numbers of games by kind of outcome."""
        return Counter(game.outcome.split()[-1] for game in self.games)


def drawn_game(
    seed: int, systems: Sequence[str] = tuple(TIMES), *, do_players_score: bool = True
) -> DrawnGame:
    """Draws the settings of one game; do_players_score: in some games they remove dead stones."""
    draw = random.Random(seed)
    width, height = draw.choice(SIZES)
    system = systems[seed % len(systems)]
    fields = {"system": system, "pause_on_weekends": False} | TIMES[system]
    wanted = Wanted(
        width,
        height,
        fields,
        rules=draw.choice(RULES),
        komi=draw.choice((0.5, 6.5, 7.5, -3.5)),
        handicap=draw.choice((0, 0, 0, 2, 3)) if min(width, height) >= 7 else 0,
        is_scored_by_players=draw.random() < 0.3 and do_players_score,
        is_undo_counted=draw.random() < 0.7,
    )
    plan = opponents.drawn_plan(seed, width * height)
    if wanted.is_scored_by_players:
        plan.wrong_marks = draw.choice((0, 0, 1))
    return DrawnGame(seed, wanted, draw.randrange(2), plan)


async def play_all(server: OgsStandIn, games: Sequence[DrawnGame], concurrent: int) -> Tournament:
    """Challenges the client to all games, so many at a time."""
    result = Tournament()
    room = asyncio.Semaphore(concurrent)

    async def one(drawn: DrawnGame) -> None:
        async with room:
            started: asyncio.Future[OnlineGame] = asyncio.get_running_loop().create_future()
            account = Account(drawn.seed + 1000, f"player{drawn.seed}", rank=12 + drawn.seed % 15)

            def challenged() -> Challenge:
                return server.challenge(
                    account, drawn.wanted, bot_color=drawn.bot_color, on_start=started.set_result
                )

            challenge = challenged()
            while not started.done():
                await asyncio.sleep(0.02)
                if challenge.rejection is not None and BUSY in challenge.rejection["message"]:
                    result.delays += 1
                    await asyncio.sleep(1.0)
                    challenge = challenged()
                elif challenge.rejection is not None:
                    result.rejections.append(challenge.rejection)
                    return
            game = started.result()
            plan = replace(drawn.plan, chat=dict(drawn.plan.chat))
            await opponents.play(server, game, 1 - drawn.bot_color, plan, drawn.seed)
            result.games.append(game)
            result.drawn.append(replace(drawn, plan=plan))

    await asyncio.gather(*(one(drawn) for drawn in games))
    return result


async def _host(arguments: argparse.Namespace) -> None:
    faults = Faults(arguments.seed, arguments.drop, arguments.twice, arguments.late)
    async with OgsStandIn(faults, port=arguments.port) as server:
        print(f"waiting for a client at {server.url}", flush=True)
        while not server.journal.configs:
            await asyncio.sleep(0.1)
        seeds = range(arguments.seed, arguments.seed + arguments.games)
        systems, do_score = arguments.systems.split(","), not arguments.server_scores
        games = [drawn_game(seed, systems, do_players_score=do_score) for seed in seeds]
        result = await play_all(server, games, arguments.concurrent)
        for game, drawn in zip(result.games, result.drawn, strict=True):
            wanted = game.wanted
            print(
                f"{game.id} {wanted.width}x{wanted.height} {wanted.rules} "
                f"{wanted.time_control['system']} handicap {wanted.handicap} bot "
                f"{'BW'[drawn.bot_color]} {len(game.moves)} moves: {game.outcome}, "
                f"winner {game.winner} {drawn.plan.errors or ''}"
            )
        print(f"outcomes {dict(result.outcomes)}, rejections {len(result.rejections)}")
        for rejection in result.rejections:
            print(f"rejected: {rejection.get('message')}")
        print(f"faults {faults.counts}, connections {server.journal.connections}")
        print(f"commands {dict(server.journal.commands)}")
        print(f"refused {server.journal.refused}")


def main() -> None:
    """Hosts a tournament until all games are over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--concurrent", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--systems", default=",".join(TIMES))
    parser.add_argument("--server-scores", action="store_true", help="in all games")
    for fault in ("drop", "twice", "late"):
        parser.add_argument(f"--{fault}", type=float, default=0.0, help="chance of each frame")
    asyncio.run(_host(parser.parse_args()))


if __name__ == "__main__":
    main()
