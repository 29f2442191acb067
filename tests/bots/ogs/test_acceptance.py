from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bots.fields import WireError
from bots.ogs.acceptance import AcceptanceRules, GamesUnderWay, Rejection, SpeedLimits, rejection_of
from bots.ogs.challenge import OgsChallenge, read_challenge
from bots.ogs.messages import Notification

LIVE = {"system": "fischer", "speed": "live", "initial_time": 120, "time_increment": 30}
FIELDS: dict[str, Any] = {
    "challenge_id": 55,
    "game_id": 4242,
    "user": {"id": 7, "username": "Human", "ranking": 20.4},
    "width": 9,
    "height": 9,
    "ranked": False,
    "handicap": 0,
    "komi": None,
    "min_ranking": 0,
    "time_control": LIVE | {"max_time": 300},
}
TIME = FIELDS["time_control"]
SIMPLE = {"system": "simple", "per_move": 5}
ABSOLUTE = {"system": "absolute", "total_time": 900}
RULES = AcceptanceRules(
    {
        "live": SpeedLimits(
            2,
            {
                "fischer": {"initial_time": (10, 600), "time_increment": (5, 60)},
                "simple": {"per_move": (10, 300)},
            },
        )
    }
)


def challenge(**fields: Any) -> OgsChallenge:
    return read_challenge(Notification("n1", "challenge", FIELDS | fields))


def refusal(
    rules: AcceptanceRules = RULES, standing: GamesUnderWay | None = None, **fields: Any
) -> Rejection | None:
    return rejection_of(challenge(**fields), rules, standing or GamesUnderWay())


def test_a_usual_challenge_is_taken() -> None:
    assert refusal() is None


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"time_control": TIME | {"speed": "blitz"}}, "blitz_not_allowed"),
        (
            {"time_control": TIME | {"time_increment": 99}},
            "time_increment_out_of_range",
        ),
        ({"time_control": TIME | {"initial_time": 5}}, "main_time_out_of_range"),
        ({"time_control": SIMPLE}, "per_move_time_out_of_range"),
        (
            {"time_control": ABSOLUTE},
            "time_control_system_not_allowed",
        ),
        ({"time_control": {"system": "none"}}, "correspondence_not_allowed"),
        ({"height": 13}, "board_size_not_square"),
        ({"width": 7, "height": 7}, "board_size_not_allowed"),
        ({"handicap": 10}, "handicap_not_allowed"),
        ({"handicap": -1}, "handicap_not_allowed"),
        ({"komi": 120}, "komi_out_of_range"),
    ],
)
def test_settings_outside_the_rules_are_refused(fields: dict[str, Any], code: str) -> None:
    rejection = refusal(**fields)
    assert rejection is not None
    assert rejection.code == code
    body = rejection.body()
    assert (body["delete"], body["message"]) == (True, rejection.text)
    assert rejection.text.endswith(".")


@pytest.mark.parametrize(
    ("changes", "fields", "code"),
    [
        ({"blocked": frozenset({"7"})}, {}, "blacklisted"),
        ({"blocked": frozenset({"human"})}, {}, "blacklisted"),
        ({"decline_new_challenges": True}, {}, "not_accepting_new_challenges"),
        ({"allow_unranked": False}, {}, "unranked_not_allowed"),
        ({"allow_ranked": False}, {"ranked": True}, "ranked_not_allowed"),
        ({"ranks": (21.0, 30.0)}, {"ranked": True}, "player_rank_out_of_range"),
        ({"ranks": (0.0, 20.0)}, {"ranked": True}, "player_rank_out_of_range"),
        ({"most_unranked_handicap": 0}, {"handicap": 2}, "handicap_not_allowed"),
        ({"most_ranked_handicap": 0}, {"handicap": 2, "ranked": True}, "handicap_not_allowed"),
        ({"komi": (0.0, 8.0)}, {"komi": -0.5}, "komi_out_of_range"),
        ({"speeds": {"live": SpeedLimits(0, {})}}, {}, "live_not_allowed"),
    ],
)
def test_the_operators_rules_refuse(
    changes: dict[str, Any], fields: dict[str, Any], code: str
) -> None:
    rejection = refusal(replace(RULES, **changes), **fields)
    assert rejection is not None
    assert rejection.code == code


def test_ranks_matter_in_ranked_games_alone() -> None:
    rules = replace(RULES, ranks=(25.0, 30.0))
    assert refusal(rules, ranked=False) is None
    assert refusal(rules, ranked=True, user=FIELDS["user"] | {"ranking": 26}) is None


def test_the_games_under_way_are_counted() -> None:
    busy = refusal(standing=GamesUnderWay(Counter(live=2)))
    assert busy is not None
    assert (busy.code, busy.details) == ("too_many_live_games", {"count": 2, "allowed": 2})
    again = refusal(standing=GamesUnderWay(Counter(live=1), Counter({7: 1})))
    assert again is not None
    assert again.code == "too_many_games_for_player"
    free = replace(RULES, most_games_per_player=0)
    assert refusal(free, GamesUnderWay(Counter(live=1), Counter({7: 1}))) is None


def test_some_players_may_do_anything() -> None:
    rules = replace(RULES, always=frozenset({"human"}), decline_new_challenges=True)
    assert refusal(rules, GamesUnderWay(Counter(live=9), Counter({7: 9})), handicap=-1) is None


def test_boards_may_be_all_square_ones_or_all() -> None:
    for sizes, side, expected in (
        ("square", 5, None),
        ("square", 6, "board_size_not_square"),
        ("all", 6, None),
    ):
        rejection = refusal(replace(RULES, board_sizes=sizes), width=5, height=side)
        assert (rejection and rejection.code) == expected


@pytest.mark.parametrize(
    "fields", [{"user": None}, {"width": None}, {"challenge_id": "x"}, {"time_control": {}}]
)
def test_challenges_of_the_wrong_shape_are_errors(fields: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        challenge(**fields)
