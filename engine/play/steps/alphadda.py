"""AlphaDDA1, 2 and 3 (Fujita 2022): the steps that play by the values of this game's positions.

Knows where the values come from and what searches; the equations and constants are in
engine.strength.alphadda, AlphaZero's part of it in engine.strength.alphazero. A value is what the
network says by itself of a position of the real game, whole and without a search. The network is
the session's own, not the paper's, so that its values differ, and with them the strength.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from engine._core import Connect4BalanceTree, GoBalanceTree, OthelloBalanceTree
from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.networks.raw import evaluate_raw
from engine.play.steps.request import Steps, Turn
from engine.play.steps.scratch import another_search
from engine.search.search import Search
from engine.strength.alphadda import AlphaDda1, AlphaDda2, AlphaDda3, mean_value, published
from engine.strength.alphazero import plain_search, playouts
from engine.values import Choice, Limit

PASS_VISITS = 32  # of the search that tells AlphaDDA3 whether to end a game of Go
PASS_SHARE = 0.25  # of a move's time, for that search
VALUES_SHARE = 0.25  # of a move's time, after which no further position is valued
P = TypeVar("P", bound=Position)
BalanceTree = GoBalanceTree | OthelloBalanceTree | Connect4BalanceTree
BALANCE_TREES: dict[str, Callable[..., BalanceTree]] = {  # by the name of the game
    "go": GoBalanceTree,
    "othello": OthelloBalanceTree,
    "connect4": Connect4BalanceTree,
}


def simulate_less(search: Search, turn: Turn[Position]) -> Choice | None:
    """AlphaDDA1's move: AlphaZero's of as many simulations as the game is worth."""
    constants = turn.strength(AlphaDda1).constants or published(turn.board).simulations
    mean, turn = mean_of(search, turn, constants.positions)
    own = _own(mean, turn)
    visits = turn.limit.within(constants.visits(own))
    return _searched(
        search, turn, visits, f"It makes {visits} simulations at a mean value of {own:+.2f}."
    )


def search_damaged(search: Search, turn: Turn[Position]) -> Choice | None:
    """AlphaDDA2's move: AlphaZero's with a network that is damaged as the game is worth."""
    constants = turn.strength(AlphaDda2).constants or published(turn.board).damage
    mean, turn = mean_of(search, turn, constants.positions)
    own = _own(mean, turn)
    dropout = constants.dropout(own)
    damaged = another_search(search, turn, plain_search(), dropout=dropout)
    reason = f"It drops {dropout:.0%} of the network's last inputs at a mean value of {own:+.2f}."
    return _searched(damaged, turn, turn.limit.within(playouts(turn.board)), reason)


def seek_balance(search: Search, turn: Turn[Position]) -> Choice | None:
    """AlphaDDA3's move: the most visited of a search that wants the mean value undone.

    In Go it passes when a short search would, and else makes another move.
    """
    position, started = turn.position, search.now()
    if turn.game == "go":
        most = turn.limit.part(PASS_SHARE).least_seconds
        report = search.run(
            Limit(visits=turn.limit.within(PASS_VISITS), max_seconds=most), stop=turn.stop
        )
        if report.best is not None and report.best.move == position.pass_move:
            return Choice(position.pass_move, "The search would pass.", report)
    constants = turn.strength(AlphaDda3).constants or published(turn.board).balance
    turn = replace(turn, limit=turn.limit.after(search.now() - started))
    mean, turn = mean_of(search, turn, constants.positions)
    tree = BALANCE_TREES[turn.game](position, exploration=constants.exploration, mean_value=mean)
    _grow(tree, search, turn)
    moves = [found for found in tree.moves() if turn.allows(found.move)]
    if turn.game == "go" and len(moves) > 1:
        moves = [found for found in moves if found.move != position.pass_move]
    if not moves:
        return None
    # The first of equals. This search has no priors, so that a style counts here.
    best = max(moves, key=lambda found: found.visits * turn.factors[found.move])
    reason = f"The move undoes a mean value of {_own(mean, turn):+.2f} but for {best.distance:.2f}."
    return Choice(best.move, reason, nodes=tree.simulations)


def mean_of(search: Search, turn: Turn[P], positions: int) -> tuple[float, Turn[P]]:
    """vbar, and the turn with the time that is left.

    vbar is the mean value of the game's last positions, +1 where color 0 wins. When time is short
    it is that of the latest ones.
    """
    started, most = search.now(), turn.limit.part(VALUES_SHARE).least_seconds
    values: list[float] = []
    for position in reversed((turn.recent or (turn.position,))[-positions:]):
        if values and most is not None and search.now() - started >= most:
            break
        values.insert(0, _value(search.evaluator, position))
    left = turn.limit.after(search.now() - started)
    return mean_value(values, positions), replace(turn, limit=left)


def _value(evaluator: Evaluator, position: Position) -> float:
    if position.is_over:  # Go may be played on
        return {0: 1.0, 1: -1.0}.get(position.winner, 0.0)
    raw = evaluate_raw(evaluator, position)
    return raw.win - raw.loss if position.to_move == 0 else raw.loss - raw.win


def _own(value: float, turn: Turn[Position]) -> float:
    """The value as the side to move sees it: vbar c."""
    return value if turn.position.to_move == 0 else -value


def _searched(search: Search, turn: Turn[Position], visits: int, reason: str) -> Choice | None:
    """The most visited move of a new tree by plain PUCT; None where no move is allowed."""
    search.change_settings(plain_search())
    limit = Limit(visits=visits, seconds=turn.limit.seconds, max_seconds=turn.limit.max_seconds)
    report = turn.searched(search, limit)
    return None if report.best is None else Choice(report.best.move, reason, report)


def _grow(tree: BalanceTree, search: Search, turn: Turn[Position]) -> None:
    """AlphaZero's simulations, or as many as there is time for."""
    least = turn.limit.least_seconds
    deadline = None if least is None else search.now() + least
    slot = search.evaluator.open(turn.position.width, turn.position.height, 1)
    simulations = turn.limit.within(playouts(turn.board))
    while tree.simulations < simulations:
        late = deadline is not None and search.now() >= deadline
        if tree.simulations > 1 and (late or turn.stop()):
            return
        if tree.select(slot.spatial, slot.globals):
            slot.start(1)
            slot.wait()
            tree.update(slot.value)


ALPHADDA1: Steps[Position] = Steps(before_search=(simulate_less,))
ALPHADDA2: Steps[Position] = Steps(before_search=(search_damaged,))
ALPHADDA3: Steps[Position] = Steps(before_search=(seek_balance,))
