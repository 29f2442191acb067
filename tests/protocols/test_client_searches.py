"""Which network plays on which board: the folder's files, and sessions that change their board."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.formats import ggf
from engine.games.evaluator import Evaluator
from engine.games.table import GAMES, Board, usual_board
from engine.networks.fresh import Shape, fresh_architecture
from engine.networks.sparring import write_sparring
from engine.opponents.opponent_store import OpponentName
from engine.play.game_networks import NetworkChoice
from engine.play.network_pool import NetworkPool
from engine.play.networks import load, networks_of
from engine.search.chess_aids import ChessAids
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, speak
from protocols.gtp.speak import GTP
from protocols.inbox import Inbox
from protocols.nboard.speak import NBOARD
from protocols.outbox import Outbox
from protocols.rights import NO_MEMORY, Rights
from protocols.ugi.speak import UGI
from tests.support.networks import lc0_writer

FILES = {
    "connect4": "connect4",
    "othello6": "othello",
    "othello8": "othello",
    "othello8-human": "othello",
    "go": "go",
    "go-human": "go",
}
USER = Rights(is_user=True)
PROTOCOLS = {"gtp": GTP, "ugi": UGI, "nboard": NBOARD}
PLAYOUTS = None  # instead of a file's name
PLACES = {
    Board("connect4", 7, 6): "connect4",
    Board("connect4", 8, 7): PLAYOUTS,
    Board("connect4", 6, 7): PLAYOUTS,
    Board("othello", 6, 6): "othello6",
    Board("othello", 8, 8): "othello8",
    Board("othello", 4, 4): PLAYOUTS,
    Board("othello", 10, 10): PLAYOUTS,
    Board("go", 19, 19): "go",
    Board("go", 9, 13): "go",
}
SMALL_GAME = ggf.write_game(ggf.GgfGame(size=6))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of networks with random weights, named as those that come with the engine."""
    path = tmp_path_factory.mktemp("weights")
    for name, game in FILES.items():
        shape = Shape(
            ("residual",), channels=8, middle=8, pooling=4, head=4, hidden=8, version=8, game=game
        )
        network = fresh_architecture(name, shape, np.random.default_rng(1))
        write_sparring(path / f"{name}.safetensors", network, {})
    return path


class Talk:
    """Clients of one process, in memory."""

    def __init__(self, folder: Path) -> None:
        self.loaded: list[str | None] = []
        self.pool = NetworkPool(
            self._load, {game: networks_of(game, folder=folder) for game in GAMES}
        )

    def _load(self, choice: NetworkChoice) -> Evaluator:
        self.loaded.append(choice.path.stem if choice.path else PLAYOUTS)
        return load(choice)

    def say(self, request: ClientRequest, lines: Sequence[str]) -> str:
        """All that a client who says these lines is answered."""
        inbox, outbox = Inbox(on_room=lambda: None), Outbox(wake=lambda: None)
        inbox.put(list(lines))
        inbox.close()
        speak(self.pool, PROTOCOLS, request, inbox, outbox)
        return b"".join(outbox.take()).decode()


def models(answer: str) -> list[str]:
    """The networks that answers to kata-get-models name."""
    return [json.loads(line[2:])[0]["name"] for line in answer.splitlines() if "[" in line]


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_every_board_has_the_folders_network_or_playouts(board: Board, folder: Path) -> None:
    path = networks_of(board.game, folder=folder).on(board).path
    assert (path.stem if path else PLAYOUTS) == PLACES[board]
    named = networks_of(board.game, "mine.gz", folder=folder).on(board)
    assert named.path == Path("mine.gz").resolve()


def test_a_file_that_is_not_there_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "othello6.safetensors").touch()
    networks = networks_of("othello", folder=tmp_path)
    assert networks.on(Board("othello", 6, 6)).path == tmp_path / "othello6.safetensors"
    assert networks.on(Board("othello", 8, 8)).path is None


def test_gtp_changes_the_network_with_the_board(folder: Path) -> None:
    talk = Talk(folder)
    lines = [
        "kata-get-models",
        "set_game othello",
        "kata-get-models",
        "boardsize 6",
        "kata-get-models",
        "kata-set-param maxVisits 5",
        "genmove b",
        "boardsize 4",
        "kata-get-models",
        "genmove b",
        "boardsize 5",  # refused, nothing changed
        "kata-get-models",
        "boardsize 8",
        "clear_board",
        "kata-get-models",
        "set_game connect4",
        "kata-get-models",
        "boardsize 8 7",
        "kata-get-models",
        "boardsize 7",
        "kata-get-models",
        "set_game go",
        "boardsize 9",
        "kata-get-models",
    ]
    answer = talk.say(ClientRequest("gtp"), lines)
    small, columns = "othello playouts 1, seed 1", "connect4 playouts 4, seed 1"
    othello = ["othello8", "othello6", small, small, "othello8"]
    assert models(answer) == ["go", *othello, "connect4", columns, "connect4", "go"]
    assert answer.count("? unacceptable size") == answer.count("? ") == 1
    assert talk.loaded == ["go", "othello8", "othello6", PLAYOUTS, "connect4", PLAYOUTS]


def test_gtp_loads_a_game_on_another_board(folder: Path, tmp_path: Path) -> None:
    talk = Talk(folder)
    (tmp_path / "small.ggf").write_text(SMALL_GAME)
    request = ClientRequest(
        "gtp", board=Board("othello", 8, 8), rights=Rights(is_user=True, folder=tmp_path)
    )
    answer = talk.say(
        request, ["kata-get-models", "loadsgf small.ggf", "kata-get-models", "showboard"]
    )
    assert models(answer) == ["othello8", "othello6"]


def test_ugi_and_nboard_change_the_network_with_the_board(folder: Path) -> None:
    talk = Talk(folder)
    lines = [
        "position startpos",
        "go nodes 5",
        "position fen 8/8/8/3ox3/3xo3/8/8/8 x",
        "go nodes 5",
        "setoption name Game value connect4",
        "position startpos moves 4",
        "go nodes 5",
    ]
    request = ClientRequest("ugi", game="othello6", board=Board("othello", 6, 6), persona="full")
    answer = talk.say(request, lines)
    assert answer.count("bestmove") == 3
    assert talk.loaded == ["othello6", "othello8", "connect4"]
    full = ClientRequest("nboard", persona="full")
    answer = talk.say(full, ["set depth 1", "go", f"set game {SMALL_GAME}", "go"])
    assert answer.count("=== ") == 2
    assert talk.loaded == ["othello6", "othello8", "connect4"]


def test_a_board_whose_network_cannot_be_had_is_refused_and_the_game_stays(
    folder: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "othello8.safetensors"
    broken.write_bytes((folder / "othello8.safetensors").read_bytes()[:1000])
    (tmp_path / "othello6.safetensors").write_bytes((folder / "othello6.safetensors").read_bytes())
    talk = Talk(tmp_path)
    small = Board("othello", 6, 6)
    lines = ["kata-set-param maxVisits 5", "genmove b", "boardsize 8", "kata-get-models"]
    answer = talk.say(ClientRequest("gtp", board=small), [*lines, "genmove w"])
    assert "? cannot play Othello on 8x8: " in answer
    assert models(answer) == ["othello6"]
    assert answer.count("? ") == 1
    lines = ["position startpos", "position fen 8/8/8/3ox3/3xo3/8/8/8 x", "go nodes 5"]
    answer = talk.say(ClientRequest("ugi", game="othello6", board=small), lines)
    assert "cannot play Othello on 8x8" in answer
    assert answer.count("bestmove") == 1


def test_opponents_are_remembered_from_client_to_client(folder: Path) -> None:
    talk = Talk(folder)
    small, ann = Board("connect4", 7, 6), OpponentName("Ann")
    gtp = ClientRequest("gtp", board=small, persona="level:100", opponent="Ann", rights=USER)
    talk.say(gtp, ["kata-set-param maxVisits 5", "genmove b", "play w 4"])
    ((_, game),) = talk.pool.memory.unfinished(ann)
    assert len(game.moves) == 2
    column = str(game.moves[0][1] + 1)
    answer = talk.say(gtp, ["sparring-resume", "undo", "undo", f"play b {column}"])
    assert "= connect4, 2 moves, we are Red" in answer
    nobody = ClientRequest("gtp", board=small, persona="level:100")  # as from another machine
    for asked in ("sparring-opponent", "sparring-opponent Ann", "cgos-opponent_name Ann"):
        said = talk.say(nobody, [asked, "sparring-resume", "genmove b", "cgos-gameover W+Resign"])
        assert said.count(f"? {NO_MEMORY}") == 2
    assert talk.say(replace(nobody, opponent="Ann"), ["name"]) == f"? {NO_MEMORY}\n\n"
    assert len(talk.pool.memory.unfinished(ann)) == 1
    supposed = replace(nobody, rights=USER)
    assert "= player\nconnect4: unknown" in talk.say(supposed, ["genmove b", "sparring-opponent"])
    assert len(talk.pool.memory.unfinished(OpponentName("player"))) == 1
    refused = talk.say(replace(gtp, opponent="\t"), ["name"])
    assert refused.startswith("? not a name")


CONNECT4 = Board("connect4", 7, 6)
ANN_BY_UGI = ClientRequest(
    "ugi", game="connect4", board=CONNECT4, persona="full", opponent="Ann", rights=USER
)


def lost_game_by_ugi(talk: Talk) -> list[str]:
    """Returns the lines of a game of Connect4 that the engine loses to its client."""
    asked = ["position startpos", "go nodes 3"]
    first = talk.say(ANN_BY_UGI, asked).split()[-1]
    theirs, other = [column for column in "1234567" if column != first][:2]
    moves = [first, theirs, first, theirs, other, theirs, other, theirs]
    return [*asked, "position startpos moves " + " ".join(moves)]


def test_an_ugi_client_says_between_games_who_plays(folder: Path) -> None:
    talk = Talk(folder)
    game = lost_game_by_ugi(talk)
    named = "setoption name Opponent value Bob"
    told = talk.say(
        ANN_BY_UGI, ["ugi", *game, named, *game, "setoption name Game value othello", "ugi"]
    )
    defaults = re.findall("option name Opponent type string default (.*)", told)
    assert defaults == ["Ann", "Bob"]
    for name in ("Ann", "Bob"):
        known = talk.pool.memory.recall(OpponentName(name), CONNECT4)
        assert known is not None
        assert known.games == 1
    refused = talk.say(ANN_BY_UGI, ["setoption name Opponent value \x07"])
    assert "not a name" in refused


def test_a_game_that_was_over_when_an_ugi_client_went_is_counted(folder: Path) -> None:
    talk = Talk(folder)
    talk.say(ANN_BY_UGI, lost_game_by_ugi(talk))
    known = talk.pool.memory.recall(OpponentName("Ann"), CONNECT4)
    assert known is not None
    assert known.games == 1


def test_the_engine_named_for_chess_values_its_moves(tmp_path: Path) -> None:
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
    path = lc0_writer.write(tmp_path / "maia-1500.pb.gz", lc0_writer.Shape())
    networks = {
        game: networks_of(game, human_network=str(path), aids=ChessAids(engine="stockfish"))
        for game in ("chess", "go")
    }
    pool = NetworkPool(load, networks)
    with pool.lease(networks["chess"]) as lease:
        searches = ClientSearches(lease)
        search = searches.search_on(usual_board("chess"))
        assert search.aids.engine is not None
        assert search.aids.engine.command == "stockfish"
        people = searches.human_policy_on(usual_board("chess"))
        assert people is not None
        assert people.evaluator is search.evaluator
