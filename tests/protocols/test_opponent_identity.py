"""The identity of an opponent as clients state it: read, written, refused."""

from __future__ import annotations

import json

import pytest

from engine.errors import SettingError
from engine.opponents import PROGRAM, OpponentName, ServerRating, TransientStore
from engine.play.game_networks import GameNetworks
from engine.play.network_pool import NetworkPool
from protocols.conversation import ClientDefaults, ClientRequest, Protocol
from protocols.gtp.codec import read
from protocols.opponent_identity import OpponentIdentity, identity_of
from protocols.rights import Rights
from protocols.server.greeting import read_greeting
from protocols.store_options import opponent_of
from tests.support.gtp_conversation import Conversation

ANN = OpponentIdentity(
    OpponentName("123", "ogs", "Ann  #1 ü"),
    ServerRating(1537.5, 80.25, 220, is_provisional=True, pool="overall"),
)


def test_a_name_alone_is_a_player_here() -> None:
    assert identity_of("Ann Other") == OpponentIdentity(OpponentName("Ann Other"))
    assert OpponentIdentity(OpponentName("Ann")).to_text() == "Ann"


def test_an_account_has_its_server_and_its_rating() -> None:
    fields = {"server": "ogs", "account": "123", "name": "Ann", "rating": 1500, "games": 7}
    read_back = identity_of(json.dumps(fields))
    assert str(read_back.name) == "Ann (ogs/123)"
    assert read_back.rating == ServerRating(1500.0, games=7)
    named = identity_of('{"server": "cgos", "name": "gnugo", "kind": "program"}')
    assert named == OpponentIdentity(OpponentName("gnugo", "cgos"), ServerRating(kind=PROGRAM))


def test_an_account_is_the_same_under_another_name() -> None:
    before, after = OpponentName("123", "ogs", "Ann"), OpponentName("123", "ogs", "Bea")
    assert before == after
    assert hash(before) == hash(after)


def test_the_text_survives_a_line_of_gtp() -> None:
    command = read(f"7 sparring-opponent {ANN.to_text()}")
    assert command is not None
    again = identity_of(command.text)
    assert (again, again.name.alias) == (ANN, ANN.name.alias)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"server": "ogs", "nmae": "Ann"}', "did you mean 'name'"),
        ('{"server": "ogs", "name": 7}', "an opponent's name is not 7"),
        ('{"server": "ogs", "name": "Ann", "rating": "5k"}', "an opponent's rating is not '5k'"),
        ('{"server": "ogs", "name": "Ann", "rating": NaN}', "nan is no number"),
        ('{"server": "ogs", "name": "Ann", "rating": 1e9}', "is no number up to"),
        ('{"server": "ogs", "name": "Ann", "deviation": -1}', "not a deviation"),
        ('{"server": "ogs", "name": "Ann", "games": true}', "an opponent's games is not True"),
        ('{"server": "ogs", "name": "Ann", "provisional": 1}', "provisional is not 1"),
        ('{"server": "ogs", "name": "Ann", "kind": "cat"}', "one of person, program, not cat"),
        ('{"server": "ogs", "name": "A\\u0007"}', "not a name"),
        ('{"server": "ogs"}', "not an opponent's name"),
        ('{"server": "ogs"', "not an opponent in JSON"),
        ("[" * 10**5, "not a name"),
        ("{" * 10**5, "not an opponent in JSON"),
    ],
)
def test_an_impossible_opponent_is_refused(text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        identity_of(text)


def test_the_greeting_takes_an_object() -> None:
    protocols = {"gtp": Protocol(lambda *_: lambda: None, str)}
    pool = NetworkPool(lambda _choice: pytest.fail("loads"), {"go": GameNetworks("go")})
    fields = {"server": "ogs", "account": "123", "name": "Ann", "rating": 1500.0}
    line = json.dumps({"protocol": "gtp", "options": {"opponent": fields}}).encode()
    request = read_greeting(line, pool, protocols, ClientDefaults())
    assert identity_of(request.opponent) == identity_of(json.dumps(fields))
    fields["cheats"] = "yes"
    line = json.dumps({"protocol": "gtp", "options": {"opponent": fields}}).encode()
    with pytest.raises(SettingError, match="no field 'cheats'"):
        read_greeting(line, pool, protocols, ClientDefaults())


def test_gtp_names_an_account_and_its_rating() -> None:
    talk = Conversation(visits=8, memory=TransientStore())
    assert talk.say(f"sparring-opponent {ANN.to_text()}") == ""
    met = talk.engine._context.session.opponent
    assert met is not None
    assert (met.name, met.rating) == (ANN.name, ANN.rating)
    assert talk.say("sparring-opponent").splitlines()[0] == "Ann  #1 ü (ogs/123)"
    assert talk.refused('sparring-opponent {"nmae": "x"}').startswith("an opponent has no field")


def test_cgos_states_the_rating_after_the_name() -> None:
    talk = Conversation(visits=8, memory=TransientStore())
    talk.say("boardsize 9")
    assert talk.say("cgos-opponent_rating 1800") == ""  # nobody is named
    assert talk.engine._context.session.opponent is None
    talk.say("cgos-opponent_name gnugo-3.8")
    assert talk.say("cgos-opponent_rating 1800?") == ""
    met = talk.engine._context.session.opponent
    assert met is not None
    assert met.name == OpponentName("gnugo-3.8", "cgos")
    assert met.rating == ServerRating(1800.0, is_provisional=True, kind=PROGRAM, pool="9x9")
    assert talk.refused("cgos-opponent_rating strong") == "not a rating of CGOS: 'strong'"
    assert talk.refused("cgos-opponent_rating 1 2") != ""


def test_the_first_move_is_at_the_level_of_the_rating() -> None:
    levels = []
    for rating in (900.0, 2300.0):
        talk = Conversation(visits=8, memory=TransientStore())
        talk.say("boardsize 9")
        talk.say("sparring-persona even")
        fields = {"server": "ogs", "account": "1", "rating": rating, "deviation": 70, "games": 80}
        talk.say(f"sparring-opponent {json.dumps(fields)}")
        talk.say("play b E5")
        talk.say("genmove w")
        choice = talk.session.last_choice
        assert choice is not None
        assert choice.level_elo is not None
        levels.append(choice.level_elo)
    assert levels[1] > levels[0] + 400


@pytest.mark.parametrize("game", ["go", "othello", "connect4"])
def test_every_protocol_takes_the_text_of_an_account(game: str) -> None:
    """NBoard's and UGI's players name an opponent by the same function."""
    memory = TransientStore()
    request = ClientRequest("ugi", rights=Rights(is_user=True), opponent=ANN.to_text())
    for stored in (opponent_of(memory, request), opponent_of(memory, request, ANN.to_text())):
        assert stored is not None
        assert (stored.name, stored.rating, stored.is_named) == (ANN.name, ANN.rating, True)
    talk = Conversation(visits=4, game=game, memory=memory)
    assert talk.say(f"sparring-opponent {ANN.to_text()}") == ""
    talk.say("genmove b")
    assert [game.opponent for _, game in memory.unfinished(ANN.name)] == [ANN.name]
    guest = ClientRequest("ugi", opponent=ANN.to_text())
    with pytest.raises(SettingError, match="guests"):
        opponent_of(memory, guest)
