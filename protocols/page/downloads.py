"""The file of a game: SGF for Go, GGF for Othello, a line of moves for Connect4."""

from __future__ import annotations

from engine.formats import ggf, sgf, transcript
from engine.formats.ggf import GgfGame, GgfMove, GgfResult
from engine.games.game_settings import go_settings
from protocols.page.game_on_page import GameOnPage

ENGINE = "Sparring"
PERSON = "You"


def file_of(table: GameOnPage) -> tuple[str, str]:
    """Returns the name and the text of the game's file."""
    game = table.game.name
    if game == "go":
        return "game.sgf", _sgf(table)
    if game == "othello":
        return "game.ggf", _ggf(table)
    moves = [move for _, move in table.game.moves]
    return f"{game}.txt", transcript.write(game, moves, table.game.record.beginning()) + "\n"


def names_of(table: GameOnPage) -> tuple[str, str]:
    """Returns the names of both players, color 0 first."""
    person = table.terms.name or PERSON
    return (person, ENGINE) if table.terms.person == 0 else (ENGINE, person)


def _sgf(table: GameOnPage) -> str:
    game = table.game
    settings = go_settings(game.game_settings)
    record = sgf.SgfGame(
        game.width,
        game.height,
        settings.rules,
        settings.komi,
        game.setup,
        game.first_to_move,
        game.moves,
        _go_result(table),
        names_of(table),
    )
    return sgf.write(record).decode()


def _go_result(table: GameOnPage) -> str:
    if not table.is_over:
        return ""
    if table.game.resigned is not None:
        return f"{'BW'[1 - table.game.resigned]}+R"
    score = table.score()
    return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"


def _ggf(table: GameOnPage) -> str:
    game, result = table.game, None
    if table.is_over:
        resigned = game.resigned
        score = table.score() if resigned is None else (2.0 * resigned - 1) * game.width**2
        result = GgfResult(score, "" if resigned is None else "r")
    black, white = names_of(table)
    moves = tuple(GgfMove(color, move) for color, move in game.moves)
    properties = {"PC": ENGINE, "PB": black, "PW": white}
    record = GgfGame(game.width, None, 0, moves, result, properties)
    return ggf.write_game(record) + "\n"
