"""The built-in personas by name: games, text form and maker of each.

PERSONAS is the table, a row is a persona, its text `NAME` or `NAME:ARGUMENT`. Parts may follow,
each `+PART=SETTINGS`, as in `even+style=centre`; PARTS is their table. engine.play.steps plays
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from engine.personas.parts import Bases, reader
from engine.personas.persona import FULL, Persona
from engine.strength.alphadda import AlphaDda1, AlphaDda2, AlphaDda3
from engine.strength.alphazero import AlphaZero
from engine.strength.fixed_elo import FixedElo
from engine.strength.human_play import SHORT, HumanPlay
from engine.strength.rank_scale import RANKED_GAME
from engine.strength.softmax_index import Softmax
from engine.strength.target_win_rate import TargetWinRate
from engine.style.ending import ENDINGS
from engine.style.mixed import Mixed
from engine.style.naturalness import Naturalness
from engine.style.policy_bias import POLICY_BIASES, Style
from engine.style.position_control import CONSTANTS, PositionControl
from engine.util.registry import find_row

EVERY_GAME = ("go", "othello", "connect4", "darkchess", "einstein")
STONE_GAMES = ("go", "othello", "connect4")  # a move puts a stone
BOARD_GAMES = ("othello", "connect4")
WITH_CHESS = (*EVERY_GAME, "chess")  # its tree and its positions are Python's


@dataclass(frozen=True, slots=True)
class PersonaKind:
    """One persona, or a family that differs by an argument."""

    games: tuple[str, ...]  # keys of engine.games.table.GAMES
    # (whole text, arguments) -> its strength; a later argument wins; raises ValueError
    make: Callable[[str, Sequence[str]], object]
    about: str  # for the user, in a short sentence
    # of the argument, for the user; includes the colon if the argument may be left out
    form: str = ""


def _always(strength: object) -> Callable[[str, Sequence[str]], object]:
    """Returns a maker of a persona without an argument."""

    def make(text: str, arguments: Sequence[str]) -> object:
        if arguments or text.endswith(":"):
            raise ValueError(f"persona {text!r} takes nothing after its name")
        return strength

    return make


def _by(read: Callable[..., object]) -> Callable[[str, Sequence[str]], object]:
    """Returns a maker of a persona by named settings. read: arguments -> its strength."""

    def make(text: str, arguments: Sequence[str]) -> object:
        try:
            return read(*arguments)
        except ValueError as error:
            raise ValueError(f"persona {text!r}: {error}") from error

    return make


def _by_order(read: Callable[[str], object]) -> Callable[[str, Sequence[str]], object]:
    """Returns a maker of a persona by settings without names. read: argument -> its strength."""
    return _by(lambda *arguments: read(":".join(arguments)))


PERSONAS: dict[str, PersonaKind] = {
    FULL.name: PersonaKind(WITH_CHESS, _always(FULL.strength), FULL.about),
    "even": PersonaKind(
        WITH_CHESS,
        _by(TargetWinRate.read),
        "an even game with any opponent, or another target win rate, 0.6 or 60%;"
        " settings are closeness=0..1, caution=0..5, fair",
        "[:CHANCE][:SETTING]...",
    ),
    "level": PersonaKind(
        WITH_CHESS,
        _by_order(FixedElo.read),
        "the strength of an Elo on the rating ladder, or in Go of a rank such as 8k; random play"
        " is 0",
        "ELO",
    ),
    "human": PersonaKind(
        (*STONE_GAMES, "chess"),
        _by(HumanPlay.read),
        "moves of human players, restrained by their loss (lambda=0.3 a little): KataGo's"
        f" human play; settings, by KataGo's names too, are {', '.join(f'{n}=' for n in SHORT)}",
        "[:PROFILE][:SETTING]...",
    ),
    "alphazero": PersonaKind(
        WITH_CHESS, _always(AlphaZero()), "AlphaDDA's AlphaZero: plain PUCT, 200 or 400 playouts"
    ),
    "softmax": PersonaKind(
        WITH_CHESS,
        _by_order(Softmax.read),
        "moves drawn by visits to the power Z, from a share R_TH of the most visits on",
        "Z[:R_TH]",
    ),
    "softmax-between": PersonaKind(
        WITH_CHESS,
        _always(Softmax(between_games=True)),
        "the same; Z falls after each win and rises after each loss",
    ),
    "softmax-within": PersonaKind(
        WITH_CHESS,
        _always(Softmax(within_game=True)),
        "the same; Z falls as its win rate in this game rises",
    ),
    "softmax-mixed": PersonaKind(
        WITH_CHESS,
        _always(Softmax(between_games=True, within_game=True)),
        "the same; Z follows earlier games and this one",
    ),
    "alphadda1": PersonaKind(
        EVERY_GAME,
        _by_order(AlphaDda1.read),
        "AlphaDDA1: fewer simulations, the further it is ahead",
        "[:N_H,A,B,N_MAX]",
    ),
    "alphadda2": PersonaKind(
        BOARD_GAMES,
        _by_order(AlphaDda2.read),
        "AlphaDDA2: more dropout in the network, the further it is ahead",
        "[:N_H,A,P]",
    ),
    "alphadda3": PersonaKind(
        STONE_GAMES,
        _by_order(AlphaDda3.read),
        "AlphaDDA3: a search for positions that undo the lead",
        "[:N_H,C]",
    ),
    "position": PersonaKind(
        STONE_GAMES,
        _by(PositionControl.read),
        "position control: gives a lead back by natural moves;"
        f" METHODS are of A+B+C, settings {', '.join(f'{name}=' for name in CONSTANTS)}",
        "[:METHODS][:SETTING]...",
    ),
    "naive": PersonaKind(
        STONE_GAMES,
        _by(partial(PositionControl.read, naive=True)),
        "the move with the win rate nearest to even; with A and B as above",
        "[:METHODS][:SETTING]...",
    ),
}


@dataclass(frozen=True, slots=True)
class PartKind:
    """A part of a persona beside its strength: a field of Persona."""

    games: tuple[str, ...]  # keys of engine.games.table.GAMES
    read: Callable[[str], object]  # its settings -> the field's value; raises ValueError
    about: str  # for the user, in a short sentence
    form: str  # form of the settings, for the user
    # the values that a table in a file changes; empty: no table
    bases: Bases = field(default_factory=dict)


NATURAL: Bases = {"": Naturalness()}
MIXED: Bases = {"": Mixed()}
PARTS: dict[str, PartKind] = {
    "naturalness": PartKind(
        WITH_CHESS,
        reader(NATURAL),
        "limits on its moves: the least human probability and the greatest loss",
        "SETTING=VALUE[:SETTING=VALUE]...",
        NATURAL,
    ),
    "style": PartKind(
        STONE_GAMES,
        Style.read,
        f"the moves it prefers, the force, the price in win rate: {', '.join(POLICY_BIASES)}",
        "STYLE[:FORCE[:PRICE]]",
    ),
    "ending": PartKind(
        ("go", "othello"),
        reader(ENDINGS),
        "endgames by score: a narrow result, a win, a loss, or as in Shi et al.",
        "close, win, lose or shi[:SETTING=VALUE]...",
        ENDINGS,
    ),
    "mixed": PartKind(
        ("go",),
        reader(MIXED, "network"),
        "a second network, of a style; its moves are played if the usual network finds them"
        " hardly worse: Shi et al.'s mixed approach; settings are w_diff=, p_th=; only with full",
        "FILE[:SETTING=VALUE]...",
        MIXED,
    ),
}
PART = re.compile(r"\+(?=[a-z]+=)")  # the beginning of a part


def persona_of_text(text: str, game: str, behind: str = "") -> Persona:
    """Builds the persona of a text such as "full".

    behind: a text such as ":70%+style=centre"; its settings and parts win over those of `text`.
    Raises ValueError, quoting an unknown text, or a persona that does not play this game (a key of
    GAMES).
    """
    whole, *parts = PART.split(text)
    later, *later_parts = PART.split(behind)
    kind, argument = find_row("persona", whole, PERSONAS, game)
    arguments = [each for each in (argument, later.removeprefix(":")) if each]
    persona = Persona(text + behind, kind.about, kind.make(whole + later, arguments))
    if isinstance(persona.strength, FixedElo) and persona.strength.rank and game != RANKED_GAME:
        raise ValueError(f"persona {text + behind!r}: {argument!r} is a rank of Go, not an Elo")
    try:
        return replace(persona, **_parts(parts, game) | _parts(later_parts, game))
    except ValueError as error:
        raise ValueError(f"persona {text + behind!r}: {error}") from error


def _parts(texts: Sequence[str], game: str) -> dict[str, Any]:
    """Returns the parts of texts such as "style=centre", by name; raises ValueError."""
    parts: dict[str, Any] = {}
    for text in texts:
        name, _, settings = text.partition("=")
        if name not in PARTS:
            raise ValueError(f"no part {name!r}: there are {', '.join(PARTS)}")
        if game not in PARTS[name].games or name in parts:
            raise ValueError(f"{name} has no place here")
        parts[name] = PARTS[name].read(settings)
    return parts
