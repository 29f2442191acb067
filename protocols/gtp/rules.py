"""GTP commands about the rules of the game."""

from __future__ import annotations

import json
from dataclasses import replace

from engine._core import GoRules
from engine.errors import SettingError
from engine.games.game import Game
from engine.games.game_settings import go_settings
from engine.games.rules import named_rules, parse_rules, rules_dict, rules_json, set_rule
from engine.play.session import Session
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler

KGS_RULES = {
    "chinese": "chinese-kgs",
    "aga": "aga",
    "japanese": "japanese",
    "new_zealand": "new-zealand",
}


def get_rules(context: Context, command: GtpCommand) -> str:
    """The rules as one line of JSON."""
    expect(command.arguments, 0, "no arguments", command.name)
    return rules_json(go_settings(context.game.game_settings).rules)


def set_rules(context: Context, command: GtpCommand) -> str:
    """Plays by the rules that a name or JSON describes from now on."""
    try:
        rules = parse_rules(command.text)
    except SettingError as error:
        raise GtpError(f"Unknown rules {quoted(command.text)}, {error}") from error
    play_by(context.session, rules)
    return ""


def change_rule(context: Context, command: GtpCommand) -> str:
    """Changes one rule."""
    expect(command.arguments, 2, "two arguments", command.name)
    play_by(
        context.session, set_rule(go_settings(context.game.game_settings).rules, *command.arguments)
    )
    return ""


def kgs_rules(context: Context, command: GtpCommand) -> str:
    """Plays by one of KGS's rule sets from now on; later versions may send further words."""
    expect(command.arguments[:1], 1, "one argument", command.name)
    name = KGS_RULES.get(command.arguments[0].lower())
    if name is None:
        raise GtpError(f"Unknown rules {quoted(command.text)}")
    play_by(context.session, named_rules(name))
    return ""


def play_by(session: Session, rules: GoRules) -> None:
    """Plays by these rules from now on."""
    session.agree(replace(go_settings(session.game.game_settings), rules=rules))


def rules_with_komi(game: Game) -> str:
    """The rules and the komi as one line of JSON, as KataGo's showboard has them."""
    game_settings = go_settings(game.game_settings)
    values = {**rules_dict(game_settings.rules), "komi": game_settings.komi}
    return json.dumps(values, separators=(",", ":"), sort_keys=True)


COMMANDS: dict[str, Handler] = {
    "kata-get-rules": get_rules,
    "kata-set-rules": set_rules,
    "kata-set-rule": change_rule,
    "kgs-rules": kgs_rules,
}
