"""An opponent's estimated strength as text: Elo with its interval, and words such as a rank."""

from __future__ import annotations

from engine.opponents import EloEstimate
from engine.strength.rank_scale import RankScale, estimate_words


def in_elo(estimate: EloEstimate) -> str:
    """Returns the mean and the 95% interval of an estimate, in Elo: "1890 (1700..2080)"."""
    return f"{round(estimate.mean)} ({round(estimate.low)}..{round(estimate.high)})"


def with_words(text: str, estimate: EloEstimate, scale: RankScale | None) -> str:
    """Returns the text of an estimate with its words: "... (1700..2080), about 8k (5k to 12k)"."""
    words = estimate_words(scale, estimate.mean, estimate.low, estimate.high)
    return f"{text}, {words}" if words else text
