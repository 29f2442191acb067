"""The report of a soak: games ended, lost, hung, illegal moves, and memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

ON_TIME = "lost on time"
HUNG = "a game did not end"
ILLEGAL = "illegal move"


@dataclass
class SoakReport:
    """The numbers of games are by server. Memory is in MiB, by process, a sample a minute."""

    ended: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)  # by the bot, in any way
    lost_on_time: Counter[str] = field(default_factory=Counter)  # by the bot
    hung: Counter[str] = field(default_factory=Counter)
    illegal_moves: Counter[str] = field(default_factory=Counter)
    other_faults: list[str] = field(default_factory=list)
    memory: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add_game(self, server: str, *, is_lost: bool, is_on_time: bool) -> None:
        """Takes a game that ended. is_on_time: the bot lost it on time."""
        self.ended[server] += 1
        self.lost[server] += is_lost
        self.lost_on_time[server] += is_on_time

    def add_faults(self, server: str, texts: Iterable[str]) -> None:
        """Takes the faults that a stand-in saw; a loss on time is counted with its game."""
        for text in texts:
            if ILLEGAL in text.lower():
                self.illegal_moves[server] += 1
            elif text == HUNG:
                self.hung[server] += 1
            elif text != ON_TIME:
                self.other_faults.append(f"{server}: {text}")

    @property
    def faults(self) -> int:
        """The number of all faults; a game lost by resignation or by points is none."""
        counted = (self.lost_on_time, self.hung, self.illegal_moves)
        return sum(each.total() for each in counted) + len(self.other_faults)

    def lines(self) -> Iterator[str]:
        """Yields the lines of the report."""
        yield f"games ended: {_by_server(self.ended)}"
        yield f"games lost by the bot: {_by_server(self.lost)}"
        yield f"of these lost on time: {_by_server(self.lost_on_time)}"
        yield f"hung games: {_by_server(self.hung)}"
        yield f"illegal moves: {_by_server(self.illegal_moves)}"
        for name, values in self.memory.items():
            spread = f"{values[0]:.0f} -> {values[-1]:.0f} MiB, at most {max(values):.0f}"
            yield f"memory of {name} from the first minute to the last: {spread}"
        yield f"other faults: {len(self.other_faults)}"
        yield from self.other_faults
        yield f"all faults: {self.faults}"


def _by_server(counts: Counter[str]) -> str:
    parts = ", ".join(f"{server} {count}" for server, count in counts.items())
    return f"{counts.total()} ({parts})" if parts else "0"
