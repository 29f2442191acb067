"""Networks are loaded once and shared; sessions and networks are limited."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from engine.evaluator import Evaluator
from engine.records import SettingError
from engine.resident import NETWORKS, BusyError, Network, NetworkChoice, Resident


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


def resident_of(loader: Loader, **limits: Any) -> Resident:
    return Resident(loader, {"go": NetworkChoice(Path("default"))}, **limits)


def test_sessions_share_a_network_loaded_once(loader: Loader) -> None:
    resident = resident_of(loader)
    with resident.lease() as first, resident.lease() as second:
        network = first.network
        assert second.network is network
    with resident.lease() as third:
        assert third.network is network
    assert loader.loaded == ["default"]


def test_sessions_that_start_together_load_once(loader: Loader) -> None:
    resident = resident_of(loader)
    barrier = threading.Barrier(8)
    seen: list[Network] = []

    def start() -> None:
        barrier.wait()
        with resident.lease(NetworkChoice(Path("other"))) as seat:
            seen.append(seat.network)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(network) for network in seen}) == 1
    assert loader.loaded == ["other"]


def test_a_network_that_failed_is_tried_again(loader: Loader) -> None:
    resident = resident_of(loader)
    for _ in range(2):
        with pytest.raises(SettingError), resident.lease(NetworkChoice(Path("broken"))):
            pass
    assert loader.loaded == ["broken", "broken"]


def test_too_many_sessions_are_refused_and_a_free_place_is_given_again(loader: Loader) -> None:
    resident = resident_of(loader, sessions=1)
    with resident.lease(), pytest.raises(BusyError, match="all 1 sessions"), resident.lease():
        pass
    with resident.lease():
        pass


def test_an_unused_network_makes_room_and_a_used_one_does_not(loader: Loader) -> None:
    resident = resident_of(loader)
    with ExitStack() as stack:
        for index in range(NETWORKS):
            stack.enter_context(resident.lease(NetworkChoice(Path(str(index)))))
        with pytest.raises(BusyError), resident.lease(NetworkChoice(Path("more"))):
            pass
    with resident.lease(NetworkChoice(Path("more"))), resident.lease(NetworkChoice(Path("1"))):
        pass
    assert loader.loaded == ["0", "1", "2", "3", "more"]


def test_a_choice_keeps_what_is_not_asked_for(tmp_path: Path) -> None:
    default = NetworkChoice(tmp_path / "a.bin.gz", "openvino", "fp32")
    resident = Resident(Loader(), {"go": default})
    other = tmp_path / "b.bin.gz"
    other.touch()
    assert resident.choose(str(other)) == NetworkChoice(other.resolve(), "openvino", "fp32")
    assert resident.choose(precision="bf16").precision == "bf16"
    with pytest.raises(SettingError, match="missing"):
        resident.choose(str(tmp_path / "missing"))


GAMES = {
    "go": NetworkChoice(Path("default")),
    "othello": NetworkChoice(None, game="othello"),
    "connect4": NetworkChoice(Path("broken"), game="connect4"),
}


def test_a_seat_changes_its_network_with_the_game(loader: Loader) -> None:
    resident = Resident(loader, GAMES)
    with resident.lease(NetworkChoice(Path("mine"))) as seat:
        mine = seat.network
        assert seat.change_game("othello") is seat.network is not mine
        assert seat.game == "othello"
        with pytest.raises(SettingError):
            seat.change_game("connect4")
        assert seat.game == "othello"
        assert seat.change_game("go") is mine
    assert loader.loaded == ["mine", "playouts of othello", "broken"]


def test_a_game_left_makes_room(loader: Loader) -> None:
    resident = Resident(loader, GAMES, sessions=NETWORKS + 2)
    with ExitStack() as stack:
        seats = [
            stack.enter_context(resident.lease(NetworkChoice(Path(str(index)))))
            for index in range(NETWORKS)
        ]
        with pytest.raises(BusyError), resident.lease(NetworkChoice(Path("more"))):
            pass
        seats[0].change_game("othello")
        with resident.lease(NetworkChoice(Path("more"))):
            pass


def test_playouts_run_in_one_way_only(loader: Loader) -> None:
    resident = Resident(loader, GAMES)
    assert resident.choose(None, "torch", "fp32", "othello") == GAMES["othello"]
    assert resident.choose(None, "torch", "fp32", "go").backend == "torch"
