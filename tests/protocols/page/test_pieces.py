"""Games of pieces on the page: chess, dark chess and EinStein, their moves in words and ends."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import SettingError
from engine.games.game import Game
from engine.games.game_settings import usual_settings
from engine.games.table import Board
from engine.opponents import TransientStore
from engine.play.game_networks import NetworkChoice
from protocols.end_causes import CAUSES
from protocols.page import offers
from protocols.page.pieces import PieceLog
from tests.support.page_talk import WEAK, PageTalk

CHESS = {"game": "chess"} | WEAK
DARK_CHESS = {"game": "darkchess", "width": 2, "height": 4} | WEAK
EINSTEIN = {"game": "einstein", "width": 5, "height": 5} | WEAK
needs_chess = pytest.mark.usefixtures("python_chess")


@pytest.fixture
def python_chess() -> None:
    """Skips the test where the optional module is absent."""
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")


def played_through(state: dict[str, Any], talk: PageTalk) -> dict[str, Any]:
    """The state at the end of a game in which the person plays the middle one of the moves."""
    while state["phase"] == "yours":
        legal = state["legal"]
        state = talk.state("move", at=legal[len(legal) // 2])
    return state


@needs_chess
def test_the_start_of_chess_has_pieces_and_moves() -> None:
    state = PageTalk().state("new", **CHESS)
    assert (state["title"], state["colors"]) == ("Chess", ["White", "Black"])
    assert state["pieces"]["rows"] == [
        "rnbqkbnr",
        "pppppppp",
        *["." * 8] * 4,
        "PPPPPPPP",
        "RNBQKBNR",
    ]
    assert len(state["legal"]) == 20
    assert "e2e4" in state["legal"]


@needs_chess
def test_moves_of_chess_are_written_as_people_write_them() -> None:
    talk = PageTalk()
    moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6".split()
    state = talk.state("resume", **CHESS, moves=moves)
    pieces = state["pieces"]
    assert pieces["written"] == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6"]
    assert pieces["captured"] == ["n", "B"]
    assert {"e1g1", "f3e5"} <= set(state["legal"]), "White may castle"
    castled = talk.say("move", at="e1g1")[0]
    assert castled["pieces"]["rows"][-1] == "RNBQ.RK."
    assert castled["pieces"]["written"][-1] == "O-O"


@needs_chess
def test_a_promotion_takes_no_piece() -> None:
    moves = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a8q h6h5".split()
    pieces = PageTalk().state("resume", **CHESS, moves=moves)["pieces"]
    assert pieces["written"][8] == "bxa8=Q"
    assert pieces["captured"] == ["ppbr", ""], "no pawn of White is lost"


@needs_chess
@pytest.mark.parametrize(
    ("moves", "winner", "text"),
    [
        ("f2f3 e7e5 g2g4 d8h4", 1, "Black wins by checkmate"),
        ("g1f3 g8f6 f3g1 f6g8 " * 2, None, "The game is drawn: the same position has occurred"),
        (
            "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 "
            "f7g6 c8e6",
            None,
            "The game is drawn by stalemate",
        ),
    ],
    ids=["mate", "repetition", "stalemate"],
)
def test_the_ends_of_chess_are_said_in_words(moves: str, winner: int | None, text: str) -> None:
    state = PageTalk().state("resume", **CHESS, moves=moves.split())
    assert state["phase"] == "over"
    assert state["result"]["winner"] == winner
    assert state["result"]["text"].startswith(text)


@needs_chess
def test_a_king_in_check_is_shown() -> None:
    state = PageTalk().state("resume", **CHESS, color=1, moves="e2e4 f7f6 d1h5".split())
    assert state["pieces"]["check"] == "e8"
    assert state["legal"] == ["g7g6"]


@needs_chess
@pytest.mark.parametrize(
    ("moves", "ending", "result"),
    [
        ("f2f3 e7e5 g2g4 d8h4", "", "0-1"),
        ("e2e4 e7e5", "resign", "0-1"),
        ("e2e4 e7e5", "", "*"),
    ],
    ids=["mate", "resigned", "under way"],
)
def test_chess_is_downloaded_as_pgn(moves: str, ending: str, result: str) -> None:
    from engine.formats import pgn  # noqa: PLC0415 (an optional module)

    talk = PageTalk()
    talk.say("resume", **CHESS, moves=moves.split())
    if ending:
        talk.say(ending)
    [file] = talk.say("download")
    [game] = pgn.read(file["text"])
    assert file["name"] == "game.pgn"
    assert game.result == result
    assert len(game.played) == len(moves.split())
    assert (game.tags["White"], game.tags["Black"]) == ("You", "Sparring")
    assert game.tags.get("Termination") == ("normal" if ending else None)


@needs_chess
def test_a_hint_of_chess_names_the_move_as_people_do() -> None:
    talk = PageTalk()
    talk.state("resume", **CHESS, moves=["e2e4", "e7e5"])
    [hint] = talk.say("hint")
    position = talk.conversation.page_game.game.position
    move = talk.conversation.page_game.game.kind.read_move(hint["move"], 8, 8)
    assert f"plays {position.san(move)} here" in hint["text"]  # type: ignore[attr-defined]


def test_a_game_of_dark_chess_is_played_with_drawn_flips() -> None:
    talk = PageTalk()
    state = talk.state("new", **DARK_CHESS)
    assert state["title"] == "Chinese dark chess 2x4"
    assert state["colors"] == ["First", "Second"]
    assert state["pieces"]["rows"] == ["XX"] * 4
    first = talk.say("move", at="b3(?)")[0]
    letter = first["pieces"]["rows"][1][1]
    assert letter in "Pp"
    assert first["moves"] == [[0, f"b3({letter})"]]
    assert first["colors"] == (["Red", "Black"] if letter == "P" else ["Black", "Red"])
    end = played_through(talk.state("new", **DARK_CHESS), talk)
    assert end["phase"] == "over"
    assert end["belief"]["games"] == 1
    assert " wins: " in end["result"]["text"] or "drawn: " in end["result"]["text"]
    taken = sum(map(len, end["pieces"]["captured"]))
    assert taken == 8 - sum(letter != "." for row in end["pieces"]["rows"] for letter in row)
    [file] = talk.say("download")
    assert file["text"].split() == [name for _, name in end["moves"]]


def test_a_flip_that_is_taken_back_shows_the_same_piece_again() -> None:
    talk = PageTalk()
    for _ in range(6):
        talk.state("new", **DARK_CHESS)
        first = talk.say("move", at="a1(?)")[0]["moves"][0]
        talk.state("undo")
        assert talk.say("move", at="a1(?)")[0]["moves"][0] == first


def test_a_game_of_dark_chess_is_resumed_with_its_flips() -> None:
    state = PageTalk().state("resume", **DARK_CHESS, moves=["a1(P)", "a2(p)"])
    assert state["pieces"]["rows"] == ["XX", "XX", "pX", "PX"]
    [error] = PageTalk().say("resume", **DARK_CHESS, moves=["a1(?)"])
    assert error["text"] == "move 1, a1(?), is not legal"


def test_an_undone_game_is_shown_from_its_moves() -> None:
    log, game = PieceLog(), Game.new(usual_settings("darkchess"), (2, 4))
    read = game.kind.read_move
    longer = game.play(0, read("a1(P)", 2, 4)).play(1, read("b1(p)", 2, 4))
    other = game.play(0, read("a2(p)", 2, 4))
    assert log.view(longer) == PieceLog().view(longer)
    assert log.view(other) == PieceLog().view(other)
    assert log.view(game) == PieceLog().view(game)


def test_a_game_of_einstein_begins_with_the_placings() -> None:
    talk = PageTalk()
    state = talk.state("new", **EINSTEIN)
    assert (state["title"], state["colors"]) == ("EinStein würfelt nicht", ["Red", "Blue"])
    assert state["pieces"]["rows"] == ["....."] * 5
    assert len(state["legal"]) == 720
    state = talk.say("move", at="652134")[-1]
    placing = state["moves"][1][1]
    assert state["moves"][0] == [0, "652134"]
    assert state["pieces"]["written"] == ["the placing 652134", f"the placing {placing[:6]}"]
    assert [row[:3] for row in state["pieces"]["rows"][:3]] == ["FEB", "AC.", "D.."]
    die = int(placing[7])
    [at] = [at for at, letter in zip("a5 b5 c5 a4 b4 a3".split(), "652134", strict=True)
            if int(letter) == die]  # fmt: skip
    assert {move[:2] for move in state["legal"]} == {at}, "the die names the piece"


def test_a_whole_game_of_einstein_is_played_with_drawn_dice() -> None:
    talk = PageTalk()
    end = played_through(talk.state("new", **EINSTEIN), talk)
    assert end["phase"] == "over"
    assert end["belief"]["games"] == 1
    assert " wins: " in end["result"]["text"]
    letters = "".join(end["pieces"]["rows"]) + "".join(end["pieces"]["captured"])
    assert sorted(letters.replace(".", "")) == sorted("ABCDEFabcdef")
    [file] = talk.say("download")
    assert (file["name"], file["text"].split()) == (
        "einstein.txt",
        [name for _, name in end["moves"]],
    )


def test_a_die_that_is_taken_back_shows_the_same_number_again() -> None:
    talk = PageTalk()
    for _ in range(6):
        talk.state("new", **EINSTEIN, color=1)
        first = talk.say("move", at="123456")[0]["moves"][1]
        talk.state("undo")
        assert talk.say("move", at="123456")[0]["moves"][1] == first


PLACED = ["123456", "123456(1)"]  # Blue's 1 is on e1, its 6 on e3


@pytest.mark.parametrize(
    ("moves", "winner", "text", "captured"),
    [
        (
            "a5-b4(1) e1-e2(1) b4-c3(1) e2-e3(1) c3-d2(1) e3-d4(1) d2-e1",
            0,
            "Red wins: a piece has reached the far corner",
            ["Ee", "df"],
        ),
        (
            "a5-b4(1) e1-d2(1) b4-c4(1) d2-c3(1) c4-d4(1) c3-b4(1) d4-e4(1) b4-a5",
            1,
            "Blue wins: a piece has reached the far corner",
            ["E", "e"],
        ),
    ],
)
def test_einstein_ends_in_words(moves: str, winner: int, text: str, captured: list[str]) -> None:
    state = PageTalk().state("resume", **EINSTEIN, moves=PLACED + moves.split())
    assert (state["result"]["winner"], state["result"]["text"]) == (winner, text)
    assert state["pieces"]["captured"] == captured, "own pieces may be taken"


def test_the_last_piece_taken_ends_einstein_in_words() -> None:
    game = Game.new(usual_settings("einstein"), (5, 5))
    position = game.kind.new_position(5, 5)
    position.setup([(0, 18), (6, 23), (12, -1)], 0)
    position.play(game.kind.read_move("d2-d1", 5, 5))
    assert CAUSES["einstein"](position) == ": every piece of the other side is taken"


def without_files(board: Board) -> NetworkChoice:
    """The choice of a process without a network of any game."""
    return NetworkChoice(None, game=board.game)


@needs_chess
def test_chess_is_refused_without_a_network() -> None:
    refused = offers.refusals(without_files)
    assert "name its file as chess under [networks]" in refused["chess"]
    assert "darkchess" not in refused, "dark chess is judged without a network"


def test_chess_is_refused_without_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise SettingError("chess needs python-chess")

    monkeypatch.setattr(offers, "require_library", absent)
    assert offers.refusals(without_files)["chess"] == "chess needs python-chess"


def test_a_refused_game_is_not_begun() -> None:
    talk = PageTalk(memory=TransientStore(), refused={"chess": "no network of chess"})
    assert talk.welcome["refused"] == {"chess": "no network of chess"}
    [error] = talk.say("new", game="chess")
    assert error["text"] == "no network of chess"
