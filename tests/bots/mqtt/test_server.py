"""The configuration of the service, and its rehearsal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bots.configuration import ConfigurationError, example, read_configuration
from bots.mqtt.broker_settings import BrokerAccess, MqttSettings, ServiceLimits
from bots.mqtt.server import ROWS, mqtt_settings, rehearse
from bots.rehearsal import Rehearsal
from tests.bots.mqtt.mosquitto import Mosquitto
from tests.support.free_ports import free_ports

MINIMAL = '[service]\nname = "e1"\n'


def settings_of(tmp_path: Path, text: str) -> MqttSettings:
    file = tmp_path / "mqtt.toml"
    file.write_text(text)
    return mqtt_settings(read_configuration(file, ROWS, {}), Path("/data/bots"))


def test_a_name_is_all_that_a_configuration_needs(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, MINIMAL)
    assert settings.broker == BrokerAccess()
    assert settings.limits == ServiceLimits()
    assert settings.data_folder == Path("/data/bots")
    assert settings.client_id == "sparring-e1"
    with pytest.raises(ConfigurationError, match=r"\[service\] name is missing"):
        settings_of(tmp_path, "")


def test_the_example_has_every_key_and_is_accepted(tmp_path: Path) -> None:
    text = "\n".join(example("MQTT", ROWS))
    assert settings_of(tmp_path, text).name == "e1"
    for row in ROWS:
        assert f"\n#{row.file_key} = " in text or f"\n{row.file_key} = " in text


WRONG = [
    ("[service]\nname = 'E 1'", "lower-case letters"),
    (MINIMAL + "prefix = 'a/#'", "without wildcards"),
    (MINIMAL + "prefix = '$SYS'", "without wildcards"),
    (MINIMAL + "prefix = '/a'", "without wildcards"),
    (MINIMAL + "group = 'a/b'", "one level"),
    (MINIMAL + "[broker]\nport = 0", "from 1 to 65535"),
    (MINIMAL + "[broker]\npassword = 'secret'", "unknown key 'password'"),
    (MINIMAL + "[broker]\nca_file = '/x'", "tls = true is missing"),
    (MINIMAL + "[broker]\ntls = true\nca_file = '/x'", "No such file"),
    (MINIMAL + "[broker]\nsession_hours = 48", "answers_hours is longer"),
    (MINIMAL + "[limits]\nvisit = 3", "did you mean 'visits'"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG)
def test_mistakes_are_named(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        settings_of(tmp_path, text)


def test_the_password_comes_from_a_file_and_is_never_shown(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("swordfish\n")
    secret.chmod(0o600)
    settings = settings_of(tmp_path, MINIMAL + f"[broker]\npassword_file = '{secret}'")
    assert settings.broker.password == "swordfish"  # noqa: S105
    assert "swordfish" not in repr(settings)


def test_the_store_may_be_elsewhere(tmp_path: Path) -> None:
    own = settings_of(tmp_path, MINIMAL + "data_folder = '/own'")
    assert own.data_folder == Path("/own")


def rehearsed(tmp_path: Path, port: int) -> Rehearsal:
    file = tmp_path / "mqtt.toml"
    file.write_text(
        MINIMAL
        + f"data_folder = '{tmp_path}'\n[broker]\nhost = '127.0.0.1'\nport = {port}\n"
        + f"[engine]\nsocket = '{tmp_path}/none'\n"
    )
    return asyncio.run(rehearse(read_configuration(file, ROWS, {}), tmp_path))


def test_a_rehearsal_says_what_the_service_would_do(tmp_path: Path, broker: Mosquitto) -> None:
    rehearsal = rehearsed(tmp_path, broker.port)
    assert not rehearsal.is_ready
    assert rehearsal.lines == (
        "the configuration has no mistake",
        f"the engine is away: no engine at {tmp_path}/none: No such file or directory; "
        "start it by `sparring serve`",
        f"the broker at 127.0.0.1:{broker.port} takes this client as sparring-e1",
        "requests come by sparring/engines/e1/requests and $share/sparring/sparring/requests",
        "replies go to sparring/clients/#",
    )
    assert not list(tmp_path.glob("*.sqlite3"))


def test_a_rehearsal_without_a_broker_quotes_its_address(tmp_path: Path) -> None:
    port = free_ports()
    rehearsal = rehearsed(tmp_path, port)
    assert not rehearsal.is_ready
    assert rehearsal.lines[-1].startswith(f"the broker at 127.0.0.1:{port} is away: ")
    assert "refused" in rehearsal.lines[-1]
