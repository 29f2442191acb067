"""Requests to the REST interface of OGS. The key is a field of each request and in no log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import aiohttp

from bots.http_answers import json_object, read_body, reason
from bots.ogs.connection import Credentials

API = "/api/v1"
LONGEST_ANSWER = 1 << 20  # bytes
TOO_MANY = 429


class RestRefusedError(Exception):
    """The server refuses a request for good."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status = status


class RestUnreachableError(Exception):
    """All tries of a request failed."""


@dataclass(frozen=True, slots=True)
class RestPolicy:
    """Times of the requests, in seconds."""

    answer_seconds: float = 20.0
    tries: int = 4
    retry_seconds: float = 0.5  # before the second try; doubles
    limit_seconds: float = 30.0  # after an answer 429 without a wait of its own


class OgsRestClient:
    """Sends requests, one at a time."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        url: str,
        credentials: Credentials,
        policy: RestPolicy,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._http, self._url, self._credentials = http, url.rstrip("/"), credentials
        self._policy, self._sleep = policy, sleep
        self._turn = asyncio.Lock()

    async def get(self, path: str) -> Mapping[str, Any]:
        """Returns the object at a path.

        Raises RestRefusedError, RestUnreachableError, and WireError on an answer that is no object.
        """
        return await self._send("GET", path, None)

    async def post(self, path: str, values: Mapping[str, object], bot_id: int) -> Mapping[str, Any]:
        """Posts fields in the bot's name. Raises as `get` does."""
        return await self._send(
            "POST", path, {**values, "apikey": self._credentials.key, "bot_id": bot_id}
        )

    async def _send(
        self, method: str, path: str, values: Mapping[str, object] | None
    ) -> Mapping[str, Any]:
        wait = self._policy.retry_seconds
        for _ in range(self._policy.tries - 1):
            try:
                async with self._turn:
                    return await self._once(method, path, values)
            except RestUnreachableError:
                await self._sleep(wait)
                wait *= 2
        async with self._turn:
            return await self._once(method, path, values)

    async def _once(
        self, method: str, path: str, values: Mapping[str, object] | None
    ) -> Mapping[str, Any]:
        limit = aiohttp.ClientTimeout(total=self._policy.answer_seconds)
        data, headers = _encoded(values)
        try:
            async with self._http.request(
                method,
                f"{self._url}{API}/{path}",
                data=data,
                headers=headers,
                timeout=limit,
                allow_redirects=False,
            ) as response:
                body = await read_body(response, LONGEST_ANSWER)
                status, retry_after = response.status, response.headers.get("Retry-After", "")
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise RestUnreachableError(f"{method} {path}: {reason(error)}") from error
        if status == TOO_MANY:
            own = float(retry_after) if retry_after.isdigit() else self._policy.limit_seconds
            await self._sleep(own)
        if status == TOO_MANY or status >= 500:
            raise RestUnreachableError(f"{method} {path}: the server answers {status}")
        if status >= 300:
            raise RestRefusedError(status, ascii(body[:200]))
        return json_object(body)


def _encoded(values: Mapping[str, object] | None) -> tuple[str | None, dict[str, str]]:
    """Returns the body and its headers: JSON where a value is an object, else a form."""
    if values is None:
        return None, {}
    if any(isinstance(value, Mapping) for value in values.values()):
        return json.dumps(dict(values)), {"Content-Type": "application/json"}
    return urlencode(dict(values)), {"Content-Type": "application/x-www-form-urlencoded"}
