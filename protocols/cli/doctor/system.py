"""The checks of the system: versions, processor, user folders and optional modules."""

from __future__ import annotations

import argparse
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from engine._core import forced_instructions, instruction_sets
from engine.networks.processor import cores, processor_name
from engine.personas import files
from engine.util.optional_modules import EXTRAS
from engine.util.user_folders import config_folder, data_folder
from engine.util.version import KATAGO_VERSION, version_text
from protocols.cli.doctor.page import Problem, Section, path_text
from protocols.cli.failures import LOG_FILE

PACKAGES = (
    *("numpy", "torch", "openvino", "onnx", "safetensors", "sgfmill", "websockets", "uvloop"),
    *("sqlalchemy", "alembic", "psycopg", "matplotlib"),
)

# Use of each optional module; the keys are those of EXTRAS.
USES = {
    "torch": "networks on an NVIDIA GPU, and training",
    "openvino": "another way to run networks on the processor",
    "matplotlib": "pictures of matches, reviews and training runs",
    "tensorboardX": "training curves in TensorBoard",
    "ray": "training games on several machines",
    "onnx": "conversion of networks to ONNX",
    "psycopg": "a store of opponents in PostgreSQL",
    "aiohttp": "bots on online servers",
    "aiomqtt": "the engine as a service over an MQTT broker",
    "paho": "properties of MQTT messages",
    "jsonschema": "checks of MQTT messages",
    "chess": "chess, under the GPL",
}


def versions(_options: argparse.Namespace) -> Section:
    """Returns the versions of Sparring, its protocols, Python and the installed packages."""
    rows = {
        "sparring": version_text(),
        "KataGo's protocols": f"as of KataGo {KATAGO_VERSION}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": platform.platform(),
    }
    for package in PACKAGES:
        if number := installed(package):
            rows[package] = number
    return Section(rows)


def installed(package: str) -> str:
    """Returns the version of an installed package; empty if it is absent."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def processor(_options: argparse.Namespace) -> Section:
    """Returns the processor, its usable cores and the vector instructions in use."""
    rows = {
        "name": processor_name(),
        "cores": f"{cores()} usable of {os.cpu_count()}",
        "instruction sets": ", ".join(instruction_sets()),
        "kernels": f"{instruction_sets()[-1]}, the fastest set of this processor",
    }
    if forced := forced_instructions():
        rows["kernels"] = f"{forced}, as SPARRING_KERNELS limits them"
    return Section(rows)


def user_folders(_options: argparse.Namespace) -> Section:
    """Returns the user's folders with their rights, and the personas that cannot be used."""
    folders = {
        "data": data_folder(),
        "configuration": config_folder(),
        "personas": config_folder() / "personas",
    }
    rows, problems = {}, []
    for name, folder in folders.items():
        state, is_fault = folder_state(folder)
        rows[name] = f"{path_text(folder)} ({state})"
        if is_fault:
            remedy = "Give yourself read and write access to it, or name another place by "
            variable = "XDG_DATA_HOME" if name == "data" else "XDG_CONFIG_HOME"
            problems.append(Problem(f"{path_text(folder)}: {state}", f"{remedy}${variable}."))
    log = data_folder() / LOG_FILE
    if log.is_file():
        rows["errors"] = f"{path_text(log)} ({log.stat().st_size} bytes of internal errors)"
    for name in files.names(files.persona_folders()):
        path = files.find(name, files.persona_folders())
        try:
            if path is not None:
                files.usable(path)
        except ValueError as error:
            text = f"the persona {name!r} cannot be used: {error}"
            problems.append(Problem(text, "Correct the file or remove it."))
    return Section(rows, tuple(problems))


def folder_state(folder: Path) -> tuple[str, bool]:
    """Returns the state of a user's folder in words, and whether the state is a fault."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir():
        return f"{path_text(there)} is no folder", True
    if not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        which = "" if there == folder else f"{path_text(there)} is "
        return f"{which}not open for reading and writing", True
    return ("readable and writable" if there == folder else "absent; made when needed"), False


def optional_modules(_options: argparse.Namespace) -> Section:
    """Returns the optional modules: present, or absent with their use and their extra."""
    rows = {}
    for module, extra in EXTRAS.items():
        use = USES.get(module, "")
        state = "present" if find_spec(module) else f"absent: install sparring[{extra}]"
        rows[module] = f"{state} ({use})"
    return Section(rows)
