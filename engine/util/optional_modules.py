"""Optional modules and the extra of the package to install for each."""

from __future__ import annotations

EXTRAS = {  # module -> the extra of `pip install 'sparring[EXTRA]'`
    "torch": "torch",
    "openvino": "openvino",
    "matplotlib": "pictures",
    "tensorboardX": "train",
    "ray": "ray",
    "onnx": "onnx",
    "psycopg": "postgres",
    "aiohttp": "bots",
    "aiomqtt": "mqtt",
    "paho": "mqtt",
    "jsonschema": "mqtt",
    "chess": "chess",
}


def absent(module: str | None) -> str:
    """Returns the message for a module missing here, with the extra to install for it.

    >>> absent("onnx.helper")
    "the module 'onnx' is absent here: install sparring[onnx]"
    """
    package = (module or "").partition(".")[0]
    hint = f": install sparring[{EXTRAS[package]}]" if package in EXTRAS else ""
    return f"the module {package!r} is absent here{hint}"
