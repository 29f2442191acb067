from __future__ import annotations

from pathlib import Path

from engine.util.user_folders import config_folder, data_folder


def test_the_folder_of_data_follows_the_specification() -> None:
    assert data_folder({"XDG_DATA_HOME": "/data", "HOME": "/home/me"}) == Path("/data/sparring")
    assert data_folder({"HOME": "/home/me"}) == Path("/home/me/.local/share/sparring")
    assert data_folder({}) == Path.home() / ".local/share/sparring"


def test_the_folder_of_settings_follows_the_specification() -> None:
    home = {"XDG_CONFIG_HOME": "/config", "HOME": "/home/me"}
    assert config_folder(home) == Path("/config/sparring")
    assert config_folder({"HOME": "/home/me"}) == Path("/home/me/.config/sparring")
