"""Games of chess of our bot on the stand-in, with a running engine."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots import actions
from bots.engine_connection import EngineAddress
from bots.engine_session import EngineSession, PlayOptions
from bots.game_clocks import GameClocks, PlayerClock
from bots.game_memory import GameMemory
from bots.game_setup import GameSetup, OnlineMove, OnlineOpponent, OnlineResult, OnlineTimeControl
from bots.lichess.challenge_rules import ChallengeRules
from bots.lichess.server_table import SERVERS
from tests.bots.lichess.playing import POLICY, bot_on
from tests.bots.lichess.stand_in.arena import Arena
from tests.bots.lichess.stand_in.faults import ALL_FAULTS, FaultChances
from tests.bots.lichess.stand_in.games import GameTerms, StandInGame
from tests.bots.lichess.stand_in.opponents import LIVELY
from tests.bots.lichess.stand_in.referees import CHESS960_START, ChessReferee
from tests.bots.lichess.stand_in.server import StandIn
from tests.support.bots.engine_process import EngineServer
from tests.support.networks import lc0_writer
from tests.support.paths import ROOT

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

MAIA = ROOT.parent / "shared" / "data" / "maia" / "maia-1100.pb.gz"
ENDS = {"mate", "draw"}
VARIANTS = ("standard", "chess960", "fromPosition")
OPPONENT = OnlineOpponent("ann", "lichess", pool="blitz", rating=1400.0, deviation=60.0)
SETUP = GameSetup(
    "g1",
    0,
    OPPONENT,
    game="chess",
    width=8,
    height=8,
    start=f"chess960 {CHESS960_START}",
    time_control=OnlineTimeControl.fischer(60, 2),
)


def engine_with(folder: Path, network: Path, *options: str) -> EngineServer:
    """An engine with a network of chess, which also stands in for people's moves."""
    settings = folder / "sparring.toml"
    settings.write_text(f'[networks]\nchess = "{network}"\nhuman_chess = "{network}"\n')
    store = str(folder / "store.sqlite")
    return EngineServer(folder, "--config", str(settings), "--store", store, *options)


@pytest.fixture
def chess_engine(tmp_path: Path) -> Iterator[EngineServer]:
    """A running engine with a small network of random weights."""
    network = lc0_writer.write(tmp_path / "net.pb.gz", lc0_writer.Shape())
    server = engine_with(tmp_path, network, "--visits", "2")
    server.start()
    yield server
    server.kill()


async def played(
    engine: EngineServer,
    variants: tuple[str, ...],
    count: int,
    chances: FaultChances | None = ALL_FAULTS,
) -> tuple[StandIn, list[StandInGame]]:
    """Plays games at once, and returns the stand-in with them."""
    stand_in = StandIn(SERVERS["lichess"], chances, seed=3)
    async with stand_in.running():
        bot = stand_in.register("Sparring")
        async with bot_on(stand_in, str(engine.socket), games=count):
            terms = [GameTerms(variant, limit=600.0, increment=2.0) for variant in variants]
            games = await Arena(stand_in, bot, seed=3).games(count, count, terms, LIVELY)
    return stand_in, games


def test_games_of_every_variant_end_by_their_rules(chess_engine: EngineServer) -> None:
    stand_in, games = asyncio.run(played(chess_engine, VARIANTS, 3))
    assert {game.status for game in games} <= ENDS
    assert [game.faults for game in games if game.faults] == []
    assert stand_in.breaches == []
    castlings = {
        game.terms.variant: game.referee.castlings
        for game in games
        if isinstance(game.referee, ChessReferee)
    }
    assert castlings["fromPosition"] >= 1  # the opponent castles at its first move
    for game in games:
        lines = Counter(text for _, name, text in game.chat if name == "Sparring")
        assert lines[POLICY.greeting] <= 1


@pytest.mark.skipif(not MAIA.exists(), reason="needs Maia's networks in ../shared/data/maia")
def test_a_game_with_maia_as_people(tmp_path: Path) -> None:
    engine = engine_with(tmp_path, MAIA, "--visits", "8")
    engine.start()
    try:
        _, games = asyncio.run(played(engine, ("standard",), 1, None))
    finally:
        engine.kill()
    assert games[0].status in ENDS
    assert games[0].faults == []


def test_an_engine_without_a_network_of_chess_declines_the_variant(engine: EngineServer) -> None:
    async def run() -> None:
        async with StandIn(SERVERS["lichess"]).running() as stand_in:
            bot, ann = stand_in.register("Sparring"), stand_in.register("Ann", title="")
            async with bot_on(stand_in, str(engine.socket)):
                identity = stand_in.challenge(ann, bot, GameTerms("standard", limit=300.0))
                async with asyncio.timeout(60):
                    while identity not in stand_in.declined:
                        await asyncio.sleep(0.02)
                assert stand_in.declined[identity] == "variant"

    asyncio.run(run())


def test_rated_games_are_declined_unless_the_operator_wants_them(
    chess_engine: EngineServer,
) -> None:
    async def run() -> None:
        rated = GameTerms("standard", limit=300.0, is_rated=True)
        async with StandIn(SERVERS["lichess"]).running() as stand_in:
            bot, ann = stand_in.register("Sparring"), stand_in.register("Ann", title="")
            async with bot_on(stand_in, str(chess_engine.socket)):
                identity = stand_in.challenge(ann, bot, rated)
                async with asyncio.timeout(60):
                    while identity not in stand_in.declined:
                        await asyncio.sleep(0.02)
                assert stand_in.declined[identity] == "casual"
            rules = ChallengeRules(takes_rated=True)
            async with bot_on(stand_in, str(chess_engine.socket), rules=rules):
                identity = stand_in.challenge(ann, bot, rated)
                async with asyncio.timeout(60):
                    while identity not in stand_in.games:
                        await asyncio.sleep(0.02)

    asyncio.run(run())


# ---- The conversation with the engine


def session_of(engine: EngineServer, options: PlayOptions) -> EngineSession:
    return EngineSession(
        EngineAddress(str(engine.socket)), options, GameMemory(None), now=lambda: 0.0
    )


def think(*moves: OnlineMove, refused: tuple[str, ...] = ()) -> actions.Think:
    clocks = GameClocks((PlayerClock(60.0), PlayerClock(60.0)), 0.0, 0)
    return actions.Think(1, SETUP, moves, 0, clocks, 0.3, refused)


def test_a_session_plays_chess960_as_white(chess_engine: EngineServer) -> None:
    import chess  # noqa: PLC0415

    async def run() -> None:
        session = session_of(chess_engine, PlayOptions(persona="full", pace_seconds=0.5))
        await session.open(SETUP)
        first = await session.think(think())
        board = chess.Board(CHESS960_START, chess960=True)
        board.push(board.parse_uci(first.text))
        reply = next(iter(board.legal_moves)).uci()
        moves = (OnlineMove(0, first.text), OnlineMove(1, reply))
        second = await session.think(think(*moves))
        board.push_uci(reply)
        again = await session.think(think(*moves, refused=(second.text,)))
        assert second.text != again.text
        assert {board.parse_uci(each.text) for each in (second, again)} <= set(board.legal_moves)
        assert await session._ask("kata-get-param delayMoveScale") == "0.5"
        await session.finish(SETUP, moves, OnlineResult(0, "resign"))

    asyncio.run(run())


def test_a_drawn_position_is_a_pass_of_the_engine(chess_engine: EngineServer) -> None:
    async def run() -> None:
        session = session_of(chess_engine, PlayOptions())
        knights = ("a1b3", "a8b6", "b3a1", "b6a8") * 2
        await session.open(SETUP)
        moves = tuple(OnlineMove(number % 2, text) for number, text in enumerate(knights))
        answer = await session.think(think(*moves))
        session.drop()
        assert answer.text == "pass"

    asyncio.run(run())
