"""The end of a game in words: the winner, and the rule or the decision that ended it."""

from __future__ import annotations

from typing import Any

from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.opponents import ON_TIME, RESIGNED
from protocols.end_causes import cause_of
from protocols.page.page_game import PageGame
from protocols.page.pieces import colors_of

LOSSES = {RESIGNED: "by resignation", ON_TIME: "on time"}  # how the other player wins


def result_view(page_game: PageGame) -> dict[str, Any]:
    """Returns the winner's color and the result in a sentence."""
    game = page_game.game
    if page_game.loss is not None:
        loser, cause = page_game.loss
        text = f"{colors_of(game)[1 - loser]} wins {LOSSES[cause]}"
        return {"winner": 1 - loser, "text": text}
    score = page_game.score()
    winner = None if score == 0 else int(score < 0)
    return {"winner": winner, "text": score_sentence(game, score)}


def score_sentence(game: Game, black_score: float) -> str:
    """Returns a final score in words: "White wins by 3.5 points", "White wins by checkmate".

    black_score: of color 0.
    """
    cause = cause_of(game)
    if black_score == 0:
        return f"The game is drawn{cause}"
    winner = colors_of(game)[int(black_score < 0)]
    if not game.kind.has_ownership:
        return f"{winner} wins{cause}"
    unit = "points" if game.name == GoSettings.game else "discs"
    return f"{winner} wins by {abs(black_score):g} {unit}"
