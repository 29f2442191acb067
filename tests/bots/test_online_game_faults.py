"""A game among lost lines, lost engines, duplicates and undo: no wrong move, and an end."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.online_model import OnlineWorld

STEPS: dict[str, Callable[[OnlineWorld], None]] = {
    "connect": OnlineWorld.connect,
    "cut at once": lambda world: world.disconnect(0),
    "cut later": lambda world: world.disconnect(9),
    "wait": OnlineWorld.wait,
    "wait long": lambda world: world.wait(11),
    "serve": lambda world: world.serve() if world.to_server else None,
    "deliver": OnlineWorld.deliver,
    "swap": OnlineWorld.deliver_move_out_of_order,
    "duplicate": OnlineWorld.duplicate,
    "drop": OnlineWorld.drop,
    "state": lambda world: world.send_state() if world.is_line_up else None,
    "opponent": OnlineWorld.opponent_moves,
    "undo": OnlineWorld.opponent_asks_undo,
    "engine": OnlineWorld.engine_moves,
    "engine fails": OnlineWorld.engine_fails,
    "engine lost": OnlineWorld.engine_lost,
    "engine back": OnlineWorld.engine_back,
    "refuse": lambda world: setattr(world, "refuses", 1),
}
TWO_REQUESTS = [
    *["opponent", "undo", "undo", "deliver", "deliver", "deliver", "serve", "deliver", "deliver"],
    *["opponent", "undo", "wait", "serve", "deliver", "opponent", "engine"],
]
# A move that came too early is taken back, at once or while the line is lost.
EARLY_MOVE_UNDONE = [
    *["deliver", "opponent", "undo", "deliver", "engine", "serve", "deliver"],
    *["drop", "opponent", "undo"],
]
UNDONE_WITHOUT_A_LINE = [*EARLY_MOVE_UNDONE, "deliver", "serve", "cut at once"]
# A game gets on by these, so they are drawn more often.
USUAL = ("serve", "deliver", "opponent", "engine", "wait") * 5


def run(names: list[str], length: int) -> OnlineWorld:
    world = OnlineWorld(length)
    world.connect()
    world.serve()
    for name in names:
        STEPS[name](world)
    world.finish()
    return world


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*STEPS, *USUAL]), min_size=30, max_size=150), st.integers(6, 20))
@example(["serve", "deliver", "opponent", "deliver", "engine", "cut at once"], 8)
@example(["serve", "deliver", "opponent", "deliver", "engine", "cut later"], 8)
@example(TWO_REQUESTS, 6)
@example(EARLY_MOVE_UNDONE, 6)
@example(UNDONE_WITHOUT_A_LINE, 6)
def test_no_move_is_doubled_or_of_another_position_and_each_game_ends(
    names: list[str], length: int
) -> None:
    world = run(names, length)
    assert world.wrong == [], "\n".join(map(str, [*world.log, *world.wrong]))
    assert world.is_over, world.log
    assert world.game.is_over, world.log
