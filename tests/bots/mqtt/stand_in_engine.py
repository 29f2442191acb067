"""A resident engine in the test's process: real GTP at a Unix socket, and scripted analysis."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.games.game_settings import usual_settings
from engine.games.table import board_named
from engine.opponents.opponent_store import OpponentStore, TransientStore
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from protocols.gtp import GtpEngine
from protocols.rights import Rights
from protocols.saved_sessions import SavedSessions
from tests.support.gtp_conversation import NewSearches, ScriptedInbox, search_for

VISITS = 4


class StandInEngine:
    """Listens at `socket` between `start` and `stop`; remembers the lines of its clients."""

    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "engine.sock")
        self.lines: list[str] = []
        self.greetings: list[dict[str, Any]] = []
        self.memory: OpponentStore = TransientStore()
        self.is_busy = False
        self.hold: Callable[[str], bool] = lambda _line: False  # lines that end the connection
        self._sessions = SavedSessions(folder / "sessions", 60)
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        """Listens."""
        self._server = await asyncio.start_unix_server(self._serve, self.socket)

    async def stop(self) -> None:
        """Closes all connections without a word, as a killed process does."""
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.sleep(0.05)

    def count(self, command: str) -> int:
        """The number of lines that begin with a command."""
        return sum(line.startswith(command) for line in self.lines)

    async def heard(self, command: str) -> None:
        """Returns once a client has sent a line that begins with a command."""
        while not self.count(command):
            await asyncio.sleep(0.01)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            greeting = json.loads(await reader.readline())
            self.greetings.append(greeting)
            protocol, options = greeting["protocol"], greeting["options"]
            if self.is_busy and protocol != "status":
                writer.write(b'{"error": "all sessions are in use", "busy": true}\n')
            elif protocol == "gtp":
                await self._gtp(reader, writer, options)
            elif protocol == "analysis":
                writer.write(b'{"ok": true}\n')
                await self._analysis(reader, writer)
            else:
                writer.write(b'{"version": "stand-in"}\n')
        except (OSError, ValueError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _gtp(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, options: dict[str, Any]
    ) -> None:
        game = options["game"]
        rights = Rights(is_user=True)
        try:
            persona = rights.persona(options.get("persona") or "even", game)
        except ValueError as error:
            writer.write(json.dumps({"error": str(error)}).encode() + b"\n")
            return
        session = Session(
            search_for(board_named(game)),
            SessionSettings(persona=persona, budget=Budget(max_visits=VISITS)),
            game_settings=usual_settings(game),
        )
        engine = GtpEngine(
            session,
            lambda text: writer.write(text.encode()),
            ScriptedInbox(10**9),
            rights=rights,
            source=NewSearches(),
            memory=self.memory,
            sessions=self._sessions,
        )
        writer.write(b'{"ok": true}\n')
        is_going_on = True
        while is_going_on and (line := await reader.readline()):
            text = line.decode().strip()
            self.lines.append(text)
            is_going_on = engine.handle(text)
            await asyncio.sleep(0)
            if self.hold(text):
                engine.leave(is_over=False)
                return
        engine.leave(is_over=not is_going_on)

    async def _analysis(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            query = json.loads(line)
            self.lines.append(f"analysis {line.decode().strip()}")
            if "action" in query:
                writer.write(json.dumps({**query, "version": "stand-in"}).encode() + b"\n")
                continue
            if "moves" not in query:
                fault = {"id": query["id"], "field": "moves", "error": "Must specify moves"}
                writer.write(json.dumps(fault).encode() + b"\n")
                continue
            warning = {"id": query["id"], "field": "x", "warning": "unused"}
            writer.write(json.dumps(warning).encode() + b"\n")
            for turn in reversed(query.get("analyzeTurns", [len(query["moves"])])):
                final = {"id": query["id"], "turnNumber": turn, "isDuringSearch": False}
                final["rootInfo"] = {"visits": query["maxVisits"]}
                writer.write(json.dumps(final).encode() + b"\n")
