"""The script of fish: one `complete` a subcommand, option and value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocols.cli.completion.arguments import Argument, Command, Kind, persona_names
from protocols.cli.completion.posix import HEAD, below

FUNCTIONS = """\
function __sparring_in
    set -l typed (commandline -opc)
    set -l last (math 1 + (count $argv))
    test (count $typed) -ge $last
    and test "$typed[2..$last]" = "$argv"
end
function __sparring_at
    set -l last (math 1 + (count $argv))
    __sparring_in $argv
    and test (count (commandline -opc)) -eq $last
end
function __sparring_first
    test (count (commandline -opc)) -eq 1
end
function __sparring_personas
    printf '%s\\n' {names}
    set -q XDG_CONFIG_HOME; and set -l base $XDG_CONFIG_HOME; or set -l base $HOME/.config
    for file in $base/sparring/personas/*.toml
        basename $file .toml
    end
end
complete -c sparring -f
"""


def fish_script(commands: Sequence[Command]) -> str:
    """Returns the script of fish."""
    lines = [HEAD.format(name="fish") + FUNCTIONS.format(names=" ".join(persona_names()))]
    for head, rows in below(commands).items():
        condition = f"__sparring_at {head}" if head else "__sparring_first"
        for row in rows:
            word, _, about = row.partition(":")
            lines.append(f"complete -c sparring -n '{condition}' -a {word} -d {quoted(about)}")
    for command in commands:
        start = f"complete -c sparring -n '__sparring_in {command.name}'"
        lines += [f"{start} {each}" for each in rules(command)]
    return "\n".join([*lines, ""])


def rules(command: Command) -> Iterator[str]:
    """Yields the ends of the `complete` lines of a command's arguments."""
    for each in command.options:
        yield f"-l {each.option.removeprefix('--')} -d {quoted(each.help)}{value_rule(each)}"
    for each in command.positionals:
        if each.kind is not Kind.TEXT:
            yield value_rule(each).replace(" -r", "").replace(" -x", "").strip()


def value_rule(argument: Argument) -> str:
    """Returns the part of a `complete` line for the possible values."""
    kinds = {
        Kind.FLAG: "",
        Kind.TEXT: " -x",
        Kind.FILE: " -r -F",
        Kind.FOLDER: " -x -a '(__fish_complete_directories)'",
        Kind.PERSONA: " -x -a '(__sparring_personas)'",
        Kind.WORDS: f" -x -a {quoted(' '.join(argument.words))}",
    }
    return kinds[argument.kind]


def quoted(text: str) -> str:
    """Returns a text in fish's single quotes."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
