"""The core's random numbers once more, slowly: xoshiro256**, seeded by splitmix64 (random.h)."""

from __future__ import annotations

ALL = (1 << 64) - 1


def mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & ALL
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & ALL
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & ALL
    return x ^ (x >> 31)


def rotated(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & ALL


class Generator:
    """The numbers that an agent draws in a position, by the game's seed."""

    def __init__(self, seed: int, move_number: int) -> None:
        word = (mix(seed) + move_number) & ALL
        self.state: list[int] = []
        for _ in range(4):
            word = mix(word)
            self.state.append(word)

    def next(self) -> int:
        a, b, c, d = self.state
        result = (rotated((b * 5) & ALL, 7) * 9) & ALL
        t = (b << 17) & ALL
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        self.state = [a, b, c, rotated(d, 45)]
        return result

    def below(self, count: int) -> int:
        return (self.next() >> 32) * count >> 32

    def shuffled(self, moves: list[int]) -> list[int]:
        moves = list(moves)
        for i in range(len(moves) - 1, 0, -1):
            j = self.below(i + 1)
            moves[i], moves[j] = moves[j], moves[i]
        return moves
