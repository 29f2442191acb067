"""Messages for failures: a text for the user, a log for internal errors.

Imported only when something has failed.
"""

from __future__ import annotations

import shlex
import time
import traceback
from collections.abc import Callable, Sequence
from typing import cast

from engine.errors import SettingError
from engine.util.optional_modules import absent
from engine.util.user_folders import data_folder

LOG_FILE = "errors.log"  # the file in the user's data folder


def system_error(error: OSError) -> str:
    """Returns the message of a system error, with its path, if any, first.

    >>> system_error(FileNotFoundError(2, "No such file or directory", "a/b.csv"))
    'a/b.csv: No such file or directory'
    """
    words = error.strerror or str(error) or type(error).__name__
    return words if error.filename is None else f"{error.filename}: {words}"


# Failures that the user can mend -> their message; the first matching row counts.
EXPECTED: tuple[tuple[type[Exception], Callable[[Exception], str]], ...] = (
    (SettingError, str),
    (ModuleNotFoundError, lambda error: absent(cast("ModuleNotFoundError", error).name)),
    (OSError, lambda error: system_error(cast("OSError", error))),
    (OverflowError, lambda error: f"a number is too large: {error}"),
    (MemoryError, lambda error: f"there is not enough memory {error}".rstrip()),
)


def words_for(error: Exception) -> str:
    """Returns the message for the user; empty for an internal error."""
    return next((words(error) for kind, words in EXPECTED if isinstance(error, kind)), "")


def logged(error: Exception, arguments: Sequence[str]) -> str:
    """Writes the traceback of an internal error to the log, and returns the error in a line.

    Without a writable log, the traceback follows the line.
    """
    line = f"{type(error).__name__}: {error}".splitlines()[0]
    text = "".join(traceback.format_exception(error))
    path = data_folder() / LOG_FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as log:
            moment = time.strftime("%Y-%m-%d %H:%M:%S")
            log.write(f"{moment} sparring {shlex.join(arguments)}\n{text}\n")
    except OSError:
        return f"{line}; its traceback:\n{text}"
    return f"{line}; its traceback is in {path}"
