"""The subcommand `sparring bot`: plays on an online server, or writes an example configuration."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bots.own_service import OwnServiceProgram
from bots.program import FAULTS, BotProgram, example_lines, open_program
from bots.server_table import SERVERS
from engine.errors import UsageError
from engine.util.user_folders import config_folder, data_folder
from protocols.cli.options import Say
from protocols.server.log_choices import AUTO, FORMATS, LEVELS, TEXT
from protocols.server.logs import start_log

SYSTEM_FOLDER = Path("/etc/sparring")
AWAY = 1  # the exit code of a rehearsal without the engine or the server
EPILOG = """\
The engine runs as a process of its own, `sparring serve`; either may restart alone. Several bots of
one server have a suffix of their own, such as cgos-9x9. Begin with `sparring bot cgos --example`.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `bot`."""
    parser.epilog = EPILOG
    add = parser.add_argument
    servers = "; ".join(f"{name}: {row.help}" for name, row in SERVERS.items())
    add("name", metavar="NAME", help=f"the server, or the server and a suffix ({servers})")
    add(
        "--config",
        type=Path,
        metavar="FILE",
        help="configuration; default: "
        "sparring/bots/NAME.toml in the user's configuration, else /etc/sparring/bots/NAME.toml",
    )
    add(
        "--dry-run",
        action="store_true",
        help="check the configuration, the engine and the server, say what the bot would do, and "
        "play nothing; the exit code is 1 while the engine or the server is away",
    )
    add(
        "--example",
        action="store_true",
        help="print an example configuration with a comment on each key",
    )
    add("--output", type=Path, metavar="FILE", help="write the example to a new file")
    add(
        "--log-level",
        choices=LEVELS,
        default="info",
        help="least level of the log's lines; default: info",
    )
    add("--log-format", choices=FORMATS, default=TEXT, help="form of the log; default: text")
    add("--log-to", metavar="PLACE", default=AUTO, help="place of the log: stderr, journald, or a "
        "file; default: the journal under systemd, else stderr")  # fmt: skip


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays until SIGINT or SIGTERM, rehearses, or writes the example; raises UsageError."""
    try:
        if options.example or options.output is not None:
            write_example(options, say)
            return 0
        start_log(options.log_level, options.log_format, options.log_to)
        folder = data_folder() / "bots"
        program = open_program(options.name, file_of(options), folder, os.environ)
        if options.dry_run:
            return rehearse(program, say)
        program.run()
    except FAULTS as error:
        raise UsageError(str(error)) from error
    return 0


def rehearse(program: BotProgram | OwnServiceProgram, say: Say) -> int:
    """Reports the rehearsal of a bot and returns the exit code; raises one of FAULTS."""
    rehearsal = program.rehearse()
    for line in rehearsal.lines:
        say(line)
    return 0 if rehearsal.is_ready else AWAY


def write_example(options: argparse.Namespace, say: Say) -> None:
    """Prints the example, or writes it to a new file for its user alone; raises UsageError."""
    text = "\n".join(example_lines(options.name))
    if options.output is None:
        say(text)
        return
    try:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        with options.output.open("x", encoding="utf-8") as file:
            options.output.chmod(0o600)
            file.write(text + "\n")
    except FileExistsError as error:
        raise UsageError(f"{options.output} is there already") from error
    say(f"wrote {options.output}")


def file_of(options: argparse.Namespace) -> Path:
    """Returns the path of the configuration; raises UsageError where there is none."""
    if options.config is not None:
        return Path(options.config)
    folders = (config_folder(), SYSTEM_FOLDER)
    files = [folder / "bots" / f"{options.name}.toml" for folder in folders]
    for file in files:
        if file.is_file():
            return file
    command = f"sparring bot {options.name} --example --output {files[0]}"
    raise UsageError(f"no configuration {files[0]}; `{command}` writes one to fill in")
