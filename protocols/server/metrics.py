"""The state of a running engine for Prometheus, in its text format over HTTP on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from engine.play.network_pool import NetworkPool
from protocols.server.metrics_port import serve_registry
from protocols.server.statistics import BOUNDS, ErrorCounter, Statistics
from protocols.server.status import memory_bytes, network


class EngineCollector(Collector):
    """Reads the state at each scrape; nothing is counted twice."""

    def __init__(self, pool: NetworkPool, statistics: Statistics, errors: ErrorCounter) -> None:
        self._pool, self._statistics, self._errors = pool, statistics, errors

    def collect(self) -> Iterator[Metric]:
        """Yields all metrics."""
        yield from self._sessions()
        yield from self._networks()
        yield from self._work()
        yield from self._latencies()
        yield GaugeMetricFamily(
            "sparring_memory_bytes", "Resident memory of the process.", value=memory_bytes()
        )
        records = CounterMetricFamily(
            "sparring_log_records", "Records of the log, by level.", labels=["level"]
        )
        for level in ("warning", "error"):
            records.add_metric([level], self._errors.counts[level])
        yield records

    def _sessions(self) -> Iterator[Metric]:
        statistics = self._statistics
        now = GaugeMetricFamily(
            "sparring_sessions", "Conversations under way.", labels=["protocol"]
        )
        begun = CounterMetricFamily(
            "sparring_conversations", "Conversations since the start.", labels=["protocol"]
        )
        refused = CounterMetricFamily(
            "sparring_refusals", "Clients refused since the start.", labels=["protocol"]
        )
        present = [each.protocol for each in statistics.activities()]
        for protocol, count in statistics.conversations().items():
            now.add_metric([protocol], present.count(protocol))
            begun.add_metric([protocol], count)
        for protocol, count in statistics.refusals().items():
            refused.add_metric([protocol], count)
        limit = GaugeMetricFamily("sparring_session_limit", "Most conversations at once.")
        limit.add_metric([], self._pool.sessions)
        yield from (now, begun, refused, limit)

    def _networks(self) -> Iterator[Metric]:
        labels = ["network", "precision"]
        users = GaugeMetricFamily("sparring_network_users", "Sessions on a network.", labels=labels)
        lookups = CounterMetricFamily(
            "sparring_cache_lookups", "Lookups of cached evaluations.", labels=labels
        )
        hits = CounterMetricFamily(
            "sparring_cache_hits", "Lookups that returned an evaluation.", labels=labels
        )
        for loaded in self._pool.loaded():
            if not loaded.is_loaded or loaded.is_replaced:
                continue  # a newer network has the name
            values = network(loaded)
            names = [values["file"] or values["name"], values["precision"]]
            users.add_metric(names, values["users"])
            lookups.add_metric(names, values["cache_lookups"])
            hits.add_metric(names, values["cache_hits"])
        yield from (users, lookups, hits)

    def _work(self) -> Iterator[Metric]:
        work = self._pool.meter.work()
        yield CounterMetricFamily("sparring_visits", "Playouts of searches.", value=work.playouts)
        yield CounterMetricFamily(
            "sparring_evaluations", "Positions evaluated by networks.", value=work.evaluations
        )
        yield CounterMetricFamily(
            "sparring_evaluation_wait_seconds",
            "Time of searching threads in the queue for a network and in its evaluation.",
            value=work.wait_seconds,
        )
        bounds = [str(float(2**power)) for power in range(len(work.batches) - 1)] + ["+Inf"]
        counts = accumulate(work.batches)
        yield HistogramMetricFamily(
            "sparring_batch_rows",
            "Positions of a batch.",
            buckets=list(zip(bounds, counts, strict=True)),
            sum_value=work.evaluations,
        )

    def _latencies(self) -> Iterator[Metric]:
        family = HistogramMetricFamily(
            "sparring_latency_seconds",
            "Time from a command to its last answer, by kind: move, analysis or command.",
            labels=["protocol", "kind"],
        )
        bounds = [str(bound) for bound in BOUNDS] + ["+Inf"]
        for key, latencies in self._statistics.latencies().items():
            counts = accumulate(latencies.counts)
            family.add_metric(
                list(key),
                buckets=list(zip(bounds, counts, strict=True)),
                sum_value=latencies.seconds,
            )
        yield family


def serve_metrics(collector: EngineCollector, port: int) -> Callable[[], None]:
    """Serves the metrics at a port of this machine; returns the function that ends it.

    Raises MetricsPortError.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return serve_registry(registry, port)
