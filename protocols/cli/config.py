"""The subcommand `sparring config`: prints the configuration file, checks it, shows its effect."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from engine.errors import UsageError
from protocols.cli.options import Say
from protocols.cli.setting_row import SettingRow
from protocols.cli.setting_sources import SettingSources, read_file, usual_files
from protocols.cli.settings import CONFIG_HELP, SECTIONS, SETTINGS, rows_of
from protocols.toml_lines import comment_lines, toml_value

HEAD = """\
# The configuration of Sparring: of `sparring serve`, and of the programs that a GUI starts.
# A key behind a `#` has its default. The command line goes before variables of the environment,
# such as SPARRING_PERSONA for the key `persona`, and they go before this file. A running
# `sparring serve` reads the file anew at SIGHUP; the other keys need a restart."""
EPILOG = "example: sparring config --output ~/.config/sparring/sparring.toml"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `config`."""
    parser.epilog = EPILOG
    add = parser.add_argument
    add("--config", metavar="FILE", help=CONFIG_HELP)
    add("--output", type=Path, metavar="FILE", help="write a new file with a comment on each key; "
        "default: print it")  # fmt: skip
    add("--check", action="store_true", help="check the configuration file")
    add("--show", action="store_true", help="print the settings of `serve` and their sources")


def run(options: argparse.Namespace, say: Say) -> int:
    """Prints or writes the file, or checks the one in force; raises UsageError at a mistake."""
    sources = SettingSources(rows_of("serve"), {}, os.environ, options.config)
    if options.check:
        path = sources.path()
        if path is None:
            raise UsageError(f"no configuration file at {' or '.join(usual_files(os.environ))}")
        say(f"{path}: {len(read_file(path))} keys, no mistake")
    elif options.show:
        for line in shown(sources):
            say(line)
    elif options.output is not None:
        write(options.output)
        say(f"wrote {options.output}")
    else:
        say("\n".join(commented(SETTINGS)))
    return 0


def write(path: Path) -> None:
    """Writes a new file, for its user alone; raises UsageError if there is one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write("\n".join(commented(SETTINGS)) + "\n")
    except FileExistsError as error:
        raise UsageError(f"{path} is there already") from error


def commented(rows: tuple[SettingRow, ...]) -> Iterator[str]:
    """Yields the lines of a file with every key as a comment.

    >>> list(commented((SETTINGS[0],)))[-1]
    '#go = "/srv/networks/go.bin.gz"'
    """
    yield HEAD
    for section, title in SECTIONS.items():
        own = [row for row in rows if row.section == section and row.is_key]
        if own:
            yield f"\n# {title.capitalize()}\n[{section}]"
        for row in own:
            yield ""
            yield from comment_lines(row.description)
            if row.reloads:
                yield "# Read anew at SIGHUP."
            yield f"#{row.key} = {row.example or toml_value(row.usual)}"


def shown(sources: SettingSources) -> Iterator[str]:
    """Yields each setting with its value and its source."""
    yield f"file: {sources.path() or 'none'}"
    for name, (value, source) in sources.read().items():
        row = next(row for row in sources.rows if row.name == name)
        text = row.usual_text or "not set" if not source else toml_value(value)
        text = "..." if source and row.is_secret else text
        yield f"{row.section}.{row.key if row.is_key else name} = {text}  ({source or 'default'})"
