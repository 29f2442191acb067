"""Networks of every game in the search: the backends agree, other positions are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import SettingError
from engine.games.evaluator import GAME_INPUTS
from engine.games.position import Position
from engine.games.table import GAMES
from engine.networks.architecture import Architecture, NetworkFileError, arrays
from engine.networks.fresh import Shape, fresh_architecture
from engine.networks.native_backend import NativeEvaluator
from engine.networks.openvino_backend import OpenVinoEvaluator
from engine.networks.raw import evaluate_raw
from engine.networks.sparring import read_sparring, write_sparring
from engine.networks.torch_backend import TorchEvaluator
from engine.search.search import Search, SearchSettings
from engine.values import Limit, Report
from tests.support.networks.backends import has_gpu

BACKENDS: dict[str, Any] = {
    "native": NativeEvaluator,
    "openvino": OpenVinoEvaluator,
    "torch": TorchEvaluator,
    **({"cuda": partial(TorchEvaluator, device="cuda")} if has_gpu() else {}),
}
SIZES = {"go": (7, 7), "othello": (6, 6), "connect4": (7, 6), "darkchess": (4, 8)}
SIZES |= {"einstein": (5, 5)}
STARTS = {"go": "D4 C3", "othello": "e4", "connect4": "4 4 3", "darkchess": "b3(n) b4(P)"}
STARTS |= {"einstein": "123456 123456(2)"}
VISITS = 60
NETWORK_GAMES = ("connect4", "darkchess", "go", "othello")  # the others have no networks


@cache
def network(game: str) -> Architecture:
    shape = Shape(
        blocks=("residual", "pooled"),
        channels=16,
        middle=16,
        pooling=8,
        head=8,
        hidden=16,
        activation="relu",
        version=8,
        game=game,
    )
    return fresh_architecture(f"fresh {game}", shape, np.random.default_rng(5))


def start(game: str) -> Position:
    kind, size = GAMES[game], SIZES[game]
    position = kind.new_position(*size)
    for word in STARTS[game].split():
        position.play(kind.read_move(word, *size))
    return position


@cache
def searched(game: str, backend: str) -> tuple[Report, Any]:
    evaluator = BACKENDS[backend](network(game), precision="fp32", threads=1)
    # One row at a time: the order of the visits then does not depend on the backend's batches.
    evaluator.preferred_rows = evaluator.slots = 1
    search = Search(evaluator, SearchSettings(), seed=3)
    search.set_position(start(game))
    return search.run(Limit(visits=VISITS)), search.tree.policy()


@pytest.mark.parametrize("game", SIZES)
def test_inputs_are_those_of_the_games_features(game: str) -> None:
    position = start(game)
    planes, globals_ = position.features()
    assert (len(planes), len(globals_)) == GAME_INPUTS[game]
    assert GAMES[game].move_count(*SIZES[game]) == position.move_count


@pytest.mark.parametrize("backend", [name for name in BACKENDS if name != "native"])
@pytest.mark.parametrize("game", NETWORK_GAMES)
def test_the_search_finds_the_same_by_every_backend(game: str, backend: str) -> None:
    (expected, expected_policy), (found, policy) = searched(game, "native"), searched(game, backend)
    assert expected.root.visits == found.root.visits == VISITS
    np.testing.assert_allclose(policy, expected_policy, atol=2e-4)
    assert len(set(policy)) > 2
    assert found.root.win_rate == pytest.approx(expected.root.win_rate, abs=0.01)
    assert found.root.score_lead == pytest.approx(expected.root.score_lead, abs=0.5)
    assert found.moves[0].move == expected.moves[0].move


@pytest.mark.parametrize("game", SIZES)
def test_another_games_position_is_refused(game: str) -> None:
    search = Search(NativeEvaluator(network(game), threads=1))
    for other in SIZES.keys() - {game}:
        with pytest.raises(TypeError, match=f"is not a position of {game}"):
            search.set_position(start(other))


def test_a_columns_policy_is_turned_back() -> None:
    evaluator = NativeEvaluator(network("connect4"), precision="fp32", threads=1)
    position, mirrored = (GAMES["connect4"].new_position(7, 6) for _ in range(2))
    for move in (3, 3, 2, 0):
        position.play(move)
        mirrored.play(6 - move)
    found = evaluate_raw(evaluator, position, symmetry=1)
    expected = evaluate_raw(evaluator, mirrored)
    np.testing.assert_allclose(found.policy, expected.policy[::-1], atol=1e-5)
    np.testing.assert_allclose(found.ownership, expected.ownership[:, ::-1], atol=1e-5)
    assert found.no_result == 0
    assert not np.allclose(found.policy, expected.policy, atol=1e-3)


def test_a_network_of_dark_chess_is_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "darkchess.safetensors"
    write_sparring(path, network("darkchess"), {})
    found = read_sparring(path)
    assert [name for name, _ in arrays(found)] == [name for name, _ in arrays(network("darkchess"))]
    with pytest.raises(SettingError, match="is a network for 4x8, not for 2x4"):
        NativeEvaluator(found, threads=1).open(2, 4, 1)


def test_a_policy_of_cells_is_none_of_dark_chess(tmp_path: Path) -> None:
    wrong = replace(network("darkchess"), policy=network("othello").policy)
    with pytest.raises(NetworkFileError, match="not a policy of darkchess"):
        write_sparring(tmp_path / "wrong.safetensors", wrong, {})
