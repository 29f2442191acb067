"""No search tree outlives its client, whatever the protocol."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator

import pytest

from engine._core import live_nodes
from engine.games.table import GAMES
from engine.play.network_pool import NetworkPool
from engine.play.networks import networks_of
from protocols.analysis.scheduler import Scheduler
from protocols.conversation import ClientRequest, Protocols, speak
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.rights import Rights
from protocols.server.local_engine import protocols_of
from tests.support.page_talk import line_of
from tests.support.stand_in import StandInEvaluator

QUERY = {"rules": "chinese", "boardXSize": 9, "boardYSize": 9, "maxVisits": 5, "moves": []}
# The lines of a client, and a part of the answer that proves a search.
TALKS = {
    "gtp": (["boardsize 9", "kata-set-param maxVisits 5", "genmove b", "genmove w"], "= "),
    "darkchess-gtp": (["genmove red"], "= "),
    "terminal": (["a1"], "The engine plays"),
    "nboard": (["nboard 2", "set depth 1", "go"], "==="),
    "uci": (["uci", "go nodes 5"], "bestmove"),
    "ugi": (["ugi", "go nodes 5"], "bestmove"),
    "analysis": ([json.dumps(QUERY | {"id": "1", "persona": "softmax:1"})], '"rootInfo"'),
    "page": (
        [line_of("hello"), line_of("new"), line_of("hint"), line_of("new"), line_of("hint")],
        '"hint"',
    ),
}


@pytest.fixture
def protocols() -> Iterator[Protocols]:
    with Scheduler(1) as scheduler:
        yield protocols_of(scheduler, 10)


@pytest.fixture
def no_collection() -> Iterator[None]:
    """No collection of cycles during the test; they come too rarely in a server."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("protocol", TALKS)
@pytest.mark.usefixtures("no_collection")
def test_no_tree_outlives_its_client(protocol: str, protocols: Protocols) -> None:
    pool = NetworkPool(
        lambda choice: StandInEvaluator(game=choice.game),
        {game: networks_of(game) for game in GAMES},
    )
    lines, proof = TALKS[protocol]
    request = ClientRequest(protocol, rights=Rights(is_user=True))
    before = live_nodes()
    inbox, outbox = Inbox(), Outbox(wake=lambda: None)
    inbox.put(lines)
    inbox.close()
    speak(pool, protocols, request, inbox, outbox)
    assert proof in b"".join(outbox.take()).decode()
    assert live_nodes() == before
