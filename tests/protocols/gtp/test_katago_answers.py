"""KataGo's own answers on its reference network: the same positions by GTP, the same numbers."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.networks.human_policy import HumanPolicy
from engine.networks.runtime import load_evaluator
from engine.play.search_source import OneSearch
from tests.support.gtp_conversation import Conversation
from tests.support.stand_in import StandInEvaluator

ROWS = ("policy", "whiteOwnership")


@cache
def evaluator(path: Path) -> Any:
    return load_evaluator(path, backend="openvino", precision="fp32")


def set_up(conversation: Conversation, entry: dict[str, Any]) -> None:
    size = entry["size"]
    width, height = (size, size) if isinstance(size, int) else size
    conversation.say(f"rectangular_boardsize {width} {height}")
    conversation.say(f"kata-set-rules {entry['rules']}")
    conversation.say(f"komi {entry['komi']}")
    for command in entry["setup"]:
        conversation.say(command)
    for color, vertex in entry["moves"]:
        conversation.say(f"play {color} {vertex}")


def numbers(answer: str) -> dict[str, list[str]]:
    """The values of kata-raw-nn's answer by their names."""
    found: dict[str, list[str]] = {}
    for word in answer.split():
        if word[0].isalpha() and word != "NAN":
            found[word] = []
            name = word
        else:
            found[name].append(word)
    return found


def test_kata_raw_nn_prints_what_katago_prints(katago_model: Path, katago_reference: Path) -> None:
    for entry in json.loads(katago_reference.read_text())["positions"]:
        if entry["cleanup"]:
            continue  # GTP here, as KataGo's by default, never enters the encore
        conversation = Conversation(evaluator=evaluator(katago_model))
        set_up(conversation, entry)
        found = numbers(conversation.say("kata-raw-nn 0"))
        expected = entry["nn"]
        assert list(found) == ["symmetry", *(key for key in expected if key != "symmetry")]
        for key, value in expected.items():
            if key in ROWS:
                wanted = [cell for row in value for cell in row]
                assert len(found[key]) == len(wanted)
                for cell, number in zip(found[key], wanted, strict=True):
                    assert (cell == "NAN") == (number is None)
                    if number is not None:
                        assert float(cell) == pytest.approx(number, abs=1e-3)
            else:
                assert float(found[key][0]) == pytest.approx(value, rel=1e-4, abs=0.01)


def test_showboard_is_drawn_as_katago_draws_it(katago_reference: Path) -> None:
    for entry in json.loads(katago_reference.read_text())["positions"]:
        if entry["cleanup"]:
            continue
        conversation = Conversation()
        set_up(conversation, entry)
        found = conversation.say("showboard").split("\n")
        expected = entry["showboard"].split("\n")
        assert found[0].split("HASH")[0] == expected[0].split("HASH")[0]
        assert found[1:] == [line.rstrip() for line in expected[1:]], entry["name"]


def test_kata_raw_human_nn_prints_what_katago_prints() -> None:
    conversation = Conversation()
    conversation.say("boardsize 9")
    human = StandInEvaluator()
    search = conversation.session.search
    conversation.session.source = OneSearch(search, human_policy=lambda: HumanPolicy(human))
    found = numbers(conversation.say("kata-raw-human-nn w all"))
    names = "symmetry whiteWin whiteLoss noResult whiteScore whiteScoreSq shorttermWinlossError"
    rest = "shorttermScoreError policy policyPass whiteOwnership"
    assert list(found) == [*names.split(), *rest.split()]
    assert len(found["policy"]) == len(found["whiteOwnership"]) == 81
    human.network = replace(human.network, metadata=192)
    refused = conversation.refused("kata-raw-human-nn 0")
    assert refused == "Cannot run kata-raw-human-nn, humanSLProfile parameter was not set"
    conversation.say("sparring-persona human:rank_5k")
    conversation.say("kata-raw-human-nn 0")
