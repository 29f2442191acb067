"""Connections to the running engine's socket for queries of positions, and for its state."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from itertools import count
from typing import Any

from bots.engine_connection import (
    EngineAddress,
    EngineAwayError,
    EngineCommandError,
    open_engine,
)

Json = dict[str, Any]


class EngineSocket:
    """One conversation, after its greeting. Every failure of the line raises EngineAwayError."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, path: str, protocol: str) -> EngineSocket:
        """Connects and greets; raises EngineAwayError and GreetingRefusedError."""
        return cls(*await open_engine(EngineAddress(path), protocol, {}))

    async def send(self, line: str) -> None:
        """Sends a line."""
        try:
            self._writer.write(line.encode() + b"\n")
            await self._writer.drain()
        except OSError as error:
            raise EngineAwayError(f"the engine went away: {error.strerror or error}") from error

    async def line(self) -> str:
        """Returns the next line without its end."""
        try:
            line = await self._reader.readline()
        except (OSError, ValueError) as error:
            raise EngineAwayError(f"the engine went away: {error}") from error
        if not line.endswith(b"\n"):
            raise EngineAwayError("the engine went away")
        return line[:-1].decode(errors="replace")

    def close(self) -> None:
        """Closes the connection; a saved conversation stays."""
        with suppress(OSError):
            self._writer.close()


class QueryDoor:
    """The conversation in which all queries of positions are sent."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: EngineSocket | None = None
        self._reading: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._numbers = count(1)
        self._waiting: dict[str, asyncio.Queue[Json | None]] = {}  # None: the engine went away

    async def ask(self, query: Json) -> list[Json]:
        """Returns all final answers to a query, in the order of their turns.

        Raises EngineCommandError where the engine refuses the query, and EngineAwayError.
        """
        own_id = f"mqtt-{next(self._numbers)}"
        answers: asyncio.Queue[Json | None] = asyncio.Queue()
        connection = await self._open()
        self._waiting[own_id] = answers
        try:
            await connection.send(json.dumps({**query, "id": own_id}))
            return await self._collect(query, answers)
        finally:
            del self._waiting[own_id]

    def close(self) -> None:
        """Closes the conversation; waiting queries fail."""
        if self._reading is not None:
            self._reading.cancel()
        if self._connection is not None:
            self._connection.close()
        self._connection = None
        for answers in self._waiting.values():
            answers.put_nowait(None)

    async def _collect(self, query: Json, answers: asyncio.Queue[Json | None]) -> list[Json]:
        turns = query.get("analyzeTurns")
        wanted = max(1, len(set(turns))) if isinstance(turns, list) else 1
        final: list[Json] = []
        while len(final) < wanted:
            answer = await answers.get()
            if answer is None:
                raise EngineAwayError("the engine went away")
            if "error" in answer:
                field = f"{answer['field']}: " if "field" in answer else ""
                raise EngineCommandError(f"{field}{answer['error']}")
            if "warning" not in answer and not answer.get("isDuringSearch"):
                final.append({name: answer[name] for name in answer if name != "id"})
        return sorted(final, key=lambda answer: int(answer.get("turnNumber", 0)))

    async def _open(self) -> EngineSocket:
        async with self._opening:
            if self._connection is None:
                self._connection = await EngineSocket.open(self._path, "analysis")
                self._reading = asyncio.create_task(self._read(self._connection))
            return self._connection

    async def _read(self, connection: EngineSocket) -> None:
        """Hands each answer to its query until the engine goes away."""
        try:
            while True:
                answer = json.loads(await connection.line())
                waiting = self._waiting.get(str(answer.get("id")))
                if waiting is not None:
                    waiting.put_nowait(answer)
        except (EngineAwayError, ValueError, AttributeError):
            pass
        finally:
            if self._connection is connection:
                self.close()
