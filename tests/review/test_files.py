"""Recorded games in files of all kinds, and the faults of broken files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.formats import ggf
from engine.formats.ggf import GgfGame, GgfMove, GgfResult
from engine.formats.othello_files import WRITERS
from engine.match.record import RecordFileError
from engine.match.recorded import recorded, short_names
from engine.review.files import Failure, ReadingSettings, ReviewedGame, read, value_and_score
from tests.support.strength.rows import row

SGF = "(;GM[1]SZ[7]PB[Ann]PW[Bob]RU[Chinese]KM[9]RE[{}];B[dd];W[cc];B[ec]{})"
SHORT = [GgfMove(0, 37), GgfMove(1, 43), GgfMove(0, 34)]  # f5 d6 c5


def games(*texts: object, reading: ReadingSettings | None = None) -> list[ReviewedGame]:
    """All games there, none of them with a fault."""
    found = [each for text in texts for each in read(str(text), reading or ReadingSettings())]
    assert not [each for each in found if isinstance(each, Failure)]
    return [each for each in found if isinstance(each, ReviewedGame)]


def failures(text: object) -> list[str]:
    """Returns the messages about unreadable games."""
    return [str(each) for each in read(str(text), ReadingSettings()) if isinstance(each, Failure)]


@pytest.mark.parametrize(
    ("text", "value", "margin"),
    [
        ("B+3.5", 1.0, 3.5),
        (" w+12 ", 0.0, -12.0),
        ("W+R", 0.0, None),
        ("B+Resign", 1.0, None),
        ("B+T", None, None),
        ("W+Forfeit", None, None),
        ("0", 0.5, 0.0),
        ("Draw", 0.5, 0.0),
        ("?", None, None),
        ("B+", None, None),
        ("Void", None, None),
        ("", None, None),
    ],
)
def test_results_are_reported_where_play_decided_them(
    text: str, value: float | None, margin: float | None
) -> None:
    assert value_and_score(text) == (value, margin)


def test_games_of_go_have_players_and_the_result_that_the_file_states(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(SGF.format("W+4.5", ""))
    (game,) = games(path)
    assert (game.name, game.names, game.result) == (str(path), ("Ann", "Bob"), "W+4.5")
    assert (game.played.value, game.played.margin) == (0.0, -4.5)
    assert game.played.game_record.moves == ((0, 24), (1, 16), (0, 18))


def test_the_players_count_of_a_game_that_ended_by_passes_stands(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    for result, value, margin in (("W+4.5", 0.0, -4.5), ("", None, None), ("W+R", None, None)):
        path.write_text(SGF.format(result, ";W[];B[]"))
        (game,) = games(path)
        assert (game.played.value, game.played.margin) == (value, margin)


def test_one_bad_game_of_a_collection_loses_no_other(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    bad = "(;GM[1]SZ[7];B[dd];W[dd])"
    path.write_text("\n".join([SGF.format("W+R", ""), bad, "(;GM[2])", SGF.format("0", "")]))
    found = list(read(str(path), ReadingSettings()))
    assert [isinstance(each, ReviewedGame) for each in found] == [True, False, False, True]
    assert failures(path) == [
        f"{path} game 2: move 2, W[dd]: not a legal move",
        f"{path} game 3: not a game of Go: GM[2]",
    ]


def test_rules_are_those_asked_for_where_a_file_has_none(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[7];B[dd])")
    for rules, scoring, komi in (("japanese", "TERRITORY", 6.5), ("chinese", "AREA", 7.5)):
        (game,) = games(path, reading=ReadingSettings(rules=rules))
        game_settings = game.played.game_record.game_settings
        assert (game_settings.rules.scoring, game_settings.komi) == (scoring, komi)  # type: ignore[attr-defined]


def test_rules_and_komi_that_cannot_be_used_are_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[7]RU[our own]KM[7.3];B[dd])")
    assert len(games(path)) == 1
    assert [record.message.partition(" cannot")[0] for record in caplog.records] == [
        f"{path}: RU[our own]",
        f"{path}: KM[7.3]",
    ]


@pytest.mark.parametrize(
    ("result", "value", "margin"),
    [
        (GgfResult(-12.0), 0.0, -12.0),
        (GgfResult(3.0, "s"), 1.0, 3.0),
        (GgfResult(64.0, "r"), 1.0, None),
        (GgfResult(64.0, "t"), None, None),
        (None, None, None),
    ],
)
def test_othello_of_unfinished_games_is_worth_what_ended_them(
    tmp_path: Path, result: GgfResult | None, value: float | None, margin: float | None
) -> None:
    path = tmp_path / "a.ggf"
    path.write_text(ggf.write([GgfGame(8, None, 0, tuple(SHORT), result, {"PB": "Ada"})]))
    (game,) = games(path)
    assert game.names == ("Ada", "White")
    assert (game.played.value, game.played.margin) == (value, margin)


def test_thor_files_are_read_and_illegal_games_named(tmp_path: Path) -> None:
    path, odd = tmp_path / "a.wtb", tmp_path / "b.ggf"
    one = GgfGame(8, None, 0, tuple(SHORT), GgfResult(-4.0), {"PB": "Ada", "PW": "Grace"})
    WRITERS[".wtb"](path, [one, one])
    assert [game.names for game in games(path)] == [("Ada", "Grace")] * 2
    odd.write_text(ggf.write([one, one]).replace("B[F5]", "B[a1/2]", 1))
    assert failures(odd) == [f"{odd} game 1: move 1, B[a1/2]: not a legal move"]


def test_lines_of_moves_say_by_their_looks_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("f5d6c3\n# a remark\n\n4453\n")
    othello, connect4 = games(path)
    assert (othello.played.board.name, connect4.played.board.name) == ("othello8", "connect4")
    assert [move for _, move in connect4.played.game_record.moves] == [3, 3, 4, 2]
    (written,) = games("4453")
    assert written.played == connect4.played
    (go,) = games("D4 pass E5", reading=ReadingSettings(board="go7"))
    assert [move for _, move in go.played.game_record.moves] == [24 - 3 + 3, 49, 18]


def test_what_is_no_game_is_quoted(tmp_path: Path) -> None:
    lines, other = tmp_path / "lines.txt", tmp_path / "game.pdf"
    lines.write_text("f5a1\n4453\nhello\n")
    assert failures(lines) == [
        f"{lines} line 1: move 2, 'a1': not a legal move",
        f"{lines} line 3: 'hello' does not begin with a move",
    ]
    other.write_text("")
    assert failures(other) == [
        f"{other}: no format for '.pdf': one of .sgf, .ggf, .wtb, .pgn, .txt, .jsonl"
    ]
    assert failures(tmp_path / "no.sgf") == [f"{tmp_path / 'no.sgf'}: No such file or directory"]
    assert failures("zzz") == ["zzz: no such file, nor moves: 'zzz' does not begin with a move"]


def write_match(path: Path, rows: list[dict[str, object]], **header: object) -> Path:
    """The record of a match of Connect4."""
    told = {"game": "connect4", "players": ["sparring:full --visits 9", "mcts1"]} | header
    path.write_text("".join(json.dumps(each) + "\n" for each in [told, *rows]))
    return path


def test_games_of_a_match_are_those_of_its_players(tmp_path: Path) -> None:
    opening = row(1, 1, black=1, moves=["5"], result="R+3") | {"opening": ["4", "4"]}
    lost = row(2, 0, moves=["1"]) | {"how": "crashed"}
    wrong = row(3, 0, moves=["9"])
    path = write_match(tmp_path / "m.jsonl", [row(0, 0, moves=["4"]), opening, lost, wrong])
    first, second, failed = read(str(path), ReadingSettings())
    assert isinstance(first, ReviewedGame)
    assert isinstance(second, ReviewedGame)
    assert (first.names, second.names) == (("full", "mcts1"), ("mcts1", "full"))
    assert (second.played.opening, second.played.value, second.played.margin) == (2, 1.0, 3.0)
    assert (
        str(failed) == f"{path} game 3: no game of this match: '9' is not a column of the 7x6 board"
    )


def test_a_record_being_written_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    path = write_match(tmp_path / "m.jsonl", [row(0, 0, moves=["4"])])
    path.write_text(path.read_text() + '{"game": 1, "pa')
    assert len(recorded(path).rows) == 1


@pytest.mark.parametrize(
    "text", ["", "hello\n", "[]\n", '{"game": "chess"}\n', '{"players": []}\n']
)
def test_what_is_no_record_of_a_match_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(text)
    with pytest.raises(RecordFileError, match="no match record"):
        recorded(path)
    assert failures(path)[0].startswith(f"{path}: is no match record")


def test_players_are_distinguished_in_few_words() -> None:
    assert short_names(["sparring:position:A -x", "sparring:naive -x"]) == ("position:A", "naive")
    assert short_names(["sparring:full --visits 9", "sparring:full"]) == ("full --visits 9", "full")
