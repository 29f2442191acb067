"""What every memory does, whether it is on disk or not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.errors import SettingError
from engine.games.chess_game import read_uci
from engine.games.game_record import GameRecord
from engine.games.game_settings import PlainSettings
from engine.games.table import Board
from engine.opponents.opponent_store import (
    EloEstimate,
    NewMoves,
    OpponentEntry,
    OpponentName,
    OpponentStore,
    RatedEvidence,
    StoredGame,
)
from engine.opponents.server_rating import ServerRating
from engine.strength.elo_scale import EloScale
from tests.support.store.known import ANN, BOB, GAME, LARGE, SMALL, counted


def test_nothing_is_known_of_a_stranger(memory: OpponentStore) -> None:
    assert memory.recall(ANN, SMALL) is None
    assert memory.history(ANN, SMALL) == ()
    assert memory.unfinished(ANN) == ()


def test_an_entry_belongs_to_a_name_a_server_and_a_board(memory: OpponentStore) -> None:
    for _ in range(3):
        memory.revise(ANN, SMALL, counted)
    memory.revise(ANN, LARGE, counted)
    memory.revise(OpponentName("Ann", "cgos"), SMALL, counted)
    known = memory.recall(ANN, SMALL)
    assert known == OpponentEntry({"number": 3}, 0, EloEstimate(3.0, 1.5, 4.5))
    others = memory.recall(ANN, LARGE), memory.recall(OpponentName("Ann", "cgos"), SMALL)
    assert [other.state["number"] for other in others if other] == [1, 1]
    assert memory.recall(BOB, SMALL) is None


def test_a_change_that_fails_changes_nothing(memory: OpponentStore) -> None:
    memory.revise(ANN, SMALL, counted)

    def failing(known: OpponentEntry | None) -> OpponentEntry:
        raise RuntimeError(f"not {known}")

    for name in (ANN, BOB):
        with pytest.raises(RuntimeError):
            memory.revise(name, SMALL, failing)
    known = memory.recall(ANN, SMALL)
    assert known is not None
    assert known.state == {"number": 1}
    assert memory.recall(BOB, SMALL) is None
    memory.revise(BOB, SMALL, counted)


def test_the_history_has_one_estimate_a_game(memory: OpponentStore) -> None:
    for _ in range(2):
        game = memory.begin_game(GAME)
        for _ in range(3):
            memory.revise(ANN, SMALL, counted, game=game)
    for _ in range(2):
        memory.revise(ANN, SMALL, counted)
    moments = memory.history(ANN, SMALL)
    assert [moment.estimate.mean for moment in moments] == [3, 6, 7, 8]
    times = [moment.time for moment in moments]
    assert times == sorted(times)
    assert all(time.tzinfo is not None for time in times)


def test_all_opponents_are_listed_the_latest_first(memory: OpponentStore) -> None:
    assert memory.summaries() == ()
    memory.revise(ANN, SMALL, counted)
    memory.revise(BOB, SMALL, counted)
    memory.revise(ANN, LARGE, counted)
    rows = memory.summaries()
    assert [(row.opponent, row.board) for row in rows] == [
        (ANN, LARGE.name),
        (BOB, SMALL.name),
        (ANN, SMALL.name),
    ]
    assert rows[0].known == memory.recall(ANN, LARGE)


def test_a_game_is_stored_and_taken_back_move_by_move(memory: OpponentStore) -> None:
    number = memory.begin_game(GAME)
    memory.note_moves(number, NewMoves(1, [(0, 41), (1, 42)], ["", "close"]))
    memory.note_moves(number, NewMoves(3, [(0, 43)], [""]))
    memory.note_moves(number, NewMoves(2, [(1, 44)], ["closer"]))
    ((found, game),) = memory.unfinished(ANN)
    assert found == number
    assert game.started is not None
    assert replace(game, started=None) == replace(
        GAME, moves=((1, 40), (0, 41), (1, 44)), reasons=("the middle", "", "closer")
    )
    memory.note_moves(number, NewMoves(0, [], []))
    assert memory.unfinished(ANN)[0][1].moves == ()


def test_a_belief_is_stored_with_the_moves_of_its_evidence(memory: OpponentStore) -> None:
    number = memory.begin_game(GAME)

    def learn(new: NewMoves) -> tuple[int, tuple[tuple[int, int], ...]]:
        known = memory.revise(ANN, SMALL, counted, game=number, new=new)
        assert memory.recall(ANN, SMALL) == known
        return known.state["number"], memory.unfinished(ANN)[0][1].moves[1:]

    assert learn(NewMoves(1, [(0, 41), (1, 42)], ["", "close"])) == (1, ((0, 41), (1, 42)))
    assert learn(NewMoves(3, [(0, 43)], [""])) == (2, ((0, 41), (1, 42), (0, 43)))
    assert learn(NewMoves(2, [(1, 44)], ["closer"])) == (3, ((0, 41), (1, 44)))  # others before
    assert learn(NewMoves(1, [], [])) == (4, ())  # all taken back
    assert learn(NewMoves(1, [(0, 45)], [""])) == (5, ((0, 45),))
    assert [moment.estimate.mean for moment in memory.history(ANN, SMALL)] == [5]


def test_a_stored_game_can_be_loaded(memory: OpponentStore) -> None:
    moves = ((0, 19), (1, 18), (0, 17))
    memory.begin_game(
        StoredGame(ANN, PlainSettings("othello"), 8, 8, color=1, moves=moves, reasons=("",) * 3)
    )
    ((_, game),) = memory.unfinished(ANN)
    course = GameRecord.of(game)
    assert course.moves == moves
    assert course.position().to_move == 1
    assert game.board == Board("othello", 8, 8)


def test_a_stored_game_of_chess_can_be_played_on(memory: OpponentStore) -> None:
    module = pytest.importorskip("engine.games.chess_position")
    words = ("e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "e8d7")  # en passant, and castling is lost
    moves = tuple((number % 2, read_uci(word)) for number, word in enumerate(words))
    settings = PlainSettings("chess")
    memory.begin_game(StoredGame(ANN, settings, 8, 8, color=1, moves=moves, reasons=("",) * 6))
    ((_, game),) = memory.unfinished(ANN)
    record, played = GameRecord.of(game), module.ChessPosition()
    for _, move in moves:
        played.play(move)
    assert (game.board, record.moves) == (Board("chess", 8, 8), moves)
    stored: Any = record.position()
    assert stored.is_same(played)
    assert stored.fen.split()[1:3] == ["w", "KQ"]


def test_unfinished_games_are_the_opponents_latest_first_until_they_end(
    memory: OpponentStore,
) -> None:
    numbers = [memory.begin_game(GAME) for _ in range(3)]
    memory.begin_game(replace(GAME, opponent=BOB))
    memory.note_result(numbers[1], "W+R", 1.0)
    assert [number for number, _ in memory.unfinished(ANN)] == [numbers[2], numbers[0]]
    assert [game.result for _, game in memory.unfinished(ANN)] == ["", ""]


NAMES = ["", "  ", "a\nb", "\x00", "a\u202eb", "\udc80", "x" * 201]


@pytest.mark.parametrize("name", NAMES)
def test_impossible_names_are_refused(name: str) -> None:
    with pytest.raises(SettingError, match="not a"):
        OpponentName(name)
    if name.strip():
        with pytest.raises(SettingError, match="not a name"):
            OpponentName("Ann", name)


@pytest.mark.parametrize("name", ["Ann Other", "李昌鎬", "a'; DROP TABLE moves; --", "x" * 200])
def test_other_names_stay_as_they_are(memory: OpponentStore, name: str) -> None:
    memory.revise(OpponentName(name), SMALL, counted)
    assert memory.recall(OpponentName(name), SMALL) is not None
    assert memory.recall(OpponentName(f"{name[:-1]}?"), SMALL) is None


def test_case_makes_another_name(memory: OpponentStore) -> None:
    memory.revise(ANN, SMALL, counted)
    assert memory.recall(OpponentName("ANN"), SMALL) is None


def test_the_evidence_about_a_servers_players_is_listed(memory: OpponentStore) -> None:
    def rated(number: int, deviation: float) -> RatedEvidence:
        rating = ServerRating(1500.0 + number, 80.0, 9)
        scale = EloScale((0.0, 9.0), (0.0, 1.0 + number)) if number else None
        return RatedEvidence(rating, 1000.0 + number, deviation, scale)

    def met(name: OpponentName, board: Board, evidence: RatedEvidence | None) -> None:
        scale = None if evidence is None or evidence.scale is None else evidence.scale.to_json()
        entry = OpponentEntry({"scale": scale}, 1, EloEstimate(1.0, 0.0, 2.0), evidence)
        memory.revise(name, board, lambda _known: entry)

    names = [OpponentName(str(number), "ogs", "Ann") for number in range(4)]
    met(names[0], SMALL, rated(0, 100.0))
    met(names[1], SMALL, rated(1, 150.0))
    met(names[2], SMALL, rated(2, 400.0))  # not met often enough
    met(names[3], LARGE, rated(3, 100.0))
    met(BOB, SMALL, rated(4, 100.0))
    met(ANN, SMALL, None)
    assert sorted(memory.rated("ogs", SMALL), key=str) == [rated(0, 100.0), rated(1, 150.0)]
    assert memory.rated("ogs", SMALL, names[0]) == (rated(1, 150.0),)
    assert memory.rated("lichess", SMALL) == ()


def test_all_games_with_an_opponent_are_listed(memory: OpponentStore) -> None:
    first = memory.begin_game(GAME)
    memory.note_result(first, "B+R", 1.0)
    memory.begin_game(GAME)
    memory.begin_game(replace(GAME, opponent=BOB))
    games = [game for _, game in memory.games(ANN)]
    assert [game.result for game in games] == ["", "B+R"]
    assert [game.points for game in games] == [None, 1.0]
    assert memory.games(OpponentName("Eve")) == ()
