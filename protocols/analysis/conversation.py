"""One client of the analysis protocol: each line in, queries to the scheduler, answers out.

The module has the actions too. Every turn of a query ends with exactly one final answer, in any
order. Text goes to an outbox. Lines are handled without waiting for searches.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from engine.errors import SettingError
from engine.play.network_use import Network
from engine.play.search_source import SearchSource
from engine.search.bounds import MOST_VISITS, USUAL_BOUNDS, SearchBounds
from engine.search.meter import SearchMeter
from engine.search.search import Search
from engine.style.mirror import centre_factors, is_mirrored
from engine.util.version import KATAGO_VERSION, version_text
from engine.values import Floats, Limit, Report
from protocols.activity import ANALYSIS, current
from protocols.analysis.answers import AnswerWriter, Json, no_results, report_options
from protocols.analysis.fields import FieldError, integers
from protocols.analysis.people import People, people_of
from protocols.analysis.persona_of_query import PersonaOfQuery
from protocols.analysis.query import Query, read_query
from protocols.analysis.scheduler import AnalysisJob, Scheduler
from protocols.analysis.settings import QuerySettings
from protocols.lines import LONGEST_LINE, OverlongLine, line_bytes
from protocols.outbox import ClientGoneError, Outbox
from protocols.parameters import check_network
from protocols.rights import GUEST, Rights

log = logging.getLogger("sparring")

MOST_WAITING = 50_000  # positions of one client
MOST_WAITING_BYTES = 4 * LONGEST_LINE  # the most bytes of waiting lines
QUOTED = 200  # characters of a line repeated in an error
INTERNAL_ERROR = "internal error"


@dataclass(frozen=True)
class Extras:
    """The parts of a query beside its searches."""

    people: People | None = None  # of humanPolicy and the like
    persona: PersonaOfQuery | None = None  # chooses a move beside the analysis


class Conversation:
    """The queries of one client. One thread passes lines; answers come from many."""

    def __init__(
        self,
        network: Network,
        scheduler: Scheduler,
        outbox: Outbox,
        defaults: QuerySettings,
        *,
        source: SearchSource | None = None,
        rights: Rights = GUEST,
        bounds: SearchBounds = USUAL_BOUNDS,
        most_positions: int = MOST_WAITING,
    ) -> None:
        """source: the client's networks beside `network`; None: it has none of human moves."""
        self._evaluator = network.evaluator
        self._cache = network.cache
        self._meter = SearchMeter((network.meter, current().meter))
        self._bounds, self._most_positions = bounds, most_positions
        self._scheduler = scheduler
        self._outbox = outbox
        self._defaults = defaults
        self._source = source
        self._rights = rights
        self._client = scheduler.join(ready=lambda: not outbox.congested())

    # ---- Lines in

    def handle(self, line: str) -> None:
        """Answers one line, or queues its query; raises ClientGoneError alone.

        Logs a bug, and answers it as the query's internal error.
        """
        if isinstance(line, OverlongLine):
            self._say({"error": f"a line has more than {LONGEST_LINE} bytes: {line!s}..."})
            return
        if not line.strip():
            return
        try:
            request = json.loads(line, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            text = f"could not parse input line as json request: {line[:QUOTED]}"
            self._say({"error": f"{error} - {text}"})
            return
        if not isinstance(request, dict):
            text = f"Request line was valid json but was not an object, ignoring: {line[:QUOTED]}"
            self._say({"error": text})
        elif not isinstance(request.get("id"), str):
            self._say({"error": 'Request must have a string "id" field'})
        else:
            self._answer(request["id"], request, line)

    def leave(self, *, finish: bool, gone: Callable[[], bool]) -> None:
        """Waits until no search of this client runs; queued ones finish first if `finish`."""
        self._scheduler.leave(self._client, finish=finish, gone=gone)

    def _answer(self, query_id: str, request: Json, line: str) -> None:
        try:
            if isinstance(request.get("action"), str):
                self._act(request)
            else:
                query = read_query(query_id, request, self._defaults)
                check_network(query.settings.search, self._evaluator.network)
                self._enqueue(query, line_bytes(line))
        except FieldError as error:
            self._say({"id": query_id, "field": error.field, "error": error.message})
        except SettingError as error:
            self._say({"id": query_id, "field": "overrideSettings", "error": str(error)})
        except ClientGoneError:
            raise
        except Exception:
            log.exception("analysis: internal error in %r", query_id)
            self._say({"id": query_id, "error": INTERNAL_ERROR})

    def _say(self, answer: Json) -> None:
        self._outbox.emit(json.dumps(answer, separators=(",", ":")) + "\n")

    # ---- Actions

    def _act(self, request: Json) -> None:
        action = ACTIONS.get(request["action"])
        if action is None:
            known = " or ".join(map(repr, ACTIONS))
            raise FieldError("action", f"'action' field must be {known}")
        self._say(request | action(self, request))

    def _version(self, _request: Json) -> Json:
        """Answers the version of KataGo's protocol, and the real engine."""
        engine = f"Sparring {version_text()}"
        return {"version": KATAGO_VERSION, "git_hash": "<omitted>", "engine": engine}

    def _models(self, _request: Json) -> Json:
        network = self._evaluator.network
        model = {
            "name": network.name,
            "internalName": network.name,
            "maxBatchSize": self._evaluator.preferred_rows,
            "usesHumanSLProfile": network.uses_metadata,
            "version": network.version,
            "usingFP16": "true" if self._evaluator.precision == "fp16" else "false",
        }
        return {"models": [model]}

    def _clear_cache(self, _request: Json) -> Json:
        self._cache.clear()
        return {}

    def _terminate(self, request: Json) -> Json:
        query_id = request.get("terminateId")
        if not isinstance(query_id, str):
            text = 'Requests for a terminate action must have a string "terminateId" field'
            raise FieldError("terminateId", text)
        self._stop(request, query_id)
        return {}

    def _terminate_all(self, request: Json) -> Json:
        self._stop(request, None)
        return {}

    def _stop(self, request: Json, query_id: str | None) -> None:
        """Terminates the request's turns, or all, of one query or of all."""
        named = _turn_numbers(request)
        turns = None if named is None else frozenset(named)

        def chosen(job: AnalysisJob) -> bool:
            return query_id in {None, job.key[0]} and (turns is None or job.key[1] in turns)

        self._scheduler.terminate(self._client, chosen)

    # ---- Queries

    def _enqueue(self, query: Query, held_bytes: int) -> None:
        """Queues a query from a line of so many bytes."""
        if len(query.turns) > self._most_positions:
            text = f"more than {self._most_positions} positions in one query"
            raise FieldError("analyzeTurns", text)
        if self._scheduler.waiting(self._client) + len(query.turns) > MOST_WAITING:
            raise FieldError("analyzeTurns", f"more than {MOST_WAITING} positions would wait")
        if self._client.held_bytes + held_bytes > MOST_WAITING_BYTES:
            raise FieldError("id", f"more than {MOST_WAITING_BYTES} bytes of queries would wait")
        extras = self._extras(query)
        for field, message in (*query.warnings, *bounded(query, self._bounds)):
            self._say({"id": query.id, "field": field, "warning": message})
        share = held_bytes // max(1, len(query.turns))
        jobs = [self._job(query, extras, turn, share) for turn in sorted(query.turns)]
        self._scheduler.submit(self._client, jobs)

    def _extras(self, query: Query) -> Extras:
        """Returns the people and the persona of a query; raises SettingError and FieldError.

        It runs on the client's own thread, which alone may lease networks.
        """
        people = people_of(query.settings.human_profile, self._source, query.board)
        if not query.persona:
            return Extras(people)
        try:
            persona = self._rights.persona(query.persona, query.board.game)
        except SettingError as error:
            raise FieldError("persona", str(error)) from error
        return Extras(people, PersonaOfQuery.leased(persona, self._source, query.board))

    def _job(self, query: Query, extras: Extras, turn: int, held_bytes: int) -> AnalysisJob:
        return AnalysisJob(
            run=lambda stop: self._run(query, extras, turn, stop),
            give_up=lambda: self._say(no_results(query.id, turn)),
            held_bytes=held_bytes,
            key=(query.id, turn),
            priority=query.turns[turn],
        )

    def _run(self, query: Query, extras: Extras, turn: int, stop: Callable[[], bool]) -> None:
        """Searches one position and sends its final answer, after an error too."""
        try:
            with current().timed(ANALYSIS, "query"):
                answer = self._search(query, extras, turn, stop)
        except Exception:
            log.exception("analysis: internal error in %r turn %d", query.id, turn)
            answer = no_results(query.id, turn) | {"error": INTERNAL_ERROR}
        self._send(answer)

    def _search(self, query: Query, extras: Extras, turn: int, stop: Callable[[], bool]) -> Json:
        position = query.position(turn)
        people = None if extras.people is None else extras.people.evaluate(position)
        size = position.width, position.height
        writer = AnswerWriter(query, size, position.to_move, people)

        def report(so_far: Report) -> None:
            if not self._outbox.congested():
                self._send(writer.answer(turn, so_far, final=False))

        every, on_report = paced(query.report_every, query.first_report, report)
        search = Search(
            self._evaluator,
            query.settings.search,
            cache=self._cache,
            meter=self._meter,
            bounds=self._bounds,
        )
        search.set_position(position)
        try:
            final = search.run(
                query.settings.limit,
                stop=stop,
                on_report=on_report,
                report_every_seconds=every,
                options=report_options(query),
                restriction=query.restriction,
                prior_weights=weights_against_mirroring(search, query, turn),
            )
        except RuntimeError:
            if stop() and search.visits == 0:
                return no_results(query.id, turn)
            raise
        answer = writer.answer(turn, final, final=True)
        if extras.persona is not None and not stop():
            search = Search(
                self._evaluator, cache=self._cache, meter=self._meter, bounds=self._bounds
            )
            choice = extras.persona.choose(search, query, turn, stop)
            answer["persona"] = writer.chosen(query.persona, choice)
        return answer

    def _send(self, answer: Json) -> None:
        """Sends an answer without waiting: the searching threads serve other clients too."""
        self._outbox.push(json.dumps(answer, separators=(",", ":")) + "\n")


Action = Callable[[Conversation, Json], Json]
ACTIONS: dict[str, Action] = {
    "query_version": Conversation._version,
    "query_models": Conversation._models,
    "clear_cache": Conversation._clear_cache,
    "terminate": Conversation._terminate,
    "terminate_all": Conversation._terminate_all,
}


def weights_against_mirroring(search: Search, query: Query, turn: int) -> Floats | None:
    """Returns [moves] factors on the root's policy for antiMirror; None where it changes nothing.

    The search is at the position of that turn; it evaluates the root once.
    """
    cells = query.start.width * query.start.height
    to_move = query.position(turn).to_move
    if not query.settings.anti_mirror or not is_mirrored(query.moves[:turn], to_move, cells):
        return None
    policy = search.run(Limit(visits=1), restriction=query.restriction).policy
    return centre_factors(policy, cells)


def bounded(query: Query, bounds: SearchBounds) -> Iterator[tuple[str, str]]:
    """Yields a warning where a query asks for more than the bounds, as (field, message)."""
    visits, seconds = query.settings.limit.visits, query.settings.limit.max_seconds
    if visits is not None and visits > bounds.visits and bounds.visits < MOST_VISITS:
        yield "maxVisits", f"this engine searches at most {bounds.visits} visits"
    if bounds.seconds is not None and seconds is not None and seconds > bounds.seconds:
        yield "maxTime", f"this engine searches at most {bounds.seconds:g} seconds"


def paced(
    every: float | None, first: float | None, report: Callable[[Report], None]
) -> tuple[float, Callable[[Report], None] | None]:
    """Returns the period of a search's reports, in seconds, and the function to call.

    Reports come after `first` seconds (None: `every`), then each `every` (None: no more).
    """
    if every is None and first is None:
        return 1.0, None
    if first is None or first == every:
        return every or 1.0, report
    period = min(first, every or first)
    due = time.monotonic() + first

    def on_report(so_far: Report) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = float("inf") if every is None else now + every
            report(so_far)

    return period, on_report


def _turn_numbers(request: Json) -> Sequence[int] | None:
    if "turnNumbers" not in request:
        return None
    text = "If provided, must be an array of integers indicating turns to terminate"
    return integers(request, "turnNumbers", text)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
