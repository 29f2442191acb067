"""What a style costs in strength: games of each against the same persona without any.

Knows who plays whom, and what their games came to. Does not know what styles look like, nor options
but those of measurements (protocols.cli.study).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from engine.match.summary import finite, pair_of, tally_of
from engine.match.tally import Tally
from protocols.cli import study


def strengths(
    options: argparse.Namespace, texts: Mapping[str, str], without: str
) -> dict[str, Tally]:
    """How each style's games came out, from its side; raises UsageError.

    texts: the persona by its style; without: the one of no style, which is not among them.
    """
    players = [study.player_with_network(options, text) for text in (*texts.values(), without)]
    plan = study.plan_of(options, players)
    pairs = [(number, len(texts)) for number in range(len(texts))]
    rows = study.play_pairs(options, plan, pairs)
    by_pair = {pair: [row for row in rows if pair_of(row) == pair] for pair in pairs}
    return {style: tally_of(by_pair[pair]) for style, pair in zip(texts, pairs, strict=True)}


def values_of(tally: Tally) -> dict[str, Any]:
    """As JSON values."""
    return {
        "games": tally.games,
        "rate": tally.rate,
        "interval": list(tally.interval()),
        "elo": [finite(number) for number in tally.elo()],
    }


def told(tally: Tally) -> str:
    """The points won with their interval, and Elo, for people."""
    low, high = tally.interval()
    least, elo, most = tally.elo()
    return f"{tally.rate:.0%} ({low:.0%}..{high:.0%}), {elo:+.0f} ({least:+.0f}..{most:+.0f}) Elo"
