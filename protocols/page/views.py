"""The state of a game as the page shows it: plain values for one message, from the game alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.game import Game
from engine.games.game_settings import GoSettings
from engine.games.rules import rules_name
from engine.opponents import EloEstimate
from engine.strength.rank_scale import RankScale, estimate_words, with_rank
from protocols.page.counting import count_without
from protocols.page.endings import result_view, score_sentence
from protocols.page.offers import title_of
from protocols.page.page_game import PageGame
from protocols.page.pieces import colors_of
from protocols.page.reasons import plain


def state_of(page_game: PageGame) -> dict[str, Any]:
    """Returns the fields of the message `state`."""
    game, terms = page_game.game, page_game.terms
    names = played_out(game)
    return {
        "game": game.name,
        "title": title_of(game.board),
        "width": game.width,
        "height": game.height,
        "colors": colors_of(game),
        "person": terms.person,
        "phase": phase_of_page(page_game),
        "turn": game.position.to_move,
        "board": game.position.stones.tolist(),
        "pieces": page_game.pieces.view(game),
        "legal": legal_names(page_game),
        "moves": [[color, name] for (color, _), name in zip(game.moves, names, strict=True)],
        "scores": scores_of(game),
        "can_undo": any(color == terms.person for color, _ in game.moves) and not page_game.is_over,
        "clocks": page_game.clocks.left(),
        "is_running": page_game.clocks.is_running,
        "terms": terms_view(page_game),
        "engine": engine_view(page_game),
        "belief": belief_view(page_game),
        "counting": counting_view(page_game) if page_game.is_counting else None,
        "result": result_view(page_game) if page_game.is_over else None,
    }


def played_out(game: Game) -> list[str]:
    """Returns the names of the moves, passes included."""
    write, width, height = game.kind.write_move, game.width, game.height
    return [write(move, width, height) for _, move in game.moves]


def phase_of_page(page_game: PageGame) -> str:
    """Returns "over", "counting", or the side to move: "engine" or "yours"."""
    if page_game.is_over:
        return "over"
    if page_game.is_counting:
        return "counting"
    return "engine" if page_game.is_engines_turn else "yours"


def legal_names(page_game: PageGame) -> list[str]:
    """Returns the names of the person's legal moves; none on the engine's turn."""
    game = page_game.game
    if page_game.is_ended or page_game.is_engines_turn:
        return []
    write, width, height = game.kind.write_move, game.width, game.height
    return [write(move, width, height) for move in game.position.legal_moves()]


def scores_of(game: Game) -> list[int] | None:
    """Returns a number for each color: discs in Othello, prisoners in Go; None in Connect4."""
    stones = game.position.stones
    on_board = [int(np.count_nonzero(stones == color + 1)) for color in (0, 1)]
    if game.name == "othello":
        return on_board
    if game.name != GoSettings.game:
        return None
    passing = game.position.pass_move
    begun = [color for color, _ in game.setup]
    begun += [color for color, move in game.moves if move != passing]
    lost = [begun.count(color) - on_board[color] for color in (0, 1)]
    return [lost[1], lost[0]]


def terms_view(page_game: PageGame) -> dict[str, Any]:
    """Returns the terms of the game, as the messages `new` and `resume` spell them."""
    terms = page_game.terms
    fields: dict[str, Any] = {
        "game": terms.board.game,
        "width": terms.board.width,
        "height": terms.board.height,
        "color": terms.person,
        "strength": terms.strength,
        "name": terms.name,
    }
    control = terms.control
    if not page_game.clocks.is_unlimited:
        fields |= {
            "main": control.main,
            "period": control.period,
            "periods": control.periods,
            "increment": control.increment,
        }
    settings = terms.record.game_settings
    if isinstance(settings, GoSettings):
        fields |= {
            "rules": rules_name(settings.rules) or "",
            "komi": settings.komi,
            "handicap": len(terms.record.setup),
        }
    return fields


def engine_view(page_game: PageGame) -> dict[str, Any]:
    """Returns the engine's strength, its level, and the reason of its last move."""
    choice = page_game.last_choice
    level = None if choice is None else choice.level_elo
    reason = "" if choice is None else choice.reason
    return {
        "strength": page_game.terms.strength,
        "level": None if level is None else round(level),
        "level_text": "" if level is None else with_rank(page_game.scale, level),
        "reason": plain(reason),
        "full_reason": reason,
    }


def belief_view(page_game: PageGame) -> dict[str, Any] | None:
    """Returns the estimate of the person's strength; None without one.

    During a game it is the estimate before the game: the present one moves with each move.
    """
    known = page_game.known()
    if known is None:
        return None
    shown = known.estimate if page_game.is_over else page_game.estimate_before
    if shown is None:
        return None
    return estimate_view(shown, page_game.scale) | {"games": known.games}


def estimate_view(estimate: EloEstimate, scale: RankScale | None) -> dict[str, Any]:
    """Returns an estimate in Elo with its 95% interval, and in words such as ranks."""
    elo, low, high = (round(value) for value in (estimate.mean, estimate.low, estimate.high))
    words = estimate_words(scale, estimate.mean, estimate.low, estimate.high)
    return {"elo": elo, "low": low, "high": high, "rank": words}


def counting_view(page_game: PageGame) -> dict[str, Any]:
    """Returns the marked dead stones, the owner of each point and the score."""
    game, dead = page_game.game, page_game.dead()
    score, owners = count_without(game.position, dead)
    return {
        "dead": dead.astype(int).tolist(),
        "owners": owners.tolist(),
        "text": score_sentence(game, score),
    }
