"""The table of subcommands, and the texts of `sparring --help` and `sparring lab --help`.

Starting stays light: this module imports nothing heavy, and no subcommand's module.
"""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from engine.errors import UsageError

PAGE = 100  # columns of a page of help
LAB = "lab"  # the first word of each research instrument's name


class Subcommand(NamedTuple):
    """One row of the table. A NamedTuple, because importing dataclasses costs 7 ms."""

    group: str  # a key of GROUPS
    help: str
    module: str  # imported when the subcommand is chosen
    plays: bool = True  # takes --network, --backend and --precision beside its settings


# Title of each group of `sparring --help`, in the order of the page.
GROUPS = {
    "play": "Play",
    "serve": "Serve",
    "games": "Matches and review",
    "opponents": "Opponents",
    "networks": "Networks",
    "machine": "This installation",
    LAB: "Laboratory",
}

SUBCOMMANDS: dict[str, Subcommand] = {
    "play": Subcommand(
        "play",
        "play in the browser: Go, Othello, Connect4, chess and dark chess",
        "protocols.cli.play",
        plays=False,
    ),
    "terminal": Subcommand(
        "play",
        "play dark chess or EinStein würfelt nicht here, in the terminal",
        "protocols.cli.gui",
        plays=False,
    ),
    "gtp": Subcommand(
        "play",
        "speak GTP on stdin and stdout, as Sabaki and GoGui start it",
        "protocols.cli.gui",
        plays=False,
    ),
    "darkchess-gtp": Subcommand(
        "play",
        "speak the GTP dialect of dark chess tournaments on stdin and stdout",
        "protocols.cli.gui",
        plays=False,
    ),
    "nboard": Subcommand(
        "play",
        "speak NBoard's protocol on stdin and stdout (Othello)",
        "protocols.cli.gui",
        plays=False,
    ),
    "uci": Subcommand(
        "play",
        "speak UCI on stdin and stdout (chess, by the extra sparring[chess])",
        "protocols.cli.gui",
        plays=False,
    ),
    "ugi": Subcommand(
        "play",
        "speak the Universal Game Interface on stdin and stdout (Othello and Connect4)",
        "protocols.cli.gui",
        plays=False,
    ),
    "analysis": Subcommand(
        "play",
        "speak KataGo's JSON analysis protocol on stdin and stdout",
        "protocols.cli.gui",
        plays=False,
    ),
    "personas": Subcommand(
        "play", "list the personas, show or change one", "protocols.cli.personas", plays=False
    ),
    "serve": Subcommand(
        "serve",
        "keep the networks loaded and serve GUIs, bots and analysis clients",
        "protocols.cli.serve",
        plays=False,
    ),
    "bot": Subcommand(
        "serve",
        "play on an online server, by a configuration of its own",
        "protocols.cli.bot",
        plays=False,
    ),
    "status": Subcommand(
        "serve",
        "show the running engine: its sessions, networks, speed and memory",
        "protocols.cli.status",
        plays=False,
    ),
    "install-service": Subcommand(
        "serve",
        "let systemd start the engine with its first client",
        "protocols.cli.install_service",
        plays=False,
    ),
    "match": Subcommand(
        "games",
        "play programs and agents against each other, without a board",
        "protocols.cli.match",
        plays=False,
    ),
    "review": Subcommand(
        "games",
        "report how natural, good and close recorded games are, move by move",
        "protocols.cli.review",
    ),
    "records": Subcommand(
        "games",
        "check and convert files of Othello games (GGF, WTHOR, lines of moves)",
        "protocols.cli.records",
        plays=False,
    ),
    "solve": Subcommand(
        "games",
        "compute exact scores of Othello endings and Connect4 positions",
        "protocols.cli.solve",
        plays=False,
    ),
    "opponents": Subcommand(
        "opponents",
        "list the remembered opponents and their strength",
        "protocols.cli.opponents",
        plays=False,
    ),
    "opponent": Subcommand(
        "opponents",
        "show, export or delete the record of one opponent",
        "protocols.cli.opponents",
        plays=False,
    ),
    "network": Subcommand(
        "networks",
        "list the networks, describe a network file, convert it to ONNX",
        "protocols.cli.network",
        plays=False,
    ),
    "calibrate": Subcommand(
        "networks",
        "measure the Elo of a network's levels by games among them",
        "protocols.cli.calibrate",
    ),
    "train": Subcommand("networks", "train a network", "protocols.cli.train.command", plays=False),
    "curves": Subcommand(
        "networks", "draw pictures of training runs", "protocols.cli.curves", plays=False
    ),
    "precision": Subcommand(
        "networks",
        "compare a network's answers in reduced precision with fp32",
        "protocols.cli.precision",
    ),
    "bench": Subcommand(
        "machine", "measure visits and network evaluations a second", "protocols.cli.bench"
    ),
    "doctor": Subcommand(
        "machine",
        "check this installation; the page is made for a bug report",
        "protocols.cli.doctor.command",
        plays=False,
    ),
    "config": Subcommand(
        "machine",
        "print, write, check or show the configuration",
        "protocols.cli.config",
        plays=False,
    ),
    "completion": Subcommand(
        "machine",
        "print a script by which bash, zsh or fish completes the command line",
        "protocols.cli.completion.command",
        plays=False,
    ),
    "version": Subcommand("machine", "print the version", "protocols.cli.version", plays=False),
    "lab balance": Subcommand(
        LAB,
        "measure how even a persona's games are against known agents",
        "protocols.cli.balance",
        plays=False,
    ),
    "lab frontier": Subcommand(
        LAB,
        "draw personas by how even and how natural their recorded games are",
        "protocols.cli.frontier",
        plays=False,
    ),
    "lab estimate": Subcommand(
        LAB,
        "measure the error of the estimates of opponents' strength",
        "protocols.cli.estimate",
        plays=False,
    ),
    "lab ratings": Subcommand(
        LAB,
        "measure the worth of a server's ratings, on simulated players",
        "protocols.cli.ratings",
        plays=False,
    ),
    "lab cost": Subcommand(
        LAB,
        "measure the time that tracking an opponent adds to a move",
        "protocols.cli.cost",
    ),
    "lab load": Subcommand(
        LAB,
        "measure a resident engine with many games at once",
        "protocols.cli.load",
        plays=False,
    ),
    "lab darkchess": Subcommand(
        LAB,
        "measure settings of DarkKnight's search on the solved board of dark chess",
        "protocols.cli.dark_chess",
        plays=False,
    ),
    "lab tabular": Subcommand(
        LAB,
        "run AlphaZero with a table on the solved board of dark chess",
        "protocols.cli.dark_chess_alphazero",
        plays=False,
    ),
    "lab kernels": Subcommand(
        LAB,
        "measure the arithmetic of networks on this processor against its peak",
        "protocols.cli.kernels",
        plays=False,
    ),
    "lab styles": Subcommand(
        LAB,
        "measure the effect of a persona's styles in openings with itself",
        "protocols.cli.styles",
    ),
    "lab people": Subcommand(
        LAB,
        "compare levels of Go with people of the same rank, move by move",
        "protocols.cli.people",
        plays=False,
    ),
    "lab beliefs": Subcommand(
        LAB,
        "compare beliefs about people with their ranks, by recorded games of Go",
        "protocols.cli.beliefs",
    ),
    "lab endgames": Subcommand(
        LAB,
        "measure how close and natural the endgames of several methods are",
        "protocols.cli.endgames",
    ),
    "lab endings": Subcommand(
        LAB,
        "compare the results of finished games of Go with another program's count",
        "protocols.cli.endings",
        plays=False,
    ),
    "lab index": Subcommand(
        LAB,
        "measure Elo against the softmax strength index",
        "protocols.cli.index",
        plays=False,
    ),
    "lab tune": Subcommand(
        LAB,
        "search the constants that balance AlphaDDA best, as its paper does",
        "protocols.cli.tune",
        plays=False,
    ),
    "lab examine": Subcommand(
        LAB,
        "compare a network's moves and values with exact results (Othello and Connect4)",
        "protocols.cli.examine",
    ),
}


def overview() -> str:
    """Returns the text of `sparring --help`: the subcommands in groups."""
    lines = ["usage: sparring SUBCOMMAND [options]", "", "A game engine that plays to your level."]
    width = max(len(name) for name, row in SUBCOMMANDS.items() if row.group != LAB)
    for group, title in GROUPS.items():
        lines += ["", f"{title}:"]
        if group == LAB:
            names = ", ".join(map(short_name, rows_of(LAB)))
            lines.append(f"  {LAB + ' NAME':<{width}}  run a research instrument:")
            lines += [f"    {line}" for line in textwrap.wrap(names, PAGE - 4)]
        else:
            lines += table(rows_of(group), width)
    return "\n".join(
        [
            *lines,
            "",
            "`sparring SUBCOMMAND --help` lists the options of a subcommand.",
            f"`sparring {LAB} --help` lists the research instruments.",
            "`sparring --version`, or -V, prints the version.",
            "Start `sparring serve` once, then let a GUI start `sparring gtp`.",
        ]
    )


def lab_overview() -> str:
    """Returns the text of `sparring lab --help`."""
    rows = {short_name(name): row for name, row in rows_of(LAB).items()}
    return "\n".join(
        [
            f"usage: sparring {LAB} NAME [options]",
            "",
            "Research instruments: measurements of play, strength and naturalness.",
            "",
            *table(rows, max(map(len, rows))),
            "",
            f"`sparring {LAB} NAME --help` lists the options of one.",
        ]
    )


def rows_of(group: str) -> dict[str, Subcommand]:
    """Returns the subcommands of a group by name."""
    return {name: row for name, row in SUBCOMMANDS.items() if row.group == group}


def table(rows: dict[str, Subcommand], width: int) -> list[str]:
    """Returns one line a subcommand: its name in `width` columns, then its help text."""
    return [f"  {name:<{width}}  {row.help}" for name, row in rows.items()]


def short_name(name: str) -> str:
    """Returns the last word of a subcommand's name.

    >>> short_name("lab balance"), short_name("gtp")
    ('balance', 'gtp')
    """
    return name.rpartition(" ")[2]


def find(name: str) -> Subcommand:
    """Returns the row of `name`; raises UsageError with the nearest name where there is none."""
    if name in SUBCOMMANDS:
        return SUBCOMMANDS[name]
    if f"{LAB} {name}" in SUBCOMMANDS:
        raise UsageError(f"`sparring {name}` is now `sparring {LAB} {name}`")
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistyped name needs it

    near = get_close_matches(name, SUBCOMMANDS)
    hint = f"did you mean {near[0]!r}?" if near else "see `sparring --help`"
    raise UsageError(f"no subcommand {name!r}; {hint}")
