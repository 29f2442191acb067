"""Many games on two servers at once for a long time: memory, results and faults of the bots.

`python -m tests.support.bots.soak --minutes 60 --ogs 24 --cgos 6` runs one bot on a stand-in of OGS
with many games, and one bot a game on stand-ins of CGOS, all at one engine. Lines are cut, and the
engine and a bot are killed, at intervals. The memory of each process is printed by the minute, and
at the end the games lost, lost on time and hung, the illegal moves and all other faults.
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
from typing import NamedTuple

from tests.support.bots.cgos_server import CgosStandIn
from tests.support.bots.engine_process import COMMAND, EngineServer
from tests.support.bots.soak_report import HUNG, SoakReport
from tests.support.ogs import bot_run
from tests.support.ogs.challenges import BOT, KEY
from tests.support.ogs.faults import Faults
from tests.support.ogs.server import OgsStandIn
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


class Resources(NamedTuple):
    """The resources of a process."""

    memory: float  # resident, in MiB
    threads: int
    files: int  # open

    def __str__(self) -> str:
        return f"{self.memory:.0f}/{self.threads}/{self.files}"


def resources(process: int) -> Resources | None:
    """Returns the resources of a process; None: there is no such process."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
        files = len(list(Path(f"/proc/{process}/fd").iterdir()))
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in text.splitlines())
    memory = int(fields.get("VmRSS", "0").split()[0]) / 1024
    return Resources(memory, int(fields["Threads"]), files)


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


async def watch(bots: Bots, engine: EngineServer, begun: float, report: SoakReport) -> None:
    """Prints and keeps the memory, the threads and the open files of the engine and the bots."""
    while True:
        await asyncio.sleep(SAMPLE_SECONDS)
        used = {"engine": resources(engine.pid)}
        used |= {name: resources(each.pid) for name, each in bots.processes.items()}
        for name, each in used.items():
            if each is not None:
                report.memory[name].append(each.memory)
        shown = ", ".join(f"{name} {each or '-'}" for name, each in used.items())
        for name, process in bots.processes.items():
            if process.poll() is not None:
                print(f"{name} ended: {bots.log(name)[-500:]}", flush=True)
        minutes = (time.monotonic() - begun) / 60
        print(f"{minutes:.0f} min: {shown}", flush=True)


async def soak(minutes: float, ogs_games: int, cgos_bots: int, logs: Path | None = None) -> int:
    """Runs the soak and prints its report; returns the number of faults.

    logs: a folder that keeps the logs; None: they are deleted at the end.
    """
    begun, report = time.monotonic(), SoakReport()
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
                await _played(
                    minutes * 60, ogs_games, ogs, report, disturb(bots, engine, servers, ogs),
                    watch(bots, engine, begun, report),
                )  # fmt: skip
            finally:
                for each in bots.processes:
                    bots.kill(each)
                engine.kill()
                for server in servers:
                    await server.stop()
        report.add_faults("OGS", refusals(ogs))
        for server in servers:
            add_games(report, server)
        moves = ogs.journal.commands["game/move"]
        print(f"moves sent: OGS {moves}, CGOS {sum(server.bot_moves for server in servers)}")
        logins = sum(server.logins for server in servers)
        print(f"connections: OGS {ogs.journal.connections}, CGOS {logins}")
        print(f"warnings in the logs: {dict(bots.warnings())}")
        print("\n".join(report.lines()))
        return report.faults


def add_games(report: SoakReport, server: CgosStandIn) -> None:
    """Adds the games and the faults of a stand-in of CGOS to the report."""
    for game in server.games:
        if game.result:
            is_lost = game.result.startswith("WB"[game.bot_color])
            is_on_time = is_lost and game.result.endswith("Time")
            report.add_game("CGOS", is_lost=is_lost, is_on_time=is_on_time)
    report.add_faults("CGOS", server.wrong)


async def _played(
    seconds: float,
    games: int,
    ogs: OgsStandIn,
    report: SoakReport,
    *others: Coroutine[None, None, None],
) -> None:
    """Plays games on OGS's stand-in for so long, and adds them to the report."""
    until = time.monotonic() + seconds
    seeds: Iterator[int] = itertools.count()

    async def seat() -> None:
        while time.monotonic() < until:
            drawn = drawn_game(next(seeds), SYSTEMS)
            drawn.plan.think = (PACE / 2, PACE)
            result = await play_all(ogs, [drawn], 1)
            for game in result.games:
                is_lost = game.winner not in (BOT.id, "tie", None)
                is_on_time = is_lost and game.outcome.split()[-1].lower() == "timeout"
                report.add_game("OGS", is_lost=is_lost, is_on_time=is_on_time)
            for each in result.drawn:
                report.add_faults("OGS", each.plan.errors)

    tasks = [asyncio.create_task(other) for other in others]
    while not ogs.journal.configs:
        await asyncio.sleep(0.1)
    seats = [asyncio.create_task(seat()) for _ in range(games)]
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    _, late = await asyncio.wait(seats, timeout=180)
    for task in (*tasks, *late):
        task.cancel()
    await asyncio.gather(*tasks, *late, return_exceptions=True)
    report.add_faults("OGS", [HUNG] * len(late))


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
