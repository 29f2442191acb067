"""The subcommand `sparring completion`: prints the script of one shell."""

from __future__ import annotations

import argparse

from protocols.cli.completion.arguments import commands
from protocols.cli.completion.fish import fish_script
from protocols.cli.completion.posix import bash_script, zsh_script
from protocols.cli.options import Say

SHELLS = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
EPILOG = """\
where the script goes:
  bash  sparring completion bash > ~/.local/share/bash-completion/completions/sparring
  zsh   sparring completion zsh > DIR/_sparring, DIR being a folder of $fpath
  fish  sparring completion fish > ~/.config/fish/completions/sparring.fish

The script completes subcommands, options and their values, persona names and files. Make it anew
after an update of Sparring.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `completion`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("shell", choices=SHELLS, help="shell that reads the script")


def run(options: argparse.Namespace, say: Say) -> int:
    """Prints the script."""
    say(SHELLS[options.shell](commands()))
    return 0
