"""A PostgreSQL server for tests, on a free port, where the programs of one are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.support.free_ports import free_ports

USER, PASSWORD = "sparring", "s3cr3t/pass word"
URL_PASSWORD = quote(PASSWORD, safe="")


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs; skips where there is none."""
    folders = [
        os.environ.get("PATH", ""),
        *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)),
    ]
    path = shutil.which(name, path=os.pathsep.join(folders))
    if path is None:
        pytest.skip(f"needs PostgreSQL's {name} (Debian: apt install postgresql)")
    return str(Path(path).resolve())


def as_somebody() -> dict[str, Any]:
    """The user to run the server as: it refuses to be root's."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    pytest.skip("PostgreSQL does not run as root, and there is no other user")


@contextmanager
def running() -> Iterator[str]:
    """The URL of a server's database, which is gone afterwards."""
    initdb, pg_ctl, user = program("initdb"), program("pg_ctl"), as_somebody()
    with tempfile.TemporaryDirectory(prefix="sparring-postgres-") as name:
        folder = Path(name)
        (folder / "password").write_text(PASSWORD)
        if user:
            for path in (folder, folder / "password"):
                os.chown(path, user["user"], user["group"])
        port = free_ports()

        def run(*command: str) -> None:
            done = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
                **user,
            )
            assert done.returncode == 0, done.stdout + done.stderr

        data = str(folder / "data")
        run(
            *(initdb, "-D", data, "-U", USER, "--no-sync", "-E", "UTF8", "--locale=C"),
            *("-A", "scram-sha-256", f"--pwfile={folder / 'password'}"),
        )
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        )
        log = str(folder / "log")
        run(pg_ctl, "-D", data, "-w", "-t", "60", "-l", log, "-o", options, "start")
        try:
            yield f"postgresql://{USER}:{URL_PASSWORD}@127.0.0.1:{port}/postgres"
        finally:
            run(pg_ctl, "-D", data, "-m", "immediate", "stop")
