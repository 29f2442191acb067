"""The text of a player after `sparring:`: a persona, then options, as in a command line.

The text is the player's name in a match's record, hence a format of this package. OPTIONS is the
table of its options. The session is in engine.match.engine_player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from engine.games.table import Board
from engine.networks.rollout_evaluator import KINDS
from engine.personas import Persona, make_persona
from engine.play.game_networks import NetworkChoice
from engine.play.networks import networks_of
from engine.search.chess_aids import NO_AIDS, ChessAids
from engine.util.backends import BACKENDS, PRECISIONS
from engine.util.counts import read_count
from engine.util.paths import is_network_place


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of a player that is this engine."""

    persona: Persona
    network: NetworkChoice
    human: NetworkChoice | None  # the network of the human policy, if any
    solve: bool  # whether the exact solver plays late positions
    visits: int | None  # a move, for this player alone; None: the match's budget
    aids: ChessAids = NO_AIDS  # of chess


@dataclass(slots=True)
class WrittenOptions:
    """The values of the options as written; a field is its option's name."""

    network: str | None = None
    human_network: str | None = None
    backend: str = "auto"
    precision: str = "auto"
    visits: int | None = None
    chess_engine: str = ""
    chess_tables: str = ""
    chess_book: str = ""
    no_network: bool = False
    no_solver: bool = False


class EngineOption(NamedTuple):
    """One row of the table: the spellings of an option, and the reader of its value."""

    spellings: tuple[str, ...]
    read: Callable[[str], str | int] | None  # raises ValueError; None: the option has no value


def _one_of(names: Sequence[str], text: str) -> str:
    if text not in names:
        raise ValueError(f"invalid choice: {text!r} (choose from {', '.join(map(repr, names))})")
    return text


OPTIONS = {
    "network": EngineOption(("--network", "-model"), str),
    "human_network": EngineOption(("--human-network", "-human-model", "--reference"), str),
    "backend": EngineOption(("--backend",), partial(_one_of, BACKENDS)),
    "precision": EngineOption(("--precision",), partial(_one_of, PRECISIONS)),
    "visits": EngineOption(("--visits",), read_count),
    "chess_engine": EngineOption(("--chess-engine",), str),
    "chess_tables": EngineOption(("--chess-tables",), str),
    "chess_book": EngineOption(("--chess-book",), str),
    "no_network": EngineOption(("--no-network",), None),
    "no_solver": EngineOption(("--no-solver",), None),
}
SPELLINGS = {word: name for name, row in OPTIONS.items() for word in row.spellings}


def options_of(board: Board, words: Sequence[str]) -> EngineOptions:
    """Reads a persona and its options; raises ValueError if they do not fit the board."""
    end = 1 + next((at for at, word in enumerate(words[1:]) if word.startswith("-")), len(words))
    persona = make_persona(" ".join(words[:end]), board.game)
    options = read_options(words[end:])
    for path in (options.network, options.human_network):
        if path and not is_network_place(Path(path)):
            raise ValueError(f"no network file {path!r}")
    if options.network and options.no_network:
        raise ValueError("--network and --no-network exclude each other")
    networks = networks_of(
        board.game,
        options.network,
        options.backend,
        options.precision,
        human_network=options.human_network,
        aids=ChessAids(options.chess_engine, options.chess_tables, options.chess_book),
    )
    if options.no_network:
        if board.game not in KINDS:
            raise ValueError(f"{board.game} is not played without a network")
        networks = replace(networks, usual=None, sizes={})
    return EngineOptions(
        persona,
        networks.on(board),
        networks.human_on(board),
        solve=not options.no_solver,
        visits=options.visits,
        aids=networks.aids,
    )


def read_options(words: Sequence[str]) -> WrittenOptions:
    """Reads "--visits 10" or "--visits=10"; the last of equal options counts.

    Raises ValueError for an unknown option, and for a missing or impossible value.
    """
    options, left = WrittenOptions(), iter(words)
    for word in left:
        name, value = _named(word)
        setattr(options, name, _value(OPTIONS[name], value, left))
    return options


def _named(word: str) -> tuple[str, str | None]:
    """Returns the option of a word, which may be shortened, and the value behind its "="."""
    spelling, equals, value = word.partition("=")
    near = [spelling] if spelling in SPELLINGS else []
    if not near and spelling.startswith("-") and spelling.strip("-"):
        near = [each for each in SPELLINGS if each.startswith(spelling)]
    if not near:
        raise ValueError(f"no option {word!r} in a match")
    if len(near) > 1:
        raise ValueError(f"ambiguous option: {word} could match {', '.join(near)}")
    return SPELLINGS[near[0]], value if equals else None


def _value(option: EngineOption, text: str | None, left: Iterator[str]) -> str | int | bool:
    """Returns the value of an option: the text behind its "=", or the next word."""
    title = "/".join(option.spellings)
    if option.read is None:
        if text is not None:
            raise ValueError(f"argument {title}: ignored explicit argument {text!r}")
        return True
    if text is None:
        text = next(left, "-")
        if text.startswith("-") and not text[1:2].isdecimal():
            raise ValueError(f"argument {title}: expected one argument")
    try:
        return option.read(text)
    except ValueError as error:
        raise ValueError(f"argument {title}: {error}") from error
