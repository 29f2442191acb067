"""The greeting of a client: one line of JSON with the protocol and its options.

The user's own clients may name files; a guest's greeting has the options of play alone.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.errors import SettingError
from engine.games.game_settings import settings_from_options
from engine.play.network_pool import NetworkPool
from protocols.conversation import (
    ClientDefaults,
    ClientRequest,
    Protocols,
    Returning,
    folder_named,
)
from protocols.opponent_identity import identity_of_fields
from protocols.rights import Rights
from protocols.saved_sessions import SavedSessions
from protocols.server import client
from protocols.server.status import PROTOCOL as STATUS

MOST_VISITS = 10**9
GUESTS_OPTIONS = (
    *("game", "persona", "rules", "komi", "visits", "seconds"),
    *("points", "as_katago", "saved", "session", "received"),
)


def read_greeting(
    line: bytes,
    pool: NetworkPool,
    protocols: Protocols,
    defaults: ClientDefaults,
    sessions: SavedSessions | None = None,
) -> ClientRequest:
    """Returns the request of a user's first line; raises ValueError on a malformed one."""
    protocol, options = parts_of(line, protocols)
    texts = {name: options.get(name) for name in client.TEXT_OPTIONS}
    texts["opponent"] = opponent_text(options.get("opponent"))
    flags = {name: bool(options.get(name)) for name in client.FLAGS}
    if wrong := [value for value in texts.values() if not is_text(value)]:
        raise SettingError(f"options are texts, not {wrong[0]!r}")
    folder, overrides = texts.pop("folder"), texts.pop("override_config") or ""
    named, opponent = texts.pop("game") or "", texts.pop("opponent") or ""
    persona, personas = texts.pop("persona"), texts.pop("personas")
    rules, komi = texts.pop("rules"), texts.pop("komi")
    row = protocols[protocol]
    board = row.board_named(named) if named else row.board
    return ClientRequest(
        protocol,
        pool.choose(game=board.game, **texts),
        answer=True,
        rights=Rights(
            is_user=True,
            folder=Path(folder) if folder else None,
            personas=folder_named(personas),
        ),
        overrides=overrides,
        finish=not flags["quit_without_waiting"],
        game=named,
        board=board,
        persona=persona,
        points=flags["points"],
        as_katago=flags["as_katago"],
        opponent=opponent,
        defaults=client_defaults(defaults, options, rules, komi),
        sessions=sessions,
        is_saved=flags["saved"],
        returning=returning(options, sessions),
    )


def read_guests_greeting(
    line: bytes, pool: NetworkPool, protocols: Protocols, request: ClientRequest
) -> ClientRequest:
    """Returns the request of a guest's first line: `request` with the options in place.

    Raises ValueError on a malformed line, and on an option beyond a guest's rights.
    """
    protocol, options = parts_of(line, protocols)
    if beyond := sorted(options.keys() - set(GUESTS_OPTIONS)):
        raise SettingError(f"the option {beyond[0]!r} is not open to clients of TCP ports")
    texts = {name: options.get(name) for name in ("game", "persona", "rules", "komi")}
    if wrong := [value for value in texts.values() if not is_text(value)]:
        raise SettingError(f"options are texts, not {wrong[0]!r}")
    row, named = protocols[protocol], texts["game"] or ""
    board = row.board_named(named) if named else row.board
    return replace(
        request,
        protocol=protocol,
        networks=pool.choose(game=board.game),
        greets=True,
        game=named,
        board=board,
        persona=texts["persona"],
        points=bool(options.get("points")),
        as_katago=bool(options.get("as_katago")),
        defaults=client_defaults(request.defaults, options, texts["rules"], texts["komi"]),
        is_saved=bool(options.get("saved")),
        returning=returning(options, request.sessions),
    )


def opponent_text(opponent: object) -> object:
    """Returns the option `opponent` as a text; an object becomes one. Raises SettingError."""
    if not isinstance(opponent, dict):
        return opponent
    return identity_of_fields(opponent).to_text()


def parts_of(line: bytes, protocols: Protocols) -> tuple[str, dict[str, Any]]:
    """Returns the protocol and the options of a greeting; raises SettingError."""
    try:
        greeting = json.loads(line)
        protocol, options = greeting["protocol"], dict(greeting.get("options", {}))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SettingError('the first line is not {"protocol": ..., "options": ...}') from error
    if not isinstance(protocol, str) or protocol not in protocols:
        raise SettingError(f"unknown protocol {protocol!r}: one of {list(protocols)}")
    return protocol, options


def is_greeting(line: bytes) -> bool:
    """Tests whether a guest's first line is a greeting, and neither GTP nor a query."""
    with suppress(ValueError, RecursionError):
        values = json.loads(line)
        return isinstance(values, dict) and "protocol" in values and "id" not in values
    return False


def returning(options: dict[str, Any], sessions: SavedSessions | None) -> Returning | None:
    """Returns the client's claim to a saved conversation; None without one."""
    session_token, received = options.get("session"), options.get("received", 0)
    if session_token is None:
        return None
    if sessions is None or not isinstance(session_token, str):
        raise SettingError("this engine saves no conversations")
    if type(received) is not int or received < 0:
        raise SettingError(f"received is a number of answers, not {received!r}")
    return Returning(sessions, session_token, received)


def is_status(line: bytes) -> bool:
    """Tests whether a first line asks for the state of the engine, and for no conversation."""
    with suppress(ValueError, RecursionError):
        greeting = json.loads(line)
        return isinstance(greeting, dict) and greeting.get("protocol") == STATUS
    return False


def client_defaults(
    defaults: ClientDefaults, options: dict[str, Any], rules: str | None, komi: str | None
) -> ClientDefaults:
    """Returns the settings of play with the client's own in place; raises SettingError."""
    visits, seconds = options.get("visits"), options.get("seconds")
    if visits is not None and not (type(visits) is int and 0 < visits <= MOST_VISITS):
        raise SettingError(f"visits are a whole number above 0, not {visits!r}")
    if seconds is not None and not (type(seconds) in {int, float} and 0 < seconds <= MOST_VISITS):
        raise SettingError(f"seconds are a number above 0, not {seconds!r}")
    return replace(
        defaults,
        game_settings=settings_from_options(rules, komi, defaults.game_settings),
        visits=visits or defaults.visits,
        seconds=seconds or defaults.seconds,
    )


def is_text(value: object) -> bool:
    """Whether an option is absent, or a text without NUL characters and lone surrogates."""
    if not isinstance(value, str):
        return value is None
    return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)
