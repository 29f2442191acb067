"""The steps of AlphaDDA1, 2 and 3 (Fujita 2022): play by the values of this game's positions.

The steps take the values and run the searches. The equations and constants are in
engine.strength.alphadda, AlphaZero's part in engine.strength.alphazero. A value is the undamaged
network's evaluation of a position of the real game, without a search. The network is the session's
own, not the paper's; its values differ, and with them the strength.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine._core import Connect4BalanceTree, GoBalanceTree, OthelloBalanceTree
from engine.games.evaluator import Evaluator
from engine.games.position import P, Position
from engine.networks.raw import evaluate_raw
from engine.play.steps.request import MoveRequest, Steps
from engine.play.steps.scratch import another_search
from engine.search.search import Search
from engine.strength.alphadda import AlphaDda1, AlphaDda2, AlphaDda3, mean_value, published
from engine.strength.alphazero import plain_search, playouts
from engine.values import Choice, Limit

PASS_VISITS = 32  # visits of AlphaDDA3's search for a pass in Go
PASS_SHARE = 0.25  # share of a move's time for this search
VALUES_SHARE = 0.25  # share of a move's time for evaluating positions
BalanceTree = GoBalanceTree | OthelloBalanceTree | Connect4BalanceTree
BALANCE_TREES: dict[str, Callable[..., BalanceTree]] = {  # by the name of the game
    "go": GoBalanceTree,
    "othello": OthelloBalanceTree,
    "connect4": Connect4BalanceTree,
}


def simulate_less(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays AlphaDDA1's move: AlphaZero's, with a number of simulations by the mean value."""
    constants = request.strength(AlphaDda1).constants or published(request.board).simulations
    mean, request = mean_of(search, request, constants.positions)
    own = _own(mean, request)
    visits = request.limit.within(constants.visits(own))
    return _searched(
        search, request, visits, f"It makes {visits} simulations at a mean value of {own:+.2f}."
    )


def search_damaged(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays AlphaDDA2's move: AlphaZero's, with the network's dropout by the mean value."""
    constants = request.strength(AlphaDda2).constants or published(request.board).damage
    mean, request = mean_of(search, request, constants.positions)
    own = _own(mean, request)
    dropout = constants.dropout(own)
    damaged = another_search(search, request, plain_search(), dropout=dropout)
    reason = f"It drops {dropout:.0%} of the network's last inputs at a mean value of {own:+.2f}."
    return _searched(damaged, request, request.limit.within(playouts(request.board)), reason)


def seek_balance(search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Plays AlphaDDA3's move: the most visited of a search for values that undo the mean value.

    In Go it passes when a short search would, and else plays another move.
    """
    position, started = request.position, search.now()
    if request.game == "go":
        most = request.limit.part(PASS_SHARE).least_seconds
        report = search.run(
            Limit(visits=request.limit.within(PASS_VISITS), max_seconds=most), stop=request.stop
        )
        if report.best is not None and report.best.move == position.pass_move:
            return Choice(position.pass_move, "The search would pass.", report)
    constants = request.strength(AlphaDda3).constants or published(request.board).balance
    request = replace(request, limit=request.limit.after(search.now() - started))
    mean, request = mean_of(search, request, constants.positions)
    tree = BALANCE_TREES[request.game](position, exploration=constants.exploration, mean_value=mean)
    _grow(tree, search, request)
    moves = [each for each in tree.moves() if request.allows(each.move)]
    if request.game == "go" and len(moves) > 1:
        moves = [each for each in moves if each.move != position.pass_move]
    if not moves:
        return None
    # The first of equals. This search has no priors: a style's factors count here.
    best = max(moves, key=lambda each: each.visits * request.factors[each.move])
    reason = (
        f"The move undoes a mean value of {_own(mean, request):+.2f} but for {best.distance:.2f}."
    )
    return Choice(best.move, reason, nodes=tree.simulations)


def mean_of(
    search: Search, request: MoveRequest[P], positions: int
) -> tuple[float, MoveRequest[P]]:
    """Returns vbar, and the request with the remaining time.

    vbar is the mean value of the game's last positions, +1 for a win of color 0. With little time
    it is the mean of the latest ones.
    """
    started, most = search.now(), request.limit.part(VALUES_SHARE).least_seconds
    values: list[float] = []
    for position in reversed((request.recent or (request.position,))[-positions:]):
        if values and most is not None and search.now() - started >= most:
            break
        values.insert(0, _value(search.evaluator, position))
    left = request.limit.after(search.now() - started)
    return mean_value(values, positions), replace(request, limit=left)


def _value(evaluator: Evaluator, position: Position) -> float:
    if position.is_over:  # Go may be played on
        return {0: 1.0, 1: -1.0}.get(position.winner, 0.0)
    raw = evaluate_raw(evaluator, position)
    return raw.win - raw.loss if position.to_move == 0 else raw.loss - raw.win


def _own(value: float, request: MoveRequest[Position]) -> float:
    """Returns the value for the side to move: vbar c."""
    return value if request.position.to_move == 0 else -value


def _searched(
    search: Search, request: MoveRequest[Position], visits: int, reason: str
) -> Choice | None:
    """Plays the most visited move of a new tree by plain PUCT; None without an allowed move."""
    search.change_settings(plain_search())
    limit = Limit(
        visits=visits, seconds=request.limit.seconds, max_seconds=request.limit.max_seconds
    )
    report = request.searched(search, limit)
    return None if report.best is None else Choice(report.best.move, reason, report)


def _grow(tree: BalanceTree, search: Search, request: MoveRequest[Position]) -> None:
    """Runs AlphaZero's number of simulations, or as many as there is time for."""
    least = request.limit.least_seconds
    deadline = None if least is None else search.now() + least
    slot = search.evaluator.open(request.position.width, request.position.height, 1)
    simulations = request.limit.within(playouts(request.board))
    while tree.simulations < simulations:
        late = deadline is not None and search.now() >= deadline
        if tree.simulations > 1 and (late or request.stop()):
            return
        if tree.select(slot.spatial, slot.globals):
            slot.start(1)
            slot.wait()
            tree.update(slot.value)


ALPHADDA1: Steps[Position] = Steps(before_search=(simulate_less,))
ALPHADDA2: Steps[Position] = Steps(before_search=(search_damaged,))
ALPHADDA3: Steps[Position] = Steps(before_search=(seek_balance,))
