"""The bot's words in a game's chat: its greeting, its answers to a player's words, its farewell.

The words themselves are in protocols.chat_words, and the engine answers most of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bots.actions import Action, AskEngine, OfferRematch, Say
from bots.events import ChatReceived
from bots.game_policy import GamePolicy
from protocols.chat_words import HELP, HELP_TEXT, QUESTIONS, REMATCH, cleaned, word_of

__all__ = ["ANSWERS", "MOST_ANSWERS", "ChatAnswer", "GameChat", "cleaned", "word_of"]

MOST_ANSWERS = 30  # in one game
CHALLENGE_ME = "Gladly: challenge me again."
CHALLENGE_AT_THE_END = "Gladly: I challenge you after this game."
CHALLENGE_NOW = "Gladly: here is my challenge."


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """The answer to a word: a text at once, or a question for the engine."""

    text: str = ""
    question: str = ""  # one of QUESTIONS, for `sparring-chat`


ANSWERS: dict[str, ChatAnswer] = {
    HELP: ChatAnswer(HELP_TEXT),
    REMATCH: ChatAnswer(CHALLENGE_ME),
    **{word: ChatAnswer(question=word) for word in QUESTIONS},
}


class GameChat:
    """The chat of one game. Each word is answered once a move, and so many lines a game."""

    def __init__(self, policy: GamePolicy) -> None:
        self._policy = policy
        self._answered: set[tuple[str, int]] = set()
        self._has_said_away = False
        self._owes_rematch = False  # promised for the end
        self._has_offered = False  # a rematch

    def said(self, text: str, room: str = "") -> list[Action]:
        """Returns a line as an action; none for an empty one."""
        line = cleaned(text)
        return [Say(line, room)] if line and self._policy.chats else []

    def away(self) -> list[Action]:
        """Returns the actions at a loss of the engine, which is said once."""
        is_first, self._has_said_away = not self._has_said_away, True
        return self.said(self._policy.away) if is_first else []

    def ended(self) -> list[Action]:
        """Returns the actions after the end of the game: a promised rematch."""
        return self._offered() if self._owes_rematch else []

    def answered(self, event: ChatReceived, moves: int, *, is_over: bool) -> list[Action]:
        """Returns the answer to a line of the opponent after so many moves."""
        word = word_of(event.text)
        if not word or (word, moves) in self._answered or len(self._answered) >= MOST_ANSWERS:
            return []
        self._answered.add((word, moves))
        if word == REMATCH and self._policy.challenges:
            self._owes_rematch = not is_over
            text = CHALLENGE_NOW if is_over else CHALLENGE_AT_THE_END
            return [*self.said(text, event.room), *(self._offered() if is_over else ())]
        answer = ANSWERS[word]
        asked = [AskEngine(answer.question, event.room)] if answer.question else []
        return [*self.said(answer.text, event.room), *asked]

    def _offered(self) -> list[Action]:
        is_first, self._has_offered = not self._has_offered, True
        return [OfferRematch()] if is_first else []
