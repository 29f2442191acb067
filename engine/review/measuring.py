"""Measures from judgements: of the moves of a game, and of a player over several games.

engine.review.judging judges, engine.style.measures defines the measures. Forced passes count for no
player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.games import einstein
from engine.review.judging import GameJudgement
from engine.review.luck import signed, value_after
from engine.review.played import HAS_POINTS, ReplayedGame
from engine.style.measures import GameMeasure, MoveMeasure, distances, fall, late, reversals

# Moves that a judge does not tell apart: a search of 720 placings has a visit for few of them.
UNMEASURED: Mapping[str, Callable[[int], bool]] = {"einstein": lambda move: move >= einstein.STEPS}


def measured(played: ReplayedGame, opinion: GameJudgement) -> GameMeasure:
    """Returns the measures of a game."""
    if not opinion.values:
        return GameMeasure(tuple(_moves(played, opinion)), margin=opinion.margin)
    changes = reversals(opinion.values)
    return GameMeasure(
        tuple(_moves(played, opinion)),
        tuple(changes),
        late(changes, len(opinion.likely)),
        played.margin if opinion.margin is None else opinion.margin,
    )


def _moves(played: ReplayedGame, opinion: GameJudgement) -> Iterator[MoveMeasure]:
    """Yields the measures of the moves after the opening."""
    cells, choices = list(played.cells()), list(played.choices())
    is_unmeasured = UNMEASURED.get(played.board.game)
    apart = list(distances(cells, played.game_record.width))
    has_points = played.board.game in HAS_POINTS
    for number, likely in enumerate(opinion.likely):
        at = played.opening + number
        color, move = played.game_record.moves[at][0], choices[at]
        if (likely is None and cells[at] is None) or (
            is_unmeasured is not None and is_unmeasured(move)
        ):
            continue
        judged = bool(opinion.values)
        yield MoveMeasure(
            number=at + 1,
            color=color,
            move=move,
            likely=likely,
            rank=opinion.ranks[number] if opinion.ranks else None,
            loss=_loss(opinion, number, color) if judged else None,
            points=fall(opinion.leads, number, color) if judged and has_points else None,
            distance=apart[at],
            lead=_lead(opinion.leads[number], color) if judged and has_points else None,
        )


def _loss(opinion: GameJudgement, number: int, color: int) -> float:
    """Returns the value that a move loses, without its luck."""
    values = opinion.values
    return signed(values[number] - value_after(values, opinion.chance, number), color)


def _lead(lead: float, color: int) -> float:
    """Returns the color's lead; lead: of color 0."""
    return lead if color == 0 else -lead
