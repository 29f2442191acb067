"""A headless Chromium for the tests of the page, and people who visit it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.browser import Open, Player, browser_path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A running Chromium; skips the test where it or its driver is absent."""
    driver = "needs playwright: pip install playwright"
    sync_api = pytest.importorskip("playwright.sync_api", reason=driver)
    if browser_path() is None:
        pytest.skip("needs Chromium: apt install chromium-headless-shell")
    with sync_api.sync_playwright() as playwright:
        path = browser_path()
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Open]:
    """A function: a person at the page in a browser of their own. The console stays empty."""
    opened: list[tuple[Any, Player]] = []

    def opening(at: str = "", **options: Any) -> Player:
        context = browser.new_context(**options)
        player = Player(context.new_page())
        opened.append((context, player))
        player.page.goto(at or address)
        player.page.wait_for_selector(".cell.active")
        return player

    yield opening
    for context, player in opened:
        context.close()
        assert player.messages == []
