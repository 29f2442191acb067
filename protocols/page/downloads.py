"""The file of a game: SGF for Go, GGF for Othello, a line of moves for Connect4."""

from __future__ import annotations

from engine.formats import ggf, sgf, transcript
from engine.formats.ggf import GgfGame, GgfMove, GgfResult
from engine.games.game_settings import go_settings
from protocols.page.page_game import PageGame

ENGINE = "Sparring"
PERSON = "You"


def file_of(page_game: PageGame) -> tuple[str, str]:
    """Returns the name and the text of the game's file."""
    game = page_game.game.name
    if game == "go":
        return "game.sgf", _sgf(page_game)
    if game == "othello":
        return "game.ggf", _ggf(page_game)
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
    if page_game.game.resigned is not None:
        return f"{'BW'[1 - page_game.game.resigned]}+R"
    if page_game.lost_on_time is not None:
        return f"{'BW'[1 - page_game.lost_on_time]}+T"
    score = page_game.score()
    return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"


def _ggf(page_game: PageGame) -> str:
    game, result = page_game.game, None
    if page_game.is_over:
        ending = "" if game.resigned is None else "r"
        loser = game.resigned
        if page_game.lost_on_time is not None:
            ending, loser = "t", page_game.lost_on_time
        score = page_game.score() if loser is None else (2.0 * loser - 1) * game.width**2
        result = GgfResult(score, ending)
    black, white = names_of(page_game)
    moves = tuple(GgfMove(color, move) for color, move in game.moves)
    properties = {"PC": ENGINE, "PB": black, "PW": white}
    record = GgfGame(game.width, None, 0, moves, result, properties)
    return ggf.write_game(record) + "\n"
