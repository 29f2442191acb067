"""The words that a player may say to the engine in a game's chat.

Lines come from strangers: control characters are removed, and long lines are cut.
"""

from __future__ import annotations

import re

LONGEST_HEARD = 200  # characters of a line that are read
LONGEST_SAID = 400  # characters of an answer
# Controls, marks that turn or join text, and lone surrogates.
CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+"
)

LEVEL, WHY, STRONGER, WEAKER, STAY = "level", "why", "stronger", "weaker", "stay"
REMATCH, HELP = "rematch", "help"
QUESTIONS = (LEVEL, WHY, STRONGER, WEAKER, STAY)  # the engine answers them by its session
WORDS = (*QUESTIONS, REMATCH, HELP)
# Other words of the same meaning.
SYNONYMS = {
    "?": HELP,
    "commands": HELP,
    "rank": LEVEL,
    "rating": LEVEL,
    "harder": STRONGER,
    "easier": WEAKER,
    "again": REMATCH,
}
HELP_TEXT = (
    "I am Sparring, and I adapt to your level. Say: level (how strong I think you are), "
    "why (the reason of my last move), stronger, weaker, stay (keep my level as it is), rematch."
)


def cleaned(text: str, longest: int = LONGEST_SAID) -> str:
    r"""Returns a text as one line without control characters, cut at so many characters.

    >>> cleaned("a\x07b\r\n  c"), len(cleaned("long " * 100))
    ('a b c', 400)
    """
    line = " ".join(CONTROLS.sub(" ", text[: 2 * longest]).split())
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


def word_of(text: str) -> str:
    """Returns the word of a line, one of WORDS; empty for another line.

    >>> word_of("  Why?"), word_of("/level"), word_of("why did you play there"), word_of("again!")
    ('why', 'level', '', 'rematch')
    """
    words = cleaned(text, LONGEST_HEARD).lower().split()
    if len(words) != 1:
        return ""
    word = words[0] if words[0] == "?" else words[0].lstrip("/!").rstrip("?!.")
    word = SYNONYMS.get(word, word)
    return word if word in WORDS else ""
