"""The naturalness budget in play: what it narrows, and what it leaves alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import GoRules
from engine.games.position import Position
from engine.games.ranks import parse_rank
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES, Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents.tracker import of_stranger
from engine.personas import FULL, Persona, make_persona
from engine.play.move_choice import choose
from engine.play.steps.naturalness import keep_natural, moves_of
from engine.play.steps.request import MoveRequest
from engine.search.search import Restriction, Search
from engine.strength.level import RANDOM
from engine.style.naturalness import Naturalness
from engine.values import Choice, Limit
from tests.support.diagrams import position_of
from tests.support.gtp_conversation import count_area
from tests.support.stand_in import (
    StandInEvaluator,
    StandInSlot,
    description_of,
    drawn_from_stones,
    uniform,
)

LOOSE = Naturalness(points=1e6, win_rate=1.0, opening=1.0)  # only the reference's floor tells


def likes(*moves: int, share: float = 0.9, game: str = "othello") -> HumanPolicy:
    """A reference that shares so much among these moves."""

    def evaluate(slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        count = slot.policy.shape[1]
        slot.policy[row] = np.log((1 - share) / count)
        slot.policy[row, list(moves)] = np.log(share / len(moves))

    return HumanPolicy(StandInEvaluator(evaluate, game=game))


def turn_of(persona: Persona = FULL, **changed: Any) -> MoveRequest[Any]:
    position = GAMES["othello"].new_position(8, 8)
    return MoveRequest(position, Limit(visits=60), game="othello", persona=persona, **changed)


def natural(text: str, settings: Naturalness, game: str = "othello") -> Persona:
    return replace(make_persona(text, game), naturalness=settings)


def search_at(position: Position, evaluator: StandInEvaluator | None = None) -> Search:
    search = Search(evaluator or StandInEvaluator(game="othello"), seed=5)
    search.set_position(position)
    return search


def chosen(turn: MoveRequest[Any], evaluator: StandInEvaluator | None = None) -> Choice:
    return choose(search_at(turn.position, evaluator), turn)


def test_without_a_budget_nothing_is_searched() -> None:
    evaluator = StandInEvaluator(game="othello")
    turn = turn_of()
    assert keep_natural(search_at(turn.position, evaluator), turn) is turn
    assert evaluator.rows == 0


@pytest.mark.parametrize("text", ["full", "softmax:-2", "alphazero", "alphadda1", "alphadda3"])
def test_every_strength_plays_moves_within_the_budget(text: str) -> None:
    position = GAMES["othello"].new_position(8, 8)
    for move in position.legal_moves():
        turn = turn_of(natural(text, LOOSE), reference=likes(move), solve=False)
        choice = chosen(turn)
        assert choice.move == move
        assert "natural" not in choice.reason


def count_stones(slot: StandInSlot, row: int) -> None:
    """Four points a stone more, every move as likely."""
    own, opponent = slot.spatial[row, 1].sum(), slot.spatial[row, 2].sum()
    lead = 4.0 * (float(own) - float(opponent))
    slot.policy[row] = 0.0
    slot.value[row] = (lead / 40, -lead / 40, -9)
    slot.misc[row] = (lead / 20, -1, lead / 20, 0, 0, 0)


def test_a_move_that_loses_too_much_is_left_out() -> None:
    """However natural it is: not to take two stones costs about eight points here."""
    position = position_of(
        """
        . O O X .
        X X X X .
        . . . . .
        """,
        GoRules(),
    )
    take, other = 0, 2 * 5 + 2
    for points, expected in ((3.0, False), (20.0, True)):
        persona = natural("full", replace(LOOSE, probability=0.0, points=points), "go")
        turn: MoveRequest[Any] = MoveRequest(position, Limit(visits=60), persona=persona)
        narrowed = keep_natural(search_at(position, StandInEvaluator(count_stones)), turn)
        assert narrowed.allows(take)
        assert narrowed.allows(other) is expected


def test_floors_that_no_move_keeps_are_relaxed_and_that_is_said() -> None:
    moves = GAMES["othello"].new_position(8, 8).legal_moves()
    reference = likes(*moves[:2])
    turn = turn_of(natural("full", replace(LOOSE, probability=0.9)), reference=reference)
    choice = chosen(turn)
    assert choice.move in moves[:2]
    assert (
        "No natural move was left. The limits of naturalness are relaxed to a probability of 45%"
        in choice.reason
    )


def test_forbidden_moves_stay_forbidden() -> None:
    moves = GAMES["othello"].new_position(8, 8).legal_moves()
    until = [0] * 65
    until[moves[0]] = 1
    turn = turn_of(
        natural("full", LOOSE), reference=likes(moves[0]), restriction=Restriction(black=until)
    )
    narrowed = keep_natural(search_at(turn.position), turn)
    assert [move for move in moves if narrowed.allows(move)] == moves[1:]
    assert narrowed.restriction is not None
    assert narrowed.restriction.white == ()


def test_a_level_loses_only_the_least_natural_of_its_moves() -> None:
    """Random play among four moves of which one is natural keeps three quarters of them."""
    moves = GAMES["othello"].new_position(8, 8).legal_moves()
    persona = replace(FULL, strength=RANDOM, naturalness=LOOSE)
    rng = np.random.default_rng(1)
    turn = turn_of(persona, reference=likes(moves[0], share=0.97), rng=rng)
    played = Counter(chosen(turn).move for _ in range(40))
    assert set(played) == set(moves)  # the other three are as unnatural as each other
    turn = replace(turn, persona=replace(persona, naturalness=replace(LOOSE, leaves=0.2)))
    assert {chosen(turn).move for _ in range(20)} == {moves[0]}


def test_time_for_looking_is_taken_from_the_move() -> None:
    clock = iter(np.arange(0.0, 1000.0, 0.01))
    turn = turn_of(natural("full", LOOSE), reference=likes(20))
    turn = replace(turn, limit=Limit(seconds=1.0, max_seconds=2.0))
    search = Search(StandInEvaluator(game="othello"), seed=5, now=lambda: float(next(clock)))
    search.set_position(turn.position)
    left = keep_natural(search, turn).limit
    assert left.seconds is not None
    assert 0.6 <= left.seconds < 1.0


def test_a_hurried_move_keeps_the_floor_of_probability_and_searches_nothing_for_it() -> None:
    settings = replace(LOOSE, probability=0.1)
    turn = turn_of(natural("full", settings), reference=likes(19))
    evaluator = StandInEvaluator(game="othello")
    hurried = replace(turn, limit=Limit(seconds=0.05, max_seconds=2.0))
    kept = keep_natural(search_at(turn.position, evaluator), hurried)
    assert evaluator.rows == 0
    assert moves_of(kept).tolist() == [19]


def test_a_pass_is_never_forbidden() -> None:
    position = position_of(
        """
        . X X O .
        X X X O O
        . X X O .
        X X X O O
        . X X O .
        """,
        RULE_SETS["chinese"],
    )
    evaluator = StandInEvaluator(count_area)
    turn: MoveRequest[Any] = MoveRequest(
        position,
        Limit(visits=60),
        persona=natural("full", LOOSE, "go"),
        reference=likes(0, game="go"),
    )
    narrowed = keep_natural(search_at(position, evaluator), turn)
    allowed = [move for move in position.legal_moves() if narrowed.allows(move)]
    assert allowed == [0, position.pass_move]
    assert chosen(turn, evaluator).move == position.pass_move


def test_a_ladder_is_read_before_a_move_is_called_natural() -> None:
    """Running from one is liked by the policy and loses nothing, and is left out all the same."""
    position = position_of(
        """
        . . . . . . . .
        . . . . . . . .
        . . . O . . . .
        . O X O . . . .
        . . O . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        GoRules(),
    )
    run = 2 * 8 + 2

    evaluator = StandInEvaluator(uniform)
    settings = replace(LOOSE, probability=0.01)
    for ladders, allowed in ((True, False), (False, True)):
        persona = natural("full", replace(settings, ladders=ladders), "go")
        turn: MoveRequest[Any] = MoveRequest(position, Limit(visits=30), persona=persona)
        assert keep_natural(search_at(position, evaluator), turn).allows(run) is allowed


class AskedPolicy(HumanPolicy):
    """A human policy that keeps the ranks and profiles of its callers."""

    asked: list[Any] = []  # noqa: RUF012 - replaced for each test

    def policy(self, position: Position, profile: str = "") -> NDArray[np.float64]:
        self.asked.append(profile)
        return super().policy(position, profile)

    def policy_at(self, position: Position, ranks: tuple[float, float]) -> NDArray[np.float64]:
        self.asked.append(ranks)
        return super().policy_at(position, ranks)


@pytest.mark.parametrize(
    ("text", "profile", "asked"),
    [
        ("level:8k", "", (parse_rank("8k"),) * 2),
        ("level:8k", "rank_1d", "rank_1d"),
        ("full", "", ""),
    ],
)
def test_moves_are_natural_for_people_of_the_levels_rank(
    monkeypatch: pytest.MonkeyPatch, text: str, profile: str, asked: Any
) -> None:
    monkeypatch.setattr(AskedPolicy, "asked", [])
    evaluator = StandInEvaluator(game="go")
    position = Board("go", 9, 9).start()
    persona = natural(text, replace(LOOSE, profile=profile), "go")
    request = MoveRequest(
        position,
        Limit(visits=20),
        persona=persona,
        tracker=of_stranger(Board("go", 9, 9), description_of("go")),
        reference=AskedPolicy(evaluator),
    )
    keep_natural(search_at(position, evaluator), request)
    assert AskedPolicy.asked == [pytest.approx(asked) if isinstance(asked, tuple) else asked]
