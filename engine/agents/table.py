"""The agents by name, with their games, their arguments and their makers.

AGENTS is the table; an agent is a row, its text `NAME` or `NAME:ARGUMENT`. A paper leaves some
details open: the core's comments name our decisions (engine/core/agents/agents.h and the files
named there).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine._core import (
    DarkChessPosition,
    DarkKnightSettings,
    Finding,
    alphadda_minimax,
    alphadda_tree_search,
    dark_chess_minimax,
    first_move,
    greedy_step,
    liang_minimax,
    liang_tree_search,
    search_dark_knight,
    tasteful_move,
    worst_move,
)
from engine.agents.agent import Agent, Rule, Think
from engine.agents.careless import Careless
from engine.agents.dark_knight import BEST_TECHNIQUES, read_setting
from engine.agents.double_dqn import load_greedy_dqn
from engine.agents.perfect import load_perfect
from engine.agents.random_mover import RandomMover
from engine.agents.won_games import Rememberer, WonGames
from engine.util.registry import find_row

EVERY_GAME = ("go", "othello", "connect4")
DARK_CHESS = ("darkchess",)
EINSTEIN = ("einstein",)
BOARD_GAMES = ("othello", "connect4")
OTHELLO = ("othello",)
SEARCHED = "value {0.value:+g}, {0.nodes} positions"
SAMPLED = "mean result {0.value:+.2f}"
MOST_PLAYOUTS = 10_000_000


@dataclass(frozen=True, slots=True)
class AgentKind:
    """One agent, or a family of agents with an argument."""

    games: tuple[str, ...]  # keys of engine.games.table.GAMES
    make: Callable[[str, str, int], Agent]  # (whole text, argument, seed); ValueError
    help: str
    form: str = ""  # form of the argument, for the user; an optional one begins with its colon


def _rule(think: Think, reason: str) -> Callable[[str, str, int], Agent]:
    """Returns a maker of agents without an argument."""

    def make(text: str, argument: str, seed: int) -> Agent:
        if argument:
            raise ValueError(f"agent {text!r} takes nothing after its name")
        return Rule(text, think, reason, seed)

    return make


def _counted(
    think_for: Callable[[int], Think], reason: str, most: int
) -> Callable[[str, str, int], Agent]:
    """Returns a maker of agents with a number 1..most as the argument."""

    def make(text: str, argument: str, seed: int) -> Agent:
        return Rule(text, think_for(_number(text, argument, most)), reason, seed)

    return make


def _number(text: str, argument: str, most: int) -> int:
    if not (argument.isascii() and argument.isdigit() and 1 <= int(argument) <= most):
        raise ValueError(f"agent {text!r} needs a whole number of 1..{most} after the colon")
    return int(argument)


def _taste(name: str) -> Think:
    return lambda position, seed: tasteful_move(position, name, seed)


def _depth(*, pruning: bool) -> Callable[[int], Think]:
    return lambda depth: lambda position, seed: liang_minimax(position, depth, pruning, seed)


def _uct(playouts: int) -> Think:
    return lambda position, seed: alphadda_tree_search(position, playouts, seed)


def _roxanne_loops(loops: int) -> Think:
    return lambda position, seed: liang_tree_search(position, loops, seed)


def _alphadda_minimax(number: int, *, published: bool) -> AgentKind:
    form = "as its published code plays" if published else "depth 3"
    maker = _rule(lambda position, _seed: alphadda_minimax(position, number, published), SEARCHED)
    return AgentKind(BOARD_GAMES, maker, f"AlphaDDA's Minimax{number}, {form}")


def _with_won_games(text: str, argument: str, seed: int) -> Agent:
    depth, _, path = argument.partition(":")
    think = _depth(pruning=True)(_number(text, depth, 10))
    return Rememberer(text, think, WonGames(Path(path) if path else None), seed)


def _careless(text: str, argument: str, seed: int) -> Agent:
    number, _, other = argument.partition(":")
    try:
        share = float(number)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ValueError(f"agent {text!r} needs a probability of 0..1 and an agent after the colon")
    name, _, behind = other.partition(":")
    if name not in AGENTS or not set(AGENTS[name].games).issuperset(BOARD_GAMES):
        raise ValueError(f"agent {text!r}: {other!r} is no agent of all these games")
    return Careless(text, AGENTS[name].make(other, behind, seed), share, seed)


def _alphadda_mcts(playouts: int, number: int) -> AgentKind:
    maker = _rule(_uct(playouts), f"{playouts} playouts, {SAMPLED}")
    return AgentKind(BOARD_GAMES, maker, f"AlphaDDA's MCTS{number}: {playouts} playouts")


def _expectiminimax(plies: int) -> Think:
    return lambda position, seed: dark_chess_minimax(position, plies, seed)


def _dark_knight(text: str, argument: str, seed: int) -> Agent:
    alone = argument.isascii() and argument.isdigit()
    setting = read_setting(f"{argument},{BEST_TECHNIQUES}" if alone else argument).native()
    return Rule(text, partial(_search_dark_knight, setting), SAMPLED, seed)


def _search_dark_knight(
    setting: DarkKnightSettings, position: DarkChessPosition, seed: int
) -> Finding:
    return search_dark_knight(position, setting, seed).finding


AGENTS: dict[str, AgentKind] = {
    "random": AgentKind(
        (*EVERY_GAME, *DARK_CHESS, *EINSTEIN, "chess"),
        RandomMover,
        "any legal move; in Go none that fills an own eye, and a pass when no other is left",
    ),
    "first-legal": AgentKind(
        EVERY_GAME,
        _rule(lambda position, _seed: first_move(position), "the first legal move"),
        "the first of the moves that random takes from",
    ),
    "worst": AgentKind(
        BOARD_GAMES,
        _rule(worst_move, SEARCHED),
        "the move that leaves it worst off after the best reply",
    ),
    "max-score": AgentKind(
        OTHELLO, _rule(_taste("most_discs"), "flips {0.value:g}, the most"), "flips the most discs"
    ),
    "min-score": AgentKind(
        OTHELLO, _rule(_taste("fewest_discs"), "flips the fewest"), "flips the fewest discs"
    ),
    "roxanne": AgentKind(
        OTHELLO, _rule(_taste("roxanne"), "square of value {0.value:g}"), "the best square by place"
    ),
    "minimax": AgentKind(
        OTHELLO, _counted(_depth(pruning=False), SEARCHED, 4), "Liang's minimax", "DEPTH"
    ),
    "alphabeta": AgentKind(
        OTHELLO, _counted(_depth(pruning=True), SEARCHED, 10), "Liang's alpha-beta", "DEPTH"
    ),
    "alphabeta-table": AgentKind(
        OTHELLO,
        _with_won_games,
        "alpha-beta that repeats the moves of its won games, saved in FILE if there is one",
        "DEPTH[:FILE]",
    ),
    "mcts-roxanne": AgentKind(
        OTHELLO,
        _counted(_roxanne_loops, SAMPLED, MOST_PLAYOUTS),
        "Liang's Monte Carlo tree search with Roxanne playouts",
        "LOOPS",
    ),
    "double-dqn": AgentKind(
        OTHELLO, load_greedy_dqn, "Liang's double DQN, by the networks in FILE", "FILE"
    ),
    "perfect": AgentKind(
        BOARD_GAMES,
        load_perfect,
        "any of the best moves by the exact solver in late positions: those of the best result, or "
        "of the best score; FILE saves the results of long searches",
        "[:result|:score[:FILE]]",
    ),
    "careless": AgentKind(
        BOARD_GAMES,
        _careless,
        "AGENT, but each move is a random one with this probability (0..1)",
        "CHANCE:AGENT",
    ),
    "mcts": AgentKind(
        BOARD_GAMES,
        _counted(_uct, SAMPLED, MOST_PLAYOUTS),
        "AlphaDDA's Monte Carlo tree search with random playouts",
        "PLAYOUTS",
    ),
    "dark-knight": AgentKind(
        DARK_CHESS,
        _dark_knight,
        "DarkKnight's Monte Carlo tree search with techniques of its thesis, all by default",
        "SIMULATIONS[,TECHNIQUE][,CONSTANT=NUMBER]...",
    ),
    "expectiminimax": AgentKind(
        DARK_CHESS,
        _counted(_expectiminimax, SEARCHED, 6),
        "the best expected material after so many plies; 1 is greedy",
        "PLIES",
    ),
    "greedy": AgentKind(
        EINSTEIN,
        _rule(greedy_step, "worth {0.value:.1f}"),
        "the step of the greatest immediate worth: wins, captures, progress; any placing",
    ),
    "mcts1": _alphadda_mcts(300, 1),
    "mcts2": _alphadda_mcts(100, 2),
    "mcts3": _alphadda_mcts(200, 3),
    "mcts4": _alphadda_mcts(50, 4),
    "minimax1": _alphadda_minimax(1, published=False),
    "minimax2": _alphadda_minimax(2, published=False),
    "minimax1-published": _alphadda_minimax(1, published=True),
    "minimax2-published": _alphadda_minimax(2, published=True),
}


def make_agent(text: str, game: str, seed: int) -> Agent:
    """Returns the agent of a text such as "alphabeta:4", ready for a game with this seed.

    game: a key of GAMES. Raises ValueError quoting a text without an agent of this game.
    """
    kind, argument = find_row("agent", text, AGENTS, game)
    return kind.make(text, argument, seed)
