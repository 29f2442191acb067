"""Many games on two servers at once for a long time: memory, results and faults of the bots.

`python -m tests.support.bots.soak --minutes 60 --ogs 24 --cgos 6` runs one bot on a stand-in of OGS
with many games, and one bot a game on stand-ins of CGOS, all at one engine. Lines are cut, and the
engine and a bot are killed, at intervals. The report has the memory of each process by the minute.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine, Iterator
from pathlib import Path

from tests.support.bots.cgos_server import CgosStandIn
from tests.support.bots.engine_process import COMMAND, EngineServer
from tests.support.ogs import bot_run
from tests.support.ogs.faults import Faults
from tests.support.ogs.server import BOT, KEY, OgsStandIn
from tests.support.ogs.tournament import drawn_game, play_all
from tests.support.paths import ROOT

FAULT_SECONDS = 20.0  # between two faults
SAMPLE_SECONDS = 60.0
SYSTEMS = ("fischer", "canadian", "absolute")  # with time for a restart of the engine
PACE = 1.0  # seconds of an opponent's move
# Refusals of what comes too late, and changes nothing: a doubled request may come after its undo
# and the next move, and a move or an answer about dead stones after the end of the game.
LATE = ("There is no undo to accept", "The game is in phase 'finished', not")
CGOS = """
[engine]
socket = "{socket}"
visits = 4
[cgos]
host = "127.0.0.1"
port = {port}
name = "Tester"
password_file = "{secret}"
board_size = 9
reconnect_seconds = 1.0
"""


class Bots:
    """The processes of the bots by name; each can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def secret(self, name: str, text: str) -> Path:
        """Returns a file with a secret."""
        path = self._folder / f"{name}.secret"
        path.touch(mode=0o600)
        path.write_text(text)
        return path

    def start(self, name: str, configuration: str = "") -> None:
        """Starts a bot; an empty configuration: its earlier one."""
        file = self._folder / f"{name}.toml"
        if configuration:
            file.write_text(configuration)
        environment = {**os.environ, "XDG_DATA_HOME": str(self._folder / "data")}
        with (self._folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [*COMMAND, "bot", name, "--config", str(file)],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
            )

    def kill(self, name: str) -> None:
        """Kills a bot without a warning."""
        process = self.processes[name]
        process.kill()
        process.wait(30)

    def log(self, name: str) -> str:
        """Returns the log of a bot so far."""
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def warnings(self) -> Counter[str]:
        """Returns the warnings in all logs, numbers and names left out."""
        found: Counter[str] = Counter()
        for file in self._folder.glob("*.log"):
            for line in file.read_text(errors="replace").splitlines():
                if any(word in line for word in ("refuses our move", "the engine fails", "Error")):
                    found[line.partition(": ")[2][:100]] += 1
        return found


def resources(process: int) -> str:
    """Returns the resident memory in MiB, the threads and the open files of a process."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
        files = len(list(Path(f"/proc/{process}/fd").iterdir()))
    except OSError:
        return "-"
    fields = dict(line.split(":", 1) for line in text.splitlines())
    memory = int(fields.get("VmRSS", "0").split()[0]) / 1024
    return f"{memory:.0f}/{int(fields['Threads'])}/{files}"


async def disturb(
    bots: Bots, engine: EngineServer, servers: list[CgosStandIn], ogs: OgsStandIn
) -> None:
    """Cuts lines, kills a bot and kills the engine, in turn."""
    draw = random.Random(7)
    for number in itertools.count():
        await asyncio.sleep(FAULT_SECONDS)
        if number % 12 == 11:
            await asyncio.to_thread(engine.kill)
            await asyncio.to_thread(engine.start)
        elif number % 6 == 5:
            name = draw.choice(list(bots.processes))
            await asyncio.to_thread(bots.kill, name)
            bots.start(name)
        elif servers:
            draw.choice(servers).cut()
            for connection in list(ogs.connections)[:1]:
                connection.drop()


def refusals(ogs: OgsStandIn) -> list[str]:
    """Returns the commands that the server refused, without those that come too late."""
    return [line for line in ogs.journal.refused if not any(late in line for late in LATE)]


async def watch(bots: Bots, engine: EngineServer, begun: float) -> None:
    """Prints the memory, the threads and the open files of the engine and of the bots."""
    while True:
        await asyncio.sleep(SAMPLE_SECONDS)
        own = {name: resources(each.pid) for name, each in bots.processes.items()}
        shown = ", ".join(f"{name} {used}" for name, used in own.items())
        for name, each in bots.processes.items():
            if each.poll() is not None:
                print(f"{name} ended: {bots.log(name)[-500:]}", flush=True)
        minutes = (time.monotonic() - begun) / 60
        print(f"{minutes:.0f} min: engine {resources(engine.pid)}, {shown}", flush=True)


async def soak(minutes: float, ogs_games: int, cgos_bots: int, logs: Path | None = None) -> int:
    """Runs the soak and prints its report; returns the number of wrong things.

    logs: a folder that keeps the logs; None: they are deleted at the end.
    """
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = logs or Path(name)
        engine = EngineServer(folder, "--visits", "4")
        await asyncio.to_thread(engine.start)
        bots, servers = Bots(folder), list[CgosStandIn]()
        async with OgsStandIn(Faults(1, drop=0.0005, twice=0.01, late=0.01)) as ogs:
            try:
                bots.start("ogs", _ogs_configuration(ogs, engine, bots))
                for number in range(cgos_bots):
                    server = CgosStandIn(10**9, seconds=300.0, pace=PACE)
                    await server.start()
                    servers.append(server)
                    text = CGOS.format(
                        socket=engine.socket, port=server.port, secret=bots.secret("cgos", "secret")
                    )
                    bots.start(f"cgos-{number}", text)
                outcomes, errors = await _played(
                    minutes * 60, ogs_games, ogs, disturb(bots, engine, servers, ogs),
                    watch(bots, engine, begun),
                )  # fmt: skip
            finally:
                for each in bots.processes:
                    bots.kill(each)
                engine.kill()
                for server in servers:
                    await server.stop()
        wrong = [fault for server in servers for fault in server.wrong]
        wrong += [*errors, *refusals(ogs)]
        wrong += ["lost on time"] * outcomes["lost by timeout"]
        results = Counter(game.result for server in servers for game in server.games)
        moves = ogs.journal.commands["game/move"]
        print(f"moves sent: OGS {moves}, CGOS {sum(server.bot_moves for server in servers)}")
        print(f"OGS: {outcomes}; connections {ogs.journal.connections}")
        print(f"CGOS: {results}; logins {sum(server.logins for server in servers)}")
        print(f"warnings: {dict(bots.warnings())}")
        print(f"wrong: {wrong}")
        return len(wrong)


async def _played(
    seconds: float, games: int, ogs: OgsStandIn, *others: Coroutine[None, None, None]
) -> tuple[Counter[str], list[str]]:
    """Plays games on OGS's stand-in for so long; returns their outcomes and the errors."""
    until = time.monotonic() + seconds
    outcomes: Counter[str] = Counter()
    errors: list[str] = []
    seeds: Iterator[int] = itertools.count()

    async def seat() -> None:
        while time.monotonic() < until:
            drawn = drawn_game(next(seeds), SYSTEMS)
            drawn.plan.think = (PACE / 2, PACE)
            result = await play_all(ogs, [drawn], 1)
            for game in result.games:
                side = "won" if game.winner == BOT.id else "lost"
                outcomes[f"{side} by {game.outcome.split()[-1].lower()}"] += 1
            errors.extend(error for each in result.drawn for error in each.plan.errors)

    tasks = [asyncio.create_task(other) for other in others]
    while not ogs.journal.configs:
        await asyncio.sleep(0.1)
    seats = [asyncio.create_task(seat()) for _ in range(games)]
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    _, late = await asyncio.wait(seats, timeout=180)
    for task in (*tasks, *late):
        task.cancel()
    await asyncio.gather(*tasks, *late, return_exceptions=True)
    errors += ["a game did not end"] * len(late)
    return outcomes, errors


def _ogs_configuration(ogs: OgsStandIn, engine: EngineServer, bots: Bots) -> str:
    text = bot_run.CONFIGURATION.format(
        socket=engine.socket,
        persona="even",
        url=ogs.url,
        username=BOT.username,
        key_file=bots.secret("ogs", KEY),
    )
    return text + "".join(bot_run.SPEED.format(speed=speed) for speed in bot_run.SPEEDS)


def main() -> None:
    """Runs the soak by the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--ogs", type=int, default=24, help="games at once on OGS's stand-in")
    parser.add_argument("--cgos", type=int, default=6, help="bots on stand-ins of CGOS")
    parser.add_argument("--logs", type=Path, help="an existing folder that keeps the logs")
    options = parser.parse_args()
    sys.exit(bool(asyncio.run(soak(options.minutes, options.ogs, options.cgos, options.logs))))


if __name__ == "__main__":
    main()
