"""The conversation with one browser: reads the page's messages, plays, and sends the state.

HANDLERS is the table of messages. Text goes to `emit`, and lines come from an inbox.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace

from engine.games.game_record import GameRecord
from engine.opponents import OpponentName, OpponentStore, StoredGame, StoredOpponent, StoreError
from engine.personas import Persona
from engine.play.search_source import SearchSource
from engine.play.session_settings import Budget
from engine.review.judging import JudgingStoppedError
from protocols.command_queue import CommandQueue, Urgency
from protocols.conversation import ClientDefaults
from protocols.inbox import Inbox
from protocols.outbox import ClientGoneError
from protocols.page.advice import hint_view
from protocols.page.downloads import file_of
from protocols.page.left_games import last_left_game, stored_game_of
from protocols.page.lists import left_view, live_game, people_view
from protocols.page.lobby import Lobby, Visitor
from protocols.page.messages import MessageError, PageCommand, read, written
from protocols.page.own_records import records_view
from protocols.page.page_game import PageGame
from protocols.page.review_view import (
    curve_view,
    finished_game,
    review_view,
)
from protocols.page.reviewer import Reviewer, ReviewProgress
from protocols.page.strengths import persona_of, strength_of, usual_strength
from protocols.page.terms import GameTerms, record_of, terms_of, terms_of_stored
from protocols.page.views import state_of
from protocols.rights import Rights
from protocols.store_options import NOBODY, SOMEBODY

log = logging.getLogger("sparring")

PATIENCE_SECONDS = 2.0  # of a move without a clock: a person waits for it
GUEST_NAME = "a guest"
ENDING = {"undo", "new", "resume", "continue", "resign"}  # messages that end the engine's thinking


class PageConversation:
    """One conversation. emit: sends text, always whole lines.

    new_source: returns a source of searches: one for all games, and one for each review. memory:
    the store, for a client with the user's rights and for a guest with a name there. guest: that
    name; None: the records of the guest last until it leaves. refused: the reason against each game
    that cannot be played here.
    """

    def __init__(
        self,
        new_source: Callable[[], SearchSource],
        memory: OpponentStore,
        lobby: Lobby,
        *,
        rights: Rights,
        defaults: ClientDefaults,
        name: str,
        guest: OpponentName | None = None,
        refused: Mapping[str, str] | None = None,
        inbox: Inbox,
        emit: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._new_source = new_source
        self._source = new_source()
        self._memory = memory
        self._lobby = lobby
        self._rights = rights
        self._defaults = defaults
        self._name = name or SOMEBODY
        self._guest = guest
        self._refused = refused or {}
        self._inbox = inbox
        self._emit = emit
        self._now = now
        self._queue = CommandQueue(inbox, _urgency, at_once=_ignore)
        self._visitor: Visitor | None = None
        self._page_game: PageGame | None = None
        self._prepared: PageGame | None = None  # its networks are loaded

    def run(self) -> None:
        """Answers lines until the end of input."""
        try:
            while (line := self._queue.next()) is not None:
                self.handle(line)
        finally:
            if self._visitor is not None:
                self._lobby.leave(self._visitor)
            self._page_game = self._prepared = None  # a cycle, which would keep the search's tree

    def handle(self, line: str) -> None:
        """Answers one line, then plays the engine's move if it is its turn."""
        self._attempt(lambda: self._answer(line))
        self._attempt(self._reply)

    def _attempt(self, step: Callable[[], None]) -> None:
        """Takes a step, and sends its error to the page."""
        try:
            step()
        except ClientGoneError:
            raise
        except (ValueError, StoreError) as error:
            self._emit(written("error", text=str(error)))
        except Exception:
            log.exception("page: internal error")
            self._emit(written("error", text="internal error: see the engine's log"))

    def _answer(self, line: str) -> None:
        command = read(line)
        if self._visitor is None and command.name != "hello":
            raise MessageError("the first message is hello")
        HANDLERS[command.name](self, command)

    def _reply(self) -> None:
        """Plays the engine's move on its turn; on the person's turn prepares the next one."""
        page_game = self._page_game
        if page_game is None or self._queue.interrupted():
            return
        if not page_game.is_engines_turn:
            self._prepare(page_game)
            return
        page_game.reply(self._queue.interrupted)
        self._send_state()

    def _prepare(self, page_game: PageGame) -> None:
        if page_game is not self._prepared:
            self._prepared = page_game
            page_game.prepare()

    def _send_state(self) -> None:
        if self._visitor is not None:
            person = (
                (self.page_game.terms.name or self._name) if self._rights.is_user else GUEST_NAME
            )
            self._visitor.game = live_game(self.page_game, person)
            self._visitor.record = self.page_game.game.record
        self.page_game.begin_turn()
        self._emit(written("state", **state_of(self.page_game)))

    @property
    def page_game(self) -> PageGame:
        """The game under way; raises MessageError before the first one."""
        if self._page_game is None:
            raise MessageError("there is no game yet")
        return self._page_game

    # ---- Games

    def hello(self, command: PageCommand) -> None:
        """Greets the visitor: its token, its rights and its usual name."""
        if self._visitor is not None:
            raise MessageError("hello comes once")
        self._visitor = self._lobby.enter(command.text("visitor"), self._give_way)
        self._name = command.text("name") or self._name
        left = self._left_game(self._name)
        self._emit(
            written(
                "welcome",
                visitor=self._visitor.token,
                owner=self._rights.is_user,
                name=self._name,
                left=None if left is None else left_view(left[1]),
                refused=self._refused,
            )
        )

    def _give_way(self) -> None:
        """Ends this conversation for a newer one of the same tab. Called by the newer's thread."""
        with suppress(ClientGoneError):
            self._emit(written("elsewhere"))
        self._inbox.abandon()

    def new(self, command: PageCommand) -> None:
        """Begins a new game."""
        self._replace_by(self._page_game_of(self._terms_of(command)))
        self._send_state()

    def resume(self, command: PageCommand) -> None:
        """Goes on with the page's game: with the stored one, else from the page's own moves."""
        terms = self._terms_of(command)
        record = record_of(terms, command.moves())
        person = self._person(terms)
        found = stored_game_of(person, terms, record)
        if found is None:
            self._replace_by(self._page_game_of(terms), record)
        else:
            self._go_on_with(*found, terms)
        self._send_state()

    def continue_left(self, _command: PageCommand) -> None:
        """Goes on with the latest game that the person left."""
        found = self._left_game(self._name)
        if found is None:
            raise MessageError("no game was left")
        self._go_on_with(*found)
        self._send_state()

    def _left_game(self, name: str) -> tuple[int, StoredGame] | None:
        return last_left_game(self._stored_person(name), self._lobby.records())

    def _go_on_with(
        self, number: int, stored: StoredGame, on_page: GameTerms | None = None
    ) -> None:
        """Replaces the game by a stored one.

        on_page: the terms that the page remembers; None: the stored strength, and no clock.
        """
        terms = terms_of_stored(stored, strength_of(stored.persona, self._defaults.persona))
        if on_page is not None:
            strength, control, left = on_page.strength, on_page.control, on_page.left
            terms = replace(terms, strength=strength, control=control, left=left)
        page_game = self._page_game_of(terms)
        self._replace_by(page_game)
        page_game.resume(number, stored)

    def _page_game_of(self, terms: GameTerms) -> PageGame:
        """Returns a game of these terms; raises SettingError where it cannot be played."""
        person, budget = self._person(terms), self._budget()
        return PageGame(
            terms, self._source, person, self._make_persona, budget=budget, now=self._now
        )

    def _replace_by(self, page_game: PageGame, record: GameRecord | None = None) -> None:
        """Leaves the old game, then begins the new one: each takes the lease of its network."""
        if self._page_game is not None:
            self._page_game.leave()
        self._page_game = page_game
        page_game.begin(record)

    def _terms_of(self, command: PageCommand) -> GameTerms:
        strength = usual_strength(self._defaults.persona)
        return terms_of(command, self._defaults.game_settings, strength, self._refused)

    def _make_persona(self, strength: str, game: str) -> Persona:
        """Returns the persona of a strength; the operator's own may be a file."""
        usual = self._defaults.persona
        text = persona_of(strength, usual)
        rights = Rights(is_user=True) if text == usual else self._rights
        return rights.persona(text, game)

    def _budget(self) -> Budget:
        """Returns the budget of a move: the operator's, else PATIENCE_SECONDS."""
        seconds = self._defaults.seconds
        budget = replace(self._defaults.budget(), lag_seconds=0.0)
        return replace(budget, default_seconds=PATIENCE_SECONDS) if seconds is None else budget

    def _person(self, terms: GameTerms) -> StoredOpponent:
        return self._stored_person(terms.name or self._name)

    def _stored_person(self, name: str) -> StoredOpponent:
        if self._visitor is None:
            raise MessageError("the first message is hello")
        if self._guest is not None and not self._rights.is_user:
            return StoredOpponent(self._memory, self._guest)
        is_stored = self._rights.is_user and name != NOBODY
        store = self._memory if is_stored else self._visitor.store
        return StoredOpponent(store, OpponentName(name))

    # ---- Moves

    def move(self, command: PageCommand) -> None:
        """Plays the person's move."""
        self.page_game.play(command.text("at"))
        self._send_state()

    def undo(self, _command: PageCommand) -> None:
        """Takes back the person's last move and the engine's answer."""
        self.page_game.undo()
        self._send_state()

    def resign(self, _command: PageCommand) -> None:
        """Resigns for the person."""
        self.page_game.resign()
        self._send_state()

    def flag(self, _command: PageCommand) -> None:
        """Ends the game if the person's clock has ended; the state shows the time left."""
        self.page_game.flag()
        self._send_state()

    def strength(self, command: PageCommand) -> None:
        """Changes the engine's strength from its next move on."""
        self.page_game.change_strength(command.text("to"))
        self._send_state()

    def hint(self, _command: PageCommand) -> None:
        """Answers the move of a strong player; nothing once another message ends the search."""
        page_game = self.page_game
        if page_game.is_engines_turn or page_game.is_ended:
            raise MessageError("a hint is for your own move")
        began = self._now()
        view = hint_view(page_game.game, page_game.hint(self._queue.interrupted))
        page_game.clocks.excuse(self._now() - began)
        if view is not None:
            self._emit(written("hint", **view))

    def review(self, _command: PageCommand) -> None:
        """Sends the review of a finished game, and its progress; ends early at a new game.

        A page that is loaded again has no game here; it gets the review of its visitor's last one.
        """
        visitor, page_game, stop = self._visitor, self._page_game, self._queue.interrupted
        if visitor is not None and page_game is not None:
            visitor.finished = finished_game(page_game) if page_game.is_over else None
        if visitor is None or visitor.finished is None:
            raise MessageError("a review comes after the game")
        finished, progress = visitor.finished, ReviewProgress(self._tell_progress, self._now)
        reviewer = Reviewer(self._new_source(), finished.game, finished.person, progress, stop)
        with suppress(JudgingStoppedError):
            first = reviewer.judge()
            self._emit(written("review", **curve_view(finished, first)))
            reviewed = reviewer.reviewed(reviewer.confirm(first))
            self._emit(written("review", **review_view(finished, reviewed)))

    def _tell_progress(self, done: int, total: int) -> None:
        self._emit(written("reading", done=done, total=total))

    def download(self, _command: PageCommand) -> None:
        """Answers the game as a file."""
        name, text = file_of(self.page_game)
        self._emit(written("file", name=name, text=text))

    def lists(self, _command: PageCommand) -> None:
        """Answers the games under way and the people known, to the engine's user alone."""
        self._rights.check_memory()
        games = [asdict(game) for game in self._lobby.games()]
        self._emit(written("lists", games=games, people=people_view(self._memory)))

    def records(self, _command: PageCommand) -> None:
        """Answers the person's own games, and levels over time."""
        self._emit(written("records", **records_view(self._stored_person(self._name))))

    # ---- Counting

    def mark(self, command: PageCommand) -> None:
        """Marks a chain as dead or alive."""
        self.page_game.mark(command.text("at"))
        self._send_state()

    def agree(self, _command: PageCommand) -> None:
        """Ends the count."""
        self.page_game.agree()
        self._send_state()

    def play_on(self, _command: PageCommand) -> None:
        """Goes on playing instead of counting."""
        self.page_game.play_on()
        self._send_state()


def _urgency(line: str) -> Urgency:
    try:
        return Urgency.STOP_ALL if read(line).name in ENDING else Urgency.LATER
    except MessageError:
        return Urgency.LATER


def _ignore(_line: object) -> None:
    """Nothing."""


HANDLERS: dict[str, Callable[[PageConversation, PageCommand], None]] = {
    "hello": PageConversation.hello,
    "new": PageConversation.new,
    "resume": PageConversation.resume,
    "continue": PageConversation.continue_left,
    "move": PageConversation.move,
    "undo": PageConversation.undo,
    "hint": PageConversation.hint,
    "resign": PageConversation.resign,
    "flag": PageConversation.flag,
    "review": PageConversation.review,
    "lists": PageConversation.lists,
    "records": PageConversation.records,
    "download": PageConversation.download,
    "strength": PageConversation.strength,
    "mark": PageConversation.mark,
    "agree": PageConversation.agree,
    "play on": PageConversation.play_on,
}
