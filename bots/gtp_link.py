"""A GTP conversation with the running engine over its socket: a command, or several at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from bots.engine_connection import (
    EngineAddress,
    EngineAwayError,
    EngineCommandError,
    open_engine,
)
from protocols.lines import END


class GtpLink:
    """An open conversation. Commands wait for each other; an answer is never left over."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()
        self._is_ended = False

    @classmethod
    async def open(cls, address: EngineAddress, options: Mapping[str, object]) -> GtpLink:
        """Connects and greets; raises EngineAwayError and GreetingRefusedError."""
        return cls(*await open_engine(address, "gtp", options))

    async def ask(self, command: str) -> str:
        """Sends a command and returns its answer without the sign; raises as `ask_all` does."""
        return (await self.ask_all([command]))[0]

    async def ask_all(self, commands: Sequence[str]) -> list[str]:
        """Sends commands at once and returns their answers without the signs.

        Raises EngineCommandError with the engine's first error, after all answers, and
        EngineAwayError once the engine is gone.
        """
        async with self._turn:
            if self._is_ended:
                raise EngineAwayError("the conversation has ended")
            try:
                lines = (" ".join(command.split()) + "\n" for command in commands)
                self._writer.write("".join(lines).encode())
                await self._writer.drain()
                answers = [await self._reader.readuntil(b"\n\n") for _ in commands]
            except (OSError, EOFError, asyncio.LimitOverrunError) as error:
                self.drop()
                raise EngineAwayError(f"the engine went away: {error}") from error
            except asyncio.CancelledError:
                self.drop()  # the answer would be taken for that of the next command
                raise
        texts = [answer.decode(errors="replace").strip() for answer in answers]
        for text in texts:
            if not text.startswith("="):
                raise EngineCommandError(text.removeprefix("?").strip())
        return [text[1:].strip() for text in texts]

    async def end(self) -> None:
        """Ends the conversation in order; the engine forgets its saved state."""
        async with self._turn:
            with suppress(OSError):
                self._writer.write(f"quit\n\n{END}\n".encode())
                await self._writer.drain()
            self.drop()

    def drop(self) -> None:
        """Closes the connection; a saved conversation stays saved."""
        self._is_ended = True
        self._writer.close()
