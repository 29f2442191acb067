"""Settings of games: one value a game, with rules and komi in Go alone."""

from __future__ import annotations

import pytest

from engine._core import GoPosition
from engine.errors import SettingError
from engine.formats.sgf import SgfGame
from engine.games.game_settings import GoSettings, go_settings, usual_settings
from engine.games.rules import RULE_SETS, USUAL_KOMI
from engine.games.table import GAMES, Board, game_named
from engine.match.game_spec import GameSpec
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.play.session import Session
from engine.search.search import Search
from tests.support.games import PLAYABLE


@pytest.mark.parametrize("game", PLAYABLE)
def test_every_game_has_default_settings_and_a_board(game: str) -> None:
    game_settings = usual_settings(game)
    kind = GAMES[game]
    assert game_settings.game == game
    for width, height in kind.usual_sizes:
        position = game_settings.begin(width, height)
        assert (position.width, position.height) == (width, height)
        assert kind.usual_height(width) == height


@pytest.mark.parametrize("game", PLAYABLE)
@pytest.mark.parametrize("width", range(-1, 66))
def test_a_board_named_by_its_width_can_be_played_on_or_is_refused(game: str, width: int) -> None:
    kind = GAMES[game]
    height = kind.usual_height(width)
    if kind.fits(width, height):
        assert usual_settings(game).begin(width, height).height == height
    else:
        with pytest.raises(ValueError, match=str(width)):
            usual_settings(game).begin(width, height)


def test_rules_and_komi_are_go_s() -> None:
    assert go_settings(GoSettings(komi=0.5)).komi == 0.5
    with pytest.raises(SettingError, match="this game is Othello"):
        go_settings(usual_settings("othello"))


def test_a_session_keeps_its_game() -> None:
    session = Session(Search(RolloutEvaluator("othello")), game_settings=usual_settings("othello"))
    session.play(0, session.game.position.legal_moves()[0])
    with pytest.raises(ValueError, match="othello cannot become one of go"):
        session.agree(GoSettings())
    with pytest.raises(ValueError, match="othello cannot become one of go"):
        session.load(SgfGame(9, 9, RULE_SETS["chinese"], 7.5, (), 0, ()))
    assert len(session.game.moves) == 1
    assert session.game.width == 8


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("Go", "go"),
        ("OTHELLO", "othello"),
        ("reversi", "othello"),
        ("Connect Four", "connect4"),
        ("connect-4", "connect4"),
        ("Connect_four", "connect4"),
    ],
)
def test_games_are_found_by_their_names(name: str, game: str) -> None:
    assert game_named(name) == game


@pytest.mark.parametrize("name", ["", "shogi", "go9", "othello!"])
def test_an_unknown_name_is_quoted(name: str) -> None:
    with pytest.raises(SettingError, match=f"unknown game '{name}'"):
        game_named(name)


def test_dead_stones_are_taken_off_by_the_default_rules() -> None:
    """GUIs without a rules command, matches, calibration and ladder games use these."""
    usual = RULE_SETS["chinese"], 7.5
    start = GameSpec("go", 9, 9, komi=USUAL_KOMI).game_settings
    assert isinstance(start, GoSettings)
    for game_settings in (GoSettings(), start):
        assert (game_settings.rules, game_settings.komi) == usual
    position = Board("go", 9, 9).start()
    assert isinstance(position, GoPosition)
    assert (position.rules, position.komi) == usual
