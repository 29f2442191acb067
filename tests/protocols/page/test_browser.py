"""The page in a real Chromium: whole games, undo, counting, reload, restart, tabs, keyboard."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.browser import AXE, PATIENCE, Open, Player, Serving
from tests.support.free_ports import free_ports

pytestmark = pytest.mark.browser
MOST_TURNS = 150


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page with an engine that plays at random."""
    with Serving(tmp_path_factory.mktemp("page"), "play", "--no-browser") as serving:
        yield serving.address()


def finish(player: Player, passes_after: int) -> int:
    """Plays to the end of the game, in Go with passes after so many turns; returns the turns."""
    for turn in range(MOST_TURNS):
        if "Your turn" not in player.headline():
            return turn
        before = player.moves()
        if turn >= passes_after:
            player.page.click("text=Pass")
            player.wait_beyond(before)
        else:
            player.play()
    raise AssertionError("the game does not end")


def test_the_first_visit_begins_a_game_without_a_form(visit: Open, address: str) -> None:
    player = visit()
    assert player.page.inner_text(".title") == "Go 9x9"
    assert player.headline() == "Your turn: you play Black"
    assert "token" in address
    assert "token" not in player.page.url
    player.play("E5")
    assert player.moves() == 2


@pytest.mark.parametrize(
    ("board", "passes_after"),
    [("Go 7x7", 12), ("Othello 6x6", MOST_TURNS), ("Connect4", MOST_TURNS)],
)
def test_a_whole_game_is_played_by_clicks(visit: Open, board: str, passes_after: int) -> None:
    player = visit()
    player.begin(board, Opponent="As now: level 0")
    finish(player, passes_after)
    if board.startswith("Go"):
        assert player.headline().startswith("Count: ")
        player.page.click("text=Agree")
    player.page.wait_for_selector("input[type=range]")
    assert "wins" in player.headline() or "drawn" in player.headline()
    assert re.search("Now it (takes you for|hardly knows)", player.page.inner_text(".after"))
    player.page.locator("input[type=range]").press("Home")
    assert player.page.locator(".after").inner_text().count("Position after 0 moves") == 1
    with player.page.expect_download() as download:
        player.page.click("text=Download")
    assert Path(download.value.path()).read_text()
    player.page.click("text=Play again")
    player.page.wait_for_selector(".headline:has-text('Your turn')")
    assert player.moves() == 0


def test_undo_hint_and_an_illegal_click(visit: Open) -> None:
    player = visit()
    player.play("E5")
    player.page.locator('[data-move="E5"]').click(force=True)
    player.page.wait_for_selector(".notice:has-text('E5 is not a legal move here')")
    player.page.click("text=Hint")
    player.page.wait_for_selector(".hint:has-text('A strong player plays')")
    player.page.click("text=Undo")
    player.page.wait_for_selector(".moves summary:text-matches('^0 moves')")
    assert player.page.is_disabled("text=Undo")


def test_dead_stones_are_marked_by_clicks(visit: Open) -> None:
    player = visit()
    player.begin("Go 7x7", Opponent="As now: level 0")
    finish(player, passes_after=8)
    stone = player.page.locator('.cell[aria-label*="stone"]').first
    before = stone.get_attribute("aria-label")
    stone.click()
    is_dead = "dead" in (before or "")
    wanted = ":not([aria-label*='dead'])" if is_dead else "[aria-label*='dead']"
    move = stone.get_attribute("data-move")
    player.page.wait_for_selector(f".cell[data-move='{move}']{wanted}")
    moves = player.moves()
    player.page.click("text=Play on")
    player.page.wait_for_selector(".headline:has-text('Your turn')")
    assert player.moves() < moves


def test_a_strength_is_chosen_and_pinned(visit: Open) -> None:
    player = visit()
    player.play("E5")
    assert "level 0" in player.page.inner_text(".words")
    player.page.check("text=Harder")
    player.page.wait_for_selector("input:checked + span:has-text('Harder')")
    player.play("C3")
    player.page.check("text=Stay at this level")
    player.page.wait_for_selector("label.pin input:checked")


def test_the_owner_sees_the_games_and_the_people(visit: Open) -> None:
    player = visit()
    player.begin("Connect4", Opponent="As now: level 0")
    player.page.click("text=People")
    player.page.wait_for_selector("dialog li:has-text('Connect4 7x6: player')")
    player.page.click("text=Close")
    player.page.wait_for_selector("dialog", state="detached")


def test_a_guest_sees_its_own_games_alone(visit: Open, tmp_path: Path) -> None:
    port = free_ports()
    with Serving(tmp_path, "serve", f"--websocket-port={port}"):
        wait_for(tmp_path / "sparring.sock")
        address = f"http://127.0.0.1:{port}/"
        player, other = visit(address), visit(address)
        assert player.page.locator("text=People").count() == 0
        player.begin("Connect4", Opponent="As now: level 0")
        player.play()
        player.page.reload()
        player.page.wait_for_selector(".cell.active")
        player.page.click("text=My games")
        player.page.wait_for_selector("dialog li:has-text('Connect4 7x6')")
        other.page.click("text=My games")
        other.page.wait_for_selector("dialog:has-text('None yet')")
        assert player.page.evaluate("() => document.cookie") == "", "no script reads the cookie"
        player.page.close()  # before its server ends, which it would report
        other.page.close()


def test_a_reload_resumes_the_game(visit: Open) -> None:
    player = visit()
    player.play("E5")
    player.play()
    moves = player.page.text_content(".moves ol")
    player.page.reload()
    player.page.wait_for_selector(".cell.active")
    assert player.page.text_content(".moves ol") == moves
    player.play()
    assert player.moves() == 6


def test_a_clock_counts_and_survives_a_reload(visit: Open) -> None:
    player = visit()
    clock = "3 minutes, 2 seconds more a move"
    player.begin("Connect4", Opponent="As now: level 0", Clock=clock)
    own, other = player.page.locator(".clock").all()
    assert (own.inner_text(), other.inner_text()) == ("3:00", "3:00")
    player.play()
    player.page.wait_for_selector(".clock >> text=2:59")
    assert other.inner_text() >= "3:00", "the engine's clock has its increment"
    player.page.reload()
    player.page.wait_for_selector(".clock >> text=2:58")
    player.page.evaluate(
        """() => {
          const left = [[0.2, 0, 0], [100, 0, 0]];
          onpagehide = () => sessionStorage.setItem("sparring.clocks", JSON.stringify(left));
        }"""
    )
    player.page.reload()
    player.page.wait_for_selector(".headline:has-text('Yellow wins on time')")


def test_a_clock_has_times_of_ones_own(visit: Open) -> None:
    player = visit()
    for clock, numbers, shown in (
        ("Own times: more seconds a move", {"Minutes": "7.5", "Seconds more a move": "4"}, "7:30"),
        ("Own times: then periods", {"Minutes": "0", "Periods": "2"}, "0:30 (2)"),
    ):
        player.page.click("text=New game")
        player.page.select_option("label:has-text('Game') select", label="Connect4")
        player.page.select_option("label:has-text('Clock') select", label=clock)
        for label, number in numbers.items():
            player.page.fill(f"label:has-text('{label}') >> nth=-1 >> input", number)
        player.page.click("text=Start")
        player.page.wait_for_selector(f".clock >> text={shown}")
    player.page.click("text=New game")
    assert player.page.input_value("label:has-text('Periods') input") == "2"
    player.page.keyboard.press("Escape")


def test_a_game_that_cannot_be_resumed_gives_way_to_a_new_one(visit: Open) -> None:
    player = visit()
    player.play("E5")
    saved = '{"terms":{"game":"go","width":9,"height":9,"strength":"brutal"},"moves":["E5"]}'
    player.page.evaluate("text => sessionStorage.setItem('sparring.game', text)", saved)
    player.page.reload()
    player.page.wait_for_selector(".cell.active")
    assert player.moves() == 0


def test_a_reload_after_the_end_shows_the_review(visit: Open) -> None:
    player = visit()
    player.play("E5")
    player.resign()
    player.page.wait_for_selector(".lessons", state="attached")
    player.page.reload()
    player.page.wait_for_selector("input[type=range]")
    assert player.headline() == "You lose: White wins by resignation"


def test_a_reload_in_the_middle_of_a_review_keeps_it(visit: Open) -> None:
    player = visit()
    player.play("E5")
    player.play()
    player.resign()
    player.page.wait_for_selector(".headline:has-text('You lose')")
    player.page.evaluate("() => sessionStorage.removeItem('sparring.review')")
    player.page.reload()
    player.page.wait_for_selector(".lessons", state="attached")
    assert re.search("Now it (takes you for|hardly knows)", player.page.inner_text(".after"))


def test_an_engine_that_starts_again_goes_on(visit: Open, tmp_path: Path) -> None:
    with Serving(tmp_path, "serve") as engine:
        wait_for(tmp_path / "sparring.sock")
        with Serving(tmp_path, "play", "--no-browser") as page:
            player = visit(page.address())
            player.play("E5")
            moves = player.page.text_content(".moves ol")
            engine.process.kill()
            player.page.wait_for_selector(".notice:has-text('The engine does not answer')")
            engine.process.wait(30)
            with Serving(tmp_path, "serve"):
                player.page.wait_for_selector(".notice:has-text('does not answer')", state="hidden")
                player.page.wait_for_selector(".cell.active")
                assert player.page.text_content(".moves ol") == moves
                player.play()
                assert player.moves() == 4
            player.page.close()  # before its server ends, which it would report


def wait_for(path: Path) -> None:
    """Waits until an engine has made its socket."""
    until = time.monotonic() + 60
    while not path.is_socket():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_new_tab_offers_the_game_that_was_left(visit: Open, tmp_path: Path) -> None:
    with Serving(tmp_path, "play", "--no-browser") as serving:
        address = serving.address()
        player = visit(address)
        player.begin("Connect4", Opponent="As now: level 0")
        player.play()
        moves = player.page.text_content(".moves ol")
        player.page.close()
        later = visit(address)
        later.page.click("text=Go on with it")
        later.page.wait_for_selector(".title:has-text('Connect4')")
        assert later.page.text_content(".moves ol") == moves
        later.play()
        assert later.page.locator(".left").count() == 0
        later.page.close()


def test_two_tabs_have_two_games(visit: Open) -> None:
    one = visit()
    one.play("E5")
    other = visit()
    assert other.moves() == 0
    other.play("C3")
    one.play()
    assert one.moves() == 4
    assert other.moves() == 2


def test_a_copied_tab_takes_the_game_over(visit: Open) -> None:
    player = visit()
    player.play("E5")
    with player.page.expect_popup() as popup:
        player.page.evaluate("() => { window.open(location.href); }")
    copy = Player(popup.value)
    copy.page.wait_for_selector(".moves summary:text-matches('^2 moves')")
    player.page.wait_for_selector(".notice:has-text('goes on in another tab')")
    copy.play()
    assert copy.moves() == 4


def test_the_keyboard_alone_plays(visit: Open) -> None:
    player = visit()
    keyboard = player.page.keyboard
    player.page.locator("body").press("Tab")
    for _ in range(6):
        if player.page.evaluate("() => document.activeElement.dataset.move ?? ''"):
            break
        keyboard.press("Tab")
    assert player.page.evaluate("() => document.activeElement.dataset.move") == "E5"
    keyboard.press("ArrowLeft")
    keyboard.press("ArrowDown")
    assert player.page.evaluate("() => document.activeElement.dataset.move") == "D4"
    keyboard.press("Enter")
    player.wait_beyond(0)
    assert "D4" in (player.page.text_content(".moves ol") or "")
    keyboard.press("p")
    player.wait_beyond(2)
    keyboard.press("u")
    player.page.wait_for_selector(".moves summary:text-matches('^2 moves')")
    keyboard.press("n")
    player.page.wait_for_selector("dialog[open]")
    keyboard.press("Escape")
    player.page.wait_for_selector("dialog", state="detached")


@pytest.mark.parametrize("board", ["Go 19x19", "Othello 8x8", "Connect4"])
def test_a_phone_shows_the_whole_board(visit: Open, board: str) -> None:
    player = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    clock = "20 minutes, then 5 times 30 seconds"
    player.begin(board, Opponent="As now: level 0", Clock=clock)
    width = player.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 360
    face = player.page.locator(".clock").last.bounding_box()
    assert face["x"] + face["width"] <= 360
    for cell in (player.page.locator(".cell").first, player.page.locator(".cell").last):
        box = cell.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    active = player.page.locator(".cell.active").first
    active.tap()
    if board == "Go 19x19":
        assert drawn_beside_cells(player) == []
        player.page.wait_for_selector(".cell.waiting")
        assert player.moves() == 0
        player.page.locator(".cell.waiting").tap()
    player.wait_beyond(0)


def drawn_beside_cells(player: Player) -> list[float]:
    """The distances, in pixels, between the drawn points and their cells, where there are any."""
    drawn, cells = player.page.locator(".shudan-vertex").all(), player.page.locator(".cell").all()
    boxes = [
        (one.bounding_box(), other.bounding_box())
        for one, other in [(drawn[0], cells[0]), (drawn[-1], cells[-1])]
    ]
    gaps = [abs(one[side] - other[side]) for one, other in boxes for side in ("x", "y")]
    return [gap for gap in gaps if gap > 1]


@pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: make web-tools")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit: Open, scheme: str) -> None:
    player = visit(color_scheme=scheme, bypass_csp=True)
    player.play("E5")
    player.page.evaluate(AXE.read_text())
    found = player.serious()
    player.page.click("text=New game")
    found += player.serious()
    player.page.keyboard.press("Escape")
    player.page.click("text=People")
    player.page.wait_for_selector("dialog")
    found += player.serious()
    player.page.keyboard.press("Escape")
    player.begin("Othello 6x6", Opponent="As now: level 0")
    player.play()
    found += player.serious()
    player.resign()
    player.page.wait_for_selector("input[type=range]", timeout=PATIENCE)
    found += player.serious()
    assert found == []
