"""A running engine reads its configuration anew at SIGHUP; games under way keep their settings."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.tcp_talk import TcpTalk


def test_sighup_changes_new_clients_alone_and_a_wrong_file_changes_nothing(
    serve: Callable[..., Any], network: Path, tmp_path: Path
) -> None:
    file = tmp_path / "sparring.toml"
    file.write_text('[play]\nkomi = 3.5\nvisits = 1\npersona = "full"\n')
    serving = serve(network, f"--config={file}")
    with TcpTalk(serving.gtp_port) as first:
        assert first.say("get_komi") == "= 3.5"
        assert first.say("genmove b").startswith("= ")
        assert serving.command("gtp", text="get_komi\n").stdout == "= 3.5\n\n"

        file.write_text("[play]\nkomi = 5.5\nvisits = 2\n[limits]\nsessions = 3\n")
        serving.process.send_signal(signal.SIGHUP)
        serving.logged("reload: done")
        said = serving.log.read_text()
        assert "reload: play.komi changed" in said
        assert "reload: play.persona changed" in said
        assert "reload: limits.sessions needs a restart" in said
        with TcpTalk(serving.gtp_port) as second:
            assert second.say("get_komi") == "= 5.5"
        assert first.say("get_komi") == "= 3.5"

        file.write_text("[play]\nkomi = 6.5\nvisit = 1\n")
        serving.process.send_signal(signal.SIGHUP)
        serving.logged("reload: the old settings stay")
        assert f"{file}:3: unknown key 'visit' in [play]; did you mean 'visits'" in (
            serving.log.read_text()
        )
        assert first.say("get_komi") == "= 3.5"
    with TcpTalk(serving.gtp_port) as third:
        assert third.say("get_komi") == "= 5.5"
    assert serving.stop() == 0
    assert serving.log.read_text().count("Traceback") == 0


def test_the_visits_of_a_command_line_limit_a_move(
    serve: Callable[..., Any], network: Path
) -> None:
    serving = serve(network)
    text = "kata-get-param maxVisits\nsparring-persona full\nkata-genmove_analyze b 1000\nquit\n"
    for visits in (3, 9):
        said = serving.command("gtp", f"--visits={visits}", text=text).stdout
        counts = [int(word) for line in said.splitlines() if line.startswith("info")
                  for word in line.split("visits ")[1].split()[:1]]  # fmt: skip
        assert counts
        assert max(counts) <= visits


def test_an_operators_persona_is_for_the_games_that_it_plays(
    serve: Callable[..., Any], network: Path, tmp_path: Path
) -> None:
    serving = serve(network, "--persona=level:8k")
    with TcpTalk(serving.gtp_port) as talk:
        assert talk.say("sparring-persona") == "= level:8k"
    done = serving.command("ugi", text="ugi\nquit\n")
    assert "even plays" in done.stderr
    assert "option name Persona type string default even" in done.stdout
    done = serving.command("serve", f"--socket={tmp_path}/t.sock", "--persona=nosuch", text="")
    assert (done.returncode, "no persona 'nosuch'" in done.stderr) == (2, True)


def test_a_network_is_replaced_and_the_game_under_way_goes_on(
    serve: Callable[..., Any], network: Path, tmp_path: Path
) -> None:
    file = tmp_path / "network.safetensors"
    shutil.copy(network, file)
    serving = serve(file)
    with TcpTalk(serving.gtp_port) as talk:
        assert talk.say("genmove b").startswith("= ")
        unfinished = tmp_path / "garbage"
        unfinished.write_bytes(b"garbage")
        unfinished.replace(file)
        serving.process.send_signal(signal.SIGHUP)
        serving.logged("reload: the old settings stay")
        assert talk.say("genmove w").startswith("= ")
        shutil.copy(network, unfinished)
        unfinished.replace(file)
        serving.process.send_signal(signal.SIGHUP)
        serving.logged("is loaded anew")
        assert talk.say("genmove b").startswith("= ")
        assert "replaced by a newer file" in serving.command("status", text="").stdout
        assert talk.say("clear_board") == "= "
        assert "replaced by a newer file" not in serving.command("status", text="").stdout
