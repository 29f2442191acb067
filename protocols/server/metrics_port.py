"""The port of this machine for the metrics of a program, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, start_http_server

from engine.errors import SettingError

HOST = "127.0.0.1"


class MetricsPortError(SettingError):
    """The port of the metrics cannot be had; the text says why."""


def serve_registry(registry: CollectorRegistry, port: int) -> Callable[[], None]:
    """Serves the metrics at a port of this machine; returns the function that ends it.

    Raises MetricsPortError.
    """
    try:
        server, thread = start_http_server(port, addr=HOST, registry=registry)
    except OSError as error:
        text = f"cannot serve metrics at port {port}: {error.strerror}"
        raise MetricsPortError(text) from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop
