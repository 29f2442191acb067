"""Games of pieces in a real Chromium: clicks, drags, keys, promotions, flips, dice, a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.browser import AXE, Open, Player, Serving
from tests.support.networks import lc0_writer

pytestmark = pytest.mark.browser
MOST_TURNS = 300
CHESS = {"game": "chess", "width": 8, "height": 8, "color": 0, "strength": "level:0", "name": ""}
EINSTEIN = "EinStein würfelt nicht"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page with an engine that plays at random, and a network of chess."""
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
    folder = tmp_path_factory.mktemp("pieces")
    network = lc0_writer.write(folder / "small.pb.gz", lc0_writer.SHAPES["squeezed"])
    variables = {"SPARRING_NETWORKS_CHESS": str(network)}
    with Serving(folder, "play", "--no-browser", **variables) as serving:
        yield serving.address()


def go_to(player: Player, moves: str, color: int = 0) -> None:
    """Goes to a game of chess after these moves, by a reload.

    A game of another test that begins with these moves would be gone on with.
    """
    saved = json.dumps({"terms": CHESS | {"color": color}, "moves": moves.split()})
    player.page.evaluate("text => sessionStorage.setItem('sparring.game', text)", saved)
    player.page.reload()
    player.page.wait_for_selector(".title:has-text('Chess')")
    player.page.wait_for_selector(".cell.start")


def letters(player: Player) -> str:
    """The labels of the cells, from the top left."""
    labels = [each.get_attribute("aria-label") for each in player.page.locator(".cell").all()]
    return "; ".join(filter(None, labels))


def test_chess_is_played_by_clicks_drags_and_keys(visit: Open) -> None:
    player = visit()
    player.begin("Chess", Opponent="As now: level 0")
    page = player.page
    page.click('[data-move="e2"]')
    assert page.locator(".cell.target").count() == 2
    assert page.get_attribute('[data-move="e4"]', "aria-label") == "e4, empty, can be moved to"
    page.click('[data-move="e5"]', force=True)
    page.wait_for_selector(".notice:has-text('e2e5 is not a legal move here')")
    player.move("e2", "e4")
    start, end = (page.locator(f'[data-move="{at}"]').bounding_box() for at in ("g1", "f3"))
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 30, end["y"] + 30, steps=4)
    assert page.locator(".dragged").count() == 1
    page.mouse.up()
    player.wait_beyond(2)
    page.focus('[data-move="h2"]')
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    player.wait_beyond(4)
    assert player.moves() == 6
    written = page.text_content(".moves ol")
    assert all(move in written for move in ("White e4", "White Nf3", "White h3"))
    player.resign()
    page.wait_for_selector(".headline:has-text('You lose: Black wins by resignation')")
    with page.expect_download() as download:
        page.click("text=Download")
    assert '[White "You"]' in Path(download.value.path()).read_text()


def test_castling_and_promotion(visit: Open) -> None:
    player = visit()
    go_to(player, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")
    player.move("e1", "g1")
    assert "White O-O" in player.page.text_content(".moves ol")
    go_to(player, "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6")
    player.page.click('[data-move="b7"]')
    player.page.click('[data-move="a8"]')
    player.page.wait_for_selector("dialog.promotion")
    player.page.keyboard.press("Escape")
    player.page.wait_for_selector("dialog.promotion", state="detached")
    player.page.click('[data-move="b7"]')
    player.page.click('[data-move="a8"]')
    player.page.click("dialog.promotion >> text=Knight")
    player.wait_beyond(8)
    assert "White bxa8=N" in player.page.text_content(".moves ol")
    assert "Black rook" in player.page.locator(".captured").first.get_attribute("aria-label")


def test_black_sits_below_and_mates(visit: Open) -> None:
    player = visit()
    go_to(player, "f2f3 e7e5 g2g4", color=1)
    assert letters(player).startswith("h1, White rook; g1, White knight")
    player.page.click('[data-move="d8"]')
    player.page.click('[data-move="h4"]')
    player.page.wait_for_selector(".headline:has-text('You win: Black wins by checkmate')")
    player.page.wait_for_selector(".lessons", state="attached")
    player.page.locator("input[type=range]").press("Home")
    assert "e2, White pawn" in letters(player)


def test_a_whole_game_of_dark_chess_is_played(visit: Open) -> None:
    player = visit()
    player.begin("Chinese dark chess 2x4", Opponent="As now: level 0")
    assert letters(player).count("face-down piece") == 8
    for _ in range(MOST_TURNS):
        if "Your turn" not in player.headline():
            break
        flips = player.page.locator(".cell.active[aria-label*='face-down']")
        starts = player.page.locator(".cell.start")
        if flips.count():
            before = player.moves()
            flips.first.click()
            player.wait_beyond(before)
        else:
            player.move(starts.last.get_attribute("data-move") or "")
    assert "wins: " in player.headline() or "drawn: " in player.headline()
    with player.page.expect_download() as download:
        player.page.click("text=Download")
    assert len(Path(download.value.path()).read_text().split()) == player.moves()


def own_numbers(player: Player) -> str:
    """The numbers of Red's pieces in its corner, as a placing names them."""
    cells = [player.page.locator(f'[data-move="{at}"]') for at in "a5 b5 c5 a4 b4 a3".split()]
    return "".join((each.get_attribute("aria-label") or "")[8] for each in cells)


def test_the_pieces_of_einstein_are_placed_by_clicks_drags_and_keys(visit: Open) -> None:
    player = visit()
    player.begin(EINSTEIN, Opponent="As now: level 0")
    page = player.page
    assert own_numbers(player) == "123456"
    page.click('[data-move="a5"]')
    page.click('[data-move="a3"]')
    assert own_numbers(player) == "623451"
    start, end = (page.locator(f'[data-move="{at}"]').bounding_box() for at in ("b5", "b4"))
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 30, end["y"] + 30, steps=4)
    page.mouse.up()
    page.wait_for_selector('[data-move="b4"][aria-label^="b4, Red 2"]')
    page.focus('[data-move="c5"]')
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert own_numbers(player) == "356421"
    assert page.is_disabled("text=Hint")
    page.click(".beneath .main")
    player.wait_beyond(0)
    assert own_numbers(player) == "356421"
    assert "Red the placing 356421" in page.text_content(".moves ol")


def test_a_whole_game_of_einstein_is_played(visit: Open) -> None:
    player = visit()
    player.begin(EINSTEIN, Opponent="As now: level 0", **{"You play": "Blue, second"})
    player.wait_beyond(0)
    player.page.click(".beneath >> text=Shuffle")
    player.page.click(".beneath .main")
    player.wait_beyond(1)
    for _ in range(MOST_TURNS):
        if "Your turn" not in player.headline():
            break
        movable = player.page.locator(".cell.start")
        numbers = [str(each.inner_text()) for each in movable.all()]
        die = player.headline()[-1]
        told = player.page.inner_text(".beneath")
        assert f"Your die is {die}" in told
        assert f"piece {' or '.join(sorted(numbers))} may move" in told
        assert numbers == [die] or die not in numbers
        player.move(movable.last.get_attribute("data-move") or "")
    assert "wins: a piece has reached the far corner" in player.headline()
    with player.page.expect_download() as download:
        player.page.click("text=Download")
    assert len(Path(download.value.path()).read_text().split()) == player.moves()


@pytest.mark.parametrize("board", ["Chess", "Chinese dark chess 4x8", EINSTEIN])
def test_a_phone_shows_the_whole_board_of_pieces(visit: Open, board: str) -> None:
    player = visit(**PHONE)
    player.begin(board, Opponent="As now: level 0")
    assert player.page.evaluate("() => document.documentElement.scrollWidth") <= 360
    for cell in (player.page.locator(".cell").first, player.page.locator(".cell").last):
        box = cell.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["width"] >= 30, "a finger hits a square"
    if board == EINSTEIN:
        player.page.locator(".beneath .main").tap()
    else:
        player.page.locator(".cell.start").first.tap()
    if board == "Chess":
        player.page.locator(".cell.target").first.tap()
    player.wait_beyond(0)


def test_chess_without_a_network_is_not_offered(visit: Open, tmp_path: Path) -> None:
    with Serving(tmp_path, "play", "--no-browser") as serving:
        player = visit(serving.address())
        player.page.click("text=New game")
        reason = player.page.inner_text(".refused")
        assert reason.startswith("Chess is not offered: Chess needs a network")
        assert player.page.is_disabled("option:has-text('Chess') >> nth=0")
        player.page.close()


@pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: make web-tools")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_boards_of_pieces(visit: Open, scheme: str) -> None:
    player = visit(color_scheme=scheme, bypass_csp=True)
    go_to(player, "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 g7g6")
    player.page.evaluate(AXE.read_text())
    player.page.click('[data-move="b7"]')
    found = player.serious()
    player.page.click('[data-move="a8"]')
    player.page.wait_for_selector("dialog.promotion")
    found += player.serious()
    player.page.keyboard.press("Escape")
    player.begin("Chinese dark chess 4x8", Opponent="As now: level 0")
    player.page.locator(".cell.start").first.click()
    player.wait_beyond(0)
    found += player.serious()
    player.begin(EINSTEIN, Opponent="As now: level 0")
    player.page.click('[data-move="a5"]')
    found += player.serious()
    player.page.click(".beneath .main")
    player.wait_beyond(0)
    assert found + player.serious() == []
