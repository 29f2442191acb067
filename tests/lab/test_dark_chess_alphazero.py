"""Tabular AlphaZero on 2x4 dark chess: the graph of positions, learning, the published runs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine._core import PositionGraph, SolvedDarkChess, TabularAlphaZero
from engine.errors import UsageError
from engine.games.dark_chess import new_position
from engine.lab.dark_chess_alphazero import TabularSetting, read_runs, run_of
from protocols.cli.main import dispatch
from tests.conftest import SHARED_DATA


@pytest.fixture(scope="module")
def graph() -> PositionGraph:
    return PositionGraph(new_position(2, 4, "PPPP"))


@pytest.fixture(scope="module")
def values(graph: PositionGraph) -> list[int]:
    return graph.values(SolvedDarkChess(new_position(2, 4, "PPPP")))


def test_the_graph_has_the_published_positions(graph: PositionGraph) -> None:
    assert (graph.positions, graph.moves) == (194_933, 40)


def test_values_follow_from_those_of_the_actions(graph: PositionGraph, values: list[int]) -> None:
    """The value of a position is the best of its actions' values, by the graph alone."""
    whole = SolvedDarkChess.whole
    rng = random.Random(1)
    for position in [0, *rng.sample(range(graph.positions), 2000)]:
        best = -whole
        for _, outcomes in graph.actions(position):
            weight = sum(each for _, each in outcomes)
            total = sum(each * (whole if after < 0 else -values[after]) for after, each in outcomes)
            best = max(best, total // weight)
        # Endless play is drawn: quiet moves alone never make a win.
        assert values[position] == best


def test_symmetric_positions_have_symmetric_actions(
    graph: PositionGraph, values: list[int]
) -> None:
    rng = random.Random(2)
    for position in rng.sample(range(graph.positions), 500):
        for symmetry in range(8):
            image = graph.image(position, symmetry)
            assert values[image] == values[position]
            assert graph.image(image, symmetry) == position
            expected = {
                graph.image_of_move(move, symmetry): sorted(
                    (after if after < 0 else graph.image(after, symmetry), weight)
                    for after, weight in outcomes
                )
                for move, outcomes in graph.actions(position)
            }
            found = {move: sorted(outcomes) for move, outcomes in graph.actions(image)}
            assert found == expected


def test_searches_find_wins(graph: PositionGraph, values: list[int]) -> None:
    """A search prefers an action that wins at once, whatever the table says."""
    learner = TabularAlphaZero(graph, TabularSetting(simulations=400).native(), 1)
    number = 0
    for position in range(0, graph.positions, 97):
        actions = graph.actions(position)
        wins = [i for i, (_, outcomes) in enumerate(actions) if outcomes[0][0] < 0]
        if not wins or len(wins) == len(actions):
            continue
        visits = learner.search(position)
        assert sum(visits) == 400
        assert visits.index(max(visits)) in wins
        number += 1
    assert number > 20


def test_learning_moves_the_table_to_its_targets(graph: PositionGraph) -> None:
    learner = TabularAlphaZero(graph, TabularSetting(simulations=50, symmetry="None").native(), 1)
    assert sum(learner.policy(0)) == pytest.approx(1)
    before = learner.value(0)
    positions = learner.play(50)
    assert learner.learn(0.0) == positions
    assert learner.value(0) == before
    learner.learn(0.5)
    assert learner.value(0) != before
    legal = sum(share for move, share in enumerate(learner.policy(0)) if move < 8)
    assert legal > 0.5  # 8 of 40 moves, the flips, are legal at the start
    assert 0 < learner.distinct <= positions


def test_images_are_learned_from_too(graph: PositionGraph) -> None:
    learner = TabularAlphaZero(graph, TabularSetting(simulations=20).native(), 1)
    positions = learner.play(10)
    assert learner.learn(0.1) == 8 * positions
    assert learner.play(10) + positions == learner.learn(0.1) // 8


def test_a_short_run_learns_to_play() -> None:
    setting = TabularSetting(simulations=60, games=400)
    rows = list(run_of(new_position(2, 4, "PPPP"), setting, 8, 1))
    assert (rows[0].positions, rows[0].illegal, rows[0].win_rate) == (0, 10_000, 0)
    assert rows[-1].win_rate > 15
    assert rows[-1].value_error < rows[0].value_error
    assert rows[-1].distinct > rows[1].distinct


@pytest.mark.parametrize(
    "change", [{"simulations": 0}, {"epsilon": 2.0}, {"tau": 0.0}, {"c_puct": -1.0}]
)
def test_wrong_settings_are_refused(graph: PositionGraph, change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="not"):
        TabularAlphaZero(graph, TabularSetting(**change).native(), 1)  # type: ignore[arg-type]


TABLE = """\
parameter,value,iteration,quantity,number
c_puct,0.5,0,win_rate,0.00
c_puct,0.5,1,win_rate,3.5
c_puct,0.5,1,AE,0.2
symmetry,Full,1,AE,0.3
"""


def test_published_runs_stand_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs.csv"
    path.write_text(TABLE)
    setting = TabularSetting(c_puct=0.5)
    assert read_runs(path, setting) == {0: {"win_rate": 0}, 1: {"win_rate": 3.5, "AE": 0.2}}
    assert read_runs(path, TabularSetting()) == {1: {"AE": 0.3}}
    assert read_runs(path, TabularSetting(c_puct=0.5, tau=2)) == {}
    words = ["lab", "tabular", "--iterations", "1", "--games", "2",
             "--c-puct", "0.5", "--published", str(path)]  # fmt: skip
    assert dispatch(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[2] == "3.50"
    assert dispatch([*words, "--json"]) == 0
    row = json.loads(capsys.readouterr().out.splitlines()[1])
    assert (row["iteration"], row["thesis"]["AE"]) == (1, 0.2)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(UsageError, match="no table of runs"):
        dispatch(words)


def test_the_thesis_has_the_default_run() -> None:
    path = SHARED_DATA / "dark-chess" / "alphazero_runs.csv"
    if not path.exists():
        pytest.skip(f"needs {path.name} in ../shared/data/dark-chess")
    run = read_runs(path, TabularSetting())
    assert len(run) == 51
    assert run[50]["win_rate"] == 49.6
    assert len(read_runs(path, TabularSetting(tau=0.5))) == 51
