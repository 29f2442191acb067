"""The result of a session's game as text."""

from __future__ import annotations

from engine.play.session import Session


def score_text(session: Session) -> str:
    """Returns the score as GTP and SGF write it; half points in Go."""
    black_score = session.final_status().black_score
    if black_score == 0:
        return "0"
    decimals = 1 if session.game.name == "go" else 0
    return f"{'B' if black_score > 0 else 'W'}+{abs(black_score):.{decimals}f}"
