"""The version of Sparring, from the installed package, and that of KataGo which it resembles."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

UNINSTALLED = "0+source"
KATAGO_VERSION = "1.17.2"  # whose protocols these are; tools compare it with what they need


def version_text() -> str:
    """The installed version, or `0+source` when run from a source folder."""
    try:
        return version("sparring")
    except PackageNotFoundError:
        return UNINSTALLED
