"""The token of TCP clients, required on ports open to other machines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from engine.errors import SettingError

VARIABLE = "SPARRING_TOKEN"
TOKEN = re.compile(r"[!-~]{16,1000}")  # one line of GTP, without blanks


def required_token(file: str | None, environment: Mapping[str, str]) -> bytes | None:
    """Returns the token of a file, else of $SPARRING_TOKEN; None without either.

    Raises SettingError on a file open to other users, and on a token of another form, without
    quoting it.
    """
    token = environment.get(VARIABLE) or None
    where = f"${VARIABLE}"
    if file is not None:
        where = file
        try:
            if Path(file).stat().st_mode & 0o077:
                raise SettingError(f"others can read the token in {file}: chmod 600 {file}")
            token = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(f"no token can be read from {file}: {error}") from error
    if token is None:
        return None
    if not TOKEN.fullmatch(token):
        raise SettingError(f"the token in {where} is not 16 to 1000 ASCII letters and signs")
    return token.encode()
