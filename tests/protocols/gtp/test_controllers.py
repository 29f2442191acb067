"""The conversations that GUIs and server clients really hold, in their order and spelling."""

from __future__ import annotations

import re

import pytest

from tests.support.gtp_conversation import Conversation

VERTEX = r"[A-HJ-T]\d+|pass"
INFOS = rf"(info .*\n)+play ({VERTEX})"

# controller -> (line, pattern of the text of its answer); unlisted commands are not sent
CONTROLLERS: dict[str, list[tuple[str, str]]] = {
    "CGOS client": [
        ("list_commands", r"[a-zA-Z_\n-]+"),
        ("boardsize 9", ""),
        ("komi 7.5", ""),
        ("time_settings 60 0 0", ""),
        ("clear_board", ""),
        ("play b c3", ""),
        ("time_left w 60 0", ""),
        ("genmove w", VERTEX),
        ("play b pass", ""),
        ("time_left w 58 0", ""),
        ("kata-genmove_analyze w ownership true", INFOS),
        ("quit", ""),
    ],
    "gtp2ogs": [
        ("list_commands\r", r"[a-zA-Z_\n-]+"),
        ("boardsize 13 9\r", ""),
        ("clear_board\r", ""),
        ("komi 7\r", ""),
        ("set_free_handicap d4 k6\r", ""),
        ("time_settings 360 30 1\r", ""),
        ("time_left black 360 0\r", ""),
        ("time_left white 359 0\r", ""),
        ("genmove white\r", VERTEX),
        ("kata-list_time_settings\r", ".* fischer-capped"),
        ("play black c7\r", ""),
        ("kata-time_settings fischer-capped 300 30 600 -1\r", ""),
        ("time_left black 299 0\r", ""),
        ("time_left white 300 0\r", ""),
        ("genmove white\r", VERTEX),
        ("quit\r", ""),
    ],
    "kgsGtp": [
        ("list_commands", r"[a-zA-Z_\n-]+"),
        ("name", "Sparring"),
        ("version", ".*"),
        ("kgs-rules japanese", ""),
        ("boardsize 9", ""),
        ("clear_board", ""),
        ("komi 0.5", ""),
        ("kgs-time_settings byoyomi 600 30 5", ""),
        ("place_free_handicap 3", rf"({VERTEX})( ({VERTEX}))*"),
        ("time_left w 600 0", ""),
        ("play w f6", ""),
        ("time_left b 600 0", ""),
        ("genmove b", VERTEX),
        ("undo", ""),
        ("undo", ""),
        ("play w pass", ""),
        ("kgs-genmove_cleanup b", VERTEX),
        ("final_status_list dead", ".*"),
        ("quit", ""),
    ],
    "Sabaki": [
        ("name", "Sparring"),
        ("version", ".*"),
        ("protocol_version", "2"),
        ("list_commands", r"[a-zA-Z_\n-]+"),
        ("komi 6.5", ""),
        ("boardsize 9", ""),
        ("clear_board", ""),
        ("set_free_handicap C3 G7", ""),
        ("play W E5", ""),
        ("kata-analyze B 50", ""),
        ("protocol_version", "2"),
        ("undo", ""),
        ("play W pass", ""),
        ("kata-genmove_analyze B 50", INFOS),
        ("komi 0", ""),
        ("rectangular_boardsize 9 13", ""),
    ],
    "Lizzie": [
        ("name", "Sparring"),
        ("version", ".*"),
        ("list_commands", r"[a-zA-Z_\n-]+"),
        ("komi 7.5", ""),
        ("boardsize 9", ""),
        ("kata-get-rules", r"\{.*\}"),
        ("kata-set-rules chinese", ""),
        ("kata-get-param playoutDoublingAdvantage", "0.0"),
        ("kata-get-param analysisWideRootNoise", "0"),
        ("kata-set-param analysisWideRootNoise 0.04", ""),
        ("time_settings 0 5 1", ""),
        ("lz-analyze B 10", ""),
        ("stop", ""),
        ("play B E5", ""),
        ("kata-analyze W 10 ownership true", ""),
        ("stop", ""),
        ("time_left W 5 1", ""),
        ("genmove W", VERTEX),
        ("kata-raw-nn 0", r"symmetry 0\n(.*\n)*.*"),
    ],
    "GoGui": [
        ("protocol_version", "2"),
        ("gogui-analyze_commands", "(.*/.*/.*\n?)+"),
        ("boardsize 9", ""),
        ("gogui-setup b D4 w C3", ""),
        ("gogui-setup_player w", ""),
        ("gogui-play_sequence W E5 B F6", ""),
        ("gg-undo 2", ""),
        ("komi 6.5", ""),
        ("time_settings 0 1 0", ""),
        ("genmove w", VERTEX),
        ("reg_genmove b", VERTEX),
        ("final_status_list dead", ".*"),
    ],
}


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_the_conversation_goes_well(controller: str) -> None:
    conversation = Conversation(visits=8)
    for line, pattern in CONTROLLERS[controller]:
        assert re.fullmatch(pattern, conversation.say(line)), line
