"""The units of systemd for a user's own service and for a system service.

A unit is a table of sections with their lines; the two kinds of service share most of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Unit = Mapping[str, Sequence[str]]  # lines by section

BOT_HEAD = "Plays on an online server, by the configuration sparring/bots/NAME.toml."
HEADS = {
    "user": "Keeps the networks loaded for all GUIs and bots of this user.",
    "system": "Keeps the networks loaded for clients of TCP ports; configured in /etc/sparring.",
}
SERVICE = (
    "Type=notify",
    "ExecReload=/bin/kill -HUP $MAINPID",
    "Restart=on-failure",
    "RestartSec=5",
    "TimeoutStartSec=180",
    "TimeoutStopSec=15",
    "WatchdogSec=60",
    "MemoryMax=75%",
    "LimitNOFILE=65536",
    "UMask=0077",
)
CONFINED = (
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "ProtectControlGroups=yes",
    "ProtectKernelTunables=yes",
    "LockPersonality=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged @resources",
    "SystemCallErrorNumber=EPERM",
)
# PrivateTmp is left out, since GoGui passes games in /tmp; a client's `printsgf FILE` needs
# ReadWritePaths= for its folder too. PrivateDevices is left out, since it hides a graphics card.
USER = ("ProtectHome=read-only",)
USUAL_DATA = "%h/.local/share"
XDG_VARIABLES = ("XDG_DATA_HOME", "XDG_CONFIG_HOME")  # the bases of engine.util.user_folders
# A user's manager has no rights to mount or to drop capabilities but in a namespace of users. It
# ignores ProtectSystem= and ProtectHome= without this, and refuses the others.
USER_NAMESPACE = (
    "PrivateUsers=yes",
    "CapabilityBoundingSet=",
    "ProtectClock=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectProc=invisible",
    "PrivateMounts=yes",
)
# Nobody's home is open to it; its state is in /var/lib/sparring. MemoryDenyWriteExecute is left
# out, since torch and OpenVINO compile.
SYSTEM = (
    "DynamicUser=yes",
    "StateDirectory=sparring",
    "CacheDirectory=sparring",
    "Environment=HOME=%S/sparring XDG_DATA_HOME=%S XDG_CONFIG_HOME=/etc XDG_CACHE_HOME=%C",
    "EnvironmentFile=-/etc/sparring/environment",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "PrivateUsers=yes",
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
    "ProtectClock=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectProc=invisible",
    "RemoveIPC=yes",
)
# A bot reads its configuration in the folder of the engine's, and remembers its games. Its start
# does not wait for the engine, whose restart it outlives.
BOT = (
    "Type=notify",
    "Restart=on-failure",
    "RestartPreventExitStatus=2",  # a mistake in the configuration, a wrong password
    "RestartSec=30",
    "TimeoutStopSec=15",
    "MemoryMax=1G",
    "UMask=0077",
)
NO_DEVICES = ("PrivateDevices=yes",)
NO_FILES_OF_OTHERS = ("PrivateTmp=yes", *NO_DEVICES)  # a bot reads no GUI's files, no graphics card
GRAPHICS = ("DevicePolicy=closed", "DeviceAllow=char-nvidia* rw", "DeviceAllow=char-drm rw")

SOCKETS = {"user": "%t/sparring.sock", "system": "/run/sparring.sock"}
TARGETS = {"user": "default.target", "system": "multi-user.target"}


def units(
    kind: str,
    program: str,
    *,
    has_graphics: bool = False,
    has_namespaces: bool = True,
    environment: Mapping[str, str] = {},
) -> dict[str, str]:
    """Returns the units by file name.

    kind: "user" or "system". program: the path of `sparring`. has_graphics: whether a system
    service uses a graphics card. has_namespaces: whether users of this machine may make namespaces
    of users; without them the user's service is hardly confined. environment: the user's, whose
    XDG_VARIABLES a user's service gets too.
    """
    if kind == "system":
        own: Sequence[str] = (*SYSTEM, *(GRAPHICS if has_graphics else NO_DEVICES))
        bot_own: Sequence[str] = (*SYSTEM, *NO_DEVICES)
    else:
        own, bot_own = _lines_of_users(environment, has_namespaces=has_namespaces)
    service: Unit = {
        "Unit": (
            "Description=Sparring game engine",
            "Requires=sparring.socket",
            "After=sparring.socket",
        ),
        "Service": (f"ExecStart={program} serve", *SERVICE, *CONFINED, *own),
        "Install": (f"WantedBy={TARGETS[kind]}",),
    }
    socket: Unit = {
        "Unit": ("Description=Sparring game engine, socket",),
        "Socket": (
            f"ListenStream={SOCKETS[kind]}",
            "SocketMode=0600",
            "FileDescriptorName=sparring",
        ),
        "Install": ("WantedBy=sockets.target",),
    }
    bot: Unit = {
        "Unit": (
            "Description=Sparring on %i",
            "Wants=network-online.target",
            "After=network-online.target sparring.socket",
        ),
        "Service": (
            f"ExecStart={program} bot %i",
            *BOT,
            *CONFINED,
            *bot_own,
        ),
        "Install": (f"WantedBy={TARGETS[kind]}",),
    }
    return {
        "sparring-bot@.service": text(BOT_HEAD, bot),
        "sparring.service": text(HEADS[kind], service),
        "sparring.socket": text(HEADS[kind], socket),
    }


def _lines_of_users(
    environment: Mapping[str, str], *, has_namespaces: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """Returns the lines of a user's service, and of a user's bot."""
    own = (*USER, *folder_lines(environment))
    if not has_namespaces:
        return own, own
    return (*own, *USER_NAMESPACE), (*own, *USER_NAMESPACE, *NO_FILES_OF_OTHERS)


def folder_lines(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the lines for the folders of a user's service, by the user's XDG_VARIABLES.

    A user's manager need not know the variables of the user's shell.
    """
    named = [name for name in XDG_VARIABLES if environment.get(name)]
    data = environment.get("XDG_DATA_HOME")
    return (
        *(f"Environment={quoted(f'{name}={environment[name]}')}" for name in named),
        f"ReadWritePaths={quoted(f'-{data}') if data else f'-{USUAL_DATA}'}",
    )


def quoted(word: str) -> str:
    """Returns a word of a unit's line, in quotes where systemd would split or expand it."""
    literal = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    is_plain = literal == word and not any(letter.isspace() or letter == "'" for letter in word)
    return word if is_plain else f'"{literal}"'


def text(head: str, unit: Unit) -> str:
    """Returns a unit as the text of its file."""
    sections = ["\n".join((f"[{name}]", *lines)) for name, lines in unit.items()]
    return f"# {head}\n" + "\n\n".join(sections) + "\n"
