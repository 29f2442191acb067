"""The players of a match, written as text.

PLAYERS is the table of external programs; any other text names an agent (engine.agents). The rules
of a match are in engine.match.referee.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.agents import AGENTS, make_agent
from engine.games.table import Board
from engine.match.agent_player import AgentPlayer
from engine.match.dark_chess_player import DarkChessPlayer
from engine.match.engine_options import options_of
from engine.match.engine_player import EnginePlayer, SharedNetworks
from engine.match.game_spec import GameSpec
from engine.match.gtp_player import GtpPlayer
from engine.match.nboard_player import NBoardPlayer
from engine.match.player import MoveBudget, Player
from engine.match.ugi_player import UgiPlayer

ALL_GAMES = ("go", "othello", "connect4")
SPARRING_GAMES = (*ALL_GAMES, "darkchess", "einstein", "chess")


class PlayerTextError(ValueError):
    """A player's text names no player; the message quotes it."""


@dataclass(frozen=True, slots=True)
class PlayerTerms:
    """The conditions of a program's start."""

    board: GameSpec
    budget: MoveBudget = field(default_factory=MoveBudget)
    patience: float = 300.0  # seconds of silence after which it counts as hung
    networks: SharedNetworks = field(default_factory=SharedNetworks)


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """One kind of external program."""

    games: tuple[str, ...]  # keys of engine.games.table.GAMES
    start: Callable[[str, str, PlayerTerms], Player]  # (text, text after the colon, terms)
    form: str  # form of the argument, for the user
    help: str


def _gtp(text: str, rest: str, terms: PlayerTerms) -> Player:
    return GtpPlayer(text, rest, terms.budget, terms.patience)


def _sparring(text: str, rest: str, terms: PlayerTerms) -> Player:
    own = options_of(terms.board.board, shlex.split(rest))
    networks, human = terms.networks, own.human
    return EnginePlayer(
        text,
        own,
        networks.network(own.network),
        terms.budget,
        human=lambda: None if human is None else networks.network(human),
        biased=lambda path: networks.network(replace(own.network, path=path)),
    )


def _ugi(text: str, rest: str, terms: PlayerTerms) -> Player:
    return UgiPlayer(text, rest, "ugi", budget=terms.budget, patience=terms.patience)


def _uci(text: str, rest: str, terms: PlayerTerms) -> Player:
    return UgiPlayer(text, rest, "uci", budget=terms.budget, patience=terms.patience)


def _dark_chess(text: str, rest: str, terms: PlayerTerms) -> Player:
    return DarkChessPlayer(text, rest, terms.patience)


def _nboard(text: str, rest: str, terms: PlayerTerms) -> Player:
    return NBoardPlayer(text, rest, terms.budget, terms.patience)


PLAYERS: dict[str, PlayerKind] = {
    "sparring": PlayerKind(
        SPARRING_GAMES,
        _sparring,
        "sparring:PERSONA",
        "this engine as one of `sparring personas`; the network's options may follow, --visits N "
        "of its own, --no-solver (late positions are searched, not solved) and, but for Go, "
        '--no-network (quick games judge): "sparring:full --network F". As a program it is '
        '"gtp:sparring gtp"',
    ),
    "gtp": PlayerKind(
        ALL_GAMES, _gtp, "gtp:COMMAND", 'a GTP engine: "gtp:gnugo --mode gtp --level 10"'
    ),
    "ugi": PlayerKind(ALL_GAMES, _ugi, "ugi:COMMAND", "a UGI engine, by its command line"),
    "uci": PlayerKind(
        (*ALL_GAMES, "chess"),
        _uci,
        "uci:COMMAND",
        "the same where it wants to hear `uci`, as programs of chess do; words such as "
        "option.UCI_Elo=1500 behind it set its options",
    ),
    "cdc": PlayerKind(
        ("darkchess",),
        _dark_chess,
        "cdc:COMMAND",
        "a program of the dark chess tournaments, by their dialect of GTP (4x8)",
    ),
    "nboard": PlayerKind(
        ("othello",), _nboard, "nboard:COMMAND", "an NBoard engine; some (NTest) need --depth"
    ),
}


def check_player(text: str, board: Board) -> None:
    """Raises PlayerTextError if the text names no player of this game; starts nothing."""
    game = board.game
    kind, _, rest = text.partition(":")
    if kind not in PLAYERS:
        try:
            make_agent(text, game, 0)
        except ValueError as error:
            raise PlayerTextError(f"no player {text!r}: {error}") from error
        return
    row = PLAYERS[kind]
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise PlayerTextError(f"no player {text!r}: {error}") from error
    if not words:
        raise PlayerTextError(f"no player {text!r}: write {row.form}")
    if game not in row.games:
        raise PlayerTextError(f"{text!r} plays {' and '.join(row.games)}, not {game}")
    if kind == "sparring":
        try:
            options_of(board, words)
        except ValueError as error:
            raise PlayerTextError(f"no player {text!r}: {error}") from error


def start_player(text: str, terms: PlayerTerms) -> Player:
    """Returns the running player of `text`.

    Raises PlayerTextError, EngineLostError and EngineRefusedError.
    """
    check_player(text, terms.board.board)
    kind, _, rest = text.partition(":")
    if kind in PLAYERS:
        return PLAYERS[kind].start(text, rest, terms)
    return AgentPlayer(make_agent(text, terms.board.game, 0))


def described() -> str:
    """Returns the kinds of players as lines of a help text."""
    rows = [(row.form, row.help) for row in PLAYERS.values()]
    for name, agent in AGENTS.items():
        games = "" if set(agent.games) >= set(ALL_GAMES) else f" ({', '.join(agent.games)})"
        colon = ":" if agent.form and not agent.form.startswith("[") else ""
        rows.append((f"{name}{colon}{agent.form}", agent.help + games))
    width = max(len(form) for form, _ in rows)
    return "\n".join(f"  {form:<{width}}  {help_text}" for form, help_text in rows)
