"""Where the checkout lies, and the data beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUPPORT = ROOT / "tests" / "support"
DATA = ROOT / "tests" / "data"
