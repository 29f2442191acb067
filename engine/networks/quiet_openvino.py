"""OpenVINO without its telemetry; other modules import OpenVINO from here alone.

`import openvino` sends an event with a lasting client id to www.google-analytics.com, and keeps the
id under the user's home. Its own way to be without that is that openvino_telemetry cannot be
imported: it then takes a stub. Nothing is written, and the user's choice for other programs stays.
"""

from __future__ import annotations

import sys

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino as ov  # noqa: E402 (after the line above)
from openvino import opset13 as ops  # noqa: E402

__all__ = ["ops", "ov"]
