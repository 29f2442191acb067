"""Reads words and weights from a KataGo network file in bounded steps.

A file is whitespace-separated words with blocks of floats between them, as words too or as "@BIN@"
and little-endian float32, usually all gzipped. Each count in a file is checked against the limits
here and against the file's own size before any allocation: neither a corrupt count nor a gzip bomb
costs memory. engine.networks.katago_layers and its like make layers of them.
"""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

import numpy as np

from engine.networks.architecture import FloatArray, NetworkFileError

STEP_BYTES = 1 << 20
WORD_BYTES = 128
LAYER_FLOATS = 1 << 26
# Weights hardly compress: a file that unpacks to far more than itself is not a network.
UNPACKED_RATIO = 64
UNPACKED_EXTRA = 1 << 20
BINARY_MARK = b"@BIN@"
GZIP_MARK = b"\x1f\x8b"
SPACE = b" \t\r\n\v\f"
# First bytes of other files that users try by mistake.
OTHER_FILES = {
    b"PK\x03\x04": "a zip archive, perhaps a PyTorch checkpoint: export it to .bin.gz first",
    b"\x08\x00": "a protobuf file, perhaps ONNX",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"(;": "a game record",
}


class WeightStream:
    """The content of one file, front to back; errors name the file and the layer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.layer = "the header"
        self._pending = b""
        self._unpacked = 0
        try:
            file = path.open("rb")
            self._budget = path.stat().st_size * UNPACKED_RATIO + UNPACKED_EXTRA
        except OSError as error:
            raise NetworkFileError(f"{path}: cannot be read: {error.strerror}") from error
        self._raw: BinaryIO = file
        first = file.read(8)
        file.seek(0)
        if not first:
            file.close()
            raise NetworkFileError(f"{path}: the file is empty")
        zipped = first.startswith(GZIP_MARK)
        self._file = cast("io.BufferedIOBase", gzip.GzipFile(fileobj=file) if zipped else file)
        for mark, kind in OTHER_FILES.items():
            if first.startswith(mark):
                file.close()
                raise NetworkFileError(f"{path}: not a KataGo network: {kind}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._raw.close()

    def fail(self, problem: str) -> NetworkFileError:
        """Returns the error for a problem at the current layer."""
        return NetworkFileError(f"{self.path}: {self.layer}: {problem}")

    def word(self, what: str) -> str:
        """Returns the next word; `what` names the expected word in errors."""
        self._skip_space(what)
        while len(self._pending) <= WORD_BYTES and self._fill(WORD_BYTES):
            pass
        word = self._pending[: WORD_BYTES + 1].split(None, 1)[0]
        self._pending = self._pending[len(word) :]
        text = word.decode("latin-1")
        if len(word) > WORD_BYTES or not text.isprintable() or not text.isascii():
            raise self.fail(f"expected {what}, found {text[:24]!r}")
        return text

    def integer(self, what: str, low: int, high: int) -> int:
        """Returns the next word as a whole number within [low, high]."""
        word = self.word(what)
        try:
            number = int(word)
        except ValueError:
            raise self.fail(f"expected {what}, found {word[:24]!r}") from None
        if not low <= number <= high:
            limits = f"{low} to {high}" if low < high else f"{low}"
            raise self.fail(f"{what} is {number}, expected {limits}")
        return number

    def positive(self, what: str, high: float = float("inf")) -> float:
        """Returns the next word as a finite number above 0, at most `high`."""
        word = self.word(what)
        try:
            number = float(word)
        except ValueError:
            raise self.fail(f"expected {what}, found {word[:24]!r}") from None
        if not (0 < number < float("inf") and number <= high):
            limit = "" if high == float("inf") else f", at most {high:g}"
            raise self.fail(f"{what} is {word}, expected a finite number above 0{limit}")
        return number

    def floats(self, *shape: int) -> FloatArray:
        """Returns the next weights `[*shape]`, float32.

        Raises NetworkFileError for too many.
        """
        count = int(np.prod(shape, dtype=np.int64))
        if count > LAYER_FLOATS:
            raise self.fail(f"declares {count} weights, the limit is {LAYER_FLOATS}")
        if self._unpacked + count > self._budget:
            raise self.fail(f"declares {count} weights, more than the file can hold")
        self._skip_space(f"{count} weights")
        binary = self._pending.startswith(BINARY_MARK[:1])
        weights = self._binary_floats(count) if binary else self._written_floats(count)
        if not np.isfinite(weights).all():
            raise self.fail("holds a weight that is not a finite number")
        return weights.reshape(shape)

    def end(self) -> None:
        """Checks that only space follows, and with it the archive's checksum."""
        while True:
            if self._pending.strip(SPACE):
                raise self.fail(f"expected the end of the file, found {self._pending[:24]!r}")
            self._pending = b""
            if not self._fill(STEP_BYTES):
                return

    def _binary_floats(self, count: int) -> FloatArray:
        while len(self._pending) < len(BINARY_MARK) and self._fill(4096):
            pass
        if not self._pending.startswith(BINARY_MARK):
            raise self.fail(f"expected {BINARY_MARK!r}, found {self._pending[:8]!r}")
        size = 4 * count
        data = bytearray(self._pending[len(BINARY_MARK) : len(BINARY_MARK) + size])
        self._pending = self._pending[len(BINARY_MARK) + size :]
        while len(data) < size:
            step = self._read(min(STEP_BYTES, size - len(data)))
            if not step:
                raise self.fail(f"expected {count} weights, the file ends after {len(data) // 4}")
            data += step
        return np.frombuffer(data, "<f4").astype(np.float32, copy=False)

    def _written_floats(self, count: int) -> FloatArray:
        parts: list[FloatArray] = []
        done = 0
        while done < count:
            more = self._fill(STEP_BYTES)
            words = self._pending.split(None, count - done)
            rest = words.pop() if len(words) > count - done else b""
            if more and not rest and words and self._pending[-1:] not in SPACE:
                rest = words.pop()  # may continue in the next step
            if not words and not more:
                raise self.fail(f"expected {count} weights, the file ends after {done}")
            try:
                with np.errstate(over="ignore"):  # too large a number becomes infinite: refused
                    parts.append(np.array(words, dtype=bytes).astype(np.float32))
            except ValueError:
                raise self.fail(f"expected {count} weights, found other words") from None
            done += len(words)
            self._pending = b" " + rest if rest else b" "
        return np.concatenate(parts)

    def _skip_space(self, what: str) -> None:
        self._pending = self._pending.lstrip(SPACE)
        while not self._pending:
            if not self._fill(4096):
                raise self.fail(f"expected {what}, found the end of the file")
            self._pending = self._pending.lstrip(SPACE)

    def _fill(self, size: int) -> bool:
        step = self._read(size)
        self._pending += step
        return bool(step)

    def _read(self, size: int) -> bytes:
        try:
            step = self._file.read(size)
        except (EOFError, OSError, zlib.error) as error:
            raise self.fail(f"the file is truncated or corrupt: {error}") from error
        self._unpacked += len(step)
        if self._unpacked > self._budget:
            raise self.fail("the file unpacks to far more than a network of its size")
        return step
