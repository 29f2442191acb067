"""The batches of one search: leaves are selected, evaluated and passed to the tree.

Any backend's slots are served here in Python. A backend with slots of the core leaves the whole run
to the core, which needs no interpreter: many searches then run side by side in one process.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine._core import CpuFlights, CpuRows, live_nodes
from engine.games.evaluator import Slot
from engine.search.meter import SearchMeter
from engine.search.tree import CoreTree, Tree
from engine.util.type_test import TypeTest

_is_of_core: TypeTest[CoreTree[Any]] = TypeTest(CoreTree)


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The playouts that one search may make."""

    visits: int  # of the root
    playouts: int  # since the start of the search
    nodes: int  # of all trees; beyond them each tree may have its equal share

    def playouts_left(self, tree: Tree[Any]) -> int:
        """Returns the number of playouts that may still begin.

        The root must be evaluated for a report.
        """
        left = min(self.visits - tree.root.visits, self.playouts - tree.playouts)
        nodes, trees = live_nodes()
        may_grow = nodes < self.nodes or tree.nodes * trees < self.nodes
        return max(left - tree.in_flight if may_grow else 0, 0 if tree.evaluated else 1)


class Flights(Protocol):
    """The slots of one search on one tree."""

    def reset(self, meter: SearchMeter | None) -> None:
        """Makes all slots idle, before a search. meter: counts its work."""

    def turn(self, limits: RunLimits, *, launches: bool, seconds: float) -> bool:
        """Evaluates leaves for a moment; returns whether a batch was finished.

        launches: whether playouts may begin. seconds: the longest turn, beyond which one batch is
        finished at most. Raises the evaluator's errors.
        """

    def abandon(self) -> None:
        """Leaves the tree as if the playouts under way had never begun."""


class SlotFlights:
    """Slots of any backend. A turn starts all idle slots and finishes the oldest batch."""

    def __init__(self, tree: Tree[Any], slots: Sequence[Slot]) -> None:
        self._tree, self._slots = tree, slots
        self.reset(None)

    def reset(self, meter: SearchMeter | None) -> None:
        """Makes all slots idle."""
        self._meter = meter
        self._idle = list(range(len(self._slots)))
        self._waiting: deque[tuple[int, int]] = deque()  # slot and its rows, the oldest first
        self._counted = 0  # playouts of this search in the meter

    def turn(self, limits: RunLimits, *, launches: bool, seconds: float) -> bool:  # noqa: ARG002
        """Starts idle slots and finishes the oldest batch."""
        if launches:
            self._launch(limits)
        if not self._waiting:
            return False
        self._land()
        return True

    def abandon(self) -> None:
        """Waits for the slots in evaluation and drops their playouts."""
        for number, _ in self._waiting:
            drop(self._tree, number, self._slots[number].wait)

    def _launch(self, limits: RunLimits) -> None:
        """Fills idle slots with leaves and starts them."""
        for number in list(self._idle):
            slot, left = self._slots[number], limits.playouts_left(self._tree)
            if left <= 0:
                return
            rows = self._tree.select(number, slot.spatial, slot.globals, len(slot.spatial), left)
            if rows == 0:
                return
            slot.optimism[:rows] = self._tree.optimism(number)
            slot.start(rows)
            self._idle.remove(number)
            self._waiting.append((number, rows))

    def _land(self) -> None:
        """Waits for the oldest started slot and passes its outputs to the tree."""
        number, rows = self._waiting[0]
        slot = self._slots[number]
        begun = time.perf_counter()
        slot.wait()
        waited = time.perf_counter() - begun
        self._tree.update(number, slot.policy, slot.value, slot.misc, slot.ownership)
        if self._meter is not None:
            playouts = self._tree.playouts
            self._meter.count(rows, playouts - self._counted, waited)
            self._counted = playouts
        self._waiting.popleft()
        self._idle.append(number)


class CoreFlights:
    """Slots of the core. A turn is a run of the core, without the interpreter's lock."""

    def __init__(self, tree: CoreTree[Any], rows: Sequence[CpuRows]) -> None:
        self._tree, self._rows = tree, rows
        self._flights = CpuFlights(rows)
        self.reset(None)

    def reset(self, meter: SearchMeter | None) -> None:
        """Makes all slots idle."""
        self._meter = meter
        self._flights.reset()
        self._counted = 0  # playouts of this search in the meter

    def turn(self, limits: RunLimits, *, launches: bool, seconds: float) -> bool:
        """Runs playouts for `seconds`, and for one batch at least."""
        try:
            landed = self._tree.run(
                self._flights,
                launches=launches,
                visits=limits.visits,
                playouts=limits.playouts,
                nodes=limits.nodes,
                seconds=seconds,
            )
        finally:
            self._count()
        return landed > 0

    def abandon(self) -> None:
        """Waits for the slots in evaluation and drops their playouts."""
        for number in self._flights.waiting:
            drop(self._tree, number, self._rows[number].wait)

    def _count(self) -> None:
        batches, wait_seconds, processor_seconds = self._flights.take_work()
        if self._meter is None:
            return
        playouts = self._tree.playouts
        self._meter.count_batches(
            batches, playouts - self._counted, wait_seconds, processor_seconds
        )
        self._counted = playouts


def drop(tree: Tree[Any], number: int, wait: Callable[[], None]) -> None:
    """Drops the playouts of a slot after its evaluation, which may fail like the first one."""
    try:
        wait()
    except Exception:  # noqa: S110 (the first failure is the one reported)
        pass
    finally:
        tree.abandon(number)


def flights_of(tree: Tree[Any], slots: Sequence[Slot], dropout: float) -> Flights:
    """Returns the flights of a search; the core runs its own slots where nothing is dropped out.

    A tree in Python is served in Python.
    """
    rows = [slot.core_rows for slot in slots if slot.core_rows is not None]
    if len(rows) == len(slots) and not dropout and _is_of_core(tree):
        return CoreFlights(tree, rows)
    return SlotFlights(tree, slots)
