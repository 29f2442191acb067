"""The file of a game: SGF for Go, GGF for Othello, PGN for chess, else a line of moves."""

from __future__ import annotations

from typing import Any

from engine.formats import ggf, sgf, transcript
from engine.formats.ggf import GgfGame, GgfMove, GgfResult
from engine.games.game_settings import go_settings
from engine.opponents import ON_TIME, RESIGNED
from protocols.page.page_game import PageGame

ENGINE = "Sparring"
PERSON = "You"
TERMINATIONS = {RESIGNED: "normal", ON_TIME: "time forfeit"}  # as PGN names them


def file_of(page_game: PageGame) -> tuple[str, str]:
    """Returns the name and the text of the game's file."""
    game = page_game.game.name
    if game == "go":
        return "game.sgf", _sgf(page_game)
    if game == "othello":
        return "game.ggf", _ggf(page_game)
    if game == "chess":
        return "game.pgn", _pgn(page_game)
    moves = [move for _, move in page_game.game.moves]
    return f"{game}.txt", transcript.write(game, moves, page_game.game.record.beginning()) + "\n"


def names_of(page_game: PageGame) -> tuple[str, str]:
    """Returns the names of both players, color 0 first."""
    person = page_game.terms.name or PERSON
    return (person, ENGINE) if page_game.terms.person == 0 else (ENGINE, person)


def _sgf(page_game: PageGame) -> str:
    game = page_game.game
    settings = go_settings(game.game_settings)
    record = sgf.SgfGame(
        game.width,
        game.height,
        settings.rules,
        settings.komi,
        game.setup,
        game.first_to_move,
        game.moves,
        _go_result(page_game),
        names_of(page_game),
    )
    return sgf.write(record).decode()


def _go_result(page_game: PageGame) -> str:
    if not page_game.is_over:
        return ""
    if page_game.loss is not None:
        loser, cause = page_game.loss
        return f"{'WB'[loser]}+{cause}"
    score = page_game.score()
    return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"


def _ggf(page_game: PageGame) -> str:
    game, result = page_game.game, None
    if page_game.is_over:
        loser, cause = page_game.loss or (None, "")
        score = page_game.score() if loser is None else (2.0 * loser - 1) * game.width**2
        result = GgfResult(score, cause.lower())
    black, white = names_of(page_game)
    moves = tuple(GgfMove(color, move) for color, move in game.moves)
    properties = {"PC": ENGINE, "PB": black, "PW": white}
    record = GgfGame(game.width, None, 0, moves, result, properties)
    return ggf.write_game(record) + "\n"


def _pgn(page_game: PageGame) -> str:
    from engine.formats import pgn  # noqa: PLC0415 (python-chess is an optional module)

    white, black = names_of(page_game)
    start: Any = page_game.game.record.beginning()
    moves = tuple(move for _, move in page_game.game.moves)
    tags = {"Event": "Game against Sparring", "White": white, "Black": black}
    if page_game.loss is not None:
        tags["Termination"] = TERMINATIONS[page_game.loss[1]]
    return pgn.write([pgn.PgnGame(start, moves, _pgn_result(page_game), tags)])


def _pgn_result(page_game: PageGame) -> str:
    if not page_game.is_over:
        return "*"
    loser, _ = page_game.loss or (None, "")
    score = page_game.score() if loser is None else 2.0 * loser - 1
    return {1.0: "1-0", -1.0: "0-1"}.get(score, "1/2-1/2")
