"""The units of systemd: the service may do no more than it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.paths import ROOT

UNITS = ROOT / "systemd"
CONFINED = """
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
SystemCallFilter=@system-service
LimitNOFILE=65536
"""
# A user's service manager may not drop capabilities: with these the service would not start.
NEEDING_CAPABILITIES = ("CapabilityBoundingSet", "ProtectKernelModules", "ProtectClock")


def test_the_service_is_confined() -> None:
    lines = (UNITS / "sparring.service").read_text().splitlines()
    assert set(CONFINED.split()) - {"AF_INET", "AF_INET6"} <= set(" ".join(lines).split())
    assert not [line for line in lines if line.startswith(NEEDING_CAPABILITIES)]


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("needs systemd-analyze")
    program = tmp_path / ".local" / "bin" / "sparring"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [analyze, "--user", "verify", *map(str, UNITS.iterdir())],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "sparring" in line]
    assert said == []
