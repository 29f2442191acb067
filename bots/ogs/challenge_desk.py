"""Answers challenges by the rules, each once, and counts the games that they lead to."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping

from bots.engine_connection import GreetingRefusedError
from bots.ogs.acceptance import AcceptanceRules, GamesUnderWay, Rejection, rejection_of
from bots.ogs.bot_config import bot_status
from bots.ogs.challenge import OgsChallenge
from bots.ogs.game_account import GameAccount
from bots.ogs.rest_client import RestRefusedError, RestUnreachableError

log = logging.getLogger("sparring.bot")

PENDING_SECONDS = 60.0  # until an accepted challenge without a game counts no more
MOST_ANSWERED = 10_000  # challenges that are remembered
FULL = "This bot is playing as many games as it can; please try again later."
SLOW = "My engine is too busy for games this fast just now; please try again later."
FAILED = "This challenge could not be accepted; please send another one."

Post = Callable[[str, Mapping[str, object]], Awaitable[object]]  # a REST request
Prepare = Callable[[OgsChallenge], Awaitable[None]]  # waits until its game can begin


class ChallengeDesk:
    """The challenges of one account. accounts: the games by identity, kept up by the owner."""

    def __init__(
        self,
        rules: AcceptanceRules,
        accounts: Mapping[int, GameAccount],
        most_games: int,
        refused: Callable[[str, str], None],
        move_seconds: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """move_seconds: the longest time of a move of late; faster games are refused."""
        self._move_seconds = move_seconds
        self._rules, self._accounts, self._most_games = rules, accounts, most_games
        self._refused = refused
        self._answered: dict[int, None] = {}  # challenges, the oldest first
        self._pending: dict[int, tuple[float, OgsChallenge]] = {}  # accepted, by game, with a time

    async def answer(
        self, challenge: OgsChallenge, now: float, post: Post, prepare: Prepare
    ) -> None:
        """Answers a challenge, however often the server sends it.

        Raises as `post` and `prepare` do. now: seconds of a monotonic clock. prepare: is waited for
        before the challenge is accepted, as the clock may run from then on.
        """
        if challenge.id in self._answered:
            return
        self._answered[challenge.id] = None
        if len(self._answered) > MOST_ANSWERED:
            del self._answered[next(iter(self._answered))]
        rejection = self.rejection(challenge, now)
        try:
            if rejection is None:
                self._pending[challenge.game_id] = now, challenge
                await prepare(challenge)
                rejection = self._rejection_of_speed(challenge)
            if rejection is None:
                await post(f"me/challenges/{challenge.id}/accept", {})
                return
            self._pending.pop(challenge.game_id, None)
            self._refused(ascii(challenge.challenger.username), rejection.code)
            await post(f"me/challenges/{challenge.id}", rejection.body())
        except (RestUnreachableError, GreetingRefusedError, asyncio.CancelledError):
            self._forget(challenge)  # it comes again at the next login
            raise
        except RestRefusedError as error:
            if rejection is not None:
                raise
            log.warning("challenge %d could not be accepted: %s", challenge.id, error)
            self._forget(challenge)
            await post(f"me/challenges/{challenge.id}", {"delete": True, "message": FAILED})

    def _forget(self, challenge: OgsChallenge) -> None:
        self._pending.pop(challenge.game_id, None)
        self._answered.pop(challenge.id, None)

    def rejection(self, challenge: OgsChallenge, now: float) -> Rejection | None:
        """Returns the refusal of a challenge; None: it is accepted."""
        pending = self._to_come(now)
        rejection = rejection_of(challenge, self._rules, self._standing(pending))
        games = {game for game, account in self._accounts.items() if not account.is_over}
        if rejection is None and len(games | set(self._pending)) >= self._most_games:
            return Rejection("not_accepting_new_challenges", FULL)
        return rejection

    def _rejection_of_speed(self, challenge: OgsChallenge) -> Rejection | None:
        control, area = challenge.time_settings.control, challenge.width * challenge.height
        if not control.is_too_fast(area, self._move_seconds()):
            return None
        return Rejection(f"too_many_{challenge.time_settings.speed}_games", SLOW)

    def status(self) -> dict[str, int]:
        """Returns the data of bot/status: the games that are not paused, by speed."""
        running = (account for account in self._running() if not account.is_paused)
        return bot_status(Counter(map(_speed, running)))

    def _standing(self, pending: Collection[OgsChallenge]) -> GamesUnderWay:
        standing = GamesUnderWay()
        for account in self._running():
            standing.by_speed[_speed(account)] += 1
            standing.by_player[account.opponent.id] += 1
        for challenge in pending:
            standing.by_speed[challenge.time_settings.speed] += 1
            standing.by_player[challenge.challenger.id] += 1
        return standing

    def _running(self) -> list[GameAccount]:
        accounts = self._accounts.values()
        return [each for each in accounts if each.data is not None and not each.is_over]

    def _to_come(self, now: float) -> list[OgsChallenge]:
        """Returns the accepted challenges without a game; old ones are forgotten."""
        for game, (at, _) in list(self._pending.items()):
            account = self._accounts.get(game)
            if (account is not None and account.data is not None) or now - at > PENDING_SECONDS:
                del self._pending[game]
        return [challenge for _, challenge in self._pending.values()]


def _speed(account: GameAccount) -> str:
    return "" if account.data is None else account.data.time_settings.speed
