"""The version of Sparring, from the installed package, and of the KataGo it resembles."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

UNINSTALLED = "0+source"
KATAGO_VERSION = "1.17.2"  # its protocols are ours; tools compare it with the one they need


def version_text() -> str:
    """Returns the installed version, or `0+source` when run from a source folder."""
    try:
        return version("sparring")
    except PackageNotFoundError:
        return UNINSTALLED
