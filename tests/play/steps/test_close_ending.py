"""What an even game's moves are liked for: how near they lead to a wanted margin."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import GAMES, Board
from engine.opponents import OPPONENT_KINDS, StandingAfter
from engine.opponents.tracker import of_stranger
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.close_ending import closeness
from engine.play.steps.request import MoveRequest
from engine.search.search import Search, SearchSettings
from engine.search.solver import SOLVERS
from engine.style.target_leads import MOST_DISLIKED, outside
from engine.values import Limit, Report, Standing
from tests.core.test_proofs import late
from tests.play.steps.test_score_lead import endgame
from tests.support.stand_in import StandInEvaluator, description_of

WANTED = (-2.0, 2.0)  # of those within 3.5, what can occur in Othello
KNOWN = np.full(len(OPPONENT_KINDS), 0.5)


def asked(position: Position, text: str) -> tuple[Search, MoveRequest[Position]]:
    search = Search(StandInEvaluator(game="othello"), SearchSettings(), seed=3)
    search.set_position(position)
    tracker = of_stranger(Board("othello", 8, 8), description_of("othello"))
    persona = make_persona(text, "othello")
    rng = np.random.default_rng(1)
    limit = Limit(visits=30)
    return search, MoveRequest(
        position, limit, "othello", persona=persona, tracker=tracker, rng=rng
    )


def liked(position: Position, text: str, after: StandingAfter) -> tuple[list[int], list[float]]:
    """The moves and how much each is liked where the game stands so after all of them."""
    search, turn = asked(position, text)
    moves = position.legal_moves()
    report = search.run(turn.limit)
    factors = closeness(search, turn, report, np.array(moves), [after] * len(moves))
    return moves, factors.tolist()


def test_the_last_moves_weigh_by_their_distance_to_the_wanted_margin() -> None:
    spread = set()
    for seed in range(4):
        position = late("othello", (8, 8), seed, 8)
        scores = dict(SOLVERS["othello"](16).solve_moves(position))
        moves, factors = liked(position, "even+ending=close", KNOWN)
        beyond = [outside(scores[move], *WANTED) for move in moves]
        steps = [math.log(8) * (points - min(beyond)) for points in beyond]
        assert factors == pytest.approx([math.exp(-min(step, MOST_DISLIKED)) for step in steps])
        spread |= set(factors)
    assert len(spread) > 1


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("strength:even", KNOWN),
        ("even+ending=close", Standing(0.4, 0.9, 20.0, 0.5, 0.5)),  # far off, whatever is played
        ("even+ending=close", None),
    ],
)
def test_all_are_alike_where_no_ending_is_wanted_or_none_is_nearer(
    text: str, after: StandingAfter
) -> None:
    moves, factors = liked(late("othello", (8, 8), 1, 8), text, after)
    assert factors == [1.0] * len(moves)


@pytest.mark.parametrize(("ending", "nearest"), [("close", 1.0), ("win", 1.0), ("lose", -1.0)])
def test_in_go_the_leads_that_were_read_tell(ending: str, nearest: float) -> None:
    position = GAMES["go"].new_position(7, 7)
    for move in (23, 15, 24, 20, 25, 27):
        position.play(move)
    search = Search(StandInEvaluator(endgame()), SearchSettings(), seed=3)
    search.set_position(position)
    persona = make_persona(f"even+ending={ending}", "go")
    turn: MoveRequest[Position] = MoveRequest(position, Limit(visits=30), persona=persona)
    report: Report = search.run(turn.limit)
    leads = (1.0, -1.0, -9.0, 30.0)
    after: list[StandingAfter] = [Standing(0.9, 0.5, lead, 0.5, 0.5) for lead in leads]
    after += [None, np.full(len(OPPONENT_KINDS), 0.0)]  # nobody looked; a move that ends the game
    factors = closeness(search, turn, report, np.arange(len(after)), after)
    assert leads[int(factors[:4].argmax())] == nearest
    # Where nobody looked it is as bad as the worst.
    assert factors[5] == factors[4] == factors[2] < 1


def test_a_balanced_game_stays_even_to_its_last_move_with_any_ending() -> None:
    positions = [late("othello", (8, 8), seed, 10) for seed in range(8)]
    chosen = [position for position in positions if len(position.legal_moves()) > 1]
    assert chosen
    for text in ("even+ending=close", "even+ending=shi"):
        for position in chosen:
            choice = choose(*asked(position, text))
            assert choice.reason.startswith("The opponent seems to have ")
