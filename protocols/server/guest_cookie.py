"""The cookie of a guest of the page: a secret of 128 bits that names its records.

Scripts cannot read it (HttpOnly), and requests from other sites do not carry it (SameSite=Strict).
"""

from __future__ import annotations

import re
import secrets
from http.cookies import CookieError, SimpleCookie

from websockets.http11 import Request

COOKIE = "sparring-guest"
SECRET_BYTES = 16
SECRET = re.compile(r"[\w-]{22}", re.ASCII)  # as secrets.token_urlsafe writes SECRET_BYTES
MAX_AGE_SECONDS = 365 * 24 * 3600


def secret_of(request: Request) -> str:
    """Returns the secret in a request's cookie; empty without a well-formed one."""
    cookies = SimpleCookie()
    try:
        for line in request.headers.get_all("Cookie"):
            cookies.load(line)
    except CookieError:
        return ""
    value = cookies[COOKIE].value if COOKIE in cookies else ""
    return value if SECRET.fullmatch(value) else ""


def new_cookie(*, is_secure: bool) -> str:
    """Returns the header Set-Cookie with a new secret. is_secure: sent over TLS alone."""
    value = secrets.token_urlsafe(SECRET_BYTES)
    attributes = f"Path=/; Max-Age={MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict"
    return f"{COOKIE}={value}; {attributes}{'; Secure' if is_secure else ''}"
