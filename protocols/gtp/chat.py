"""GTP commands about chat: the engine answers a player's words, and changes its strength by them.

kgsGtp sends `kgs-chat` with each line of the opponent, and says the answer; at an error it says the
text of its option `talk`. A strength changed by chat lasts until the game is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.games.ranks import rank_text
from engine.opponents import EloEstimate
from engine.personas.files import CHANGE
from engine.strength.fixed_elo import FixedElo
from engine.strength.full import Full
from engine.strength.level import NO_RANK
from engine.strength.rank_scale import RankScale, scale_of, with_rank
from engine.strength.rating_ladder import ladder_for
from engine.strength.target_win_rate import LEAST_TARGET, TargetWinRate
from protocols.chat_words import (
    HELP,
    HELP_TEXT,
    LEVEL,
    STAY,
    STRONGER,
    WEAKER,
    WHY,
    cleaned,
    word_of,
)
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler
from protocols.strength_text import in_elo

CHANCE_STEP = 0.1  # change of the target win rate by one word
ELO_STEP = 100.0  # change of a fixed level by one word, in Elo
RANK_STEP = 1.0  # change of a fixed rank by one word
KGS_PLACES = ("game", "private")
KGS_LONGEST = 1000  # characters of an answer


def level(context: Context) -> str:
    """Returns the believed strength of the opponent, and our own."""
    session = context.session
    if isinstance(session.settings.persona.strength, Full):
        return "I play at full strength."
    estimate, scale = session.opponent_estimate, _scale(context)
    parts = []
    if estimate is not None:
        parts.append(f"Your level, as I see it: {_estimate_text(estimate, scale)}.")
    choice = session.last_choice
    if choice is not None and choice.level_elo is not None:
        parts.append(f"My last move was at {_elo_text(choice.level_elo, scale)}.")
    return " ".join(parts) or "I do not know you yet: ask me again after my first move."


def why(context: Context) -> str:
    """Returns the reason of our last move."""
    choice = context.session.last_choice
    return "I have not moved yet." if choice is None else choice.reason


def stronger(context: Context) -> str:
    """Plays stronger, and returns a text that says so."""
    return _changed_by(context, 1)


def weaker(context: Context) -> str:
    """Plays weaker, and returns a text that says so."""
    return _changed_by(context, -1)


def stay(context: Context) -> str:
    """Keeps the present level from now on, and returns a text that says so."""
    session = context.session
    if not isinstance(session.settings.persona.strength, TargetWinRate):
        return "My strength stays as it is."
    choice, estimate = session.last_choice, session.opponent_estimate
    if choice is not None and choice.level_elo is not None:
        elo = choice.level_elo
    elif estimate is not None:
        elo = estimate.mean
    else:
        return "I have no level yet: ask me again after my first move."
    _set_strength(context, f"level:{elo:.0f}")
    return f"I stay at {_elo_text(elo, _scale(context))} in this game."


def help_text(_context: Context) -> str:
    """Returns the words that the engine answers."""
    return HELP_TEXT


ANSWERS: dict[str, Callable[[Context], str]] = {
    LEVEL: level,
    WHY: why,
    STRONGER: stronger,
    WEAKER: weaker,
    STAY: stay,
    HELP: help_text,
}


def answer(context: Context, text: str) -> str:
    """Returns the answer to a line of chat; raises GtpError on a line without a known word."""
    word = word_of(text)
    if word not in ANSWERS:
        raise GtpError(f"no word for the engine: {quoted(cleaned(text))}")
    return ANSWERS[word](context)


def end_chat(context: Context) -> None:
    """Plays by the persona from before the chat again."""
    if context.persona_before_chat is not None:
        settings = replace(context.session.settings, persona=context.persona_before_chat)
        context.session.change_settings(settings)
        context.persona_before_chat = None


def chat(context: Context, command: GtpCommand) -> str:
    """Answers a word that the opponent says, such as `level` or `why`."""
    return cleaned(answer(context, command.text))


def kgs_chat(context: Context, command: GtpCommand) -> str:
    """Answers a line of chat on KGS: `game` or `private`, the speaker's name, the line.

    A private line may ask, and change nothing: it need not come from the opponent.
    """
    if len(command.arguments) < 2 or command.arguments[0].lower() not in KGS_PLACES:
        raise GtpError(
            f"Expected game or private, a name and a text but got {quoted(command.text)}"
        )
    place, _name, *words = command.arguments
    text = " ".join(words)
    if place.lower() != "game" and word_of(text) in (STRONGER, WEAKER, STAY):
        raise GtpError("the strength changes by the chat of the game alone")
    return cleaned(answer(context, text), KGS_LONGEST)


def kgs_game_over(context: Context, command: GtpCommand) -> str:
    """Records the result of a game over on the board; KGS does not state it.

    The next game has another opponent, and the persona from before the chat.
    """
    expect(command.arguments, 0, "no arguments", command.name)
    session = context.session
    session.settle()
    end_chat(context)
    if session.opponent is None:
        session.meet(None)  # the belief about a player without a name ends here
    return ""


def _changed_by(context: Context, sign: int) -> str:
    """Changes the strength by one step up, sign 1, or down, -1."""
    strength = context.session.settings.persona.strength
    word = "stronger" if sign > 0 else "weaker"
    if isinstance(strength, TargetWinRate):
        chance = min(max(strength.chance + sign * CHANCE_STEP, LEAST_TARGET), 1 - LEAST_TARGET)
        text = replace(strength, chance=round(chance, 2)).text
        _set_strength(context, f"even:{text}" if text else "even")
        return f"I play {word}: I aim at {chance:.0%} of our games."
    if not isinstance(strength, FixedElo):
        return "My strength is fixed, and I cannot change it."
    if strength.rank != NO_RANK:
        text = said = rank_text(strength.rank - sign * RANK_STEP, 1)
    else:
        elo = strength.elo + sign * ELO_STEP
        text, said = f"{round(elo)}", with_rank(None, elo)
    _set_strength(context, f"level:{text}")
    return f"I play {word}: at level {said}."


def _set_strength(context: Context, strength: str) -> None:
    """Replaces the strength of the persona, and keeps its other parts, until the chat ends."""
    settings = context.session.settings
    base, *changes = CHANGE.split(settings.persona.name.strip())
    others = [change for change in changes if not change.startswith("strength=")]
    text = " ".join([base, *others, f"strength={strength}"])
    persona = context.rights.persona(text, context.game.name)
    if context.persona_before_chat is None:
        context.persona_before_chat = settings.persona
    context.session.change_settings(replace(settings, persona=persona))


def _scale(context: Context) -> RankScale | None:
    return scale_of(ladder_for(context.game.board, context.session.network))


def _estimate_text(estimate: EloEstimate, scale: RankScale | None) -> str:
    if scale is None:
        return f"about {in_elo(estimate)} Elo, where random play is 0"
    return scale.estimate(estimate.mean, estimate.low, estimate.high)


def _elo_text(elo: float, scale: RankScale | None) -> str:
    return f"level {with_rank(scale, elo)}"


COMMANDS: dict[str, Handler] = {
    "sparring-chat": chat,
    "kgs-chat": kgs_chat,
    "kgs-game_over": kgs_game_over,
}
