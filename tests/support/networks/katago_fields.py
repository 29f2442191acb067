"""The fields of a KataGo network file by the grammar of versions 8 to 17, for files with errors.

Reads with no code of the engine's reader. Each field holds its place in the file, its place in the
grammar and wrong texts for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

MARK = b"@BIN@"
FLOAT_BYTES = 4
NOT_ONE_NUMBER = ("", "x", "1.5", "99999999999999999999")
WRONG_WORDS = ("", "\x01", "é", "n" * 200)
WRONG_GUARDS = ("", "x", "1", "-1")
WRONG_SWITCHES = ("", "x", "2", "-1", "0.5")
WRONG_FACTORS = ("", "x", "0", "-1", "nan", "inf", "1e999")
WRONG_EPSILONS = (*WRONG_FACTORS, "2")
BLOCKS = (
    "ordinary_block",
    "gpool_block",
    "nested_bottleneck_block",
    "transformer_attention_block",
    "transformer_ffn_block",
)
VERSIONS = range(8, 18)
WRONG_VERSIONS = ("-1", "0", "7", "18", "1000000000")


@dataclass(frozen=True)
class Field:
    """A word or a block of floats at content[start:end]."""

    start: int
    end: int
    place: str  # in the grammar: equal for all layers of one kind
    wrong: tuple[str, ...] = ()  # texts that a reader must refuse here; none for a block
    floats: int = 0  # of a block


def wrong_counts(count: int, *others: object) -> tuple[str, ...]:
    """Texts that are wrong for a count with these neighbours."""
    near = (count - 1, count + 1, 0, -1, 1_000_000_000, *others)
    return (*NOT_ONE_NUMBER, *(str(each) for each in near if each != count))


@dataclass
class FieldWalk:
    """Walks a file with binary weights from its first field to its last."""

    content: bytes
    fields: list[Field] = field(default_factory=list)
    version: int = 0
    at: int = 0

    def walk(self) -> list[Field]:
        """The fields in the order of the file. AssertionError for a file of another grammar."""
        self.name("file")
        self.version = int(self.peek())
        # older versions may share a layout; the newer ones need their own
        others = [str(each) for each in VERSIONS if self.version >= 15 and each != self.version]
        self.word("version", (*NOT_ONE_NUMBER, *WRONG_VERSIONS, *others))
        for what in ("planes", "globals"):
            self.count(what)
        if self.version >= 13:
            for _ in range(7):
                self.word("multiplier", WRONG_FACTORS)
        has_metadata = False
        if self.version >= 15:
            has_metadata = self.switch("metadata encoder") == "1"
            self.switch("pass-alive")
            self.guards("header", 6)
        self.trunk(has_metadata)
        self.policy()
        self.value()
        assert not self.content[self.at :].strip()
        return self.fields

    def peek(self) -> str:
        return self.content[self.at :][:200].split(None, 1)[0].decode()

    def word(self, place: str, wrong: tuple[str, ...]) -> str:
        while self.content[self.at : self.at + 1].isspace():
            self.at += 1
        text = self.peek()
        self.fields.append(Field(self.at, self.at + len(text), place, wrong))
        self.at += len(text)
        return text

    def name(self, of: str) -> None:
        self.word(f"{of}: name", WRONG_WORDS)

    def count(self, place: str) -> int:
        count = int(self.peek())
        self.word(place, wrong_counts(count))
        return count

    def switch(self, place: str) -> str:
        return self.word(place, WRONG_SWITCHES)

    def guards(self, of: str, count: int) -> None:
        for _ in range(count):
            self.word(f"{of}: guard", WRONG_GUARDS)

    def floats(self, place: str, count: int) -> None:
        while self.content[self.at : self.at + 1].isspace():
            self.at += 1
        assert self.content.startswith(MARK, self.at), (place, self.at)
        end = self.at + len(MARK) + FLOAT_BYTES * count
        self.fields.append(Field(self.at, end, place, floats=count))
        self.at = end

    def trunk(self, has_metadata: bool) -> None:
        self.name("trunk")
        blocks = self.count("trunk: blocks")
        self.word("trunk: unused channels", ("", "x"))
        for _ in range(4):
            self.word("trunk: unused channels", ("", "x"))
        tip = "0"
        if self.version >= 15:
            tip = self.switch("trunk: tip kind")
            self.guards("trunk", 5)
        self.convolution()
        self.linear()
        if has_metadata:
            self.name("metadata")
            self.count("metadata: inputs")
            for _ in range(2):
                self.biased()
                self.activation()
            self.linear()
        self.blocks(blocks)
        if tip == "1":
            self.root_mean_square("tip", is_tip=True)
            self.activation()
        else:
            self.normalization()

    def blocks(self, count: int) -> None:
        walks: dict[str, Callable[[], None]] = {
            "ordinary_block": self.ordinary,
            "gpool_block": self.pooled,
            "nested_bottleneck_block": self.bottleneck,
            "transformer_attention_block": self.attention,
            "transformer_ffn_block": self.feed_forward,
        }
        for _ in range(count):
            kind = self.peek()
            others = tuple(each for each in BLOCKS if each != kind)
            self.word("kind of block", ("", "strange_block", *others))
            walks[kind]()

    def ordinary(self) -> None:
        self.name("ordinary")
        for _ in range(2):
            self.normalization()
            self.convolution()

    def pooled(self) -> None:
        self.name("pooled")
        self.normalization()
        self.convolution()
        self.convolution()
        self.normalization()
        self.linear()
        self.normalization()
        self.convolution()

    def bottleneck(self) -> None:
        self.name("bottleneck")
        count = self.count("bottleneck: blocks")
        self.normalization()
        self.convolution()
        self.blocks(count)
        self.normalization()
        self.convolution()

    def attention(self) -> None:
        self.name("attention")
        for size in ("heads", "key heads", "key width", "value width"):
            self.count(f"attention: {size}")
        rotates, learned = (self.switch(f"attention: {kind}") for kind in ("rotates", "learned"))
        self.root_mean_square("attention norm")
        for _ in range(4):
            self.linear()
        if rotates == "1" and learned == "1":
            self.name("rotation")
            sizes = [self.count(f"rotation: {size}") for size in ("heads", "pairs", "axes")]
            self.floats("rotation: floats", int(np.prod(sizes)))
        elif rotates == "1":
            self.name("rotation")
            self.word("rotation: theta", WRONG_FACTORS)

    def feed_forward(self) -> None:
        self.name("feed-forward")
        self.count("feed-forward: channels")
        self.count("feed-forward: units")
        self.word("feed-forward: gated", ("0", *WRONG_SWITCHES))
        self.root_mean_square("feed-forward norm")
        for _ in range(3):
            self.linear()

    def root_mean_square(self, of: str, *, is_tip: bool = False) -> None:
        self.name(of)
        channels = self.count(f"{of}: channels")
        self.word(f"{of}: epsilon", WRONG_EPSILONS)
        if is_tip:
            self.switch("tip: spatial")
            self.guards("tip", 1)
        for _ in range(2 if is_tip else 1):
            self.floats(f"{of}: floats", channels)

    def convolution(self) -> None:
        self.name("convolution")
        sizes = [self.count(f"convolution: {side}") for side in ("height", "width")]
        sizes += [self.count(f"convolution: {side}") for side in ("inputs", "outputs")]
        for _ in range(2):
            # any dilation fits the weights
            self.word("convolution: dilation", (*NOT_ONE_NUMBER, "0", "-1", "1000000000"))
        self.floats("convolution: floats", int(np.prod(sizes)))

    def linear(self) -> None:
        self.name("matrix")
        sizes = [self.count(f"matrix: {side}") for side in ("inputs", "outputs")]
        self.floats("matrix: floats", int(np.prod(sizes)))

    def biased(self) -> None:
        self.linear()
        self.name("bias")
        self.floats("bias: floats", self.count("bias: channels"))

    def normalization(self) -> None:
        self.name("normalization")
        channels = self.count("normalization: channels")
        self.word("normalization: epsilon", WRONG_FACTORS)
        parts = []
        for part in ("scale", "shift"):
            fewer = ("0",) if self.peek() == "1" else ()
            parts.append(self.word(f"normalization: {part}", (*WRONG_SWITCHES, *fewer)))
        for _ in range(2 + parts.count("1")):
            self.floats("normalization: floats", channels)
        self.activation()

    def activation(self) -> None:
        self.name("activation")
        if self.version >= 11:
            self.word("activation: kind", ("", "ACTIVATION_GELU", "ACTIVATION_"))

    def policy(self) -> None:
        self.name("policy")
        if self.version >= 17:
            self.word("policy: outputs", wrong_counts(int(self.peek()), 1, 3, 5))
            self.guards("policy", 3)
        self.convolution()
        self.convolution()
        self.normalization()
        self.linear()
        self.normalization()
        self.convolution()
        if self.version >= 15:
            self.biased()
            self.activation()
        self.linear()

    def value(self) -> None:
        self.name("value")
        if self.version >= 17:
            self.guards("value", 3)
        self.convolution()
        self.normalization()
        self.biased()
        self.activation()
        self.biased()
        self.biased()
        self.convolution()


def fields_of(content: bytes) -> list[Field]:
    """The fields of an unpacked file with binary weights."""
    return FieldWalk(content).walk()
