"""AlphaDDA's moves on a stand-in network whose values are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine._core import EvaluationCache, GoPosition, GoRules, OthelloPosition
from engine.errors import SettingError
from engine.games.game_record import RECENT
from engine.games.position import Position
from engine.games.table import GAMES, Board
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.alphadda import mean_of
from engine.play.steps.request import MoveRequest
from engine.search.search import Restriction, Search
from engine.strength.alphadda import MOST_POSITIONS, PUBLISHED
from engine.strength.alphazero import playouts
from engine.values import Choice, Limit
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones

GAMES_OF = {
    "alphadda1": "connect4 othello go",
    "alphadda2": "connect4 othello",
    "alphadda3": "connect4 othello go",
}
CASES = [(name, game) for name, games in GAMES_OF.items() for game in games.split()]


def valued(*values: float) -> StandInEvaluator:
    """Says these of positions with 0, 1, 2 ... discs more than at first, color 0's view."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        own, other = (int(slot.spatial[row, plane].sum()) for plane in (1, 2))
        value = values[min(own + other, len(values) - 1)]
        mover = value if own == other else -value  # color 0 moves when there are as many of both
        slot.value[row] = (np.log((1 + mover) / (1 - mover)), 0.0, -99.0)

    return StandInEvaluator(evaluate, game="connect4")


def played(game: str, moves: int, seed: int = 0) -> list[Position]:
    """The positions of a random game's beginning."""
    rng = np.random.default_rng(seed)
    position: Any = GAMES[game].new_position(*GAMES[game].usual_sizes[-1])
    found = [position]
    for _ in range(moves):
        position = position.copy()
        position.play(int(rng.choice(position.legal_moves())))
        found.append(position)
    return found


def turn_of(name: str, game: str, recent: list[Position], **others: Any) -> MoveRequest[Any]:
    return MoveRequest(
        recent[-1],
        Limit(visits=5),
        game=game,
        persona=make_persona(name, game),
        recent=recent,
        **others,
    )


def chosen(evaluator: Any, turn: MoveRequest[Any], cache: EvaluationCache | None = None) -> Choice:
    search = Search(evaluator, cache=cache)
    search.set_position(turn.position)
    return choose(search, turn)


@pytest.mark.parametrize(("name", "game"), CASES)
def test_every_game_of_each_is_played_and_explained(name: str, game: str) -> None:
    evaluator = StandInEvaluator(game=game)
    turn = turn_of(name, game, played(game, 4)[-8:])
    choice = chosen(evaluator, turn)
    assert choice.move in turn.position.legal_moves()
    assert "mean value of" in choice.reason


def test_the_mean_is_of_the_real_games_last_positions_as_color_0_sees_them() -> None:
    evaluator = valued(0.5, -0.25, 0.75, 0.125)
    turn = turn_of("alphadda1", "connect4", played("connect4", 3))
    for positions, expected in ((1, 0.125), (3, 0.625 / 3), (4, 1.125 / 4), (5, 1.125 / 4)):
        assert mean_of(Search(evaluator), turn, positions)[0] == pytest.approx(expected, abs=1e-6)
    assert MOST_POSITIONS == RECENT
    alone = MoveRequest(turn.position, Limit(), game="connect4")
    assert mean_of(Search(evaluator), alone, 3)[0] == pytest.approx(0.125, abs=1e-6)


@pytest.mark.parametrize(
    ("moves", "value", "expected"),
    [(2, 0.999, 7), (2, 0.5, 64), (2, 0.3, 159), (2, -0.9, 200), (3, 0.9, 200), (3, -0.5, 64)],
)
def test_alphadda1_searches_as_often_as_the_value_says(
    moves: int, value: float, expected: int
) -> None:
    """After two moves color 0 is to move, after three color 1: the value is color 0's."""
    turn = turn_of("alphadda1", "connect4", played("connect4", moves))
    choice = chosen(valued(value), turn)
    assert choice.report is not None
    assert choice.report.root.visits == expected
    own = value if moves == 2 else -value
    assert choice.reason == f"It makes {expected} simulations at a mean value of {own:+.2f}."
    assert choice.move == max(choice.report.moves, key=lambda m: m.edge_visits).move


def test_alphadda1_plays_by_its_constants() -> None:
    turn = turn_of("alphadda1:1,1,-1,300", "connect4", played("connect4", 2))
    choice = chosen(valued(0.0, 0.0, -0.2), turn)
    assert choice.report is not None
    assert choice.report.root.visits == 16  # 10^1.2 = 15.85


@pytest.mark.parametrize(
    ("value", "expected"), [(-0.5, 0.0), (0.2, 0.0), (0.25, 0.5), (0.29, 0.9), (0.9, 0.95)]
)
def test_alphadda2_damages_the_network_as_the_value_says(value: float, expected: float) -> None:
    seen = set()
    evaluator = valued(value)
    inner = evaluator.evaluate

    def noted(slot: StandInSlot, row: int) -> None:
        seen.add(round(slot.dropout, 5))
        inner(slot, row)

    evaluator.evaluate = noted
    cache = EvaluationCache(1000)
    turn = turn_of("alphadda2", "connect4", played("connect4", 2))
    choice = chosen(evaluator, turn, cache)
    assert seen == {0.0, expected}  # values are told by the whole network
    assert (len(cache) > 0) == (expected == 0)
    assert choice.report is not None
    assert choice.report.root.visits == 200


def test_alphadda2_plays_otherwise_each_time_and_again_with_the_same_seed() -> None:
    def seeds(seed: int) -> set[int]:
        seen = set()
        evaluator = valued(0.25)
        inner = evaluator.evaluate

        def noted(slot: StandInSlot, row: int) -> None:
            seen.add(slot.dropout_seed)
            inner(slot, row)

        evaluator.evaluate = noted
        rng = np.random.default_rng(seed)
        chosen(evaluator, turn_of("alphadda2", "connect4", played("connect4", 2), rng=rng))
        return seen - {0}

    assert seeds(1) == seeds(1)
    assert not seeds(1) & seeds(2)


def test_alphadda2_names_a_network_that_it_cannot_damage() -> None:
    from engine.networks.rollout_evaluator import RolloutEvaluator  # noqa: PLC0415

    turn = turn_of("alphadda2:1,10,1", "othello", played("othello", 2))
    with pytest.raises(SettingError, match="rollouts have no network to damage"):
        chosen(RolloutEvaluator("othello"), turn)


def test_alphadda3_wants_the_lead_undone() -> None:
    """Of a win at once and its loss it takes the loss while it is ahead, else the win."""
    moves = (0, 6, 0, 6, 0, 6)
    recent: list[Any] = [GAMES["connect4"].new_position(7, 6)]
    for move in moves:
        recent.append(recent[-1].copy())
        recent[-1].play(move)
    for value, wins in ((0.9, False), (-0.9, True)):
        choice = chosen(valued(value), turn_of("alphadda3", "connect4", recent[-8:]))
        assert (choice.move == 0) == wins
        assert choice.nodes == playouts(Board("connect4", 7, 6))
        assert f"undoes a mean value of {value:+.2f} but for" in choice.reason


def test_alphadda3_obeys_restrictions_and_stops() -> None:
    recent = played("connect4", 2)
    until = [1] * 7
    until[4] = 0
    turn = turn_of("alphadda3", "connect4", recent, restriction=Restriction(black=until))
    choice = chosen(valued(0.0), turn)
    assert choice.move == 4
    choice = chosen(valued(0.0), turn_of("alphadda3", "connect4", recent, stop=lambda: True))
    assert choice.nodes == 2


def test_alphadda3_passes_in_go_only_when_a_search_would() -> None:
    def passing(likely: float) -> Any:
        def evaluate(slot: StandInSlot, row: int) -> None:
            drawn_from_stones(slot, row)
            slot.policy[row, -1] = likely
            slot.value[row] = slot.misc[row] = 0.0

        return StandInEvaluator(evaluate, game="go")

    position = GoPosition(5, 5, GoRules(scoring="TERRITORY"), 7.5)  # dame need not be filled
    for likely, passes in ((30.0, True), (-30.0, False)):
        turn = turn_of("alphadda3", "go", [position])
        assert (chosen(passing(likely), turn).move == 25) == passes


def test_constants_are_those_of_the_board() -> None:
    rows = {(6, 6): "othello6", (8, 8): "othello8"}
    for (size, _), row in rows.items():
        evaluator = StandInEvaluator(game="othello")
        turn = turn_of("alphadda1", "othello", [OthelloPosition(size)])
        own, _ = mean_of(Search(evaluator), turn, 1)
        expected = PUBLISHED[row].simulations.visits(own)
        choice = chosen(evaluator, turn)
        assert choice.report is not None
        assert choice.report.root.visits == expected


def test_a_wrong_text_is_quoted() -> None:
    for text in ("alphadda1:x", "alphadda2:1,2", "alphadda3:0,1"):
        with pytest.raises(ValueError, match=f"persona '{text}'"):
            make_persona(text, "connect4")
    with pytest.raises(ValueError, match="plays othello and connect4, not 'go'"):
        make_persona("alphadda2", "go")
