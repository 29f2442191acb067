"""The modules that an installation may lack, and the extra that brings each."""

from __future__ import annotations

EXTRAS = {  # module -> the extra of `pip install 'sparring[EXTRA]'`
    "torch": "torch",
    "openvino": "openvino",
    "matplotlib": "pictures",
    "tensorboardX": "train",
    "ray": "ray",
    "onnx": "onnx",
    "psycopg": "postgres",
}


def absent(module: str | None) -> str:
    """Returns the words for a module that cannot be imported, with the extra that brings it.

    >>> absent("onnx.helper")
    "the module 'onnx' is absent here: install sparring[onnx]"
    """
    package = (module or "").partition(".")[0]
    hint = f": install sparring[{EXTRAS[package]}]" if package in EXTRAS else ""
    return f"the module {package!r} is absent here{hint}"
