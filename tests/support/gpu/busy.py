"""The share of the device's time in use while games are searched, and the device's memory."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import torch

from engine.lab.speed import OwnSearch, SearchSpeed, stored_places
from tests.support.gpu.rates import slots_of
from tests.support.gpu.settings import Rows, Settings

INTERVAL_SECONDS = 0.2
QUERY = ("--query-gpu=utilization.gpu,memory.used", "--format=csv,noheader,nounits")
MEBIBYTE = 1 << 20


class Watch:
    """Asks nvidia-smi for the share in use and the memory, until it is stopped."""

    def __init__(self) -> None:
        self.shares: list[float] = []  # percent of the last period with a kernel at work
        self.memory: list[float] = []  # MiB, of all programs
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _ask(self) -> None:
        program = shutil.which("nvidia-smi")
        while program and not self._over.wait(INTERVAL_SECONDS):
            reply = subprocess.run([program, *QUERY], capture_output=True, text=True, check=False)
            self.add(reply.stdout)

    def add(self, reply: str) -> None:
        """Reads a reply such as "37, 1234"; passes over any other."""
        words = reply.splitlines()[0].split(",") if reply.strip() else []
        if len(words) == 2 and all(word.strip().isdigit() for word in words):
            self.shares.append(float(words[0]))
            self.memory.append(float(words[1]))

    def row(self) -> dict[str, float | None]:
        """The median share without the first replies, and the most memory."""
        later = self.shares[2:] or self.shares
        return {
            "busy_percent": statistics.median(later) if later else None,
            "memory_mib": max(self.memory, default=None),
        }


def busy(settings: Settings) -> Rows:
    """Games searched at once by threads: visits and evaluations a second, share in use."""
    places = stored_places()[settings.size]
    for network in settings.networks:
        evaluator = settings.evaluator(network, settings.precision)
        for games in settings.games:
            searches = [OwnSearch(evaluator, 0) for _ in range(games)]
            with ThreadPoolExecutor(games) as threads:

                def both(seconds: float, searches: list[OwnSearch] = searches) -> list[SearchSpeed]:
                    chosen = [places[number % len(places)] for number in range(len(searches))]
                    return list(
                        threads.map(
                            lambda pair: pair[0].speed(pair[1], seconds),
                            zip(searches, chosen, strict=True),
                        )
                    )

                both(settings.seconds)  # records the graphs of all sizes
                with Watch() as watch:
                    speeds = both(3 * settings.seconds)
            yield {
                "network": network,
                "games": games,
                "visits": sum(speed.visits or 0.0 for speed in speeds),
                "rate": sum(speed.evaluations or 0.0 for speed in speeds),
                **watch.row(),
            }
        evaluator.close()


def memory(settings: Settings) -> Rows:
    """The memory of a network with the graphs of every batch size, and the time to record each."""
    for network in settings.networks:
        evaluator = settings.evaluator(network, settings.precision)
        for batch in sorted(settings.batches, reverse=True):
            began = time.perf_counter()
            slots_of(settings, evaluator, batch, 1)
            row = {
                "network": network,
                "batch": batch,
                "opening_seconds": time.perf_counter() - began,
            }
            if settings.device.startswith("cuda"):
                row["allocated_mib"] = torch.cuda.memory_allocated() / MEBIBYTE
                row["reserved_mib"] = torch.cuda.memory_reserved() / MEBIBYTE
            yield row
        evaluator.close()
