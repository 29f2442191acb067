"""The review of a game as the page shows it: plain values for one message.

The lessons and their sentences are those of `sparring review`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.games.game import Game
from engine.games.position import Position
from engine.review.chess_terms import sentences_of_player
from engine.review.files import ReviewedGame
from engine.review.judging import GameJudgement
from engine.review.lessons import Lesson, worst
from engine.review.level_win_rates import win_rate_curve
from engine.review.luck_words import luck_doubt, luck_sentences
from engine.review.review import Reviewed
from engine.review.sentences import counted_marks, doubt_of, sentences_of
from protocols.page.downloads import names_of
from protocols.page.page_game import PageGame
from protocols.page.pieces import rows_of
from protocols.page.views import estimate_view

VALUE_DIGITS, LEAD_DIGITS = 3, 1
CELLS = ".xo"  # empty, color 0, color 1


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game of the page for its review; it outlives the page's connection."""

    game: ReviewedGame
    person: int  # the person's color
    boards: list[str]  # before each move and at the end, as boards_of has them
    before: dict[str, Any] | None  # estimates of the person, as estimate_view has them
    after: dict[str, Any] | None


def finished_game(page_game: PageGame) -> FinishedGame:
    """Returns a game that is over, with both estimates of the person."""
    scale = page_game.scale
    views = [estimate_view(each, scale) for each in page_game.estimates()[-2:]]
    return FinishedGame(
        ReviewedGame("", page_game.played(), names_of(page_game)),
        page_game.terms.person,
        boards_of(page_game.game),
        views[0] if len(views) > 1 else None,
        views[-1] if views else None,
    )


def curve_view(finished: FinishedGame, judgement: GameJudgement) -> dict[str, Any]:
    """Returns the fields known after the first judgement: the curve, the boards, the estimates.

    The win rates are the person's, in Go between two players of the person's level; the leads too.
    """
    sign = 1 if finished.person == 0 else -1
    curve = win_rate_curve(finished.game.played, judgement, finished.person)
    return {
        "finished": False,
        "win_rates": [round(win_rate, VALUE_DIGITS) for win_rate in curve],
        "leads": [round(sign * lead, LEAD_DIGITS) for lead in judgement.leads],
        "boards": finished.boards,
        "before": finished.before,
        "after": finished.after,
        "lucks": lucks_of(finished, judgement),
        "summary": "",
        "others": [],
        "doubt": "",
        "lessons": [],
    }


def review_view(finished: FinishedGame, reviewed: Reviewed) -> dict[str, Any]:
    """Returns the fields of a finished review."""
    lessons = reviewed.lessons
    chosen = {lesson.number for lesson in worst(lessons)}
    shown = [lesson for lesson in lessons if lesson.number in chosen or lesson.is_good]
    return curve_view(finished, reviewed.opinion) | {
        "finished": True,
        "summary": f"{counted_marks('You', lessons)}." if lessons else "",
        "others": others_of(reviewed, finished.person),
        "doubt": " ".join(filter(None, (doubt_of(reviewed), luck_doubt(reviewed)))),
        "lessons": [lesson_view(reviewed, lesson) for lesson in shown],
    }


def lucks_of(finished: FinishedGame, judgement: GameJudgement) -> list[float | None]:
    """Returns the person's luck in each move, in games; None for a move without chance."""
    chance = judgement.chance
    return [
        round(chance[number].luck(finished.person), VALUE_DIGITS) if number in chance else None
        for number in range(len(judgement.likely))
    ]


def others_of(reviewed: Reviewed, color: int) -> list[str]:
    """Returns the sentences on a player's play beside our own marks: Lichess's terms, the luck."""
    if reviewed.chess is None:
        return luck_sentences([(reviewed, color)])
    return sentences_of_player([(reviewed.chess, color)])


def boards_of(game: Game) -> list[str]:
    """Returns the board before each move and at the end, each a text by rows.

    The signs are CELLS, or letters in a game of pieces.
    """
    boards, position = [], game.record.beginning()
    for color, move in game.moves:
        boards.append(_cells(game.name, position))
        position.play(move, color, tolerant=True)
    return [*boards, _cells(game.name, position)]


def _cells(game: str, position: Position) -> str:
    rows = rows_of(game, position)
    if rows is not None:
        return "".join(rows)
    return "".join(CELLS[stone] for stone in position.stones.ravel().tolist())


def lesson_view(reviewed: Reviewed, lesson: Lesson) -> dict[str, Any]:
    """Returns a lesson: its move, its mark, the better line and the sentences."""
    return {
        "number": lesson.number,
        "played": reviewed.written(lesson.move),
        "mark": "" if lesson.mark is None else str(lesson.mark),
        "best": [reviewed.written(move) for move in lesson.best_line],
        "sentences": sentences_of(reviewed, lesson),
    }
