"""The core refuses every number that is out of bounds, whatever function or setting takes it."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import _core
from engine._core import (
    Connect4Position,
    CpuFlights,
    CpuNetwork,
    CpuWorkers,
    GoPosition,
    GoRules,
    GoTree,
    NetworkScales,
    OthelloPosition,
    ProcessorTurns,
    SearchSettings,
    SelfPlaySettings,
)
from engine.search.search import Search
from engine.values import Limit
from tests.support.stand_in import StandInEvaluator

FLOATS = (math.nan, math.inf, -math.inf, 1e308, -1e308)
INTEGERS = (2**31 - 1, -(2**31))
SETTINGS = (SearchSettings, NetworkScales)

GO = GoPosition(5, 5, GoRules())
OTHELLO = OthelloPosition(6)
MOVE = OTHELLO.legal_moves()[0]
SHAPE = _core.othello_pattern_shape(6)
TREE = GoTree(GO, SearchSettings(), NetworkScales(), None, 0, 0)
NETWORK = CpuNetwork(1, 1, 0)
TABLE = _core.TabularAlphaZero(
    _core.PositionGraph(_core.DarkChessPosition(2, 2, [0] * 6 + [2])), _core.TabularSettings(), 0
)


def zeros(*shape: int, dtype: type = np.float32) -> Any:
    return np.zeros(shape, dtype)


def score(**changed: float) -> float:
    return _core.expected_score_value(
        **({"mean": 0.0, "stdev": 1.0, "center": 0.0, "width": 1.0} | changed)
    )


def balanced_win_rates(**changed: Any) -> object:
    usual: dict[str, Any] = {
        "side": 0,
        "target": 0.5,
        "kinds": [0.25] * 4,
        "greed": 1.0,
        "most_nodes": 9,
    }
    return _core.balanced_win_rates(OTHELLO, [MOVE], **(usual | changed))


def judge(**changed: Any) -> object:
    scales = [1.0] * SHAPE["stages"]
    weights = zeros(SHAPE["stages"], SHAPE["states"] + SHAPE["counts"], dtype=np.int16)
    usual: dict[str, Any] = {
        "win_scales": scales,
        "deviations": scales,
        "policy_scale": 1.0,
        "rollouts": 1,
    }
    return _core.OthelloJudge(6, weights, seed=0, **(usual | changed))


def dark_chess_rollouts(**changed: Any) -> object:
    usual: dict[str, Any] = {
        "rollouts": 1,
        "material_share": 0.3,
        "material_scale": 0.02,
        "policy_scale": 10.0,
    }
    return _core.DarkChessRollouts(2, 4, [0] * 6 + [4], seed=0, **(usual | changed))


def cpu_network(**changed: Any) -> object:
    usual: dict[str, Any] = {"planes": 1, "globals": 1, "metadata": 0}
    return CpuNetwork(**(usual | changed))


def naming(call: Callable[..., object], name: str) -> Callable[[Any], object]:
    """The call with its one argument under that name."""
    return lambda x: call(**{name: x})


def start(dropout: float) -> None:
    """Evaluates one row of a network that makes nothing of it."""
    network = CpuNetwork(1, 1, 0)
    board, value, misc = network.add_board(1), network.add_row(3), network.add_row(1)
    network.set_outputs(moves=board, value=value, misc=misc, ownership=board)
    inputs = (zeros(1, 1, 2, 2, dtype=np.uint8), zeros(1, 1), zeros(1, 0), zeros(1))
    outputs = (zeros(1, 2), zeros(1, 3), zeros(1, 6), zeros(1, 4))
    _core.CpuRows(CpuWorkers(network, 1, ProcessorTurns(1)), *inputs, *outputs).start(1, dropout)


def add_attention(**changed: Any) -> None:
    settings: dict[str, Any] = {"epsilon": 1e-6, "heads": 1, "key_heads": 1, **changed}
    board = NETWORK.add_board(1)
    NETWORK.add_attention(board, joined=zeros(1, 80), out_weights=zeros(16, 1), **settings)


def add_feed_forward(epsilon: float) -> None:
    weights = {"linear": zeros(1, 1), "gate": zeros(1, 1), "out_weights": zeros(1, 1)}
    NETWORK.add_feed_forward(NETWORK.add_board(1), **weights, epsilon=epsilon)


def add_rms_tip(epsilon: float) -> None:
    boards, rows = [NETWORK.add_board(1) for _ in range(2)], {"scale": zeros(1), "shift": zeros(1)}
    NETWORK.add_rms_tip(*boards, epsilon=epsilon, spatial=False, activation="relu", **rows)


def convolve(**changed: Any) -> None:
    board = NETWORK.add_board(1)
    NETWORK.add_convolution(board, zeros(1, 1, 3, 3), NETWORK.add_board(1), **changed)


def self_play(**changed: Any) -> object:
    usual = {"games": 1, "at_once": 1, "first_game": 0, "seed": 0}
    parts = (OTHELLO, SearchSettings(), SelfPlaySettings(), NetworkScales())
    return _core.OthelloSelfPlay(*parts, **(usual | changed))


def othello_samples(**changed: Any) -> object:
    usual = {"games": 1, "seed": 0, "depth": 1, "exact_empties": 0}
    return _core.play_othello_samples(6, None, **(usual | changed))


def game_batch(**changed: Any) -> object:
    return _core.GoGameBatch(**({"width": 5, "height": 5, "games": 1, "seed": 0} | changed))


def balance(**changed: float) -> object:
    usual = {"exploration": 1.0, "mean_value": 0.0}
    return _core.OthelloBalanceTree(OTHELLO, **(usual | changed))


def setter(owner: object, name: str) -> Callable[[Any], None]:
    return lambda number: setattr(owner, name, number)


# function.argument -> a call of it with a number
FLOAT_CALLS: dict[str, Callable[[Any], object]] = {
    "TabularAlphaZero.learn.rate": TABLE.learn,
    "CpuNetwork.add_attention.epsilon": lambda x: add_attention(epsilon=x),
    "CpuNetwork.add_feed_forward.epsilon": lambda x: add_feed_forward(epsilon=x),
    "CpuNetwork.add_rms_tip.epsilon": lambda x: add_rms_tip(epsilon=x),
    "GoPosition.komi": lambda x: setattr(GO.copy(), "komi", x),
    "GoPosition.__init__.komi": lambda x: GoPosition(5, 5, GoRules(), x),
    "GoPosition.weigh_territory.beta": lambda x: GO.copy().weigh_territory(x),
    "GoPosition.features.playout_doubling_advantage": (
        lambda x: GO.features(playout_doubling_advantage=x)
    ),
    **{
        f"{kind.__name__}.{name}": setter(kind(), name)
        for kind in SETTINGS
        for name in vars(kind)
        if isinstance(getattr(kind(), name), float)
    },
    "Tree.run.seconds": (
        lambda x: TREE.run(CpuFlights([]), launches=False, visits=0, playouts=0, nodes=0, seconds=x)
    ),
    "Tree.set_prior_weights.weights": lambda x: TREE.set_prior_weights([x] * 26),
    **{
        f"expected_score_value.{name}": naming(score, name)
        for name in ("mean", "stdev", "center", "width")
    },
    "BalanceTree.__init__.exploration": lambda x: balance(exploration=x),
    "BalanceTree.__init__.mean_value": lambda x: balance(mean_value=x),
    "OthelloJudge.__init__.win_scales": lambda x: judge(win_scales=[x] * SHAPE["stages"]),
    "OthelloJudge.__init__.deviations": lambda x: judge(deviations=[x] * SHAPE["stages"]),
    **{
        f"DarkChessRollouts.__init__.{name}": naming(dark_chess_rollouts, name)
        for name in ("material_share", "material_scale", "policy_scale")
    },
    "OthelloJudge.__init__.policy_scale": lambda x: judge(policy_scale=x),
    "Solver.solve.max_seconds": lambda x: _core.OthelloSolver(1).solve(OTHELLO, max_seconds=x),
    "Solver.solve_moves.max_seconds": (
        lambda x: _core.Connect4Solver(1).solve_moves(Connect4Position(), max_seconds=x)
    ),
    "CpuRows.start.dropout": start,
    "weak_wins.greed": lambda x: _core.weak_wins(OTHELLO, greed=x, games=1, seed=0),
    "balanced_win_rates.target": lambda x: balanced_win_rates(target=x),
    "balanced_win_rates.kinds": lambda x: balanced_win_rates(kinds=[x] * 4),
    "balanced_win_rates.greed": lambda x: balanced_win_rates(greed=x),
}
INTEGER_CALLS: dict[str, Callable[[Any], object]] = {
    **{
        f"{kind.__name__}.{name}": setter(kind(), name)
        for kind in SETTINGS
        for name in vars(kind)
        if type(getattr(kind(), name)) is int
    },
    "GoPosition.__init__.width": lambda x: GoPosition(x, 5, GoRules()),
    "GoPosition.to_move": lambda x: setattr(GO.copy(), "to_move", x),
    "GoPosition.play.move": GO.copy().play,
    "GoPosition.play.color": lambda x: GO.copy().play(0, x),
    "GoPosition.liberties.move": GO.liberties,
    "GoPosition.features.symmetry": GO.features,
    "GoPosition.features.max_history": lambda x: GO.features(max_history=x),
    "GoPosition.weigh_territory.middle_line": lambda x: GO.copy().weigh_territory(0.0, x),
    "GoPosition.setup.stones": lambda x: GO.copy().setup([(0, x)]),
    "OthelloPosition.__init__.size": OthelloPosition,
    "Connect4Position.__init__.width": lambda x: Connect4Position(x, 6),
    "Connect4Position.__init__.height": lambda x: Connect4Position(7, x),
    "perft.moves": lambda x: _core.perft(OTHELLO, x),
    "distinct_positions.moves": lambda x: _core.distinct_positions(OTHELLO, x),
    "EvaluationCache.__init__.entries": _core.EvaluationCache,
    "Tree.set_restriction.color": lambda x: TREE.set_restriction(x, []),
    "Tree.select.slot": (
        lambda x: TREE.select(x, zeros(1, 22, 5, 5, dtype=np.uint8), zeros(1, 19), 1, 1)
    ),
    "Tree.select.rows": (
        lambda x: TREE.select(0, zeros(1, 22, 5, 5, dtype=np.uint8), zeros(1, 19), x, 1)
    ),
    "Tree.abandon.slot": TREE.abandon,
    "Tree.report.pv_length": TREE.report,
    "Tree.symmetric_move.move": lambda x: TREE.symmetric_move(x, 0),
    "Tree.symmetric_move.symmetry": lambda x: TREE.symmetric_move(0, x),
    "Tree.symmetric_cell.cell": lambda x: TREE.symmetric_cell(x, 0),
    "Tree.symmetric_cell.symmetry": lambda x: TREE.symmetric_cell(0, x),
    "othello_pattern_shape.size": _core.othello_pattern_shape,
    "play_othello_samples.games": lambda x: othello_samples(games=x),
    "play_othello_samples.depth": lambda x: othello_samples(depth=x),
    "play_othello_samples.exact_empties": lambda x: othello_samples(exact_empties=x),
    "OthelloRollouts.__init__.rollouts": lambda x: _core.OthelloRollouts(6, rollouts=x, seed=0),
    "OthelloJudge.__init__.rollouts": lambda x: judge(rollouts=x),
    "DarkChessRollouts.__init__.rollouts": lambda x: dark_chess_rollouts(rollouts=x),
    "Connect4Rollouts.__init__.rollouts": (
        lambda x: _core.Connect4Rollouts(7, 6, rollouts=x, seed=0)
    ),
    **{
        f"GoGameBatch.__init__.{name}": naming(game_batch, name)
        for name in ("width", "height", "games", "threads")
    },
    **{
        f"SelfPlay.__init__.{name}": naming(self_play, name)
        for name in ("games", "at_once", "first_game")
    },
    "SelfPlay.abandon.slot": lambda x: self_play().abandon(x),  # type: ignore[attr-defined]
    "Solver.__init__.megabytes": _core.OthelloSolver,
    "OthelloSolver.solve.alpha": lambda x: _core.OthelloSolver(1).solve(OTHELLO, alpha=x),
    "OthelloSolver.solve.beta": lambda x: _core.OthelloSolver(1).solve(OTHELLO, beta=x),
    **{
        f"CpuNetwork.__init__.{name}": naming(cpu_network, name)
        for name in ("planes", "globals", "metadata")
    },
    "CpuNetwork.group.width": lambda x: NETWORK.group(x, 9),
    "CpuNetwork.group.height": lambda x: NETWORK.group(9, x),
    "CpuNetwork.add_board.channels": NETWORK.add_board,
    "CpuNetwork.add_row.channels": NETWORK.add_row,
    "CpuNetwork.add_convolution.dilation_y": lambda x: convolve(dilation_y=x),
    "CpuNetwork.add_convolution.dilation_x": lambda x: convolve(dilation_x=x),
    "CpuNetwork.add_convolution.row_bias": lambda x: convolve(row_bias=x),
    "CpuNetwork.add_dropout.in_": lambda x: NETWORK.add_dropout(x, 0),
    "CpuNetwork.add_attention.heads": lambda x: add_attention(heads=x),
    "CpuNetwork.add_attention.key_heads": lambda x: add_attention(key_heads=x),
    "CpuWorkers.__init__.threads": lambda x: CpuWorkers(NETWORK, x, ProcessorTurns(1)),
    "ProcessorTurns.__init__.cores": ProcessorTurns,
    "alphadda_tree_search.playouts": lambda x: _core.alphadda_tree_search(OTHELLO, x, 0),
    "alphadda_minimax.number": lambda x: _core.alphadda_minimax(OTHELLO, x),
    "liang_minimax.depth": lambda x: _core.liang_minimax(OTHELLO, x, True, 0),
    "liang_evaluation.color": lambda x: _core.liang_evaluation(OTHELLO, x),
    "liang_tree_search.loops": lambda x: _core.liang_tree_search(OTHELLO, x, 0),
    "weak_wins.games": lambda x: _core.weak_wins(OTHELLO, greed=1.0, games=x, seed=0),
    "balanced_win_rates.side": lambda x: balanced_win_rates(side=x),
    "balanced_win_rates.most_nodes": lambda x: balanced_win_rates(most_nodes=x),
}


@pytest.mark.parametrize("name", FLOAT_CALLS)
def test_floats_out_of_bounds_are_refused_and_quoted(name: str) -> None:
    for number in FLOATS:
        with pytest.raises(ValueError, match=r" (nan|-?inf|-?1e\+308) "):
            FLOAT_CALLS[name](number)
    with pytest.raises((TypeError, ValueError)):
        FLOAT_CALLS[name](10**400)


@pytest.mark.parametrize("name", INTEGER_CALLS)
def test_whole_numbers_out_of_bounds_are_refused(name: str) -> None:
    for number in INTEGERS:
        with pytest.raises(ValueError, match=rf"{number}|does not fit|liberties"):
            INTEGER_CALLS[name](number)
    with pytest.raises((TypeError, ValueError)):
        INTEGER_CALLS[name](10**400)


def test_no_float_of_the_core_is_left_out() -> None:
    stub = ast.parse(Path(_core.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
    taken = set()
    for part in stub.body:
        inner = part.body if isinstance(part, ast.ClassDef) else [part]
        kind = f"{part.name}." if isinstance(part, ast.ClassDef) else ""
        for ending in ("SelfPlay", "BalanceTree", "Tree", "Solver"):  # one of each kind will do
            if kind.endswith(f"{ending}."):
                kind = f"{ending}."
                break
        for function in (one for one in inner if isinstance(one, ast.FunctionDef)):
            for one in [*function.args.args, *function.args.kwonlyargs]:
                if one.annotation and "float" in ast.unparse(one.annotation).lower().split("[")[0]:
                    name = f"{kind}{function.name}"
                    taken.add(name if one.arg == "arg" else f"{name}.{one.arg}")
    checked_in_use = {name for name in taken if name.startswith("SelfPlaySettings.")}
    assert taken - checked_in_use <= set(FLOAT_CALLS)


def test_an_uncertain_score_is_worth_something_however_far_it_is() -> None:
    assert score(mean=1e12) == pytest.approx(1, abs=0.01)
    assert score(mean=-1e12) == pytest.approx(-1, abs=0.01)
    assert score(stdev=1e12) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("komi", [1000.0, -1000.0])
def test_the_largest_komi_is_searched_to_the_ends_of_games(komi: float) -> None:
    search = Search(StandInEvaluator(), seed=1)
    search.set_position(GoPosition(3, 2, GoRules(), komi))
    root = search.run(Limit(visits=500)).root
    assert math.isfinite(root.score_lead)
    assert (root.score_lead < 0) == (komi > 0)
