"""Requests to a server of the API, and its streams, over HTTP.

The token stands in a header alone; no log and no error has it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from bots import fields
from bots.fields import WireError
from bots.http_answers import json_object, read_body, reason
from bots.lichess.request_queue import RatePolicy, RequestQueue
from protocols.lines import LineSplitter

TOO_MANY = 429
DAILY_KEY = "bot.vsBot.day"  # of the limit of games against bots; it concerns challenges alone
DAY = 86400.0  # seconds
LONGEST_ANSWER = 1 << 22  # bytes
LONGEST_LINE = 1 << 20  # bytes of a stream; the rest of a longer line is dropped


class RequestRefusedError(Exception):
    """The server refuses a request for good: an answer 3xx or 4xx."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status = status


class UnreachableError(Exception):
    """A request or a stream failed; it may be tried again."""


class LimitedError(UnreachableError):
    """The server answers 429. `seconds` is the wait before the next request."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many requests; the next one waits {seconds:.0f} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class ClientPolicy:
    """The waits of a client, in seconds."""

    answer_seconds: float = 10.0  # longest wait for an answer
    silence_seconds: float = 20.0  # longest silence of a stream; servers write every 6 or 7
    tries: int = 5  # of one request
    retry_seconds: float = 0.5  # before the second try; doubles
    rates: RatePolicy = field(default_factory=RatePolicy)


class ApiClient:
    """Sends requests, one at a time, and opens streams beside them."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        *,
        url: str,
        token: str,
        agent: str,
        policy: ClientPolicy,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._http = http
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": agent}
        self._policy = policy
        self._sleep = sleep
        self.queue = RequestQueue(policy.rates, clock, sleep)

    async def get(self, path: str) -> Mapping[str, Any]:
        """Returns the object of JSON at a path. Raises RequestRefusedError and UnreachableError."""
        return await self._send(lambda: self._once("GET", path, None))

    async def post(
        self,
        path: str,
        form: Mapping[str, str] | str | None = None,
        *,
        is_urgent: bool = False,
        is_repeated: bool = True,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> Mapping[str, Any]:
        """Posts a form and returns the answer's object, empty where the answer has none.

        is_repeated: it may be posted again after a failure; otherwise only after an answer 429,
        as the server may have done it. is_wanted: called when the request's turn comes; after
        False nothing is sent, as if no server were there. Raises as `get` does.
        """

        async def request() -> Mapping[str, Any]:
            if not is_wanted():
                raise UnreachableError(f"POST {path} is not wanted any more")
            return await self._once("POST", path, form)

        return await self._send(request, is_urgent=is_urgent, is_repeated=is_repeated)

    async def _send(
        self,
        request: Callable[[], Awaitable[Mapping[str, Any]]],
        *,
        is_urgent: bool = False,
        is_repeated: bool = True,
    ) -> Mapping[str, Any]:
        """Runs a request until it succeeds or is refused, or the tries are used up."""
        tries = self._policy.tries
        wait = self._policy.retry_seconds
        while True:
            tries -= 1
            try:
                return await self.queue.run(request, is_urgent=is_urgent)
            except LimitedError:  # the queue itself waits
                if tries <= 0:
                    raise
            except UnreachableError:
                if tries <= 0 or not is_repeated:
                    raise
                await self._sleep(wait)
                wait *= 2

    async def _once(
        self, method: str, path: str, form: Mapping[str, str] | str | None
    ) -> Mapping[str, Any]:
        limit = aiohttp.ClientTimeout(total=self._policy.answer_seconds)
        data = form.encode() if isinstance(form, str) else form
        try:
            async with self._http.request(
                method,
                self._url + path,
                data=data,
                headers=self._headers,
                timeout=limit,
                allow_redirects=False,
            ) as response:
                body = await read_body(response, LONGEST_ANSWER)
                self._check(response, body)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise UnreachableError(f"{method} {path}: {reason(error)}") from error
        return json_object(body)

    def _check(self, response: aiohttp.ClientResponse, body: bytes) -> None:
        """Raises the error of an answer other than 2xx."""
        if response.status == TOO_MANY:
            key, seconds = _limit_of(response, body)
            if key == DAILY_KEY:
                raise RequestRefusedError(response.status, _error_text(body))
            raise LimitedError(self.queue.limited(seconds))
        self.queue.answered()
        if response.status >= 500:
            raise UnreachableError(f"the server answers {response.status}")
        if response.status >= 300:
            raise RequestRefusedError(response.status, _error_text(body))

    @asynccontextmanager
    async def stream(
        self, path: str, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[AsyncGenerator[str, None]]:
        """Opens a stream of lines in its turn; it then holds up no request.

        The stream ends where the server ends it between two lines. Silence and a line cut in the
        middle raise UnreachableError in the lines; opening raises RequestRefusedError too.
        """

        async def request() -> aiohttp.ClientResponse:
            try:
                return await self._open(path, headers or {})
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                raise UnreachableError(f"stream {path}: {reason(error)}") from error

        async with await self.queue.run(request) as response:
            yield self._lines(path, response)

    async def _open(self, path: str, headers: Mapping[str, str]) -> aiohttp.ClientResponse:
        silence = self._policy.silence_seconds
        response = await self._http.get(
            self._url + path,
            headers={**self._headers, **headers},
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=silence, sock_read=silence),
            allow_redirects=False,
        )
        if response.status != 200:
            async with response:
                self._check(response, await read_body(response, LONGEST_ANSWER))
                raise UnreachableError(f"the stream {path} answers {response.status}")
        self.queue.answered()
        return response

    async def _lines(
        self, path: str, response: aiohttp.ClientResponse
    ) -> AsyncGenerator[str, None]:
        splitter = LineSplitter(LONGEST_LINE)
        try:
            while data := await response.content.readany():
                for line in splitter.feed(data):
                    yield line
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise UnreachableError(f"stream {path}: {reason(error)}") from error
        if splitter.finish():
            raise UnreachableError(f"the stream {path} ends in the middle of a line")


def _error_text(body: bytes) -> str:
    """Returns the text of an answer's error, or the answer's first characters."""
    try:
        return ascii(json_object(body)["error"])[:200]
    except (WireError, KeyError):
        return ascii(body[:100])


def _limit_of(response: aiohttp.ClientResponse, body: bytes) -> tuple[str, float | None]:
    """Returns the key of a limit, and the wait that the server names; None: it names none."""
    key, seconds = "", None
    try:
        limit = fields.mapping(json_object(body).get("ratelimit") or {}, "ratelimit")
        key = str(limit.get("key", ""))
        seconds = limit.get("seconds")
        seconds = response.headers.get("Retry-After", seconds)
        return key, None if seconds is None else min(fields.number(seconds, "seconds"), DAY)
    except WireError:
        return key, None
