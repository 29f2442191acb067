"""A rehearsal: a bot's report on its configuration, its engine and its server, without playing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bots.engine_connection import EngineAddress, EngineAwayError
from bots.gtp_link import GtpLink
from bots.server import LineLostError


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A report, and whether the engine and the server both answered."""

    lines: tuple[str, ...]
    is_ready: bool


async def rehearsal_of(
    address: EngineAddress,
    greeting: Mapping[str, object],
    server: str,
    report: Callable[[], Awaitable[Sequence[str]]],
) -> Rehearsal:
    """Returns the rehearsal of a bot; an engine or a server that is away costs its line alone.

    greeting: the options of the engine's greeting. server: its name and address in the report.
    report: returns the server's own lines; it raises LineLostError where the server is away. Raises
    GreetingRefusedError, and LoginRefusedError as the report does.
    """
    lines = ["the configuration has no mistake"]
    has_engine = has_server = True
    try:
        lines.append(await _engine_line(address, greeting))
    except EngineAwayError as error:
        has_engine = False
        lines.append(f"the engine is away: {error}; start it by `sparring serve`")
    try:
        lines += await report()
    except LineLostError as error:
        has_server = False
        lines.append(f"{server} is away: {error}")
    return Rehearsal(tuple(lines), is_ready=has_engine and has_server)


async def _engine_line(address: EngineAddress, greeting: Mapping[str, object]) -> str:
    """Returns the engine's version and persona; raises EngineAwayError."""
    link = await GtpLink.open(address, greeting)
    version, persona = await link.ask_all(["version", "sparring-persona"])
    await link.end()
    return f"the engine at {address!r} is Sparring {version}, persona {persona}"
