"""The win rates of a judged game between two players of one level.

A search's win rate is that of strong players. In Go a player of a known level wins with the same
lead more or less often (engine.review.marks has the formula); other games keep the search's own
win rate.
"""

from __future__ import annotations

from engine.review.advice import PositionAdvice
from engine.review.judging import GameJudgement, PositionJudgement
from engine.review.marks import UNKNOWN_RANK, win_rate_of
from engine.review.played import ReplayedGame
from engine.strength.rank_scale import RANKED_GAME


def rank_of(played: ReplayedGame, color: int) -> float:
    """Returns the rank of the player of a color; UNKNOWN_RANK for an unknown one."""
    rank = played.ranks[color]
    return UNKNOWN_RANK if rank is None else rank


def win_rates_around(
    played: ReplayedGame,
    judgement: GameJudgement,
    around: tuple[PositionJudgement, PositionJudgement],
    color: int,
) -> tuple[float, float]:
    """Returns the win rates of the color before and after a move, between players of its level."""
    # The position before the move gives both spreads: a move is judged by its change of the lead.
    advice = around[0].advice
    before, after = (_win_rate(played, judgement, each, advice, color) for each in around)
    return before, after


def win_rate_curve(played: ReplayedGame, judgement: GameJudgement, color: int) -> list[float]:
    """Returns the win rates of the color before each move and at the end, between such players.

    judgement: of a judge that teaches. A known result of the game is the last one.
    """
    ends = [
        PositionJudgement(value, lead, exact=False)
        for value, lead in zip(judgement.values, judgement.leads, strict=True)
    ]
    advice = judgement.advice_by_move
    if played.value is not None or not advice:
        value = ends[-1].value
        last = [value if color == 0 else 1 - value]
        ends = ends[:-1]
    else:
        last, advice = [], [*advice, advice[-1]]
    curve = [
        _win_rate(played, judgement, each, spread, color)
        for each, spread in zip(ends, advice, strict=True)
    ]
    return curve + last


def _win_rate(
    played: ReplayedGame,
    judgement: GameJudgement,
    position: PositionJudgement,
    spread: PositionAdvice,
    color: int,
) -> float:
    """Returns the win rate of the color in a position; spread: has the spread of the final score.

    A handicap counts as fair: a game stands even while the lead is the handicap's share of the
    points still open.
    """
    if played.board.game != RANKED_GAME:
        return position.value if color == 0 else 1 - position.value
    fair, first = 0.0, judgement.advice_by_move[0]
    if played.game_record.setup and first.open_points:
        fair = judgement.leads[0] * min(1.0, spread.open_points / first.open_points)
    sign = 1 if color == 0 else -1
    return win_rate_of(
        rank_of(played, color), sign * (position.lead - fair), spread.deviation, spread.open_points
    )
