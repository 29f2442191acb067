"""Human games: both kinds of archive read into one table, kept in a file, drawn and replayed."""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine._core import GoPosition, GoRules
from engine.training.go.humans import draw_moves, positions_before
from engine.training.go.records import (
    IMITATED,
    MOVE_BITS,
    NOBODY_WON,
    PASS,
    SET_UP,
    UNKNOWN,
    WHITE,
    GameTable,
    find_archives,
    read_games,
    read_table,
    table_of,
)
from engine.training.go.samples import TERRITORY_GLOBAL

LETTERS = "abcdefghijklmnopqrs"
KOMI_GLOBAL = 5  # the side to move's, in units of 20 points
JAPANESE = GoRules(ko="SIMPLE", scoring="TERRITORY", tax="SEKI", suicide=False)


def walk(first: str, moves: int) -> str:
    """Returns nodes of a game with every other row filled from the top, `first` to play."""
    colors = "BW" if first == "B" else "WB"
    return "".join(
        f";{colors[number % 2]}[{LETTERS[number % 19]}{LETTERS[2 * (number // 19)]}]"
        for number in range(moves)
    )


TYGEM = {
    "whole": f"1\t{walk('B', 50)};B[];W[tt]",
    "short": f"2\t{walk('B', 20)}",
    "torn": f"3\t{walk('B', 50)};B[a",
    "occupied": f"4\t{walk('B', 50)};B[aa];W[ss]",
}
HEAD = "(;GM[1]SZ[19]RU[{rules}]KM[{komi}]BR[{black}]WR[{white}]"
KGS = {
    "even": HEAD.format(rules="Chinese", komi="7.50", black="7d", white="9p")
    + "RE[W+12.50]"
    + walk("B", 45)
    + ")",
    "handicap": HEAD.format(rules="Japanese", komi="0.50", black="3k", white="6d")
    + "HA[2]AB[dr][pr]PB[Ann]PW[Bob]RE[W+Time]"
    + walk("W", 45)
    + ")",
    "small": "(;GM[1]SZ[9];B[aa])",
    "broken": "no game",
}


@pytest.fixture(name="folder")
def folder_with_archives(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "2016-06.zip", "w") as archive:
        archive.writestr("2016-06", "\n".join(TYGEM.values()) + "\n")
    with tarfile.open(tmp_path / "KGS.tar.gz", "w:gz") as archive:
        for name, text in KGS.items():
            told = tarfile.TarInfo(f"KGS/{name}.sgf")
            told.size = len(text)
            archive.addfile(told, io.BytesIO(text.encode()))
    return tmp_path


def test_tygem_games_are_read_as_played(folder: Path) -> None:
    whole, short, occupied = read_games(folder / "2016-06.zip")
    assert (whole.rules, whole.komi) == (JAPANESE, 6.5)
    assert (whole.numbers[:3] & MOVE_BITS).tolist() == [0, 1, 2]
    assert (whole.numbers[19:21] & MOVE_BITS).tolist() == [38, 39]
    assert (whole.numbers[-2:] & MOVE_BITS).tolist() == [PASS, PASS]
    assert ((whole.numbers & WHITE) > 0).tolist() == [False, True] * 26
    assert (whole.numbers & IMITATED).all()
    assert (len(short.numbers), len(occupied.numbers)) == (20, 52)


def test_kgs_games_keep_rules_stones_and_who_is_strong(folder: Path) -> None:
    even, handicap = read_games(folder / "KGS.tar.gz")
    assert (even.rules.scoring, even.komi) == ("AREA", 7.5)
    assert (even.numbers & IMITATED).all()
    assert (handicap.rules, handicap.komi) == (JAPANESE, 0.5)
    assert (handicap.numbers & SET_UP > 0).tolist() == [True] * 2 + [False] * 45
    assert (handicap.numbers & MOVE_BITS).tolist()[:3] == [17 * 19 + 3, 17 * 19 + 15, 0]
    strong, white = handicap.numbers & IMITATED > 0, handicap.numbers & WHITE > 0
    assert np.array_equal(strong, white)  # Black is too weak to be imitated


def test_games_keep_ranks_winners_and_players(folder: Path) -> None:
    even, handicap = read_games(folder / "KGS.tar.gz")
    assert (even.ranks, even.winner, even.players[0]) == ((3, 1), 1, 0)
    assert (handicap.ranks, handicap.winner) == ((12, 4), NOBODY_WON)  # won on time
    assert handicap.players[0] == zlib.crc32(b"Ann") != handicap.players[1]
    tygem = next(read_games(folder / "2016-06.zip"))
    assert (tygem.ranks, tygem.winner, tygem.players) == ((1, 1), NOBODY_WON, (0, 0))


@pytest.mark.parametrize(
    ("text", "rank", "winner"),
    [
        ("BR[9p]RE[B+Resign]", 1, 0),
        ("BR[30k]RE[B+R]", 39, 0),
        ("BR[8k?]RE[W+0.50]", UNKNOWN, 1),
        ("BR[31k]RE[B+Time]", UNKNOWN, NOBODY_WON),
        ("BR[-]RE[W+Forfeit]", UNKNOWN, NOBODY_WON),
        ("RE[Void]", UNKNOWN, NOBODY_WON),
    ],
)
def test_ranks_and_winners_are_known_or_left_out(
    folder: Path, text: str, rank: float, winner: int
) -> None:
    with tarfile.open(folder / "one.tar.gz", "w:gz") as archive:
        data = f"(;GM[1]SZ[19]{text}{walk('B', 45)})".encode()
        member = tarfile.TarInfo("one.sgf")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    (game,) = read_games(folder / "one.tar.gz")
    assert (game.ranks, game.winner) == ((rank, UNKNOWN), winner)


def test_a_file_of_an_earlier_release_is_read_anew(folder: Path) -> None:
    archives, cache = find_archives([folder]), folder / "games.npz"
    table = read_table(archives, cache)
    with np.load(cache) as file:
        known = {name: file[name] for name in file.files if name not in ("ranks", "winners")}
    np.savez(cache, **known)
    assert np.array_equal(read_table(archives, cache).ranks, table.ranks)


def test_a_table_leaves_out_short_games_and_is_kept_in_its_file(folder: Path) -> None:
    archives = find_archives([folder])
    kept = folder / "games.npz"
    table = read_table(archives, kept)
    assert len(table) == 4
    for path in archives:
        path.rename(path.with_suffix(".away"))
        path.write_bytes(path.with_suffix(".away").read_bytes()[::-1])  # the same length
    again = read_table(archives, kept)
    assert np.array_equal(again.numbers, table.numbers)
    assert np.array_equal(again.starts, table.starts)
    assert [again.game(at)[1:] for at in range(4)] == [table.game(at)[1:] for at in range(4)]
    archives[0].write_bytes(b"PK")  # another length: read anew
    with pytest.raises(ValueError, match=r"2016-06\.zip: File is not a zip file"):
        read_table(archives, kept)


def test_games_held_out_are_never_found(folder: Path) -> None:
    held_out = folder / "2016-06.zip"
    assert [path.name for path in find_archives([folder], held_out)] == ["KGS.tar.gz"]
    with pytest.raises(ValueError, match=r"no Tygem zip and no KGS tar\.gz in .*2016-06\.zip"):
        find_archives([held_out], folder / "." / "2016-06.zip")


def table_from(*lines: str, folder: Path) -> GameTable:
    path = folder / "some.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("some", "\n".join(lines))
    return table_of(read_games(path))


def test_positions_are_those_before_the_moves(folder: Path) -> None:
    game = table_of(read_games(folder / "KGS.tar.gz")).game(1)
    seen = list(positions_before(game, {2, 5, 30}))
    position = GoPosition(19, 19, JAPANESE, 0.5)
    position.setup([(0, 17 * 19 + 3), (0, 17 * 19 + 15)], 1)
    expected: dict[int, tuple[Any, ...]] = {}
    for number, move in enumerate((game.numbers[2:] & MOVE_BITS).tolist(), 2):
        expected[number] = (*position.features(), position.legal_mask(), move)
        position.play(move)
    for found, number in zip(seen, (2, 5, 30), strict=True):
        for part, other in zip(found, expected[number], strict=True):
            np.testing.assert_array_equal(part, other)


def test_a_record_ends_where_it_cannot_be_played(folder: Path) -> None:
    game = table_from(TYGEM["occupied"], folder=folder).game(0)
    assert (
        len(list(positions_before(game, {10, 50, 51}))) == 2
    )  # the 51st is shown, but cannot be played


def test_draws_depend_on_the_generator_alone(folder: Path) -> None:
    table = table_of(read_games(folder / "KGS.tar.gz"))

    def drawn(seed: int) -> tuple[list[int], bytes]:
        rng = np.random.default_rng(seed)
        found = draw_moves(table, 13, rng, a_game=3, area_share=0.5)
        return found.moves.tolist(), found.rows.planes.numpy().tobytes()

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert len(drawn(1)[0]) == 13


def test_some_games_are_shown_under_area_rules_with_a_point_more(folder: Path) -> None:
    table = table_from(TYGEM["whole"], folder=folder)
    rng = np.random.default_rng(1)
    as_played, shown = (
        draw_moves(table, 6, rng, a_game=6, area_share=share).rows.globals for share in (0.0, 1.0)
    )
    assert set(as_played[:, TERRITORY_GLOBAL].tolist()) == {1.0}
    assert set(shown[:, TERRITORY_GLOBAL].tolist()) == {0.0}
    assert set((shown[:, KOMI_GLOBAL].abs() * 20).tolist()) == {7.5}


def test_records_without_a_whole_game_are_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="no game of 40 moves on 19x19 among the records"):
        table_from(TYGEM["short"], folder=folder)


def test_a_useless_table_is_reported(folder: Path) -> None:
    weak = table_of(read_games(folder / "KGS.tar.gz"))
    weak.numbers[:] &= ~IMITATED
    with pytest.raises(ValueError, match="of 40 games drawn, hardly any can be played"):
        draw_moves(weak, 4, np.random.default_rng(1), a_game=3, area_share=0.0)
