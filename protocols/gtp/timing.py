"""GTP commands about time: the controls of GTP, KGS and KataGo, and the clocks."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.clock import TimeControl
from protocols.gtp.arguments import (
    LONGEST_SECONDS,
    count,
    expect,
    integer_or_none,
    number_or_none,
    seconds,
)
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler

Words = tuple[str, ...]
MOST_NEGATIVE_SECONDS = (
    -10.0
)  # the least time on a server's clock, just after a player's time ran out
MOST_STONES = 100_000


def none(_words: Words) -> TimeControl:
    """No limit."""
    return TimeControl()


def absolute(words: Words) -> TimeControl:
    """Main time only."""
    return TimeControl(main=seconds(words, 1, "main time"))


def canadian(words: Words) -> TimeControl:
    """Main time, then so many stones in every period."""
    return TimeControl.canadian(
        seconds(words, 1, "main time"),
        seconds(words, 2, "byo-yomi period time"),
        count(words, 3, "byo-yomi overtime stones"),
    )


def byoyomi(words: Words) -> TimeControl:
    """Main time, then so many periods of one stone."""
    return TimeControl.byoyomi(
        seconds(words, 1, "main time"),
        seconds(words, 2, "byo-yomi per-period time"),
        count(words, 3, "byo-yomi overtime periods"),
    )


def fischer(words: Words) -> TimeControl:
    """Main time with an increment after each move."""
    return TimeControl.fischer(seconds(words, 1, "main time"), seconds(words, 2, "increment time"))


def fischer_capped(words: Words) -> TimeControl:
    """The same with limits, each -1 for none."""
    main = seconds(words, 1, "main time")
    increment = seconds(words, 2, "increment time")
    main_cap = seconds(words, 3, "main time limit", negative=True)
    move_cap = seconds(words, 4, "max time per move", negative=True)
    if 0 <= main_cap < main:
        raise GtpError(f"main time limit is smaller than the main time: {words[3]}")
    return TimeControl.fischer(
        main,
        increment,
        LONGEST_SECONDS if main_cap < 0 else main_cap,
        LONGEST_SECONDS if move_cap < 0 else move_cap,
    )


KGS_CONTROLS: dict[str, Callable[[Words], TimeControl]] = {
    "none": none,
    "absolute": absolute,
    "byoyomi": byoyomi,
    "canadian": canadian,
}
KATA_CONTROLS = {**KGS_CONTROLS, "fischer": fischer, "fischer-capped": fischer_capped}


def time_settings(context: Context, command: GtpCommand) -> str:
    """Sets GTP's Canadian time."""
    expect(command.arguments, 3, "3 arguments", command.name)
    context.session.clocks.restart(canadian(("canadian", *command.arguments)))
    return ""


def kgs_time_settings(context: Context, command: GtpCommand) -> str:
    """Sets one of KGS's time systems."""
    return set_named(context, command, KGS_CONTROLS)


def kata_time_settings(context: Context, command: GtpCommand) -> str:
    """Sets one of KataGo's time systems."""
    return set_named(context, command, KATA_CONTROLS)


def set_named(
    context: Context, command: GtpCommand, controls: dict[str, Callable[[Words], TimeControl]]
) -> str:
    """Sets the time system of `controls` named by the first argument."""
    words = command.arguments
    control = controls.get(words[0].lower()) if words else None
    if control is None:
        names = ", ".join(f"'{name}'" for name in controls)
        raise GtpError(
            f"Expected one of {names} as first argument for {command.name} "
            f"but got {quoted(command.text)}"
        )
    context.session.clocks.restart(control(words))
    return ""


def list_time_settings(_context: Context, _command: GtpCommand) -> str:
    """Answers the names of the time systems of kata-time_settings."""
    return " ".join(KATA_CONTROLS)


def time_left(context: Context, command: GtpCommand) -> str:
    """Sets the time left on a player's clock."""
    words = command.arguments
    who = context.color_or_none(words[0]) if len(words) == 3 else None
    left = number_or_none(words[1]) if len(words) == 3 else None
    stones = integer_or_none(words[2]) if len(words) == 3 else None
    if who is None or left is None or stones is None:
        raise GtpError(
            f"Expected player and float time and int stones for time_left "
            f"but got {quoted(command.text)}"
        )
    if not MOST_NEGATIVE_SECONDS <= left <= LONGEST_SECONDS:
        raise GtpError(f"invalid time: {words[1]}")
    if not 0 <= stones <= MOST_STONES:
        raise GtpError(f"invalid stones: {words[2]}")
    context.session.clocks.set_left(who, left, stones)
    return ""


COMMANDS: dict[str, Handler] = {
    "time_settings": time_settings,
    "kgs-time_settings": kgs_time_settings,
    "kata-time_settings": kata_time_settings,
    "kata-list_time_settings": list_time_settings,
    "time_left": time_left,
}
