from __future__ import annotations

from bots.ogs.stone_removal import MOST_CORRECTIONS, MOST_REJECTIONS, JudgedStones, StoneRemoval

JUDGED = JudgedStones(dead=frozenset({0, 1}), alive=frozenset({10, 11}))  # on a board of 5 columns
DEAD, DAME = frozenset({0, 1}), frozenset({7})


def removal() -> StoneRemoval:
    begun = StoneRemoval(3)
    begun.begin(5)
    return begun


def accepting(stones: str) -> list[tuple[str, dict[str, object]]]:
    data = {"game_id": 3, "stones": stones, "strict_seki_mode": False}
    return [("game/removed_stones/accept", data)]


def marking(stones: str, *, removed: bool) -> tuple[str, dict[str, object]]:
    return "game/removed_stones/set", {"game_id": 3, "removed": removed, "stones": stones}


def test_right_marks_are_accepted_once_with_the_empty_points() -> None:
    begun = removal()
    assert begun.change(DEAD) == []  # the engine has not judged yet
    assert begun.judge(JUDGED, DEAD | DAME) == accepting("aabacb")
    assert begun.change(DEAD | DAME) == []


def test_wrong_marks_are_corrected_and_then_accepted() -> None:
    begun = removal()
    expected = [marking("ba", removed=True), marking("ac", removed=False)]
    assert begun.judge(JUDGED, {0, 10}) == expected
    assert begun.change(DEAD | {10}) == [marking("ac", removed=False)]
    assert begun.change(DEAD) == accepting("aaba")


def test_a_dispute_ends_in_rejections_and_then_in_the_servers_decision() -> None:
    begun = removal()
    for _ in range(MOST_REJECTIONS):
        begun.begin(5)
        answers = [begun.judge(JUDGED, set())]
        answers += [begun.change({10}) for _ in range(MOST_CORRECTIONS)]
        assert [len(answer) for answer in answers] == [1, *[2] * (MOST_CORRECTIONS - 1), 1]
        assert answers[-1] == [("game/removed_stones/reject", {"game_id": 3})]
    begun.begin(5)
    answers = [begun.judge(JUDGED, {10}) for _ in range(MOST_CORRECTIONS + 2)]
    assert answers[-2:] == [[], []]


def test_an_accepted_state_is_accepted_again_after_a_change() -> None:
    begun = removal()
    assert begun.judge(JUDGED, DEAD) == accepting("aaba")
    assert begun.change(DEAD | {10}) == [marking("ac", removed=False)]
    assert begun.change(DEAD) == accepting("aaba")


def test_a_rejection_is_repeated_after_a_new_connection() -> None:
    begun = removal()
    begun.judge(JUDGED, set())
    answers = [begun.change({10}) for _ in range(MOST_CORRECTIONS)]
    rejection = [("game/removed_stones/reject", {"game_id": 3})]
    assert answers[-1] == rejection
    assert begun.change(DEAD) == []
    assert begun.go_on({10}) == rejection
    begun.begin(5)
    assert begun.judge(JUDGED, DEAD) == accepting("aaba")


def test_after_a_new_connection_the_marks_are_accepted_again() -> None:
    begun = removal()
    assert begun.go_on(DEAD) == []
    begun.judge(JUDGED, DEAD)
    assert begun.go_on(DEAD) == accepting("aaba")
