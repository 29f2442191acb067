"""The reload of a running `sparring serve`: new settings and new network files, at SIGHUP."""

from __future__ import annotations

import argparse
import logging
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from engine.errors import UsageError
from engine.networks.runtime import BackendError
from engine.play.network_pool import NetworkPool
from protocols.cli.local_engine_options import local_engine_options
from protocols.cli.setting_sources import changed_settings
from protocols.server import systemd
from protocols.server.gateway import Gateway, Limits
from protocols.server.local_engine import all_default_networks, bounds_of, client_defaults_of
from protocols.server.logs import set_level
from protocols.server.tls import load_certificate

log = logging.getLogger("sparring")

MISTAKES = (UsageError, BackendError, OSError, ValueError)
BOARD_GAME = "go"  # the game of --network


class Reloader:
    """Reads the settings anew. New clients get them; conversations under way keep theirs.

    limits_of: returns the limits of options and a number of open files.
    """

    def __init__(
        self,
        gateway: Gateway,
        pool: NetworkPool,
        options: argparse.Namespace,
        limits_of: Callable[[argparse.Namespace, int], Limits],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._gateway, self._pool, self._options = gateway, pool, options
        self._limits_of = limits_of
        self._tls = tls  # reads its certificate anew; None: no TLS
        self._one = threading.Lock()

    def reload(self) -> None:
        """Changes all that may change without a restart; a mistake changes nothing."""
        with self._one:
            systemd.notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
            try:
                self._change_settings()
                for path in self._pool.refresh():
                    log.info("reload: %s is loaded anew; games under way keep the old one", path)
                log.info("reload: done")
            except MISTAKES as error:
                log.error("reload: the old settings stay: %s", error)  # noqa: TRY400 - one line
            except Exception:
                log.exception("reload: internal error")
            finally:
                systemd.notify("READY=1")

    def _change_settings(self) -> None:
        changes, new = changed_settings(self._options)
        if self._tls is not None:
            load_certificate(self._tls, new.certificate, new.certificate_key)
        before = self._gateway.limits
        limits = self._limits_of(new, 4 * before.most_waiting)
        engine_options = local_engine_options(new)
        defaults = client_defaults_of(engine_options)
        self._pool.replace_defaults(all_default_networks(engine_options, BOARD_GAME))
        self._pool.bounds = bounds_of(engine_options)
        set_level(new.log_level)
        self._options, self._gateway.defaults = new, defaults
        self._gateway.limits = replace(limits, token=before.token)
        for row in changes:
            text = "changed" if row.reloads else "needs a restart"
            log.info("reload: %s.%s %s", row.section, row.key, text)
