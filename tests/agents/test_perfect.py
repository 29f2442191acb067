"""The perfect player: every best move and no other, what it keeps in its file, what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.agents import make_agent
from engine.agents import perfect as perfect_module
from engine.agents.perfect import best_moves, most_empties
from engine.agents.solved import SolvedAgent
from engine.errors import SettingError
from engine.games.position import Position
from engine.games.table import GAMES
from engine.search.solver import SOLVERS
from tests.core.test_proofs import late

LATE = {"othello": 8, "connect4": 14}  # empty cells
GOALS = ("result", "score")


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def best(game: str, position: Position, goal: str) -> set[int]:
    """The best moves by the scores of all."""
    scores = dict(SOLVERS[game](4).solve_moves(position))
    worth = scores if goal == "score" else {move: sign(each) for move, each in scores.items()}
    return {move for move, each in worth.items() if each == max(worth.values())}


@pytest.mark.parametrize("game", sorted(SOLVERS))
@pytest.mark.parametrize("goal", GOALS)
def test_it_plays_all_of_the_best_moves_and_no_other(game: str, goal: str) -> None:
    agent = make_agent(f"perfect:{goal}", game, 1)
    several = 0
    for seed in range(30):
        position = late(game, GAMES[game].usual_sizes[0], seed, LATE[game])
        wanted = best(game, position, goal)
        played = set()
        for number in range(40):
            agent.begin(number)
            played.add(agent.choose(position).move)
        assert played == wanted
        several += 1 < len(wanted) < len(position.legal_moves())
    assert several > 2


def test_without_a_word_it_keeps_the_result() -> None:
    for seed in range(20):
        position = late("connect4", (7, 6), seed, 14)
        said = [make_agent(text, "connect4", 5).choose(position) for text in GOAL_TEXTS]
        assert said[0] == said[1]
        if best("connect4", position, "result") != best("connect4", position, "score"):
            assert said[0].reason != said[2].reason


GOAL_TEXTS = ("perfect", "perfect:result", "perfect:score")


def test_whole_games_of_small_boards_are_drawn_or_won_by_whom_they_should_be() -> None:
    """On 4x4 Connect4 is a draw, and Othello is White's by 8."""
    for game, winner in (("connect4", -1), ("othello", 1)):
        agents = [make_agent(text, game, 3) for text in ("perfect", "perfect:score")]
        for order in (agents, agents[::-1]):
            position = GAMES[game].new_position(4, 4)
            while not position.is_over:
                move = order[position.to_move].choose(position).move
                assert move is not None
                position.play(move)
            assert position.winner == winner


def _asked() -> Iterator[Position]:
    for seed in range(100):
        yield late("connect4", (7, 6), seed, 20)


def _nodes(position: Position) -> int:
    return SOLVERS["connect4"](1).solve(position, alpha=-1, beta=1).nodes


def test_long_searches_are_saved_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect_module, "SAVED_NODES", 200)
    path = tmp_path / "solved.jsonl"
    position = next(each for each in _asked() if _nodes(each) >= 400)
    agent = make_agent(f"perfect:result:{path}", "connect4", 1)
    first = agent.choose(position)
    assert first.nodes is not None
    assert first.nodes >= 200
    (row,) = map(json.loads, path.read_text().splitlines())
    assert row[0] == "result"
    agent.begin(1)
    assert agent.choose(position).nodes == 0
    other = make_agent(f"perfect:result:{path}", "connect4", 1).choose(position)
    assert (other.move, other.nodes) == (first.move, 0)
    mirrored = GAMES["connect4"].new_position(7, 6)
    stones = position.stones[:, ::-1]
    mirrored.setup(
        [(int(stone) - 1, cell) for cell, stone in enumerate(stones.flat) if stone],
        position.to_move,
    )
    mirror = make_agent(f"perfect:result:{path}", "connect4", 1)
    assert mirror.choose(mirrored).nodes == 0
    known = SolvedAgent(path).moves("result", mirrored)
    assert known is not None
    assert set(known) == best("connect4", mirrored, "result")
    assert SolvedAgent(path).moves("score", position) is None
    assert len(SolvedAgent(path)) == 1


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    for number, text in enumerate(("{}\n", "not json\n", '["result", "X", 3]\n')):
        path = tmp_path / str(number)
        path.write_text(text)
        with pytest.raises(ValueError, match="does not hold solved positions"):
            make_agent(f"perfect:score:{path}", "othello", 1)


def test_an_unsolvable_position_is_refused_before_the_search() -> None:
    start = GAMES["othello"].new_position(8, 8)
    with pytest.raises(SettingError, match=r"'perfect' plays with at most 28 empty cells: with 60"):
        make_agent("perfect", "othello", 1).choose(start)
    assert most_empties("othello") == 28
    assert most_empties("connect4") >= 42  # the usual board
    large = GAMES["connect4"].new_position(8, 7)
    with pytest.raises(SettingError, match="with 56"):
        make_agent("perfect", "connect4", 1).choose(large)
    with pytest.raises(ValueError, match="keeps the result or the score, not 'points'"):
        make_agent("perfect:points", "othello", 1)


def test_a_lost_position_asks_for_no_choice() -> None:
    for seed in range(40):
        position = late("connect4", (7, 6), seed, 16)
        solver = SOLVERS["connect4"](4)
        if solver.solve(position).score < 0:
            moves, _ = best_moves(solver, position, exactly=False)
            assert moves == position.legal_moves()
            return
    raise AssertionError("no lost position was drawn")
