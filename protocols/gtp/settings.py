"""GTP commands about parameters, KataGo's and Leela Zero's, and about the search's cache."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping

from engine.errors import SettingError
from protocols.gtp import parameters
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler
from protocols.parameters import Value, check_network

log = logging.getLogger("sparring")

# Leela Zero's options -> parameters; 0 means no limit there.
LZ_OPTIONS = {"visits": "maxVisits", "playouts": "maxPlayouts", "lagbuffer": "lagBuffer"}
# Parameters with values written as text by KataGo.
TEXTS = frozenset(
    """
    analysisWideRootNoise analysisIgnorePreRootHistory genmoveAntiMirror antiMirror humanSLProfile
    allowResignation ponderingEnabled delayMoveScale delayMoveMax
    """.split()
)
_LZ_OPTION = re.compile(r"name (.+?) value ([^ ]+)", re.IGNORECASE)


def list_params(_context: Context, command: GtpCommand) -> str:
    """The names of all parameters."""
    expect(command.arguments, 0, "no arguments", command.name)
    return " ".join(parameters.names())


def get_param(context: Context, command: GtpCommand) -> str:
    """Answers the value of a parameter, as JSON except those of TEXTS."""
    expect(command.arguments, 1, "one argument", command.name)
    value = katago_value(command.text, parameters.value_of(context.session.settings, command.text))
    return str(value) if command.text in TEXTS else json.dumps(value)


def katago_value(name: str, value: Value) -> Value:
    """Returns the value as in KataGo's JSON."""
    if name not in TEXTS or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool) else f"{value:g}"


def set_param(context: Context, command: GtpCommand) -> str:
    """Changes a parameter."""
    if len(command.arguments) not in {1, 2}:
        expect(command.arguments, 2, "one or two arguments", command.name)
    name, *value = command.arguments
    change(context, {name: "".join(value)})
    return ""


def get_params(context: Context, _command: GtpCommand) -> str:
    """All parameters and their values as JSON."""
    settings = context.session.settings
    values = {
        name: katago_value(name, parameters.value_of(settings, name)) for name in parameters.names()
    }
    return json.dumps(values, separators=(",", ":"))


def set_params(context: Context, command: GtpCommand) -> str:
    """Changes the parameters of a JSON object: all or none."""
    try:
        values = json.loads(command.text)
    except (ValueError, RecursionError) as error:
        raise GtpError(f"Could not set params: {error} in {quoted(command.text)}") from error
    if not isinstance(values, dict):
        raise GtpError("Could not set params: Argument must be a json object")
    change(context, values)
    return ""


def lz_setoption(context: Context, command: GtpCommand) -> str:
    """Changes one of Leela Zero's options; accepts those without a meaning here."""
    match = _LZ_OPTION.fullmatch(command.text)
    if match is None:
        raise GtpError(f"Expected name NAME value VALUE but got {quoted(command.text)}")
    name, value = LZ_OPTIONS.get(match[1].lower()), match[2]
    if name is not None:
        unlimited = value == "0" and name != "lagBuffer"
        change(context, {name: str(parameters.UNLIMITED) if unlimited else value})
    return ""


def change(context: Context, texts: Mapping[str, object]) -> None:
    """Changes parameters of the session; raises GtpError with nothing changed."""
    session = context.session
    try:
        settings, warnings = parameters.with_changes(session.settings, texts)
        check_network(settings.search, session.network)
    except SettingError as error:
        raise GtpError(f"Could not set params: {error}") from error
    session.change_settings(settings)
    for warning in warnings:
        log.warning("gtp: %s", warning)


def clear_cache(context: Context, _command: GtpCommand) -> str:
    """Discards the search tree and the evaluations."""
    context.session.clear_search()
    return ""


COMMANDS: dict[str, Handler] = {
    "kata-list-params": list_params,
    "kata-get-param": get_param,
    "kata-set-param": set_param,
    "kata-get-params": get_params,
    "kata-set-params": set_params,
    "lz-setoption": lz_setoption,
    "clear_cache": clear_cache,
}
