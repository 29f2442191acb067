"""Malformed KataGo files: one wrong field at a time, cuts at every layer, and mutations for a time.

    python -m tests.support.networks.malformed FILE.bin.gz ... --minutes 10

Each file must be refused in words, in less than LONGEST_SECONDS of processor time and within
MOST_BYTES of memory above that of the start. A mutation may also leave a network: its outputs on
one position are then computed. Prints the number of cases and the failed ones; --folder keeps the
files of these.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from engine._core import GoPosition, GoRules
from engine.networks.architecture import NetworkFileError
from engine.networks.native_backend import NativeEvaluator
from engine.networks.runtime import BackendError, read_network
from tests.support.networks.katago_fields import FLOAT_BYTES, MARK, Field, fields_of

LONGEST_SECONDS = 1.0
MOST_BYTES = 512 << 20
NASTY_WORDS = (
    b"0 -1 2 7 255 65536 2147483648 1e30 nan inf -inf 1e-45 18446744073709551616 @BIN@".split()
)
MOST_SPAN = 4096  # bytes that one mutation moves
TARGETS = ("words", "words", "floats", "archive")  # of the mutations, in turn


@dataclass(frozen=True)
class Case:
    """A file with its errors; may_be_good: it may also hold a network."""

    name: str
    content: bytes
    may_be_good: bool = False


def replaced(content: bytes, start: int, end: int, piece: bytes) -> bytes:
    return content[:start] + piece + content[end:]


def wrong_fields(content: bytes, fields: Sequence[Field]) -> Iterator[Case]:
    """Each wrong text at each of these words; wrong floats, marks and lengths at each block."""
    for place in fields:
        for wrong in place.wrong:
            piece = wrong.encode()
            name = f"{place.place} at {place.start}: {wrong[:30]!r}"
            yield Case(name, replaced(content, place.start, place.end, piece))
        if place.floats:
            yield from wrong_blocks(content, place)


def wrong_blocks(content: bytes, block: Field) -> Iterator[Case]:
    first, name = block.start + len(MARK), f"{block.place} at {block.start}"
    for value in (np.nan, np.inf, -np.inf):
        piece = np.float32(value).tobytes()
        last = block.end - FLOAT_BYTES
        for start in sorted({first, last}):
            yield Case(f"{name}: {value}", replaced(content, start, start + FLOAT_BYTES, piece))
    yield Case(f"{name}: mark", replaced(content, block.start, first, b"@BIM@"))
    yield Case(f"{name}: no mark", replaced(content, block.start, first, b""))
    yield Case(f"{name}: no block", replaced(content, block.start, block.end, b""))
    yield Case(f"{name}: a float more", replaced(content, block.end, block.end, bytes(FLOAT_BYTES)))


def cuts(content: bytes, fields: Sequence[Field]) -> Iterator[Case]:
    """The file cut at the start, in the middle and at the end of each field but the last."""
    for place in fields:
        for end in sorted({place.start, (place.start + place.end) // 2, place.end}):
            if end < fields[-1].end:
                yield Case(f"cut at {end} in {place.place}", content[:end])


def mutations(content: bytes, fields: Sequence[Field], rng: np.random.Generator) -> Iterator[Case]:
    """Files with one to four random errors each, without end."""
    packed = gzip.compress(content, 1)
    blocks = [place for place in fields if place.floats]
    words = [place for place in fields if not place.floats]
    number = 0
    while True:
        target = TARGETS[number % len(TARGETS)]
        number += 1
        data = packed if target == "archive" else content
        for _ in range(int(rng.integers(1, 5))):
            places = blocks if target == "floats" else words
            place = places[int(rng.integers(len(places)))]
            start = int(rng.integers(place.start, place.end))
            if target == "archive":
                start = int(rng.integers(len(data) + 1))
            if target == "floats":
                data = replaced(data, start, start + FLOAT_BYTES, rng.bytes(FLOAT_BYTES))
            else:
                data = mutated(data, start, rng)
        yield Case(f"mutation {number} of the {target}", data, may_be_good=True)


def mutated(data: bytes, start: int, rng: np.random.Generator) -> bytes:
    """The data with one random error at `start`."""
    span = int(rng.integers(1, 9)) if rng.random() < 0.7 else int(rng.integers(1, MOST_SPAN))
    other = int(rng.integers(0, max(1, len(data) - span)))
    choices = (
        lambda: replaced(data, start, start + span, rng.bytes(span)),
        lambda: replaced(data, start, start + span, b""),
        lambda: replaced(data, start, start, data[other : other + span]),
        lambda: replaced(data, start, start + span, data[other : other + span]),
        lambda: replaced(data, start, start + 1, bytes([int(rng.integers(256))])),
        lambda: replaced(
            data, start, start + span, b" " + NASTY_WORDS[other % len(NASTY_WORDS)] + b" "
        ),
        lambda: data[:start],
    )
    return choices[int(rng.integers(len(choices)))]()


class Refusals:
    """Tries cases in a folder and counts the answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.slowest = 0.0

    def try_case(self, case: Case) -> None:
        """Reads the file and records the answer, or the failure."""
        path = self.folder / "network.bin"
        path.write_bytes(case.content)
        began = time.process_time()
        try:
            network = read_network(path)
        except NetworkFileError as error:
            answer, wrong = "refused", "" if str(path) in str(error) else f"no path in {error}"
        except Exception as error:
            answer, wrong = "failed", f"{type(error).__name__}: {error}"
        else:
            answer, wrong = "read", "" if case.may_be_good else "read as a network"
        seconds = time.process_time() - began
        self.slowest = max(self.slowest, seconds)
        if seconds > LONGEST_SECONDS:
            wrong = wrong or f"took {seconds:.1f} s"
        if answer == "read" and not wrong:
            try:
                evaluate(NativeEvaluator(network, precision="fp32", threads=1))
            except (BackendError, NetworkFileError):
                answer = "read, not loaded"
            except Exception as error:
                wrong = f"evaluation: {type(error).__name__}: {error}"
        self.counts[answer] += 1
        if wrong:
            self.failures.append(f"{case.name}: {wrong}")
            path.rename(self.folder / f"failed{len(self.failures)}.bin")


def evaluate(evaluator: NativeEvaluator) -> None:
    """Computes one position."""
    slot = evaluator.open(7, 5, 1)
    slot.spatial[0], slot.globals[0] = GoPosition(7, 5, GoRules(), 7.5).features()
    slot.start(1)
    slot.wait()


def limit_memory() -> None:
    """Raises MemoryError at MOST_BYTES more than this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[5])  # of data and stack
    most = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (most, resource.RLIM_INFINITY))


def drawn_fields(fields: Sequence[Field], most: int) -> list[Field]:
    """The first `most` fields of each place in the grammar."""
    seen: Counter[str] = Counter()
    drawn = []
    for place in fields:
        seen[place.place] += 1
        if seen[place.place] <= most:
            drawn.append(place)
    return drawn


def try_file(
    path: Path, folder: Path, *, seconds: float, seed: int, most: int, say: Callable[[str], None]
) -> bool:
    """Tries all cases of one file and says the counts; returns whether none failed."""
    content = path.read_bytes()
    content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    fields = fields_of(content)
    drawn = drawn_fields(fields, most)
    rng = np.random.default_rng(seed)
    kinds: dict[str, Iterator[Case]] = {
        "wrong fields": wrong_fields(content, drawn),
        "cuts": cuts(content, [*drawn, fields[-1]]),
        "mutations": mutations(content, fields, rng),
    }
    good = True
    for kind, cases in kinds.items():
        refusals = Refusals(folder)
        ends = time.monotonic() + seconds
        for case in cases:
            if kind == "mutations" and time.monotonic() >= ends:
                break
            refusals.try_case(case)
        counts = ", ".join(f"{count} {answer}" for answer, count in refusals.counts.items())
        say(f"{path.name}: {kind}: {counts}; slowest {refusals.slowest:.2f} s")
        for failure in refusals.failures:
            say(f"  FAILED {failure}")
        good = good and not refusals.failures
    return good


def main() -> None:
    """Tries all files, and ends with status 1 after a failure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="a KataGo network with binary weights")
    add("--minutes", type=float, default=10.0, help="of mutations, over all files")
    add("--most", type=int, default=1 << 30, help="fields of each place in the grammar")
    add("--seed", type=int, default=time.time_ns() % 2**32, help="of the mutations")
    add("--folder", type=Path, help="where the files of failed cases stay")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    limit_memory()
    seconds = options.minutes * 60 / len(options.files)
    with TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        good = [
            try_file(path, folder, seconds=seconds, seed=options.seed, most=options.most, say=print)
            for path in options.files
        ]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
