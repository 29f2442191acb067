"""The subcommand `sparring personas`: lists the personas, shows and changes one."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.errors import UsageError
from engine.personas import files
from engine.personas.parts import value_of
from engine.util.atomic_file import atomic_write
from engine.util.user_folders import config_folder
from protocols.cli.options import Say
from protocols.persona_list import described, text_of
from protocols.rights import Rights


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `personas`."""
    parser.add_argument("name", nargs="?", help="persona to show; default: list all")
    parser.add_argument(
        "field", nargs="?", help="field to change: strength, naturalness.points and so on"
    )
    parser.add_argument("value", nargs="?", help="new value of the field")
    parser.add_argument(
        "--write",
        action="store_true",
        help="write the file into the user's folder of personas; default: print it",
    )


def run(options: argparse.Namespace, say: Say) -> int:
    """Lists the personas, or shows and changes one."""
    folder = None if options.personas is None else Path(options.personas)
    if folder is not None and folder.exists() and not folder.is_dir():
        raise UsageError(f"{options.personas!r} is no folder")
    rights = Rights(is_user=True, folder=Path.cwd(), personas=folder)
    if options.name is None:
        for line in described(rights):
            say(line)
        return 0
    try:
        text = text_of(options.name, rights)
        if options.field is not None:
            text = _changed(options, text)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if options.write:
        say(str(_kept(options, text, folder or config_folder() / "personas")))
    else:
        for line in text.splitlines():
            say(line)
    return 0


def _changed(options: argparse.Namespace, text: str) -> str:
    """Returns the text of a persona's file with the field changed; raises ValueError."""
    if options.value is None:
        raise UsageError(f"no value for {options.field!r} of {options.name!r}")
    new = files.edited(text, options.field, value_of(options.value))
    files.playable(files.content_in(new))
    return new


def _kept(options: argparse.Namespace, text: str, folder: Path) -> Path:
    """Writes the text into the folder, and returns the path of the file."""
    name = Path(options.name).stem
    if not files.NAME.fullmatch(name):
        raise UsageError(f"{options.name!r} cannot be a file's name: copy what is shown to one")
    path = folder / f"{name}{files.SUFFIX}"
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    return path
