"""The configuration of the bot on Lichess, and its stop at a signal."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bots.configuration import ConfigurationError
from bots.lichess.server import LichessServer
from bots.lichess.variant_table import VARIANTS
from bots.program import BotProgram, example_lines

SERVER = '[server]\nname = "playstrategy"\ntoken_file = "{token}"\n'


def program(folder: Path, text: str = "") -> BotProgram:
    token = folder / "token"
    token.write_text("lip_secret")
    token.chmod(0o600)
    file = folder / "lichess.toml"
    file.write_text(SERVER.format(token=token) + text)
    return BotProgram("lichess", file, folder / "notes", {})


def test_casual_games_of_all_variants_are_the_default(tmp_path: Path) -> None:
    server = program(tmp_path)._server
    assert isinstance(server, LichessServer)
    options = server._options
    assert (options.server.name, options.url) == ("playstrategy", "https://playstrategy.org")
    assert (options.rules.takes_casual, options.rules.takes_rated) == (True, False)
    assert options.rules.variants == set(VARIANTS)
    assert options.token == "lip_secret"  # noqa: S105
    assert "lip_secret" not in repr(options)


def test_the_keys_reach_the_rules(tmp_path: Path) -> None:
    text = (
        'claims = "none"\n[challenges]\nrated = true\nvariants = ["go9x9"]\nmost_rating = 2000\n'
        'blocked = ["Bob"]\nmost_limit = 600\n[games]\nconcurrent = 3\nthink_share = 0.025\n'
    )
    server = program(tmp_path, text)._server
    assert isinstance(server, LichessServer)
    rules = server._options.rules
    assert rules.takes_rated
    assert rules.variants == {"go9x9"}
    assert rules.rating[1] == 2000
    assert rules.blocked == {"bob"}
    assert rules.limit[1] == 600
    assert (server._options.policy.claims, server._options.most_games) == ("none", 3)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('[challenges]\nvariants = ["chess"]\n', "no variant 'chess'"),
        ("[challenges]\nleast_limit = 900\nmost_limit = 60\n", "least_limit 900 is over"),
        ("[challenges]\nratde = true\n", "did you mean 'rated'"),
        ('claims = "all"\n', "claims"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(ConfigurationError, match=error):
        program(tmp_path, text)


def test_the_example_warns_of_rated_games() -> None:
    text = "\n".join(example_lines("lichess"))
    assert "#rated = false" in text
    assert "terms forbid it" in text.replace("\n# ", " ")


def test_a_first_signal_waits_for_the_games_and_a_second_one_does_not(tmp_path: Path) -> None:
    async def run(signals: int, *, is_over: bool) -> bool:
        bot = program(tmp_path, "[games]\nfinish = true\n")
        game: Any = SimpleNamespace(game=SimpleNamespace(is_over=is_over))
        bot._service._runners["1"] = game
        playing = asyncio.create_task(asyncio.sleep(60))
        for _ in range(signals):
            bot._stop(playing)
        await asyncio.wait([playing], timeout=1)
        assert not bot._service.has_room
        is_stopped = playing.done()
        playing.cancel()
        game.game.is_over = True
        return is_stopped

    assert asyncio.run(run(1, is_over=True))
    assert not asyncio.run(run(1, is_over=False))
    assert asyncio.run(run(2, is_over=False))
