"""The words that a player may say in a game's chat, and the answers.

Names, texts and words come from strangers: control characters are removed, long lines are cut.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_HEARD = 200  # characters of a line that are read
LONGEST_SAID = 400  # characters of an answer
MOST_ANSWERS = 30  # in one game
CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+"
)

HELP = (
    "I am Sparring, and I adapt to your level. Say: level (how strong I think you are), "
    "why (the reason of my last move), stronger, weaker, stay (keep my level as it is), rematch."
)
REMATCH = "Gladly: challenge me again."
# Words for the engine; the engine's session knows each.
QUESTIONS = ("level", "why", "stronger", "weaker", "stay")
# First words of a line that mean the same.
SYNONYMS = {
    "?": "help",
    "commands": "help",
    "rank": "level",
    "rating": "level",
    "harder": "stronger",
    "easier": "weaker",
    "again": "rematch",
}


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """The answer to a line: a text at once, or a question for the engine."""

    text: str = ""
    question: str = ""  # one of QUESTIONS
    offers_rematch: bool = False


ANSWERS: dict[str, ChatAnswer] = {
    "help": ChatAnswer(HELP),
    "rematch": ChatAnswer(REMATCH, offers_rematch=True),
    **{word: ChatAnswer(question=word) for word in QUESTIONS},
}


def cleaned(text: str, longest: int = LONGEST_SAID) -> str:
    r"""Returns a text as one line without control characters, cut at so many characters.

    >>> cleaned("a\x07b\r\n  c"), len(cleaned("long " * 100))
    ('a b c', 400)
    """
    line = " ".join(CONTROLS.sub(" ", text[: 2 * longest]).split())
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


def word_of(text: str) -> str:
    """Returns the command word of a line, empty if it has none.

    >>> word_of("  Why?"), word_of("/level"), word_of("why did you play there"), word_of("hello")
    ('why', 'level', '', '')
    """
    words = cleaned(text, LONGEST_HEARD).lower().split()
    if len(words) != 1:
        return ""
    word = words[0] if words[0] == "?" else words[0].lstrip("/!").rstrip("?!.")
    word = SYNONYMS.get(word, word)
    return word if word in ANSWERS else ""


class ChatAnswerer:
    """Answers each word once a move, and so many lines a game."""

    def __init__(self) -> None:
        self._answered: set[tuple[str, int]] = set()

    def answer(self, text: str, moves: int) -> ChatAnswer | None:
        """Returns the answer to a line after so many moves; None: no answer is due."""
        word = word_of(text)
        if not word or (word, moves) in self._answered or len(self._answered) >= MOST_ANSWERS:
            return None
        self._answered.add((word, moves))
        return ANSWERS[word]
