"""The scheduler of searches: worker threads, and for each client a queue by priority.

Workers serve the clients in turn. Each client also has a thread of its own, for a job while no
other job of the client runs. Thus a thousand queries, or an endless one, keep no other client
waiting. A job's search and answer are functions.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from types import TracebackType

log = logging.getLogger("sparring")


@dataclass(eq=False)
class AnalysisJob:
    """One search. `run` searches and answers, `give_up` answers without a search."""

    run: Callable[[Callable[[], bool]], None]  # argument: a function that returns whether to stop
    give_up: Callable[[], None]  # called by the terminating thread, which may wait
    key: tuple[str, int]  # the query's id, the turn
    priority: int = 0
    held_bytes: int = 0  # memory of the job while it is open
    begun: bool = False
    terminated: bool = False
    context: Context = field(default_factory=copy_context)  # of the client, for the log

    def stopped(self) -> bool:
        """Whether the search should end now."""
        return self.terminated


@dataclass(eq=False)
class Client:
    """The jobs of one client."""

    ready: Callable[[], bool]  # whether the client keeps up with its answers
    waiting: list[tuple[int, int, AnalysisJob]] = field(default_factory=list)  # heap
    open: set[AnalysisJob] = field(default_factory=set)  # waiting or running
    held_bytes: int = 0  # memory of the open jobs
    running: int = 0
    gone: bool = False

    def close(self, jobs: Iterable[AnalysisJob]) -> None:
        """Removes these jobs from the open ones."""
        for job in jobs:
            if job in self.open:
                self.open.remove(job)
                self.held_bytes -= job.held_bytes


class Scheduler:
    """Runs jobs on its threads. Safe to use from several threads; ends with its context."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._turns: deque[Client] = deque()  # clients, the next to be served first
        self._order = itertools.count()
        self._running = 0  # jobs, of all clients
        self._stopping = False
        self._changed = threading.Condition()
        self._workers = [
            threading.Thread(target=self._work, name=f"analysis {number}", daemon=True)
            for number in range(threads)
        ]
        self._own: set[threading.Thread] = set()  # of the clients

    def __enter__(self) -> Scheduler:
        """Starts the threads."""
        for worker in self._workers:
            worker.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Stops all searches and waits for the threads."""
        with self._changed:
            self._stopping = True
            for client in self._turns:
                client.waiting.clear()
                for job in client.open:
                    job.terminated = True
            self._changed.notify_all()
            ending = [*self._workers, *self._own]
        for worker in ending:
            worker.join()

    def join(self, ready: Callable[[], bool]) -> Client:
        """Adds a client; it must leave at its end."""
        client = Client(ready)
        own = threading.Thread(
            target=self._work, args=(client,), name="analysis of one client", daemon=True
        )
        with self._changed:
            self._turns.append(client)
            self._own.add(own)
        own.start()
        return client

    def submit(self, client: Client, jobs: Iterable[AnalysisJob]) -> None:
        """Queues `jobs`: higher priority first, then in the order they came."""
        with self._changed:
            for job in jobs:
                heapq.heappush(client.waiting, (-job.priority, next(self._order), job))
                client.open.add(job)
                client.held_bytes += job.held_bytes
            self._changed.notify_all()

    def terminate(self, client: Client, chosen: Callable[[AnalysisJob], bool]) -> None:
        """Stops the client's `chosen` jobs; gives up those not begun at once."""
        given_up = []
        with self._changed:
            for job in client.open:
                if not job.terminated and chosen(job):
                    job.terminated = True
                    if not job.begun:
                        given_up.append(job)
            gone = set(given_up)
            client.close(gone)
            client.waiting = [entry for entry in client.waiting if entry[2] not in gone]
            heapq.heapify(client.waiting)
            self._changed.notify_all()
        for job in sorted(given_up, key=lambda job: job.key[1]):
            job.give_up()

    def leave(self, client: Client, *, finish: bool, gone: Callable[[], bool]) -> None:
        """Waits until no job of the client runs: finished, or stopped unless `finish`.

        gone: whether the client has gone; asked while jobs finish.
        """
        with self._changed:
            while finish and client.open and not gone() and not self._stopping:
                self._changed.wait(timeout=1.0)
            client.waiting.clear()
            client.close([job for job in client.open if not job.begun])
            for job in client.open:
                job.terminated = True
            self._changed.wait_for(lambda: not client.open)
            self._turns.remove(client)
            client.gone = True
            self._changed.notify_all()

    def wake(self) -> None:
        """Wakes the threads, to check again for ready clients."""
        with self._changed:
            self._changed.notify_all()

    def waiting(self, client: Client) -> int:
        """Returns the number of the client's unfinished jobs."""
        return len(client.open)

    def _next(self, own: Client | None) -> tuple[Client, AnalysisJob] | None:
        """Returns the next job, marked as begun; None if there is none. Holds the lock.

        own: the client of the calling thread; None for a worker.
        """
        if own is not None:
            return self._begun(own) if own.running == 0 else None
        if self._running >= self.threads:
            return None
        for _ in range(len(self._turns)):
            client = self._turns[0]
            self._turns.rotate(-1)
            if job := self._begun(client):
                return job
        return None

    def _begun(self, client: Client) -> tuple[Client, AnalysisJob] | None:
        """Returns the client's next job, marked as begun; None without one, or while it lags."""
        if not client.waiting or not client.ready():
            return None
        _, _, job = heapq.heappop(client.waiting)
        job.begun = True
        client.running += 1
        self._running += 1
        return client, job

    def _work(self, own: Client | None = None) -> None:
        while job := self._wait(own):
            self._run(*job)
            del job  # an idle thread keeps nothing of a client that has gone

    def _wait(self, own: Client | None) -> tuple[Client, AnalysisJob] | None:
        """Waits for the next job and returns it; None when the thread is to end."""
        with self._changed:
            while (job := self._next(own)) is None:
                if self._stopping or (own is not None and own.gone):
                    self._own.discard(threading.current_thread())
                    return None
                self._changed.wait()
            return job

    def _run(self, client: Client, job: AnalysisJob) -> None:
        try:
            job.context.run(job.run, job.stopped)
        except Exception:
            log.exception("analysis: internal error in %s", job.key)
        finally:
            with self._changed:
                client.close([job])
                client.running -= 1
                self._running -= 1
                self._changed.notify_all()
