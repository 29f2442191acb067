"""The token that clients of TCP ports give where other machines can reach them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from engine.errors import SettingError

VARIABLE = "SPARRING_TOKEN"
TOKEN = re.compile(r"[!-~]{16,1000}")  # one line of GTP, without blanks


def token_wanted(file: str | None, environment: Mapping[str, str]) -> bytes | None:
    """Returns the token of a file, else of $SPARRING_TOKEN; None without either.

    Raises SettingError on a file that others can read and on a token too short, which is not
    quoted.
    """
    told = environment.get(VARIABLE) or None
    where = f"${VARIABLE}"
    if file is not None:
        where = file
        try:
            if Path(file).stat().st_mode & 0o077:
                raise SettingError(f"others can read the token in {file}: chmod 600 {file}")
            told = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(f"no token can be read from {file}: {error}") from error
    if told is None:
        return None
    if not TOKEN.fullmatch(told):
        raise SettingError(f"the token in {where} is not 16 to 1000 ASCII letters and signs")
    return told.encode()
