"""Personas by name, wherever they are told: in a file, or in a text that says all.

A file is TOML: `strength`, a text as PERSONAS has them, what it is `about`, the `games` it plays,
and a table or a text for each part. Knows where such files lie and how they are changed; errors
quote file, field and value. A text is NAME or FILE.toml, behind it any FIELD=VALUE; what stands
behind NAME and a colon is told to the file's strength. Where no file has the name, or it is
`strength:TEXT`, the strength is all.
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
from engine.personas.table import PARTS, PERSONAS
from engine.personas.table import make_persona as persona_of_text
from engine.util.paths import expand_home, is_file, is_no_file
from engine.util.registry import unknown
from engine.util.user_folders import config_folder

USUAL = "even"  # who plays where nobody says who is to
SHIPPED = Path(__file__).resolve().parent
SUFFIX = ".toml"
NAME = re.compile(r"[a-z0-9][a-z0-9-]*", re.ASCII)
# No space inside a run of them begins a match: else a run would cost a quadratic time.
CHANGE = re.compile(r"(?<!\s)\s++(?=[a-z_.]+=)")  # what a FIELD=VALUE begins with
STRENGTH = "strength:"  # before the text of a strength that a file has the name of
MIXES_IN = re.compile(r"(\+mixed=|[:=]network=)([^\s:+=]+)(?=[\s:+]|$)")  # and then a file
NONE = "none"  # instead of a part: it has none
FIELDS = {  # beside the parts
    "about": "in a short sentence, for the list of personas",
    "games": "those that it plays; all of its strength's where none are named",
    "strength": "how strong it is, as `sparring personas` lists it",
}

Content = Mapping[str, Any]  # of a file
FileOf = Callable[[str], Path]  # the file of a name in a text; raises ValueError where none may be


def own_file(name: str) -> Path:
    """Returns the file that this process itself means by a name."""
    return expand_home(name)


def persona_folders(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Where personas lie, the user's own before those that come with Sparring."""
    return (config_folder(environment) / "personas", SHIPPED)


def base_of(text: str) -> str:
    """The text without what is changed behind it."""
    return CHANGE.split(text.strip())[0]


def make_persona(
    text: str, game: str, folders: Sequence[Path] | None = None, file_of: FileOf = own_file
) -> Persona:
    """The persona of a text such as "even:60%" or "teacher naturalness.points=3".

    folders: where its file is looked for; None: persona_folders. file_of: asked for every file
    that the text names, in whatever part and spelling, before anybody looks for it. ValueError
    quotes a text that names none, one that does not play this game (a key of GAMES), and what is
    wrong in a file.
    """
    base, *changes = CHANGE.split(text.strip())
    path, behind = _file_of(base, folders, file_of)
    if path is None and not base.startswith(STRENGTH):
        check_name(base, folders)
    content: Content = {"strength": base.removeprefix(STRENGTH)}
    if path is not None:
        content = read(path)
        content = {**content, "strength": content["strength"] + behind}
    try:
        for change in changes:
            field, _, value = change.partition("=")
            content = changed(content, field, value_of(value))
        persona = _persona_of(content, game, file_of)
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
    """Raises ValueError, naming the nearest, where neither a strength nor a file has the name."""
    name = _name_in(base)
    if name not in PERSONAS:
        known = dict.fromkeys((*PERSONAS, *names(folders)))
        raise unknown("no persona", base, known, name=name)


def find(name: str, folders: Sequence[Path] | None = None) -> Path | None:
    """The file of the persona of that name; None where no folder has one."""
    if not NAME.fullmatch(name):
        return None
    for folder in persona_folders() if folders is None else folders:
        path = folder / f"{name}{SUFFIX}"
        if is_file(path):
            return path
    return None


def names(folders: Sequence[Path] | None = None) -> list[str]:
    """The personas that have a file, those that come with Sparring last."""
    where = persona_folders() if folders is None else folders
    found = [path.stem for folder in where for path in sorted(folder.glob(f"*{SUFFIX}"))]
    return [name for name in dict.fromkeys(found) if NAME.fullmatch(name)]


def read(path: Path) -> Content:
    """What a file says, a network by its full path; ValueError quotes file and what is wrong."""
    if is_no_file(path):  # a pipe would be waited for
        raise ValueError(f"{path}: is no file")
    try:
        return _beside(path.parent, content_in(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def _beside(folder: Path, content: Content) -> Content:
    """The content of a file of that folder, the network that it mixes in by its full path."""
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
    """The text of a strength, the network that it mixes in by its full path."""
    return MIXES_IN.sub(lambda found: found[1] + _full(folder, found[2]), text)


def _full(folder: Path, name: str) -> str:
    return str(folder / expand_home(name))


def content_in(text: str) -> Content:
    """What the text of a file says; ValueError quotes what is wrong with it."""
    try:
        content = tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("its values are nested too deep") from error
    return checked(content)


def checked(content: Content) -> Content:
    """The content of a file, of which its fields can be what they are; ValueError quotes others."""
    for field, value in content.items():
        if field not in FIELDS and field not in PARTS:
            raise unknown("no field", field, [*FIELDS, *PARTS])
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
    """The content with a field changed, `part.setting` or `part`; ValueError quotes another."""
    part, dot, setting = field.partition(".")
    if part not in FIELDS and part not in PARTS:
        raise unknown("no field", field, [*FIELDS, *PARTS])
    if not dot:
        return checked({**content, part: value})
    before = content.get(part, {})
    if part in FIELDS or not isinstance(before, Mapping):
        raise ValueError(f"{part} {before!r} is no table, so that it has no {setting}")
    return checked({**content, part: {**before, setting: value}})


def playable(content: Content, file_of: FileOf = own_file) -> Content:
    """The content, by which some game can be played; ValueError says why none can."""
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
    """The text of a file with that field changed, all else as it stood.

    ValueError where the field cannot be, or stands on several lines.
    """
    wanted = changed(tomllib.loads(text), field, value)
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
        found = tomllib.loads(new)
    except tomllib.TOMLDecodeError:
        found = None
    if found != wanted:
        raise ValueError(f"{field} stands on several lines of the file: change it there")
    return new


def _file_of(base: str, folders: Sequence[Path] | None, file_of: FileOf) -> tuple[Path | None, str]:
    """The file that a text names, where it names one, and what stands behind it: ":60%+PART"."""
    if base.endswith(SUFFIX):
        return file_of(base), ""
    name = _name_in(base)
    return find(name, folders), base[len(name) :]


def _name_in(base: str) -> str:
    """Returns what stands before the argument and the parts of a persona's text."""
    return re.split(r"[:+]", base)[0]


def _persona_of(content: Content, game: str, file_of: FileOf) -> Persona:
    """The persona; of parts those in its strength's text go before, those not of the game out."""
    persona = persona_of_text(content["strength"], game)
    told: dict[str, Any] = {}
    for name, kind in PARTS.items():
        settings = content.get(name, NONE)
        if settings != NONE and game in kind.games and getattr(persona, name) is None:
            told[name] = _part(name, settings)
    return _located(replace(persona, about=content.get("about", persona.about), **told), file_of)


def _located(persona: Persona, file_of: FileOf) -> Persona:
    """The persona with each file that it names by file_of's path; ValueError where none is."""
    parts: dict[str, Any] = {}
    for part in fields(persona):
        settings = getattr(persona, part.name)
        if is_dataclass(settings) and not isinstance(settings, type):
            named = {each.name: getattr(settings, each.name) for each in files_in(settings)}
            paths = {name: _existing(name, file_of(told)) for name, told in named.items() if told}
            parts |= {part.name: replace(settings, **paths)} if paths else {}
    return replace(persona, **parts)


def files_in(settings: Any) -> list[Field[Any]]:  # noqa: ANN401 (a dataclass, or an instance)
    """The fields of a part that name a file."""
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
