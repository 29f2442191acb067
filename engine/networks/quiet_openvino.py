"""OpenVINO without its telemetry; other modules import OpenVINO only from here.

`import openvino` sends an event with a lasting client id to www.google-analytics.com, and stores
the id in the user's home. OpenVINO replaces its telemetry by a stub if openvino_telemetry cannot be
imported. This module relies on it: nothing is written, and the user's choice for other programs
stays.
"""

from __future__ import annotations

import sys

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino as ov  # noqa: E402 (after the line above)
from openvino import opset13 as ops  # noqa: E402

__all__ = ["ops", "ov"]
