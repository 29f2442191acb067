"""Agents made from their names: what is refused, that seeds settle everything, who wins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine._core import Connect4Position, EinsteinPosition, GoPosition, GoRules, OthelloPosition
from engine.agents import AGENTS, Agent, make_agent
from engine.agents.won_games import WonGames
from engine.games import chess_game
from engine.games.dark_chess import new_position
from engine.games.table import GAMES
from tests.support.agents.play import match, play
from tests.support.games import PLAYABLE

ARGUMENTS = {
    "minimax": "2",
    "alphabeta": "3",
    "alphabeta-table": "2",
    "mcts-roxanne": "20",
    "mcts": "30",
    "careless": "0.5:mcts:20",
}
TEXTS = [
    (f"{name}:{ARGUMENTS[name]}" if name in ARGUMENTS else name, game)
    for name, kind in AGENTS.items()
    for game in kind.games
    if not kind.form or name in ARGUMENTS
]
NEW: dict[str, Callable[[], Any]] = {
    "go": lambda: GoPosition(7, 7, GoRules()),
    "othello": lambda: OthelloPosition(6),
    "connect4": Connect4Position,
    "darkchess": lambda: new_position(2, 4),
    "einstein": EinsteinPosition,
    "chess": chess_game.new_position,
}


def test_the_games_of_agents_exist() -> None:
    assert {game for kind in AGENTS.values() for game in kind.games} == set(GAMES)


@pytest.mark.parametrize(("text", "game"), TEXTS)
def test_seeds_settle_every_game(text: str, game: str) -> None:
    if game not in PLAYABLE:
        pytest.skip("needs python-chess: sparring[chess]")

    def moves(seed: int, own: int) -> list[int]:
        agents = (make_agent(text, game, own), make_agent("random", game, own))
        return play(NEW[game](), agents, seed)

    assert moves(5, 1) == moves(5, 2)
    assert len({tuple(moves(seed, 1)) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("", "othello", "no agent ''"),
        ("Roxanne", "othello", "no agent 'Roxanne'"),
        ("roxanne:2", "othello", "'roxanne:2' takes nothing"),
        ("minimax", "othello", "'minimax' needs a whole number of 1..4"),
        ("minimax:5", "othello", "'minimax:5' needs"),
        ("alphabeta:-1", "othello", "'alphabeta:-1' needs"),
        ("mcts:", "connect4", "'mcts:' needs"),
        ("careless:mcts:9", "connect4", "needs a probability of 0..1 and an agent"),
        ("careless:1.5:mcts:9", "connect4", "needs a probability of 0..1 and an agent"),
        ("careless:nan:mcts:9", "connect4", "needs a probability of 0..1 and an agent"),
        ("careless:0.5:roxanne", "othello", "'roxanne' is no agent of all these games"),
        ("careless:0.5:mcts:0", "connect4", "'mcts:0' needs a whole number"),
        ("mcts:²", "connect4", "needs a whole number"),
        ("mcts:0", "connect4", "needs a whole number"),
        ("roxanne", "connect4", "'roxanne' plays othello, not 'connect4'"),
        ("worst", "go", "'worst' plays othello and connect4, not 'go'"),
        ("roxanne", "chess", "not 'chess'"),
        ("random:2", "chess", "'random:2' takes nothing"),
    ],
)
def test_a_text_without_an_agent_is_refused(text: str, game: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_agent(text, game, 1)


@pytest.mark.parametrize("name", ["othello6", "othello8", "connect4"])
def test_worst_loses_to_random(name: str) -> None:
    won, lost, _ = match(name, ("worst", "random"), 60)
    assert won <= 10
    assert lost >= 45


def win_with_white(agent: Agent) -> dict[str, int]:
    """Plays first-legal until White wins; the moves that White made there, by board."""
    for seed in range(100):
        position = OthelloPosition(8)
        played: dict[str, int] = {}
        agent.begin(seed)
        black = make_agent("first-legal", "othello", 1)
        while not position.is_over:
            mover = agent if position.to_move == 1 else black
            move = mover.choose(position).move
            assert move is not None
            if position.to_move == 1:
                played[str(position.stones.tolist())] = move
            position.play(move)
        agent.finish(position)
        if position.winner == 1:
            return played
    raise AssertionError("never won")


def test_a_won_game_is_played_again() -> None:
    agent = make_agent("alphabeta-table:1", "othello", 1)
    won = win_with_white(agent)
    assert win_with_white(agent) == won
    agent.begin(12345)
    position = OthelloPosition(8)
    position.play(position.legal_moves()[0])
    choice = agent.choose(position)
    assert choice.move == won[str(position.stones.tolist())]
    assert choice.reason == "as in a game that was won"


def test_a_lost_game_is_forgotten() -> None:
    agent = make_agent("alphabeta-table:1", "othello", 1)
    position = OthelloPosition(6)
    agent.begin(1)
    agent.choose(position)
    lost = OthelloPosition(6)
    lost.setup([(1, 0)])
    assert lost.winner == 1
    agent.finish(lost)
    agent.begin(2)
    assert "won" not in agent.choose(position).reason


def test_won_games_are_saved_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "won.json"
    text = f"alphabeta-table:1:{path}"
    won = win_with_white(make_agent(text, "othello", 1))
    again = make_agent(text, "othello", 1)
    position = OthelloPosition(8)
    position.play(position.legal_moves()[0])
    assert again.choose(position).move == won[str(position.stones.tolist())]
    assert len(WonGames(path)) == len(won)
    path.write_text("[[1, 2]]")
    with pytest.raises(ValueError, match=r"won\.json"):
        make_agent(text, "othello", 1)


def test_a_careless_agents_mistakes_have_its_probability() -> None:
    def same(chance: str) -> float:
        careless = make_agent(f"careless:{chance}:first-legal", "connect4", 0)
        careless.begin(3)
        moves = [careless.choose(Connect4Position()).move for _ in range(400)]
        return moves.count(0) / len(moves)

    assert same("0") == 1
    assert abs(same("0.7") - (0.3 + 0.7 / 7)) < 0.08
    assert abs(same("1") - 1 / 7) < 0.06
