"""The values of a command's settings: command line over environment over configuration file.

The module imports little, as commands must start fast; tomllib is imported for a file.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.errors import UsageError
from protocols.cli.setting_row import SettingRow
from protocols.cli.settings import SECTIONS, SETTINGS

FILE = "sparring.toml"
SYSTEM_FILE = f"/etc/sparring/{FILE}"
HEAD = re.compile(r"\s*\[\s*([^]\s]+)\s*\]")  # of a section


class Sourced(NamedTuple):
    """The value of a setting and its source in words; the usual value has none."""

    value: object
    source: str = ""


class SettingSources(NamedTuple):
    """The sources of one command's settings. `read` may be called again."""

    rows: Sequence[SettingRow]
    command_line: Mapping[str, object]
    environment: Mapping[str, str]
    file: str | None = None  # the file of --config; None: the usual one, if there is one

    def read(self) -> dict[str, Sourced]:
        """Returns the settings by name; raises UsageError with file and line for a wrong one."""
        path = self.path()
        in_file = {} if path is None else read_file(path)
        return {row.name: self._sourced(row, in_file) for row in self.rows}

    def path(self) -> str | None:
        """Returns the path of the file, None without one; raises UsageError."""
        if self.file is not None:
            if not os.path.isfile(self.file):  # noqa: PTH113 - pathlib costs 4 ms
                raise UsageError(f"no configuration file {self.file!r}")
            return self.file
        return next(filter(os.path.isfile, usual_files(self.environment)), None)

    def _sourced(self, row: SettingRow, in_file: Mapping[str, Sourced]) -> Sourced:
        value = self.command_line.get(row.name)
        if value is not None:
            return Sourced(value, row.option)
        if text := self.environment.get(row.variable):
            source = f"${row.variable}"
            return Sourced(converted(row, text.split(",") if row.repeats else text, source), source)
        return in_file.get(row.name, Sourced(row.usual))


def usual_files(environment: Mapping[str, str]) -> tuple[str, str]:
    """Returns the usual places of the file: the user's, then the system's."""
    home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - as above
    base = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    return f"{base}/sparring/{FILE}", SYSTEM_FILE


def apply(
    options: argparse.Namespace, rows: Sequence[SettingRow], environment: Mapping[str, str]
) -> None:
    """Puts the values of the settings into the parsed options, and their sources beside them."""
    if not rows:
        return
    command_line = {row.name: getattr(options, row.name, None) for row in rows}
    sources = SettingSources(rows, command_line, environment, options.config)
    options.sources = sources
    for name, sourced in sources.read().items():
        setattr(options, name, sourced.value)


def changed_settings(
    options: argparse.Namespace,
) -> tuple[list[SettingRow], argparse.Namespace]:
    """Reads the sources anew; returns the changed settings, and the new options.

    A changed setting that needs a restart keeps its old value. Raises UsageError as `read`.
    """
    sources: SettingSources = options.sources
    values = {name: sourced.value for name, sourced in sources.read().items()}
    changes = [row for row in sources.rows if values[row.name] != getattr(options, row.name)]
    changed = {row.name: values[row.name] for row in changes if row.reloads}
    return changes, argparse.Namespace(**{**vars(options), **changed})


def read_file(path: str) -> dict[str, Sourced]:
    """Returns all settings of a configuration file by name; raises UsageError with the line."""
    import tomllib  # noqa: PLC0415 - costs 10 ms

    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib costs 4 ms
            text = file.read()
        tables = tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from error
    return dict(_settings(path, text, tables))


def _settings(path: str, text: str, tables: Mapping[str, Any]) -> Iterator[tuple[str, Sourced]]:
    rows = {(row.section, row.key): row for row in SETTINGS if row.is_key}
    for section, table in tables.items():
        where = f"{path}:{line_of(text, section)}"
        if not isinstance(table, dict):
            raise UsageError(f"{where}: {section!r} stands in no section{_near(section, rows)}")
        if section not in SECTIONS:
            raise UsageError(f"{where}: unknown section [{section}]{_nearest(section, SECTIONS)}")
        for key, value in table.items():
            place = f"{path}:{line_of(text, section, key)}"
            if (section, key) not in rows:
                raise UsageError(f"{place}: unknown key {key!r} in [{section}]{_near(key, rows)}")
            row = rows[section, key]
            yield row.name, Sourced(converted(row, value, f"{place}: {key}"), place)


def converted(row: SettingRow, value: object, where: str) -> object:
    """Returns a setting's value from text, a number or a list; raises UsageError."""
    values = value if isinstance(value, list) else [value]
    if isinstance(value, list) is not row.repeats:
        raise UsageError(f"{where}: {'a list' if row.repeats else 'one value'} is expected")
    if wrong := [each for each in values if type(each) not in {str, int, float}]:
        raise UsageError(f"{where}: {wrong[0]!r} is neither text nor a number")
    try:
        read = [row.value_of(str(each)) for each in values]
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{where}: {error}") from error
    return read if row.repeats else read[0]


def line_of(text: str, section: str, key: str = "") -> int:
    r"""Returns the line of a key in a section, or of the section's head; else the nearest before.

    >>> line_of("[play]\nkomi = 7\n", "play", "komi")
    2
    """
    inside, nearest = not key, 1
    name = re.escape(key or section)
    assignment = re.compile(rf"""\s*["']?{name}["']?\s*[=.]""")
    for number, line in enumerate(text.splitlines(), 1):
        if head := HEAD.match(line):
            inside = head[1].strip("\"'") == section
            if inside:
                nearest = number
                if not key:
                    return number
        elif inside and assignment.match(line):
            return number
    return nearest


def _near(key: str, rows: Mapping[tuple[str, str], SettingRow]) -> str:
    """Returns a hint at the nearest key: of this name in another section, else by its letters."""
    names = {row_key: section for section, row_key in rows}
    near = key if key in names else _nearest_name(key, list(names))
    return f"; did you mean {near!r} in [{names[near]}]?" if near else ""


def _nearest(name: str, names: Mapping[str, object]) -> str:
    near = _nearest_name(name, list(names))
    return f"; did you mean [{near}]?" if near else f"; there are {', '.join(names)}"


def _nearest_name(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it

    return next(iter(get_close_matches(name, names, n=1)), "")
