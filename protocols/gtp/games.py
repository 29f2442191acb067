"""GTP commands about the choice of the game, like those of Edax, Quarry and GRhino."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import SettingError
from engine.games.game_settings import usual_settings
from engine.games.table import GAMES, game_named, usual_board
from engine.play.session import Session
from engine.play.session_settings import SessionSettings
from engine.strength.human_play import HumanPlay
from protocols.gtp.arguments import number_or_none
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler


def set_game(context: Context, command: GtpCommand) -> str:
    """Begins the game of this name, on its usual board after another game."""
    try:
        game = game_named(command.text)
    except SettingError as error:
        raise GtpError("unsupported game") from error
    if game == context.game.name:
        context.session.start_over()
        return ""
    if context.source is None:
        raise GtpError("unsupported game")
    before = context.session
    settings = in_game(context, game)
    search = context.source.search_on(usual_board(game))
    met = before.opponent
    before.meet(None)
    context.points = context.always_points
    context.session = Session(
        search,
        settings,
        game_settings=usual_settings(game, context.game_settings),
        source=context.source,
    )
    context.session.meet(met)
    context.session.thinking_seconds = before.thinking_seconds
    context.session.clocks.restart(before.clocks.control)
    context.session.warm_up()
    return ""


def in_game(context: Context, game: str) -> SessionSettings:
    """Returns the present settings in another game; raises SettingError if it lacks the persona.

    A persona's name may mean another one there. Parameters of `human` stay: they hold in every
    game, and its name lacks them.
    """
    settings = context.session.settings
    before = settings.persona
    persona = context.rights.persona(before.name, game)
    if isinstance(before.strength, HumanPlay):
        persona = replace(persona, strength=before.strength)
    return replace(settings, persona=persona)


def list_games(_context: Context, _command: GtpCommand) -> str:
    """The names of the games, one a line."""
    return "\n".join(kind.title for kind in GAMES.values())


def ignored_komi(_context: Context, command: GtpCommand) -> str:
    """Ignores the komi: controllers send one in every game."""
    if len(command.arguments) != 1 or number_or_none(command.text) is None:
        raise GtpError(f"Expected single float argument for komi but got {quoted(command.text)}")
    return ""


COMMANDS: dict[str, Handler] = {"set_game": set_game, "list_games": list_games}
WITHOUT_KOMI: dict[str, Handler] = {"komi": ignored_komi}
