"""A bot's configuration: a TOML file checked against rows, and secrets from files.

A secret is never in the file: the key `password_file` names a file, and without it systemd's
credential `password` is read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from protocols.toml_lines import comment_lines, toml_value

CREDENTIALS = "CREDENTIALS_DIRECTORY"  # systemd.exec(5)
SECRET_SUFFIX = "_file"  # noqa: S105 - of the key that names a secret's file
LONGEST_SECRET = 4096  # bytes
OTHERS = 0o077  # rights of other users on a file


class ConfigurationError(ValueError):
    """A mistake in the configuration; the text names the file and the key."""


class Secret:
    """A text that no log shows."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Secret(...)"

    def reveal(self) -> str:
        """Returns the text."""
        return self._text


Read = Callable[[object], object]  # raises ValueError on a wrong value


def text(value: object) -> str:
    """Reads one line of text."""
    if not isinstance(value, str) or any(ord(character) < ord(" ") for character in value):
        raise ValueError("one line of text")
    return value


def flag(value: object) -> bool:
    """Reads true or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004 - all readers raise the same
    return value


def number(least: float, most: float) -> Read:
    """Returns a reader of numbers in a range."""

    def read(value: object) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not least <= float(str(value)) <= most:
            raise ValueError(f"a number from {least:g} to {most:g}")
        return float(str(value))

    return read


def whole(least: int, most: int) -> Read:
    """Returns a reader of whole numbers in a range."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return read


def one_of(*names: str) -> Read:
    """Returns a reader of one of these texts."""

    def read(value: object) -> str:
        if value not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return str(value)

    return read


def texts(value: object) -> tuple[str, ...]:
    """Reads a list of texts."""
    if not isinstance(value, list):
        raise ValueError("a list of texts")  # noqa: TRY004 - as above
    return tuple(map(text, value))


def names(value: object) -> frozenset[str]:
    """Reads a list of names; returns them in lower case, as capitals do not count."""
    return frozenset(name.lower() for name in texts(value))


def several(read: Read) -> Read:
    """Returns a reader of lists, each value by another reader."""

    def read_all(value: object) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise ValueError("a list")  # noqa: TRY004 - as above
        return tuple(read(each) for each in value)

    return read_all


@dataclass(frozen=True, slots=True)
class ConfigurationRow:
    """One key of a section."""

    section: str
    key: str
    read: Read
    usual: object  # None: not set
    description: str
    example: object = None  # shown in the example file; None: the usual value
    is_required: bool = False
    is_secret: bool = False  # read from a file; `key` is the credential's name

    @property
    def file_key(self) -> str:
        """The key in the file."""
        return self.key + SECRET_SUFFIX if self.is_secret else self.key


Rows = Sequence[ConfigurationRow]


class BotConfiguration:
    """The values of all rows, by section and key."""

    def __init__(self, values: Mapping[tuple[str, str], object]) -> None:
        self._values = values

    def __getitem__(self, name: tuple[str, str]) -> Any:  # noqa: ANN401 - a row's reader types it
        """Returns the value of (section, key); None where it is not set."""
        return self._values[name]


def read_configuration(path: Path, rows: Rows, environment: Mapping[str, str]) -> BotConfiguration:
    """Returns the configuration of a file; raises ConfigurationError at the first mistake."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigurationError(f"{path}: {error}") from error
    check_names(path, tables, rows)
    values: dict[tuple[str, str], object] = {}
    for row in rows:
        where = f"{path}: [{row.section}] {row.file_key}"
        raw = tables.get(row.section, {}).get(row.file_key)
        try:
            value = _secret(row, raw, environment) if row.is_secret else _value(row, raw)
        except ValueError as error:
            raise ConfigurationError(f"{where} {error}") from error
        if value in (None, "") and row.is_required:
            raise ConfigurationError(f"{where} is missing: {row.description}")
        values[row.section, row.key] = value
    return BotConfiguration(values)


def check_names(path: Path, tables: Mapping[str, Any], rows: Rows) -> None:
    """Raises ConfigurationError on an unknown section or key, with the nearest one."""
    sections = dict.fromkeys(row.section for row in rows)
    for section, table in tables.items():
        if section not in sections:
            raise ConfigurationError(
                f"{path}: unknown section [{section}]{_near(section, list(sections), '[{}]')}"
            )
        if not isinstance(table, dict):
            raise ConfigurationError(f"{path}: {section!r} is a section, [{section}]")
        keys = [row.file_key for row in rows if row.section == section]
        for key in table:
            if key not in keys:
                near = _near(key, keys, "{!r}")
                raise ConfigurationError(f"{path}: [{section}] unknown key {key!r}{near}")


def _near(name: str, names: list[str], form: str) -> str:
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"; did you mean {form.format(near[0])}?"
    return f"; there are {', '.join(names)}"


def _value(row: ConfigurationRow, raw: object) -> object:
    if raw is None:
        return row.usual
    try:
        return row.read(raw)
    except ValueError as error:
        raise ValueError(f"is {error}, not {raw!r}") from error


def _secret(row: ConfigurationRow, raw: object, environment: Mapping[str, str]) -> object:
    """Reads a secret from its file or from systemd's credential; never quotes it."""
    folder = environment.get(CREDENTIALS)
    if raw == "":
        raise ValueError("names no file")
    if raw is not None:
        path = Path(text(raw)).expanduser()
    elif folder and (Path(folder) / row.key).is_file():
        path = Path(folder) / row.key
    else:
        return None
    try:
        status = path.stat()
        if status.st_mode & OTHERS and (folder is None or not path.is_relative_to(folder)):
            raise ValueError(f"names {path}, which others can read: chmod 600 {path}")
        secret = path.read_bytes()[: LONGEST_SECRET + 1].decode().strip()
    except OSError as error:
        raise ValueError(f"names {path}, which cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"names {path}, which is no text in UTF-8") from error
    if not secret or len(secret) > LONGEST_SECRET or not secret.isprintable():
        raise ValueError(f"names {path}, which holds no line of text")
    return Secret(secret)


def example(head: str, rows: Rows) -> Iterator[str]:
    """Yields the lines of an example file: a comment on every key; required keys are set."""
    yield from comment_lines(head)
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            yield f"\n[{section}]"
        yield ""
        yield from comment_lines(row.description)
        shown = row.example if row.example is not None else row.usual
        mark = "" if row.is_required else "#"
        yield f"{mark}{row.file_key} = {toml_value('' if shown is None else shown)}"
