"""The reason of a move in a plain sentence, from the engine's own words.

The engine's reason has sentences with figures. PLAIN is the table of the sentences that the page
says shorter or leaves out, because it shows the figures elsewhere.
"""

from __future__ import annotations

import re

SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
PLAIN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"The opponent seems to have about .*"), ""),
    (re.compile(r"It plays at level .*"), ""),
    (re.compile(r"The limits of naturalness .*"), ""),
    (re.compile(r"People play it with a probability of .*"), ""),
    (
        re.compile(r"It drew one of (\d+) likely moves\."),
        r"It chose one of \1 moves that are usual at its level.",
    ),
    (re.compile(r"It drew the likeliest move.*"), "It played the most usual move of its level."),
    (re.compile(r"After \d+ visits the win rate .*"), "It played the best move that it found."),
    (
        re.compile(r"It drew a less likely move, with a probability of (.*)\."),
        r"It played a less usual move: \1 of its choices at this level.",
    ),
)


def plain(reason: str) -> str:
    """Returns a reason without the figures that the page shows elsewhere.

    >>> plain("It plays at level 900. It drew the likeliest move.")
    'It played the most usual move of its level.'
    """
    sentences = [_plain_sentence(sentence) for sentence in SENTENCES.split(reason)]
    return " ".join(filter(None, sentences)) or reason


def _plain_sentence(sentence: str) -> str:
    for pattern, text in PLAIN:
        match = pattern.fullmatch(sentence)
        if match:
            return match.expand(text)
    return sentence
