"""The answers to the words that a player says in a game's chat.

The words themselves are in protocols.chat_words, and the engine answers most of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocols.chat_words import HELP, HELP_TEXT, QUESTIONS, REMATCH, cleaned, word_of

__all__ = ["ANSWERS", "MOST_ANSWERS", "ChatAnswer", "ChatAnswerer", "cleaned", "word_of"]

MOST_ANSWERS = 30  # in one game
REMATCH_TEXT = "Gladly: challenge me again."


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """The answer to a line: a text at once, or a question for the engine."""

    text: str = ""
    question: str = ""  # one of QUESTIONS, for `sparring-chat`
    offers_rematch: bool = False


ANSWERS: dict[str, ChatAnswer] = {
    HELP: ChatAnswer(HELP_TEXT),
    REMATCH: ChatAnswer(REMATCH_TEXT, offers_rematch=True),
    **{word: ChatAnswer(question=word) for word in QUESTIONS},
}


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
