"""Networks are loaded once and shared; sessions and networks are limited."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine._core import EvaluationCache
from engine.errors import SettingError
from engine.games.evaluator import Evaluator
from engine.games.table import Board, usual_board
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.play.network_pool import CACHED, NETWORKS, BusyError, NetworkPool
from engine.play.network_use import WEIGHT_BYTES, Network


class Loader:
    """Counts what it loads; a file named `broken` fails."""

    def __init__(self) -> None:
        self.loaded: list[str] = []

    def __call__(self, choice: NetworkChoice) -> Evaluator:
        name = choice.path.name if choice.path else f"playouts of {choice.game}"
        self.loaded.append(name)
        if name == "broken":
            raise SettingError("not a network")
        return cast("Evaluator", object())


@pytest.fixture
def loader() -> Loader:
    return Loader()


def of(name: str, game: str = "go") -> GameNetworks:
    """One network for all boards of a game."""
    return GameNetworks(game, Path(name))


def resident_of(loader: Loader, **limits: Any) -> NetworkPool:
    return NetworkPool(loader, {"go": of("default")}, **limits)


def test_sessions_share_a_network_loaded_once(loader: Loader) -> None:
    pool = resident_of(loader)
    with pool.lease() as first, pool.lease() as second:
        network = first.network
        assert second.network is network
    with pool.lease() as third:
        assert third.network is network
    assert loader.loaded == ["default"]


def test_sessions_that_start_together_load_once(loader: Loader) -> None:
    pool = resident_of(loader)
    barrier = threading.Barrier(8)
    seen: list[Network] = []

    def start() -> None:
        barrier.wait()
        with pool.lease(of("other")) as lease:
            seen.append(lease.network)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(network) for network in seen}) == 1
    assert loader.loaded == ["other"]


def test_a_network_that_failed_is_tried_again(loader: Loader) -> None:
    pool = resident_of(loader)
    for _ in range(2):
        with pytest.raises(SettingError), pool.lease(of("broken")):
            pass
    assert loader.loaded == ["broken", "broken"]


def test_too_many_sessions_are_refused_and_a_free_place_is_given_again(loader: Loader) -> None:
    pool = resident_of(loader, sessions=1)
    with pool.lease(), pytest.raises(BusyError, match="all 1 sessions"), pool.lease():
        pass
    with pool.lease():
        pass


def test_an_unused_network_makes_room_and_a_used_one_does_not(loader: Loader) -> None:
    pool = resident_of(loader)
    with ExitStack() as stack:
        for index in range(NETWORKS):
            stack.enter_context(pool.lease(of(str(index))))
        with pytest.raises(BusyError), pool.lease(of("more")):
            pass
    with pool.lease(of("more")), pool.lease(of("1")):
        pass
    assert loader.loaded == ["0", "1", "2", "3", "more"]


def test_a_choice_keeps_what_is_not_asked_for(tmp_path: Path) -> None:
    small = {(9, 9): tmp_path / "small"}
    default = GameNetworks("go", tmp_path / "a.bin.gz", small, "openvino", "fp32")
    pool = NetworkPool(Loader(), {"go": default})
    other = tmp_path / "b.bin.gz"
    other.touch()
    named = GameNetworks("go", other.resolve(), {}, "openvino", "fp32")
    assert pool.choose(str(other)) == named
    assert pool.choose(precision="bf16") == replace(default, precision="bf16")
    with pytest.raises(SettingError, match="missing"):
        pool.choose(str(tmp_path / "missing"))


DEFAULTS = {
    "go": of("default"),
    "othello": GameNetworks("othello", None, {(8, 8): Path("8"), (6, 6): Path("6")}),
    "connect4": GameNetworks("connect4", None, {(7, 6): Path("broken")}),
}
OTHELLO = usual_board("othello")
SMALL, TINY = Board("othello", 6, 6), Board("othello", 4, 4)


def test_a_board_has_its_network_and_the_others_the_usual_one() -> None:
    networks = GameNetworks("othello", None, {(8, 8): Path("8")}, "torch", "fp32")
    assert networks.on(OTHELLO) == NetworkChoice(Path("8"), "torch", "fp32", "othello")
    assert networks.on(SMALL) == NetworkChoice(None, game="othello")
    assert networks.choices() == {networks.on(OTHELLO), networks.on(SMALL)}
    mine = replace(networks, usual=Path("mine"))
    assert mine.on(SMALL) == NetworkChoice(Path("mine"), "torch", "fp32", "othello")


def test_a_seat_changes_its_network_with_the_game(loader: Loader) -> None:
    pool = NetworkPool(loader, DEFAULTS)
    with pool.lease(of("mine")) as lease:
        mine = lease.network
        assert lease.change_board(OTHELLO) is lease.network is not mine
        with pytest.raises(SettingError):
            lease.change_board(usual_board("connect4"))
        assert lease.network is lease.change_board(OTHELLO)
        assert lease.change_board(usual_board("go")) is mine
    assert loader.loaded == ["mine", "8", "broken"]


def test_a_seat_changes_its_network_with_the_size_of_the_board(loader: Loader) -> None:
    pool = NetworkPool(loader, DEFAULTS)
    with pool.lease(pool.choose(game="othello"), SMALL) as lease:
        assert loader.loaded == ["6"]
        first = lease.network
        assert lease.change_board(SMALL) is first
        boards = [lease.change_board(board) for board in (OTHELLO, TINY, Board("othello", 10, 10))]
        assert boards[1] is boards[2]
        assert len({id(network) for network in (first, *boards)}) == 3
        assert lease.change_board(SMALL) is first
    assert loader.loaded == ["6", "8", "playouts of othello"]


def test_a_network_that_a_session_named_plays_on_every_board_of_its_game(
    loader: Loader, tmp_path: Path
) -> None:
    path = tmp_path / "mine"
    path.touch()
    pool = NetworkPool(loader, DEFAULTS)
    with pool.lease(pool.choose(str(path), game="othello")) as lease:
        assert len({id(lease.change_board(board)) for board in (OTHELLO, SMALL, TINY)}) == 1
        lease.change_board(usual_board("go"))
    assert loader.loaded == ["mine", "default"]


def test_a_backend_that_a_session_named_runs_the_networks_of_all_games(loader: Loader) -> None:
    used: list[NetworkChoice] = []

    def load(choice: NetworkChoice) -> Evaluator:
        used.append(choice)
        return loader(choice)

    pool = NetworkPool(load, DEFAULTS)
    with pool.lease(pool.choose(None, "torch", "fp32")) as lease:
        for board in (OTHELLO, TINY):
            lease.change_board(board)
    assert used == [
        NetworkChoice(Path("default"), "torch", "fp32", "go"),
        NetworkChoice(Path("8"), "torch", "fp32", "othello"),
        NetworkChoice(None, game="othello"),  # playouts run in one way only
    ]


def test_a_game_left_makes_room(loader: Loader) -> None:
    pool = NetworkPool(loader, DEFAULTS, sessions=NETWORKS + 2)
    with ExitStack() as stack:
        seats = [stack.enter_context(pool.lease(of(str(index)))) for index in range(NETWORKS)]
        with pytest.raises(BusyError), pool.lease(of("more")):
            pass
        seats[0].change_board(OTHELLO)
        with pool.lease(of("more")):
            pass


def test_default_networks_take_no_room(loader: Loader) -> None:
    pool = NetworkPool(loader, DEFAULTS)
    with ExitStack() as stack:
        for index in range(NETWORKS):
            stack.enter_context(pool.lease(of(str(index))))
        lease = stack.enter_context(pool.lease())
        for board in (OTHELLO, SMALL, TINY):
            lease.change_board(board)


def test_what_people_play_is_loaded_when_it_is_asked_for(loader: Loader) -> None:
    humans = {(8, 8): Path("human8"), None: Path("human")}
    othello = replace(DEFAULTS["othello"], humans=humans)
    pool = NetworkPool(loader, DEFAULTS | {"othello": othello})
    with pool.lease(othello, OTHELLO) as lease:
        assert loader.loaded == ["8"]
        assert lease.human_network(usual_board("go")) is None
        network = lease.human_network(OTHELLO)
        assert network is not None
        assert lease.human_network(OTHELLO) is network is not lease.network
        assert lease.human_network(SMALL) is not network
        assert loader.loaded == ["8", "human8", "human"]
    with pool.lease(othello, OTHELLO) as lease:
        assert lease.human_network(OTHELLO) is network


def test_a_network_that_a_persona_mixes_in_is_held_while_it_is_wanted(loader: Loader) -> None:
    pool = resident_of(loader)
    with pool.lease(replace(of("usual"), backend="native")) as lease:
        centre = lease.biased_network(Path("centre"))
        assert lease.biased_network(Path("centre")) is centre is not lease.network
        edge = lease.biased_network(Path("edge"))
        assert edge is not centre
        assert loader.loaded == ["usual", "centre", "edge"]
        with pytest.raises(SettingError, match="not a network"):
            lease.biased_network(Path("broken"))
        assert lease.biased_network(Path("edge")) is edge
    with ExitStack() as stack:  # nothing is in use any more
        for index in range(NETWORKS):
            stack.enter_context(pool.lease(of(str(index))))


def test_a_human_network_of_ones_own_is_for_every_board(tmp_path: Path) -> None:
    pool = NetworkPool(Loader(), DEFAULTS)
    path = tmp_path / "mine"
    with pytest.raises(SettingError, match="mine"):
        pool.choose(game="othello", human_network=str(path))
    path.touch()
    networks = pool.choose(game="othello", human_network=str(path))
    for board in (OTHELLO, TINY):
        assert networks.human_on(board) == NetworkChoice(path.resolve(), game="othello")
    assert networks.on(OTHELLO) == DEFAULTS["othello"].on(OTHELLO)


# ---- Memory, and newer files


class Sized(Loader):
    """Networks of so many parameters as their names say."""

    def __call__(self, choice: NetworkChoice) -> Evaluator:
        super().__call__(choice)
        assert choice.path is not None
        parameters = int(choice.path.name)
        network = SimpleNamespace(parameters=parameters)
        return cast("Evaluator", SimpleNamespace(network=network))


def test_the_least_recently_used_network_goes_beyond_the_bound_of_memory() -> None:
    loader = Sized()
    three_tables = 3 * EvaluationCache(CACHED).bytes
    most = 350 * WEIGHT_BYTES + three_tables
    pool = NetworkPool(loader, {"go": of("100")}, most_bytes=most)
    for name in ("100", "101", "102", "100"):
        with pool.lease(of(name)):
            pass
    assert loader.loaded == ["100", "101", "102"]
    with pool.lease(of("103")):  # 101 goes: 100 was used later
        pass
    with pool.lease(of("102")), pool.lease(of("100")), pool.lease(of("103")):
        pass
    assert loader.loaded == ["100", "101", "102", "103"]
    with pool.lease(of("101")):
        pass
    assert loader.loaded[4:] == ["101"]


def test_a_network_in_use_stays_whatever_the_memory() -> None:
    loader = Sized()
    pool = NetworkPool(loader, {"go": of("100")}, most_bytes=0)
    with pool.lease(of("100")) as first, pool.lease(of("101")):
        assert first.network is first.change_board(usual_board("go"))
    assert pool.loaded() == []


def test_the_work_of_dropped_networks_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "100"
    path.write_text("one")
    pool = NetworkPool(Sized(), {"go": GameNetworks("go", path)}, most_bytes=0)
    late = []
    for rows in (1, 2):  # the first use's network goes with it
        with pool.lease() as lease:
            lease.network.meter.count(rows=rows, playouts=3, wait_seconds=0.5)
            late.append(lease.network.meter)
    assert late[0] is not late[1]
    with pool.lease() as lease:
        path.write_text("another")
        assert pool.refresh() == [path]
        lease.network.meter.count(rows=4, playouts=0, wait_seconds=0.0)
    late[0].count(rows=8, playouts=0, wait_seconds=0.0)  # a search ends after the drop
    work = pool.meter.work()
    assert (work.evaluations, work.playouts, work.wait_seconds) == (15, 6, 1.0)


def test_a_newer_file_is_for_the_next_games(tmp_path: Path) -> None:
    path = tmp_path / "network"
    path.write_text("one")
    loader = Loader()
    pool = NetworkPool(loader, {"go": GameNetworks("go", path)})
    with pool.lease() as lease:
        old = lease.network
        assert pool.refresh() == []
        path.write_text("another")
        assert pool.refresh() == [path]
        assert lease.network is old  # the game under way
        assert len(pool.loaded()) == 2
        with pool.lease() as other:
            new = other.network
        assert new is not old
        assert lease.change_board(usual_board("go")) is new  # its next game
        assert len(pool.loaded()) == 1
    assert loader.loaded == ["network", "network"]
    path.unlink()
    assert pool.refresh() == []


def test_a_broken_newer_file_leaves_the_old_network(tmp_path: Path) -> None:
    path = tmp_path / "network"
    path.write_text("one")
    is_broken: list[bool] = []

    def load(_choice: NetworkChoice) -> Evaluator:
        if is_broken:
            raise SettingError("garbage")
        return cast("Evaluator", object())

    pool = NetworkPool(load, {"go": GameNetworks("go", path)})
    with pool.lease() as lease:
        path.write_text("garbage")
        is_broken.append(True)
        with pytest.raises(SettingError, match="garbage"):
            pool.refresh()
        with pool.lease() as other:
            assert other.network is lease.network


def test_default_networks_are_replaced_once_they_are_loaded() -> None:
    pool = NetworkPool(Loader(), DEFAULTS)
    with pool.lease() as lease:
        before = lease.network
        with pytest.raises(SettingError):
            pool.replace_defaults(DEFAULTS | {"go": of("broken")})
        assert pool.defaults["go"] == of("default")
        pool.replace_defaults(DEFAULTS | {"go": of("new")})
        with pool.lease() as other:
            assert other.network is not before
        assert lease.network is before
