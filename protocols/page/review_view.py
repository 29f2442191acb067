"""The review of a game as the page shows it: plain values for one message.

The lessons and their sentences are those of `sparring review`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.games.game import Game
from engine.review.judging import GameJudgement
from engine.review.lessons import Lesson, worst
from engine.review.level_win_rates import win_rate_curve
from engine.review.played import ReplayedGame
from engine.review.review import Reviewed
from engine.review.sentences import counted_marks, doubt_of, sentences_of
from protocols.page.page_game import PageGame
from protocols.page.views import estimate_view

VALUE_DIGITS, LEAD_DIGITS = 3, 1
CELLS = ".xo"  # empty, color 0, color 1


def curve_view(
    page_game: PageGame, played: ReplayedGame, judgement: GameJudgement
) -> dict[str, Any]:
    """Returns the fields known after the first judgement: the curve, the boards, the estimates.

    The win rates are the person's, in Go between two players of the person's level; the leads too.
    """
    person = page_game.terms.person
    sign = 1 if person == 0 else -1
    estimates, scale = page_game.estimates(), page_game.scale
    views = [estimate_view(each, scale) for each in estimates[-2:]]
    curve = win_rate_curve(played, judgement, person)
    return {
        "finished": False,
        "win_rates": [round(win_rate, VALUE_DIGITS) for win_rate in curve],
        "leads": [round(sign * lead, LEAD_DIGITS) for lead in judgement.leads],
        "boards": boards_of(page_game.game),
        "before": views[0] if len(views) > 1 else None,
        "after": views[-1] if views else None,
        "summary": "",
        "doubt": "",
        "lessons": [],
    }


def review_view(page_game: PageGame, reviewed: Reviewed) -> dict[str, Any]:
    """Returns the fields of a finished review."""
    lessons = reviewed.lessons
    chosen = {lesson.number for lesson in worst(lessons)}
    shown = [lesson for lesson in lessons if lesson.number in chosen or lesson.is_good]
    return curve_view(page_game, reviewed.game.played, reviewed.opinion) | {
        "finished": True,
        "summary": f"{counted_marks('You', lessons)}." if lessons else "",
        "doubt": doubt_of(reviewed) or "",
        "lessons": [lesson_view(reviewed, lesson) for lesson in shown],
    }


def boards_of(game: Game) -> list[str]:
    """Returns the board before each move and at the end, each a text of CELLS by rows."""
    boards, position = [], game.record.beginning()
    for color, move in game.moves:
        boards.append(_cells(position.stones.ravel().tolist()))
        position.play(move, color, tolerant=True)
    return [*boards, _cells(position.stones.ravel().tolist())]


def _cells(stones: Sequence[int]) -> str:
    return "".join(CELLS[stone] for stone in stones)


def lesson_view(reviewed: Reviewed, lesson: Lesson) -> dict[str, Any]:
    """Returns a lesson: its move, its mark, the better line and the sentences."""
    return {
        "number": lesson.number,
        "played": reviewed.written(lesson.move),
        "mark": "" if lesson.mark is None else str(lesson.mark),
        "best": [reviewed.written(move) for move in lesson.best_line],
        "sentences": sentences_of(reviewed, lesson),
    }
