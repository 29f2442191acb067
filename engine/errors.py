"""Errors that callers tell apart; their texts are shown to people."""

from __future__ import annotations


class IllegalMoveError(ValueError):
    """The rules do not allow this move here."""


class CannotUndoError(ValueError):
    """There is no move to take back."""


class SetupError(ValueError):
    """The stones cannot stand like this; the text says why."""


class GameOverError(ValueError):
    """The game has ended, and nothing is left to think about."""


class SettingError(ValueError):
    """A rule, parameter or option has a name or value that cannot be used; the text quotes it."""


class RecordError(ValueError):
    """A game record cannot be read or replayed; the text says where."""


class UsageError(Exception):
    """A request that cannot be carried out as written; its text is shown, the exit code is 2."""
