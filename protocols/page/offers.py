"""The games of the page, and the reasons why some of them cannot be played here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.errors import SettingError
from engine.games.chess_game import require_library
from engine.games.table import GAMES, Board, usual_board
from engine.networks.rollout_evaluator import KINDS
from engine.play.game_networks import NetworkChoice

OFFERED = ("go", "othello", "connect4", "chess", "darkchess", "einstein")  # keys of GAMES


def refusals(choice_on: Callable[[Board], NetworkChoice]) -> dict[str, str]:
    """Returns the reason against each game of the page without its rules or network, by its key.

    choice_on: returns the network of a board.
    """
    reasons = {game: _refusal(game, choice_on(usual_board(game))) for game in OFFERED}
    return {game: reason for game, reason in reasons.items() if reason}


def check_offered(game: str, refused: Mapping[str, str]) -> None:
    """Raises SettingError for a game beyond OFFERED, and for a refused one with the reason."""
    if game not in OFFERED:
        raise SettingError(f"the page does not play {GAMES[game].title}")
    if game in refused:
        raise SettingError(refused[game])


def title_of(board: Board) -> str:
    """Returns a board in words, without the size of a game that has one size.

    >>> title_of(Board("go", 9, 9)), title_of(Board("chess", 8, 8))
    ('Go 9x9', 'Chess')
    """
    kind, size = GAMES[board.game], f"{board.width}x{board.height}"
    return kind.title if kind.sizes == size else f"{kind.title} {size}"


def _refusal(game: str, choice: NetworkChoice) -> str:
    """Returns the reason against a game with this network; empty: it can be played."""
    if game == "chess":
        try:
            require_library()
        except SettingError as error:
            return str(error)
    if choice.path is None and game not in KINDS:
        return (
            f"{GAMES[game].title} needs a network, and none comes along: name its file as "
            f"{game} under [networks] in the configuration"
        )
    return ""
