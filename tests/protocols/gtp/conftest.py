"""Fixtures of the GTP tests."""

from __future__ import annotations

import pytest

from tests.support.gtp_conversation import Conversation


@pytest.fixture
def conversation() -> Conversation:
    """A fresh conversation on a 19x19 board."""
    return Conversation()
