"""The scripts of bash and zsh: tables for both, and a function of each shell.

A table is a function of the shell. It prints the lines for a command, "word:help" for a word with a
help text.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from protocols.cli.completion.arguments import Argument, Command, Kind, persona_names

HEAD = """\
# Completion of the command line of Sparring, made by `sparring completion {name}`.
"""

PERSONAS = """\
_sparring_personas() {{
  printf '%s\\n' {names}
  local folder="${{XDG_CONFIG_HOME:-$HOME/.config}}/sparring/personas"
  find "$folder" -maxdepth 1 -name '*.toml' 2>/dev/null | sed -e 's|.*/||' -e 's|\\.toml$||'
}}
"""

BASH = """\
_sparring() {
  local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= values=
  [[ $current == '=' ]] && current=
  [[ $previous == '=' ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
  ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}
  if ((COMP_CWORD > 2)) &&
      _sparring_subcommands "$command" | grep -q "^${COMP_WORDS[2]}:"; then
    command="$command ${COMP_WORDS[2]}"
  fi
  COMPREPLY=()
  if [[ $previous == --* ]]; then
    values=$(_sparring_values "$command" "$previous")
  fi
  if [[ -z $values && $current == -* ]]; then
    COMPREPLY=($(compgen -W "$(_sparring_options "$command" | sed 's/:.*//')" -- "$current"))
    return
  fi
  if [[ -z $values ]]; then
    COMPREPLY=($(compgen -W "$(_sparring_subcommands "$command" | sed 's/:.*//')" -- "$current"))
    values=$(_sparring_values "$command" '')
  fi
  case ${values%%$'\\n'*} in
    words) COMPREPLY+=($(compgen -W "${values#*$'\\n'}" -- "$current"));;
    persona) COMPREPLY+=($(compgen -W "$(_sparring_personas)" -- "$current"));;
    file) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$current"));;
    folder) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$current"));;
  esac
}
complete -F _sparring sparring
"""

ZSH = """\
_sparring() {
  local command= values= previous=${words[CURRENT-1]}
  local -a found
  ((CURRENT > 2)) && command=${words[2]}
  if ((CURRENT > 3)) && _sparring_subcommands "$command" | grep -q "^${words[3]}:"; then
    command="$command ${words[3]}"
  fi
  if [[ $PREFIX == --*=* ]]; then
    previous=${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ $previous == --* ]]; then
    values=$(_sparring_values "$command" "$previous")
  fi
  if [[ -z $values && $PREFIX == -* ]]; then
    found=("${(@f)$(_sparring_options "$command")}")
    _describe -o option found
    return
  fi
  if [[ -z $values ]]; then
    found=("${(@f)$(_sparring_subcommands "$command")}")
    [[ -n $found ]] && _describe subcommand found
    values=$(_sparring_values "$command" '')
  fi
  case ${values%%$'\\n'*} in
    words) compadd -- "${(@f)${values#*$'\\n'}}";;
    persona) compadd -- "${(@f)$(_sparring_personas)}";;
    file) _files;;
    folder) _files -/;;
  esac
}
"""
# A file of $fpath is the function's body when it is first called; sourced, it is a definition.
ZSH_TAIL = """\
if [[ ${funcstack[1]} == _sparring ]]; then _sparring "$@"; else compdef _sparring sparring; fi
"""


def bash_script(commands: Sequence[Command]) -> str:
    """Returns the script of bash."""
    return "\n".join([HEAD.format(name="bash"), *tables(commands), BASH])


def zsh_script(commands: Sequence[Command]) -> str:
    """Returns the script of zsh, for a file `_sparring` of $fpath or to be sourced."""
    return "\n".join(
        ["#compdef sparring", HEAD.format(name="zsh"), *tables(commands), ZSH, ZSH_TAIL]
    )


def tables(commands: Sequence[Command]) -> list[str]:
    """Returns the functions printing subcommands, options, values and personas."""
    options = {
        command.name: [f"{each.option}:{each.help}" for each in command.options]
        for command in commands
    }
    return [
        function("_sparring_subcommands", '"$1"', below(commands)),
        function("_sparring_options", '"$1"', options),
        function("_sparring_values", '"$1 $2"', values(commands)),
        PERSONAS.format(names=shlex.join(persona_names())),
    ]


def below(commands: Iterable[Command]) -> dict[str, list[str]]:
    """Returns "word:help" of the words after each command's name; "" is the empty name."""
    words: dict[str, list[str]] = {}
    for command in commands:
        head, _, word = command.name.rpartition(" ")
        words.setdefault(head, []).append(f"{word}:{command.help}")
    if "lab" in words:
        words[""].append("lab:run a research instrument")
    return words


def values(commands: Iterable[Command]) -> dict[str, list[str]]:
    """Returns the kind and the words of each option's value, by "command option".

    The key "command " holds the positional arguments: all their words, else the first other kind.
    """
    choices = {}
    for command in commands:
        for each in command.options:
            if each.kind is not Kind.FLAG:
                choices[f"{command.name} {each.option}"] = [each.kind.value, *each.words]
        if lines := places(command.positionals):
            choices[f"{command.name} "] = lines
    return choices


def places(positionals: Sequence[Argument]) -> list[str]:
    """Returns the kind and the words of a command's positional arguments, taken together."""
    kinds = {each.kind for each in positionals} - {Kind.TEXT}
    if Kind.WORDS not in kinds:
        return [kind.value for kind in Kind if kind in kinds][:1]
    words = [word for each in positionals for word in each.words]
    return [Kind.WORDS.value, *words, *(persona_names() if Kind.PERSONA in kinds else ())]


def function(name: str, subject: str, rows: Mapping[str, Sequence[str]]) -> str:
    """Returns a shell function that prints the lines of the row of `subject`, expanded."""
    cases: dict[tuple[str, ...], list[str]] = {}
    for key, lines in rows.items():
        if lines:
            cases.setdefault(tuple(lines), []).append(shlex.quote(key))
    body = [
        f"    {'|'.join(keys)})\n      printf '%s\\n' {shlex.join(lines)};;"
        for lines, keys in cases.items()
    ]
    return "\n".join([f"{name}() {{", f"  case {subject} in", *body, "  esac", "}", ""])
