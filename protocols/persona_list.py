"""The list of a client's personas, and their text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.games.table import GAMES
from engine.personas import PARTS, PERSONAS, files
from engine.play.session import Session
from engine.strength.fixed_elo import FixedElo
from engine.strength.rank_scale import scale_of, with_rank
from engine.strength.rating_ladder import ladder_for
from protocols.rights import Rights

STRENGTHS = "Strengths, each a persona of its own, or a file's `strength`:"
PARTS_TOO = "Parts for any of them, written behind it as +NAME=..., or in its file:"


def described(rights: Rights, game: str | None = None) -> list[str]:
    """Returns a line for each persona, with its spelling and its play; of one game, or of all.

    Personas from files come first, with the error of a faulty file; then strengths and parts.
    """
    folders = rights.persona_folders()
    rows = [row for name in files.names(folders) if (row := _row(name, game, folders))]
    shadowed = {name for name, _ in rows}
    strengths = [
        (_written(name, kind.form), kind.about + _only(kind.games, game))
        for name, kind in PERSONAS.items()
        if (name not in shadowed or kind.form) and game in {None, *kind.games}
    ]
    parts = [
        (f"{name}={kind.form}", kind.about + _only(kind.games, game))
        for name, kind in PARTS.items()
        if game in {None, *kind.games}
    ]
    width = max(len(form) for form, _ in (*rows, *strengths, *parts))
    tables = (rows, strengths, parts)
    lines = [[f"{form:<{width}}  {about}" for form, about in table] for table in tables]
    return [*lines[0], STRENGTHS, *lines[1], PARTS_TOO, *lines[2]]


def _written(name: str, form: str) -> str:
    colon = ":" if form and not form.startswith("[") else ""
    return f"{name}{colon}{form}"


def _row(name: str, game: str | None, folders: Sequence[Path]) -> tuple[str, str] | None:
    """Returns the name and the line of a persona in a file; None if it is of other games."""
    path = files.find(name, folders)
    try:
        content = {} if path is None else files.usable(path)
    except ValueError as error:
        return name, f"cannot be used: {error}"
    games = content.get("games", list(GAMES))
    if game is not None and game not in games:
        return None
    about = content.get("about", f"plays as {content.get('strength')}")
    return name, about + _only(games, game)


def _only(games: Sequence[str], game: str | None) -> str:
    some = game is None and set(games) < set(GAMES)
    return f" ({' and '.join(games)})" if some else ""


def text_of(name: str, rights: Rights) -> str:
    """Returns a persona's file, or the file of a strength; ValueError if it is neither."""
    is_path = name.endswith(files.SUFFIX)
    path = rights.file(name) if is_path else files.find(name, rights.persona_folders())
    if path is None:
        files.check_name(name, rights.persona_folders())
        files.playable({"strength": name}, rights.file)
        return files.edited("", "strength", name)
    files.read(path)
    return path.read_text(encoding="utf-8")


def level_warnings(session: Session) -> list[str]:
    """Returns a warning about a persona's level beyond the ladder of its board."""
    persona = session.settings.persona
    if not isinstance(persona.strength, FixedElo):
        return []
    board = session.game.board
    ladder = ladder_for(board, session.network)
    wanted = persona.strength.on(ladder)
    nearest = min(max(wanted, ladder.lowest), ladder.highest)
    if nearest == wanted:
        return []
    level = with_rank(scale_of(ladder), nearest)
    return [
        f"persona {persona.name!r} is out of the ladder of {board.name}, "
        f"{ladder.lowest:.0f} to {ladder.highest:.0f} Elo: it plays at {level}"
    ]
