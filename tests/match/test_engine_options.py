"""The options behind `sparring:PERSONA` in a player's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games.table import Board
from engine.match.engine_options import WrittenOptions, options_of, read_options
from engine.match.players import PlayerTextError, check_player
from engine.search.chess_aids import NO_AIDS, ChessAids

BOARD = Board("othello", 8, 8)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("", WrittenOptions()),
        ("--visits 10 --no-solver", WrittenOptions(visits=10, no_solver=True)),
        ("--visits=10 --visits=20", WrittenOptions(visits=20)),
        ("-model a --reference=b", WrittenOptions(network="a", human_network="b")),
        ("-human-model b --netw a", WrittenOptions(network="a", human_network="b")),
        ("--back torch --prec bf16", WrittenOptions(backend="torch", precision="bf16")),
        ("--no-network", WrittenOptions(no_network=True)),
        ("--chess-engine=stockfish", WrittenOptions(chess_engine="stockfish")),
    ],
)
def test_options_are_read(words: str, options: WrittenOptions) -> None:
    assert read_options(words.split()) == options


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--visits", "argument --visits: expected one argument"),
        ("--visits --no-solver", "argument --visits: expected one argument"),
        ("--visits -3", "argument --visits: '-3' is not a whole number above 0"),
        ("--visits=", "argument --visits: '' is not a whole number above 0"),
        ("--no-solver=1", "argument --no-solver: ignored explicit argument '1'"),
        ("--precision fp33", "argument --precision: invalid choice: 'fp33'"),
        ("--frobnicate 3", "no option '--frobnicate' in a match"),
        ("--visits 3 more", "no option 'more' in a match"),
        ("--", "no option '--' in a match"),
        ("--no", "ambiguous option: --no could match --no-network, --no-solver"),
    ],
)
def test_a_mistake_is_an_error_of_the_players_text(words: str, reason: str) -> None:
    with pytest.raises(PlayerTextError, match=reason):
        check_player(f"sparring:full {words}", BOARD)


def test_options_follow_a_persona_of_several_words() -> None:
    options = options_of(BOARD, ["even:closeness=0", "--visits", "4"])
    assert (options.visits, options.solve) == (4, True)
    with pytest.raises(ValueError, match="no network file '/none'"):
        options_of(BOARD, ["full", "--network", "/none"])
    with pytest.raises(ValueError, match="exclude each other"):
        options_of(BOARD, ["full", "--no-network", "--network", __file__])


def test_another_engine_counts_in_chess_alone(tmp_path: Path) -> None:
    network = tmp_path / "maia-1500.pb.gz"
    network.touch()
    words = ["full", "--human-network", str(network), "--chess-engine", "stockfish -x"]
    options = options_of(Board("chess", 8, 8), words)
    assert options.aids == ChessAids(engine="stockfish -x")
    assert options.network.path == options.human.path == network  # type: ignore[union-attr]
    assert options_of(BOARD, ["full", "--chess-engine", "stockfish"]).aids == NO_AIDS
