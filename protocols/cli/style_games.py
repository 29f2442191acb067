"""The strength that a style costs: games of each style against the same persona without one."""

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
    """Plays the games and returns each style's tally, from its side; raises UsageError.

    texts: the persona with each style, by style. without: the persona without a style.
    """
    players = [study.player_with_network(options, text) for text in (*texts.values(), without)]
    plan = study.plan_of(options, players)
    pairs = [(number, len(texts)) for number in range(len(texts))]
    rows = study.play_pairs(options, plan, pairs)
    by_pair = {pair: [row for row in rows if pair_of(row) == pair] for pair in pairs}
    return {style: tally_of(by_pair[pair]) for style, pair in zip(texts, pairs, strict=True)}


def values_of(tally: Tally) -> dict[str, Any]:
    """Returns a tally as JSON values."""
    return {
        "games": tally.games,
        "rate": tally.rate,
        "interval": list(tally.interval()),
        "elo": [finite(number) for number in tally.elo()],
    }


def tally_text(tally: Tally) -> str:
    """Returns the share of points won and the Elo difference, with their intervals."""
    low, high = tally.interval()
    least, elo, most = tally.elo()
    return f"{tally.rate:.0%} ({low:.0%}..{high:.0%}), {elo:+.0f} ({least:+.0f}..{most:+.0f}) Elo"
