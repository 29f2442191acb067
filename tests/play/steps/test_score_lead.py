"""Endings by score: when the step decides, which move it finds, what reading out prevents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules
from engine.games.go_ending import EndingSettings, TurnEvaluation
from engine.games.position import Position
from engine.games.table import GAMES
from engine.networks.raw import turned_back
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.leads import TRUSTED_VISITS, gain_of, leads_after
from engine.play.steps.reading import margins_of
from engine.play.steps.request import MoveRequest
from engine.play.steps.score_lead import end_by_score
from engine.search.search import Restriction, Search, SearchSettings
from engine.style.margins import Margins
from engine.style.score_lead import ScoreLead
from engine.style.target_leads import Candidate
from engine.values import Choice, Limit, Report
from tests.support.stand_in import StandInEvaluator, StandInSlot

SIDE = 7
# A cell and what is gained by a stone there: who begins with the first, second, third or fourth is
# 3 points ahead, 1 behind, 1 behind or 3 behind when all are taken.
POINTS = {0: 6.0, 3: 4.0, 6: 2.0, 42: 1.0}
CHANCES = {0: 0.3, 3: 0.25, 6: 0.24, 42: 0.15}  # how natural it is
BLACK_ROW, WHITE_STONE = (23, 24, 25), 15  # what stands there, by which it is seen how it is turned

Evaluate = Callable[[StandInSlot, int], None]
Change = Callable[["Outputs", NDArray[np.float64]], None]


@dataclass
class Outputs:
    """What the network says, on the board as it is, seen by the side to move."""

    lead: float
    chances: NDArray[np.float64]  # [cells + 1]
    ownership: NDArray[np.float64]  # [cells]


def endgame(
    change: Change = lambda _outputs, _stones: None, *, deviation: float = 3.0, ahead: float = 0.0
) -> Evaluate:
    """Leads by the cells taken and, for Black, `ahead`; change: what else is to be said.

    It is given the stones, +1 the side to move's.
    """

    def evaluate(slot: StandInSlot, row: int) -> None:
        seen = slot.spatial[row, 1].astype(np.float64) - slot.spatial[row, 2]
        at = next(at for at in orientations() if upright(seen.ravel()[at]))
        stones = seen.ravel()[at]
        lead = sum(worth * stones[cell] for cell, worth in POINTS.items())
        lead += ahead * stones[BLACK_ROW[0]]
        chances = np.full(slot.policy.shape[1], 0.0005)
        chances[list(CHANCES)] = list(CHANCES.values())
        said = Outputs(lead, chances, 0.9 * stones)
        change(said, stones)
        slot.policy[row, at] = np.log(said.chances[:-1])
        slot.policy[row, -1] = np.log(said.chances[-1])
        slot.value[row] = (said.lead / 10, 0.0, -20.0)
        raw_deviation = np.log(np.expm1(deviation / 20))
        slot.misc[row] = (said.lead / 20, raw_deviation, said.lead / 20, 0.0, 0.0, 0.0)
        slot.ownership[row, at] = np.arctanh(said.ownership)

    return evaluate


def orientations() -> Iterator[NDArray[np.intp]]:
    """Where each cell of the board as it is lies, under each of its symmetries."""
    cells = np.arange(SIDE * SIDE, dtype=np.float32).reshape(SIDE, SIDE)
    for symmetry in range(8):
        yield turned_back(cells, symmetry).astype(np.intp).ravel()


def upright(stones: NDArray[np.float64]) -> bool:
    black = stones[BLACK_ROW[0]]
    return bool(black) and all(stones[list(BLACK_ROW)] == black) and stones[WHITE_STONE] == -black


def asked(
    text: str,
    evaluate: Evaluate,
    *,
    visits: int = 40,
    restriction: Restriction | None = None,
) -> tuple[Search, MoveRequest[Position]]:
    """A search and a turn of Black's on a small board with a row of Black's stones."""
    position = GoPosition(SIDE, SIDE, GoRules(), 7.5)
    position.setup([*((0, cell) for cell in BLACK_ROW), (1, WHITE_STONE)])
    search = Search(StandInEvaluator(evaluate), SearchSettings(), seed=3)
    search.set_position(position)
    persona = make_persona(text, "go")
    limit = Limit(visits=visits)
    return search, MoveRequest(position, limit, persona=persona, restriction=restriction)


def chosen(text: str, evaluate: Evaluate, visits: int = 40) -> Choice:
    search, turn = asked(text, evaluate, visits=visits)
    choice = choose(search, turn)
    assert choice.reason.startswith("In the endgame it takes the lead ")
    assert choice.report is not None
    return choice


def test_algorithm_1_plays_the_move_of_the_greatest_weight() -> None:
    search, turn = asked("full+ending=shi:gamma=1.5", endgame())
    choice = end_by_score(search, turn)
    assert choice is not None
    report = search.report()
    leads = leads_after(search, turn.position, report, CHANCES)
    weigh = ScoreLead(gamma=1.5).at(0.0).weight
    weights = {
        move: weigh(Candidate(move, float(report.policy[move]), leads[move]))
        for move in CHANCES
        if leads[move] >= max(leads.values()) - 5
    }
    assert choice.move == max(weights, key=lambda move: weights[move])
    assert choice.move != report.moves[0].move


@pytest.mark.parametrize(
    "evaluate", [endgame(deviation=12.0), endgame(deviation=40.0)], ids=["seen", "at a glance"]
)
def test_before_the_endgame_the_strength_plays_on(evaluate: Evaluate) -> None:
    for text in ("full+ending=close", "full+ending=shi"):
        search, turn = asked(text, evaluate)
        assert end_by_score(search, turn) is None
        plain = choose(*asked("full", evaluate))
        assert choose(search, turn).move == plain.move == 0


def test_a_pass_that_costs_much_says_that_it_is_no_endgame() -> None:
    def costly(said: Outputs, stones: NDArray[np.float64]) -> None:
        if stones[BLACK_ROW[0]] < 0 and (stones != 0).sum() == len(BLACK_ROW) + 1:
            said.lead += 20

    search, turn = asked("full+ending=shi", endgame(costly))
    assert end_by_score(search, turn) is None
    assert gain_of(search, turn.position, search.report()) > 7


@pytest.mark.parametrize(
    ("text", "ahead", "move"),
    [
        ("full+ending=close:reserve=0", 0.0, 0),
        ("full+ending=close:reserve=0", 4.0, 3),
        ("full+ending=close:reserve=0", -20.0, 0),
        ("full+ending=lose:reserve=0:most_loss=9", 0.0, 3),
        ("full+ending=win:reserve=0", 4.0, 3),
    ],
)
def test_the_move_leads_to_the_margin_that_is_wanted(text: str, ahead: float, move: int) -> None:
    assert chosen(text, endgame(ahead=ahead)).move == move


def test_no_settled_group_is_given_away() -> None:
    def tempting(said: Outputs, stones: NDArray[np.float64]) -> None:
        if stones[3] == stones[BLACK_ROW[0]]:  # once Black plays there, the row is White's
            said.ownership[list(BLACK_ROW)] *= -1

    text = "full+ending=close:reserve=0"
    assert chosen(text, endgame(ahead=4)).move == 3
    assert chosen(text, endgame(tempting, ahead=4)).move != 3
    assert chosen(f"{text}:most_stones=3", endgame(tempting, ahead=4)).move == 3
    assert chosen(f"{text}:reads=0", endgame(tempting, ahead=4)).move == 3


def test_the_position_after_a_move_is_read() -> None:
    def trap(said: Outputs, stones: NDArray[np.float64]) -> None:
        """After one move the reply, which nothing but reading shows, takes thirty points."""
        if stones[3] < 0 and not stones[48]:
            said.chances[48] = 20.0
        if stones[3] and stones[48] == -stones[3]:
            said.lead -= 30 * stones[3]

    text = "full+ending=close:reserve=0"
    assert chosen(f"{text}:reads=0", endgame(trap), visits=3).move == 3
    assert chosen(text, endgame(trap), visits=3).move != 3


def test_only_moves_that_are_allowed_are_considered() -> None:
    until = [0] * (SIDE * SIDE + 1)
    until[3] = 1
    search, turn = asked(
        "full+ending=close:reserve=0", endgame(), restriction=Restriction(black=until)
    )
    choice = end_by_score(search, turn)
    assert choice is not None
    assert choice.move not in (3, None)


def test_it_passes_where_the_search_would() -> None:
    def over(said: Outputs, _stones: NDArray[np.float64]) -> None:
        said.chances[-1] = 1000.0

    for text in ("full+ending=close", "full+ending=shi"):
        search, turn = asked(text, endgame(over))
        choice = end_by_score(search, turn)
        assert choice is not None
        assert choice.move == turn.position.pass_move


def test_leads_are_the_searchs_for_visited_moves_and_else_the_networks() -> None:
    search, turn = asked("full", endgame())
    report = search.run(Limit(visits=40))
    leads = leads_after(search, turn.position, report, [*CHANCES, 1])
    looked: dict[int, Report | float] = {
        stats.move: stats.score_lead
        for stats in report.moves
        if stats.edge_visits >= TRUSTED_VISITS
    }
    assert looked
    assert {move: leads[move] for move in looked} == looked
    assert 1 not in looked
    assert leads[1] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(
    ("rules", "to_move", "expected"),
    [
        (GoRules(), 0, Margins(2, 361 - 7.5)),
        (GoRules(), 1, Margins(2, 7.5 - 361)),
        (GoRules(scoring="TERRITORY"), 0, Margins(1, -7.5)),
        (GoRules(button=True), 0, Margins()),
    ],
)
def test_the_possible_margins(rules: GoRules, to_move: int, expected: Margins) -> None:
    position = GoPosition(19, 19, rules, 7.5)
    position.to_move = to_move
    assert margins_of(position) == expected
    assert margins_of(GAMES["othello"].new_position(8, 8)) == Margins(2, 0)


def test_an_ending_by_score_does_not_resign() -> None:
    for text, resigns in (("full", True), ("full+ending=close", False), ("full+ending=shi", False)):
        search, turn = asked(text, endgame(deviation=40.0, ahead=-60.0))
        lost = [TurnEvaluation(0.5, 0.0), *[TurnEvaluation(0.001, -60.0)] * 3]
        easily = EndingSettings(resign_min_moves_per_board_area=0.0)
        choice = choose(search, replace(turn, past=lost, ending=easily))
        assert (choice.move is None) == resigns


@pytest.mark.parametrize(("before", "taken"), [(2.0, False), (20.0, True)])
def test_a_gift_is_left_lying_where_the_margin_is_wanted(before: float, taken: bool) -> None:
    """The first cell is worth far more than all that was at stake a turn ago."""

    def gift(said: Outputs, stones: NDArray[np.float64]) -> None:
        if stones[0] == stones[BLACK_ROW[0]]:
            said.lead += 9 * stones[0]

    search, turn = asked("full+ending=close:reserve=0", endgame(gift))
    choice = end_by_score(search, replace(turn, past=[TurnEvaluation(0.6, before)]))
    assert choice is not None
    assert (choice.move == 0) == taken
