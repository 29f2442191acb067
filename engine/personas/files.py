"""Personas by name: from a file, or from a self-contained text.

A file is TOML with the fields `strength` (a text as in PERSONAS), `about`, `games`, and a table or
a text for each part. The module finds, reads and changes such files; errors quote file, field and
value. A text is NAME or FILE.toml, followed by any FIELD=VALUE. Text after NAME and a colon holds
settings of the strength, and wins over the file's. Without a file of that name, or as
`strength:TEXT`, the text is the strength itself.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from engine.games.table import GAMES
from engine.personas.parts import about, part_of, settings_in, value_of
from engine.personas.persona import Persona
from engine.personas.table import PARTS, PERSONAS, persona_of_text
from engine.util.paths import expand_home, is_file, is_no_file
from engine.util.registry import check_row, unknown_name
from engine.util.user_folders import config_folder

USUAL = "even"  # the persona without any choice
SHIPPED = Path(__file__).resolve().parent
SUFFIX = ".toml"
NAME = re.compile(r"[a-z0-9][a-z0-9-]*", re.ASCII)
# A match begins at the first space of a run; otherwise a run would cost quadratic time.
CHANGE = re.compile(r"(?<!\s)\s++(?=[a-z_.]+=)")  # the beginning of a FIELD=VALUE
STRENGTH = "strength:"  # prefix of a strength's text, in case a file has the strength's name
MIXES_IN = re.compile(
    r"(\+mixed=|[:=]network=)([^\s:+=]+)(?=[\s:+]|$)"
)  # the text before a network's file, and the file
NONE = "none"  # a part with this value is absent
FIELDS = {  # beside the parts
    "about": "a short sentence for the list of personas",
    "games": "the games it plays; default: all games of its strength",
    "strength": "its strength, as listed by `sparring personas`",
}

Content = Mapping[str, Any]  # the content of a file
FileOf = Callable[[str], Path]  # the file of a name in a text; raises ValueError if none is allowed


def own_file(name: str) -> Path:
    """Returns the file of a name in this process."""
    return expand_home(name)


def persona_folders(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Returns the folders of persona files, the user's own before the bundled ones."""
    return (config_folder(environment) / "personas", SHIPPED)


def base_of(text: str) -> str:
    """Returns the text without the changes after it."""
    return CHANGE.split(text.strip())[0]


def make_persona(
    text: str, game: str, folders: Sequence[Path] | None = None, file_of: FileOf = own_file
) -> Persona:
    """Builds the persona of a text such as "even:60%" or "teacher naturalness.points=3".

    folders: searched for its file; None: persona_folders. file_of: called for every file in the
    text, in any part and spelling, before the file is opened. Raises ValueError, quoting an unknown
    name, a persona that does not play this game (a key of GAMES), or the fault of a file.
    """
    base, *changes = CHANGE.split(text.strip())
    path, behind = _file_of(base, folders, file_of)
    if path is None and not base.startswith(STRENGTH):
        check_name(base, folders)
    content: Content = {"strength": base.removeprefix(STRENGTH)}
    if path is not None:
        content = read(path)
    try:
        later = behind if path else ""
        for change in changes:
            field, _, value = change.partition("=")
            content = changed(content, field, value_of(value))
            later = "" if field == "strength" else later
        persona = _persona_of(content, game, file_of, later)
    except ValueError as error:
        if path is None and not changes:
            raise
        where = "" if path is None else f"{path.name}: "
        is_quoted = repr(text) in str(error) or not (behind or changes)
        quoted = "" if is_quoted else f"persona {text!r}: "
        raise ValueError(f"{quoted}{where}{error}") from error
    if game not in content.get("games", (game,)):
        raise ValueError(f"persona {text!r} plays {' and '.join(content['games'])}, not {game!r}")
    return replace(persona, name=text)


def check_name(base: str, folders: Sequence[Path] | None = None) -> None:
    """Raises ValueError, quoting the nearest name, unless a strength or a file has the name."""
    known = dict.fromkeys((*PERSONAS, *names(folders)))
    check_row("persona", base, known, name=_name_in(base))


def find(name: str, folders: Sequence[Path] | None = None) -> Path | None:
    """Returns the file of the persona of that name; None if no folder has one."""
    if not NAME.fullmatch(name):
        return None
    for folder in persona_folders() if folders is None else folders:
        path = folder / f"{name}{SUFFIX}"
        if is_file(path):
            return path
    return None


def names(folders: Sequence[Path] | None = None) -> list[str]:
    """Returns the names of all persona files, the bundled ones last."""
    where = persona_folders() if folders is None else folders
    stems = [path.stem for folder in where for path in sorted(folder.glob(f"*{SUFFIX}"))]
    return [name for name in dict.fromkeys(stems) if NAME.fullmatch(name)]


def read(path: Path) -> Content:
    """Returns a file's content, a network by its full path; ValueError quotes the fault."""
    if is_no_file(path):  # reading a pipe would block
        raise ValueError(f"{path}: is no file")
    try:
        return _beside(path.parent, content_in(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def _beside(folder: Path, content: Content) -> Content:
    """Returns the content of a file of that folder, with the full path of its mixed network."""
    content = {**content, "strength": with_folder(folder, content["strength"])}
    mixed = content.get("mixed", NONE)
    if mixed == NONE:
        return content
    settings = settings_in(mixed, "network") if isinstance(mixed, str) else mixed
    network = settings.get("network")
    if not isinstance(network, str):
        return content
    return {**content, "mixed": {**settings, "network": _full(folder, network)}}


def with_folder(folder: Path, text: str) -> str:
    """Returns the text of a strength, with the full path of its mixed network."""
    return MIXES_IN.sub(lambda found: found[1] + _full(folder, found[2]), text)


def _full(folder: Path, name: str) -> str:
    return str(folder / expand_home(name))


def content_in(text: str) -> Content:
    """Parses the text of a file. Raises ValueError, quoting the fault."""
    try:
        content = tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("its values are nested too deep") from error
    return checked(content)


def checked(content: Content) -> Content:
    """Returns the content if all its fields are valid. Raises ValueError, quoting another."""
    for field, value in content.items():
        if field not in FIELDS and field not in PARTS:
            raise unknown_name("no field", field, [*FIELDS, *PARTS])
        if field in ("about", "strength") and not (isinstance(value, str) and value.isprintable()):
            raise ValueError(f"{field} {value!r} is no text of one line")
        if field in PARTS and not isinstance(value, Mapping | str):
            raise ValueError(f"{field} {value!r} is neither a table nor a text")
    games = content.get("games", list(GAMES))
    if not isinstance(games, list) or not games:
        raise ValueError(f"games {games!r}: a list of {', '.join(GAMES)}")
    for game in games:
        if not isinstance(game, str) or game not in GAMES:
            raise ValueError(f"games {game!r}: a list of {', '.join(GAMES)}")
    if "strength" not in content:
        raise ValueError("strength is missing")
    return content


def changed(content: Content, field: str, value: object) -> Content:
    """Returns the content with one field changed, `part` or `part.setting`.

    Raises ValueError, quoting an unknown field or a wrong value.
    """
    part, dot, setting = field.partition(".")
    if part not in FIELDS and part not in PARTS:
        raise unknown_name("no field", field, [*FIELDS, *PARTS])
    if not dot:
        return checked({**content, part: value})
    before = content.get(part, {})
    if part in FIELDS or not isinstance(before, Mapping):
        raise ValueError(f"{part} {before!r} is no table: it has no {setting}")
    return checked({**content, part: {**before, setting: value}})


def playable(content: Content, file_of: FileOf = own_file) -> Content:
    """Returns the content if at least one game can be played with it.

    Raises ValueError with the reason.
    """
    errors = []
    for game in content.get("games", GAMES):
        try:
            _persona_of(content, game, file_of)
        except ValueError as error:
            errors.append(error)
    if len(errors) == len(content.get("games", GAMES)):
        raise errors[0]
    return content


def usable(path: Path) -> Content:
    """Returns a file's content, playable in some game; ValueError quotes file and fault."""
    content = read(path)
    try:
        return playable(content)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def edited(text: str, field: str, value: object) -> str:
    """Returns the text of a file with one field changed and the rest untouched.

    Raises ValueError if the field is invalid, or spans several lines.
    """
    expected = changed(tomllib.loads(text), field, value)
    part, dot, setting = field.partition(".")
    name = setting if dot else part
    line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    lines = text.splitlines()
    section = f"[{part}]" if dot else None
    if section and section not in lines:
        lines += ["", section]
    begin = lines.index(section) + 1 if section else 0
    headers = [at for at, each in enumerate(lines) if at >= begin and each.startswith("[")]
    end = min(headers, default=len(lines))
    here = [at for at in range(begin, end) if re.match(rf"{name}\s*=", lines[at])]
    if here:
        lines[here[0]] = line
    else:
        comment = about(PARTS[part].bases, name) if dot else FIELDS.get(name, "")
        lines[end:end] = [*([f"# {comment}"] if comment else []), line]
    new = "\n".join(lines) + "\n"
    try:
        result: Content | None = tomllib.loads(new)
    except tomllib.TOMLDecodeError:
        result = None
    if result != expected:
        raise ValueError(f"{field} stands on several lines of the file: change it there")
    return new


def _file_of(base: str, folders: Sequence[Path] | None, file_of: FileOf) -> tuple[Path | None, str]:
    """Returns the file of a text, if it has one, and the rest of the text: ":60%+PART"."""
    if base.endswith(SUFFIX):
        return file_of(base), ""
    name = _name_in(base)
    return find(name, folders), base[len(name) :]


def _name_in(base: str) -> str:
    """Returns the name at the beginning of a persona's text, without argument and parts."""
    return re.split(r"[:+]", base)[0]


def _persona_of(content: Content, game: str, file_of: FileOf, later: str = "") -> Persona:
    """Builds the persona; later: settings behind the file's name, which win over the file's.

    Parts named in the strength text win; parts that the game lacks are dropped.
    """
    persona = persona_of_text(content["strength"], game, later)
    parts: dict[str, Any] = {}
    for name, kind in PARTS.items():
        settings = content.get(name, NONE)
        if settings != NONE and game in kind.games and getattr(persona, name) is None:
            parts[name] = _part(name, settings)
    return _located(replace(persona, about=content.get("about", persona.about), **parts), file_of)


def _located(persona: Persona, file_of: FileOf) -> Persona:
    """Returns the persona with file_of's path for each of its files; ValueError for no file."""
    parts: dict[str, Any] = {}
    for part in fields(persona):
        settings = getattr(persona, part.name)
        if is_dataclass(settings) and not isinstance(settings, type):
            named = {each.name: getattr(settings, each.name) for each in files_in(settings)}
            paths = {name: _existing(name, file_of(text)) for name, text in named.items() if text}
            parts |= {part.name: replace(settings, **paths)} if paths else {}
    return replace(persona, **parts)


def files_in(settings: Any) -> list[Field[Any]]:  # noqa: ANN401 (a dataclass, or an instance)
    """Returns the fields of a part that name a file."""
    return [each for each in fields(settings) if each.metadata.get("is_file")]


def _existing(name: str, path: Path) -> str:
    if not is_file(path):
        raise ValueError(f"{name} {str(path)!r} is no file here")
    return str(path)


def _part(name: str, settings: Mapping[str, Any] | str) -> object:
    kind = PARTS[name]
    if isinstance(settings, Mapping) and not kind.bases:
        raise ValueError(f"{name} is a text, {kind.form}, not a table")
    try:
        if isinstance(settings, str):
            return kind.read(settings)
        return part_of(kind.bases, settings)
    except ValueError as error:
        raise ValueError(f"[{name}] {error}") from error
