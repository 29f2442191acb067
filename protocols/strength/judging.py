"""What a strong and independent judge thinks of recorded games, position by position.

Knows rows of a match, the exact solvers, and searches of a fixed number of visits by the network
that comes with the engine. Late positions are solved, earlier ones searched. How natural a move is
the reference policy says: that of human players where one comes with the engine, else the same
network's own. A value is of color 0's side, 0..1, a draw being half. Does not know what is made of
it (protocols.strength.manner).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from queue import SimpleQueue

from engine.networks.bundled import human_network
from engine.position import Position
from engine.records import Limit, Report
from engine.resident import NetworkChoice
from engine.search import Search
from engine.solver import SOLVERS
from engine.steps.exact import COSTS
from protocols.holding import networks_of
from protocols.match.own_player import SharedNetworks
from protocols.match.record import Row
from protocols.match.start import Start

MEGABYTES = 64  # that a solver remembers in
SOLVED_SECONDS = 0.05  # that solving a position may be expected to take
VALUE_DIGITS = 4
LIKELY_DIGITS = 6
FAULTS = frozenset({"crashed", "hung", "refused", "illegal"})  # games that tell nothing of play


@dataclass(frozen=True, slots=True)
class Bench:
    """What judges are made from."""

    start: Start  # without an opening
    visits: int  # of a search
    networks: SharedNetworks = field(default_factory=SharedNetworks)

    @property
    def strong(self) -> NetworkChoice:
        """The network that judges."""
        return networks_of(self.start.game).on(self.start.board)

    @property
    def reference(self) -> NetworkChoice:
        """The network whose policy says what is natural."""
        path = human_network(self.start.game, (self.start.width, self.start.height))
        return self.strong if path is None else replace(self.strong, path=path)

    def search(self, choice: NetworkChoice) -> Search:
        """A new search by that network."""
        return Search(self.networks.network(choice).evaluator)


class Judge:
    """Looks at games one after the other. Used by one thread at a time."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        game = bench.start.game
        self._solver = SOLVERS[game](MEGABYTES) if game in SOLVERS else None

    def look(self, row: Row) -> Row:
        """What is thought of a game: a value before each move and after the last, and more.

        "values" and "leads" have one more entry than there are moves after the opening; "exact" is
        the number of the first position that was solved; "likely" the reference's probability of
        each move, None where there was no other.
        """
        bench = self._bench
        start = replace(bench.start, opening=tuple(map(bench.start.read, row["opening"])))
        if row["handicap"]:
            start = replace(start, handicap=tuple(map(start.read, row["handicap"])))
        position = start.position()
        # Each game has searches of its own: what is said of it depends on no other.
        search = bench.search(bench.strong)
        human = None if bench.reference == bench.strong else bench.search(bench.reference)
        search.set_position(position)
        values, leads, likely = list[float](), list[float](), list[float | None]()
        exact: int | None = None
        for number, move in enumerate(map(start.read, row["moves"])):
            score = self._solved(position)
            # Where the score is known, the search is only asked for the policy.
            report = search.run(Limit(visits=bench.visits if score is None else 1))
            if score is not None:
                exact = number if exact is None else exact
                values.append(of_score(score))
                leads.append(float(score))
            else:
                value, lead = of_report(report)
                values.append(round(value, VALUE_DIGITS))
                leads.append(round(lead, VALUE_DIGITS))
            if human is not None:
                human.set_position(position)
                report = human.run(Limit(visits=1))
            alone = len(position.legal_moves()) == 1
            likely.append(None if alone else round(float(report.policy[move]), LIKELY_DIGITS))
            position.play(move)
            search.set_position(position, [move])
        values.append(final_value(row))
        leads.append(final_lead(row, leads))
        return {
            "game": row["game"],
            "values": values,
            "leads": leads,
            "exact": exact,
            "likely": likely,
        }

    def _solved(self, position: Position) -> int | None:
        """Color 0's score by exact play, in Connect4 only who wins; None where that takes long."""
        if self._solver is None:
            return None
        empties = int((position.stones == 0).sum())
        if COSTS[self._bench.start.game].seconds_for(empties) > SOLVED_SECONDS:
            return None
        # Without a limit of time, which would make opinions depend on the machine's load.
        if self._bench.start.game == "connect4":
            found = self._solver.solve(position, alpha=-1, beta=1)
        else:
            found = self._solver.solve(position)
        return found.score if position.to_move == 0 else -found.score


def of_score(score: float) -> float:
    """The value of a final score: won, drawn or lost."""
    return 0.5 if score == 0 else float(score > 0)


def of_report(report: Report) -> tuple[float, float]:
    """Color 0's value and lead, after a search."""
    root = report.root
    if root.to_move == 0:
        return root.win_rate, root.score_lead
    return 1 - root.win_rate, -root.score_lead


def final_value(row: Row) -> float:
    """Color 0's result."""
    return 0.5 if row["winner"] is None else float(row["winner"] == row["black"])


def final_lead(row: Row, leads: Sequence[float]) -> float:
    """Color 0's final score; where somebody resigned what was last thought of it."""
    points = row["result"][2:]
    if row["result"] == "0":
        return 0.0
    if not points.replace(".", "").isdigit():
        return leads[-1] if leads else 0.0
    return float(points) * (1 if row["winner"] == row["black"] else -1)


def tells(row: Row) -> bool:
    """Whether a game has something to be judged: nobody lost it by a fault."""
    return row["how"] not in FAULTS and bool(row["moves"])


def judged(bench: Bench, rows: Sequence[Row], at_once: int) -> Iterator[Row]:
    """What judges think of the games, so many looking at once, in the games' order."""
    idle: SimpleQueue[Judge] = SimpleQueue()
    for _ in range(min(at_once, len(rows))):
        idle.put(Judge(bench))
    with ThreadPoolExecutor(max_workers=max(1, at_once)) as workers:
        yield from workers.map(partial(_look, idle), rows)


def _look(idle: SimpleQueue[Judge], row: Row) -> Row:
    judge = idle.get()
    try:
        return judge.look(row)
    finally:
        idle.put(judge)
