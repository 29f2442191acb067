"""The subcommand `sparring install-service`: writes the units of systemd, or removes them."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import UsageError
from engine.util.atomic_file import atomic_write
from engine.util.user_folders import config_folder, data_folder
from protocols.cli.options import Say
from protocols.cli.service_units import units

SYSTEM_FOLDER = Path("/etc/systemd/system")
HOMES = ("/home", "/root", "/run/user")  # hidden by ProtectHome=yes
NAMESPACE_TRIAL = ("unshare", "--user", "--map-root-user", "--mount", "true")
EPILOG = """\
A user's service runs while the user is logged in (`loginctl enable-linger` keeps it running), and a
system service from the machine's start, as a user of its own. Both start with their first client.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `install-service`."""
    parser.epilog = EPILOG
    add = parser.add_argument
    add("--system", action="store_true", help="a system service, as root; default: the user's own")
    add("--gpu", action="store_true", help="let a system service use the graphics card")
    add("--program", metavar="FILE", help="path of sparring; default: this one")
    add("--output", type=Path, metavar="DIR", help="folder of the units; default: systemd's own")
    add("--remove", action="store_true", help="stop the service and remove its units")


def run(options: argparse.Namespace, say: Say) -> int:
    """Writes or removes the units, and lets systemd read them; raises UsageError."""
    kind = "system" if options.system else "user"
    folder = options.output or folder_of(kind)
    if options.remove:
        systemctl(kind, "disable", "--now", "sparring.socket", "sparring.service")
        for name in units(kind, ""):
            (folder / name).unlink(missing_ok=True)
            say(f"removed {folder / name}")
        systemctl(kind, "daemon-reload")
        return 0
    is_confined = kind == "system" or may_make_namespaces()
    texts = units(
        kind,
        program(options),
        has_graphics=options.gpu,
        has_namespaces=is_confined,
        environment=os.environ,
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with atomic_write(folder / name) as unfinished:
                unfinished.write_text(text, encoding="utf-8")
                unfinished.chmod(0o644)
            say(f"wrote {folder / name}")
    except PermissionError as error:
        raise UsageError(f"{folder} cannot be written: run it as root") from error
    if not is_confined:
        say("users may make no namespaces here: the service is not confined to its own folder")
    if kind == "user":
        make_data_folder()
    if options.output is None and not systemctl(kind, "daemon-reload"):
        say("systemd does not run here; it reads the units at its next start")
    words = ("sudo systemctl",) if kind == "system" else ("systemctl", "--user")
    say(f"start it with its first client: {' '.join(words)} enable --now sparring.socket")
    return 0


def folder_of(kind: str) -> Path:
    """Returns systemd's folder of a kind of units."""
    return SYSTEM_FOLDER if kind == "system" else config_folder().parent / "systemd" / "user"


def make_data_folder() -> None:
    """Makes the folder of data; a confined service can write it only where its parent exists."""
    data_folder().mkdir(mode=0o700, parents=True, exist_ok=True)


def program(options: argparse.Namespace) -> str:
    """Returns the full path of `sparring`; raises UsageError where it cannot be run."""
    named = options.program or shutil.which("sparring") or sys.argv[0]
    path = Path(named).absolute()
    if not os.access(path, os.X_OK) or path.is_dir():
        raise UsageError(f"{named!r} is no program: name sparring by --program FILE")
    if any(character.isspace() or character in "%$\"'\\" for character in str(path)):
        raise UsageError(f"systemd cannot start {str(path)!r}: link it to a path without blanks")
    hidden = next((home for home in HOMES if path.is_relative_to(home)), None)
    if options.system and hidden is not None:
        raise UsageError(f"a system service sees nothing in {hidden}: install sparring elsewhere")
    return str(path)


def may_make_namespaces() -> bool:
    """Tests whether this user may mount in a namespace of its own, as a confined service does.

    Some systems forbid it to users; there systemd would not start such a service.
    """
    try:
        done = subprocess.run(NAMESPACE_TRIAL, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def systemctl(kind: str, *words: str) -> bool:
    """Runs systemctl for a kind of service; returns False where it is absent or fails."""
    command: Sequence[str] = ("systemctl", *(["--user"] if kind == "user" else []), *words)
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
