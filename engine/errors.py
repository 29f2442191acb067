"""Errors with a class of their own for callers; users read their texts."""

from __future__ import annotations


class IllegalMoveError(ValueError):
    """The rules do not allow this move here."""


class CannotUndoError(ValueError):
    """There is no move to take back."""


class SetupError(ValueError):
    """The stones cannot stand like this; the text gives the reason."""


class GameOverError(ValueError):
    """The game has ended; there is no move to choose."""


class SettingError(ValueError):
    """A rule, parameter or option has an unusable name or value; the text quotes it."""


class RecordError(ValueError):
    """A game record cannot be read or replayed; the text names the place."""


class UsageError(Exception):
    """The request cannot be carried out as written; the user sees the text, the exit code is 2."""
