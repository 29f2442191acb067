"""The numbers of the service for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REPLY_SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)


class MqttMetrics:
    """Counts and times of one service. registry: of the process's metrics."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "sparring_mqtt_requests",
            "Requests carried out, by type and by error code; ok without one.",
            ["type", "code"],
            registry=registry,
        )
        self.arrivals = Counter(
            "sparring_mqtt_arrivals",
            "Packets arrived: new, duplicate, repeated, reused, or a fault without a way back.",
            ["kind"],
            registry=registry,
        )
        self.replies = Counter(
            "sparring_mqtt_replies", "Replies acknowledged by the broker.", registry=registry
        )
        self.connections = Counter(
            "sparring_mqtt_connections", "Connections to the broker.", registry=registry
        )
        self.is_connected = Gauge(
            "sparring_mqtt_connected", "Whether the broker is connected.", registry=registry
        )
        self.is_engine_up = Gauge(
            "sparring_mqtt_engine_up", "Whether the engine answers.", registry=registry
        )
        self.waiting = Gauge(
            "sparring_mqtt_waiting_requests", "Requests without a reply.", registry=registry
        )
        self.games = Gauge("sparring_mqtt_games", "Games under way.", registry=registry)
        self.seconds = Histogram(
            "sparring_mqtt_reply_seconds",
            "Time from a request's arrival to its stored reply.",
            ["type"],
            buckets=REPLY_SECONDS,
            registry=registry,
        )
