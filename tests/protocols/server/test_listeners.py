"""Where a server listens, and whom it lets in there."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from engine.errors import SettingError
from protocols.cli.serve import use_all_descriptors
from protocols.server import client
from protocols.server.gateway import Limits
from protocols.server.listeners import (
    Addresses,
    bind_unix,
    bound_at,
    check_folder,
    check_reach,
    tcp,
)
from protocols.server.token import required_token
from tests.support.free_ports import free_ports
from tests.support.served import Served, run


@pytest.fixture
def port() -> int:
    return free_ports(2)


SITE = "https://example.org"
HANDSHAKES = [
    # host with {port}; origin; status, 101 being let in
    ("127.0.0.1:{port}", None, 101),
    ("localhost:{port}", "http://localhost:{port}", 101),
    ("127.9.9.9:{port}", None, 101),
    ("[::1]:{port}", "http://[::1]:{port}", 101),
    ("engine.lan:{port}", "http://engine.lan:{port}", 101),
    ("127.0.0.1:{port}", "https://allowed.example", 101),
    ("127.0.0.1:{port}", SITE, 403),
    ("127.0.0.1:{port}", "null", 403),
    ("127.0.0.1:{port}", "http://localhost:{port}", 403),
    ("evil.example:{port}", "http://evil.example:{port}", 403),
    ("evil.example:{port}", None, 403),
    ("127.0.0.1.evil.example:{port}", None, 403),
    ("localhost.evil.example", None, 403),
    ("192.168.1.9:{port}", None, 403),
    ("[::1", None, 403),
    ("", None, 403),
    ("127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}", None, 400),
    ("127.0.0.1:{port}", "http://127.0.0.1:{port}\r\nOrigin: null", 400),
]
UPGRADE = (
    "GET / HTTP/1.1\r\nHost: {host}\r\n{origin}Upgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize(("host", "origin", "status"), HANDSHAKES)
def test_only_names_of_this_machine_are_answered(
    tmp_path: Path, port: int, host: str, origin: str | None, status: int
) -> None:
    async def test(_served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port + 1)
        header = "" if origin is None else f"Origin: {origin}\r\n"
        request = UPGRADE.format(host=host, origin=header).format(port=port + 1)
        writer.write(request.encode())
        assert (await reader.readline()).split()[1] == str(status).encode()
        writer.close()

    allowed = {
        "origins": frozenset({"https://allowed.example"}),
        "hosts": frozenset({"engine.lan"}),
    }
    run(test, tmp_path, port=port, **allowed)


def test_a_websocket_needs_the_token_where_there_is_one(tmp_path: Path, port: int) -> None:
    async def test(_served: Served) -> None:
        address = f"ws://127.0.0.1:{port + 1}"
        right = {"Authorization": "Bearer sesame"}
        for url, headers in ((f"{address}/?token=sesame", {}), (address, right)):
            async with connect(url, additional_headers=headers) as websocket:
                await websocket.send("one")
                assert await websocket.recv() == "one"
        wrong: list[tuple[str, dict[str, str]]] = [
            (address, {}),
            (f"{address}/?token=sesam", {}),
            (address, {"Authorization": "Basic sesame"}),
        ]
        for url, headers in wrong:
            with pytest.raises(InvalidStatus, match="401"):
                await connect(url, additional_headers=headers)

    run(test, tmp_path, port=port, limits=Limits(token=b"sesame"))


def test_a_token_is_read_and_never_told(tmp_path: Path) -> None:
    path, secret = tmp_path / "token", "open-sesame-open-sesame"
    path.write_text(f"{secret}\n")
    path.chmod(0o600)
    assert required_token(str(path), {"SPARRING_TOKEN": "x"}) == secret.encode()
    assert required_token(None, {"SPARRING_TOKEN": secret}) == secret.encode()
    assert required_token(None, {"SPARRING_TOKEN": ""}) is None
    with pytest.raises(SettingError, match="not 16 to 1000") as raised:
        required_token(None, {"SPARRING_TOKEN": "my sesame"})
    assert "sesame" not in str(raised.value)
    path.chmod(0o644)
    with pytest.raises(SettingError, match="others can read"):
        required_token(str(path), {})
    with pytest.raises(SettingError, match="no token can be read"):
        required_token(str(tmp_path / "absent"), {})


def test_the_server_takes_the_descriptors_that_it_may() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        assert use_all_descriptors() == before[1]
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == before[1]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def opened(**where: Any) -> list[socket.socket]:
    return tcp(Addresses(unix=None, **where), "gtp", where.get("gtp_port"))


def test_what_other_machines_reach_needs_a_token(caplog: pytest.LogCaptureFixture) -> None:
    (everywhere,) = opened(host="0.0.0.0", gtp_port=0)  # noqa: S104 (refused below)
    with everywhere:
        with pytest.raises(SettingError, match="set a token"):
            check_reach(everywhere, has_token=False)
        with caplog.at_level(logging.WARNING):
            check_reach(everywhere, has_token=True)
        assert "nothing sent there is encrypted" in caplog.text
    (here,) = opened(gtp_port=0)
    with here:
        check_reach(here, has_token=False)


@pytest.mark.parametrize("number", [-1, 65536, 99999])
def test_a_port_that_is_none_is_quoted(number: int) -> None:
    with pytest.raises(SettingError, match=f"a port is from 0 to 65535, not {number}"):
        opened(gtp_port=number)


def test_a_port_in_use_and_a_strange_host_are_quoted() -> None:
    (first,) = opened(gtp_port=0)
    with first, pytest.raises(SettingError, match=r"127\.0\.0\.1 port \d+: Address already in use"):
        opened(gtp_port=first.getsockname()[1])
    with pytest.raises(SettingError, match="no such host port 5"):
        opened(host="no such host", gtp_port=5)


def test_an_address_that_the_machine_lacks_is_left_out() -> None:
    here, elsewhere = (socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_INET, ("203.0.113.7", 0))
    (only,) = bound_at([elsewhere, here])
    with pytest.raises(OSError, match="assign requested address"):
        bound_at([elsewhere])
    with only, pytest.raises(OSError, match="in use"):
        bound_at([here, (socket.AF_INET, only.getsockname())])


def test_ipv6_is_listened_at() -> None:
    try:
        (listening,) = opened(host="::1", gtp_port=0)
    except SettingError:
        pytest.skip("this machine has no IPv6")
    with listening, socket.create_connection(listening.getsockname()[:2]):
        check_reach(listening, has_token=False)


def test_the_sockets_folder_is_nobody_elses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    private = Path(client.private_folder())
    private.mkdir(mode=0o700)
    check_folder(private)
    private.chmod(0o755)
    with pytest.raises(SettingError, match=r"\(drwxr-xr-x of user \d+\) is open to other users"):
        bind_unix(private / "s.sock")
    private.rmdir()
    private.symlink_to(tmp_path)
    with pytest.raises(SettingError, match="open to other users"):
        bind_unix(private / "s.sock")
    other = tmp_path / "other"
    other.mkdir()
    check_folder(other)
    other.chmod(0o777)
    with pytest.raises(SettingError, match="open to other users"):
        check_folder(other)
    other.chmod(0o1777)
    check_folder(other)
    if os.getuid() == 0:
        os.chown(other, 1234, -1)
        with pytest.raises(SettingError, match="of user 1234"):
            check_folder(other)


@pytest.mark.parametrize("name", ["x" * 120, "file", "file/s.sock"])
def test_a_socket_that_cannot_be_is_quoted(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("not a socket")
    with pytest.raises(SettingError, match=name):
        bind_unix(tmp_path / name)


def test_another_users_engine_is_not_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.sock"
    with bind_unix(path) as listening:
        listening.listen()
        ours = client.connect(str(path))
        assert ours is not None
        ours.close()
        monkeypatch.setattr(client, "ROOT", 1234)
        monkeypatch.setattr(os, "getuid", lambda: 1234)
        assert client.connect(str(path)) is None
