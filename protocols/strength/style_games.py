"""What a style costs in strength: games of each against the same persona without any.

Knows who plays whom, and what their games came to. Does not know what styles look like, nor options
but those of measurements (protocols.strength.playing).
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from functools import partial
from typing import Any

from protocols.match.summary import finite, pair_of, tally_of
from protocols.match.tally import Tally
from protocols.strength import playing


def strengths(
    options: argparse.Namespace, texts: Mapping[str, str], without: str
) -> dict[str, Tally]:
    """How each style's games came out, from its side; raises UsageError.

    texts: the persona by its style; without: the one of no style, which is not among them.
    """
    players = [player_of(options, text) for text in (*texts.values(), without)]
    plan = playing.plan_of(options, players)
    pairs = [(number, len(texts)) for number in range(len(texts))]
    schedule = playing.schedule_of(options, pairs, options.games)
    rows = playing.play(
        plan,
        partial(playing.games_left, schedule, plan.board),
        playing.header_of(options, plan),
        options,
        games=options.games * len(pairs),
    )
    by_pair = {pair: [row for row in rows if pair_of(row) == pair] for pair in pairs}
    return {style: tally_of(by_pair[pair]) for style, pair in zip(texts, pairs, strict=True)}


def player_of(options: argparse.Namespace, text: str) -> str:
    """The persona as matches write players, with the network of the options."""
    told = {name: getattr(options, name) for name in ("network", "backend", "precision")}
    words = [word for name, value in told.items() if value for word in (f"--{name}", str(value))]
    return " ".join([playing.player_of(text), *map(shlex.quote, words)])


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
