"""How protocols and the command line tell of personas, and start with one."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import GAMES, Board
from engine.personas import PERSONAS
from engine.records import SettingError
from engine.reference import Reference
from engine.session import Session
from engine.session_settings import Budget, SessionSettings
from engine.style.naturalness import Naturalness
from engine.terms import usual_terms
from protocols import personas
from protocols.cli import overview
from protocols.client import configure, wanted
from protocols.session_thinker import SessionThinker
from protocols.thinker import Effort, Thought
from tests.gtp.conversation import Conversation, search_for


def listed() -> list[str]:
    said: list[str] = []
    assert personas.run(argparse.Namespace(), said.append) == 0
    return said


def test_every_persona_is_listed_with_what_it_takes() -> None:
    names = [line.split()[0].partition(":")[0].partition("[")[0] for line in listed()]
    assert names == list(PERSONAS)
    assert "softmax:Z[:R_TH]" in "\n".join(listed())
    assert "personas" in overview()


@pytest.mark.parametrize("game", GAMES)
def test_gtp_lists_those_of_its_game(game: str) -> None:
    conversation = Conversation()
    conversation.say(f"set_game {GAMES[game].title}")
    told = conversation.say("sparring-personas").splitlines()
    assert [line.split()[0] for line in told] == [
        line.split()[0]
        for line, kind in zip(listed(), PERSONAS.values(), strict=True)
        if game in kind.games
    ]


def test_the_command_line_names_a_persona() -> None:
    for name, knows in (("gtp", True), ("ugi", True), ("nboard", True), ("analysis", False)):
        parser = argparse.ArgumentParser()
        parser.set_defaults(subcommand=name, network=None)
        configure(parser)
        if not knows:
            with pytest.raises(SystemExit):
                parser.parse_args(["--persona", "full"])
            continue
        options = parser.parse_args(["--persona", "softmax:1"])
        assert wanted(options)["persona"] == "softmax:1"


def test_the_command_line_names_a_network_of_human_moves() -> None:
    parser = argparse.ArgumentParser()
    parser.set_defaults(subcommand="gtp", network=None)
    configure(parser)
    for option in ("--human-network", "-human-model"):
        asked = wanted(parser.parse_args([option, "human.bin.gz"]))["human_network"]
        assert asked == str(Path("human.bin.gz").resolve())
    assert "human_network" not in wanted(parser.parse_args([]))


def test_what_people_play_is_asked_for_by_a_budget_alone() -> None:
    board = Board("othello", 6, 6)
    asked: list[Board] = []

    def reference_for(board: Board) -> Reference | None:
        asked.append(board)
        return None

    settings = SessionSettings(budget=Budget(max_visits=4), solve=False)
    session = Session(
        search_for(board), settings, terms=usual_terms("othello"), reference_for=reference_for
    )
    session.start_over((6, 6))
    session.genmove(0)
    assert not asked
    natural = replace(settings.persona, naturalness=Naturalness())
    session.change_settings(replace(settings, persona=natural))
    session.genmove(1)
    assert asked == [board]


def thinker(persona: str) -> SessionThinker:
    board = Board("connect4", 7, 6)
    made = SessionThinker(search_for(board), board.game)
    made.play_as(persona)
    return made


def ignore(_thought: Thought) -> None:
    pass


def test_a_thinker_answers_the_move_that_its_persona_chose() -> None:
    """Also one that the search hardly looked at, by a persona that prefers such moves."""
    effort = Effort(visits=40)
    best = thinker("full").choose(effort, stop=lambda: False, tell=ignore).lines[0]
    worst = thinker("softmax:-inf:0").choose(effort, stop=lambda: False, tell=ignore).lines
    assert worst[0].visits <= min(line.visits for line in worst)
    assert worst[0].variation[0] != best.variation[0]
    assert len({line.variation[0] for line in worst}) == len(worst)
    with pytest.raises(SettingError, match="'nobody'"):
        thinker("nobody")


def test_a_thinker_learns_from_the_moves_that_it_chose() -> None:
    """The level of its own moves, and at the game's end whose they were."""
    made = thinker("level:300")
    start = made.position.copy()
    moves: list[int] = []
    for _ in range(3):
        thought = made.choose(Effort(visits=4), stop=lambda: False, tell=ignore)
        moves.append(thought.lines[0].variation[0])
        made.follow(start, moves)
        moves.append(made.position.legal_moves()[0])
        made.follow(start, moves)
    watch = made.session.encounter.watch
    assert watch is not None
    assert watch.levels == (300.0,) * 3
    assert made.session.encounter.color == 0
    made.follow(start, [])
    assert made.session.encounter.color is None
