"""The rules for accepting challenges on OGS, as rows; each refusal has its code and text.

The codes are those of gtp2ogs. The server's page translates them for the challenger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bots.ogs.challenge import AUTOMATIC, OgsChallenge

Range = tuple[float, float]  # least and most, both allowed


@dataclass(frozen=True, slots=True)
class SpeedLimits:
    """The limits of one speed."""

    concurrent_games: int
    # Time system -> field -> range in seconds or counts. A system without a row is refused.
    ranges: Mapping[str, Mapping[str, Range]]


@dataclass(frozen=True, slots=True)
class AcceptanceRules:
    """The operator's rules."""

    speeds: Mapping[str, SpeedLimits]  # by speed; a speed without a row is refused
    board_sizes: frozenset[int] | str = frozenset({9, 13, 19})  # or "square" or "all"
    allow_ranked: bool = True
    allow_unranked: bool = True
    ranks: Range = (0.0, 1000.0)  # of challengers in ranked games; 30 = 1 dan
    rank_names: tuple[str, str] = ("30k", "9p")
    most_ranked_handicap: int = 9  # stones
    most_unranked_handicap: int = 9
    allow_automatic_handicap: bool = False
    komi: Range = (-99.0, 99.0)
    most_games_per_player: int = 1  # 0: no limit
    blocked: frozenset[str] = frozenset()  # identities or names in lower case
    always: frozenset[str] = frozenset()  # taken under any settings
    decline_new_challenges: bool = False


@dataclass(frozen=True, slots=True)
class GamesUnderWay:
    """The games under way, and those accepted."""

    by_speed: Counter[str] = field(default_factory=Counter)
    by_player: Counter[int] = field(default_factory=Counter)  # by identity


@dataclass(frozen=True, slots=True)
class Rejection:
    """A refusal: the code for the server's page, its details, and the text for the player."""

    code: str
    text: str
    details: Mapping[str, object] = field(default_factory=dict)

    def body(self) -> dict[str, object]:
        """Returns the fields of the REST request to refuse a challenge."""
        details = {"rejection_code": self.code, "details": dict(self.details), "message": self.text}
        return {"delete": True, "message": self.text, "rejection_details": details}


Rule = Callable[[OgsChallenge, AcceptanceRules, GamesUnderWay], Rejection | None]


def rejection_of(
    challenge: OgsChallenge, rules: AcceptanceRules, standing: GamesUnderWay
) -> Rejection | None:
    """Returns the refusal of a challenge by the first rule against it; None: it is accepted."""
    if _is_listed(challenge, rules.always):
        return None
    refusals = (rule(challenge, rules, standing) for rule in RULES)
    return next((refusal for refusal in refusals if refusal is not None), None)


def _is_listed(challenge: OgsChallenge, names: frozenset[str]) -> bool:
    player = challenge.challenger
    return str(player.id) in names or player.username.lower() in names


def _blocked(challenge: OgsChallenge, rules: AcceptanceRules, _: GamesUnderWay) -> Rejection | None:
    if not _is_listed(challenge, rules.blocked):
        return None
    return Rejection("blacklisted", "The operator of this bot will not let you play against it.")


def _declined(_: OgsChallenge, rules: AcceptanceRules, __: GamesUnderWay) -> Rejection | None:
    if not rules.decline_new_challenges:
        return None
    text = "This bot is not accepting new challenges at this time."
    return Rejection("not_accepting_new_challenges", text)


def _speed(
    challenge: OgsChallenge, rules: AcceptanceRules, standing: GamesUnderWay
) -> Rejection | None:
    speed = challenge.time_settings.speed
    limits = rules.speeds.get(speed)
    if limits is None or limits.concurrent_games < 1:
        return Rejection(f"{speed}_not_allowed", f"This bot does not play {speed} games.")
    count, allowed = standing.by_speed[speed], limits.concurrent_games
    if count < allowed:
        return None
    text = f"This bot is already playing {count} of {allowed} allowed {speed} games."
    return Rejection(f"too_many_{speed}_games", text, {"count": count, "allowed": allowed})


def _time(challenge: OgsChallenge, rules: AcceptanceRules, _: GamesUnderWay) -> Rejection | None:
    settings = challenge.time_settings
    limits = rules.speeds.get(settings.speed)
    if limits is None:
        return None
    if settings.system not in limits.ranges:
        systems = ", ".join(limits.ranges)
        text = f"This bot only plays games with time control system {systems}."
        details = {"time_control_system": settings.system}
        return Rejection("time_control_system_not_allowed", text, details)
    for name, (least, most) in limits.ranges[settings.system].items():
        value = settings.fields[name]
        if not least <= value <= most:
            words = name.replace("_", " ").capitalize()
            text = f"{words} is out of the acceptable range of {least:g} to {most:g}."
            code = f"{TIME_CODES.get(name, name)}_out_of_range"
            return Rejection(code, text, {name: value, "range": [least, most]})
    return None


# Fields whose refusal has a code of another name. The page knows no code for the rest of these.
TIME_CODES = {
    "per_move": "per_move_time",
    "total_time": "main_time",
    "initial_time": "main_time",
    "stones_per_period": "periods",
}


def _size(challenge: OgsChallenge, rules: AcceptanceRules, _: GamesUnderWay) -> Rejection | None:
    width, height, allowed = challenge.width, challenge.height, rules.board_sizes
    if allowed == "all":
        return None
    details = {"width": width, "height": height}
    if width != height:
        return Rejection("board_size_not_square", "This bot only plays square boards.", details)
    if allowed == "square" or width in allowed:
        return None
    sizes = ", ".join(f"{size}x{size}" for size in sorted(map(int, allowed)))
    text = f"This bot only plays on these board sizes: {sizes}."
    return Rejection("board_size_not_allowed", text, details)


def _ranked(challenge: OgsChallenge, rules: AcceptanceRules, _: GamesUnderWay) -> Rejection | None:
    details = {"ranked": challenge.is_ranked}
    if challenge.is_ranked and not rules.allow_ranked:
        return Rejection("ranked_not_allowed", "This bot only plays unranked games.", details)
    if not challenge.is_ranked and not rules.allow_unranked:
        return Rejection("unranked_not_allowed", "This bot only plays ranked games.", details)
    return None


def _rank(challenge: OgsChallenge, rules: AcceptanceRules, _: GamesUnderWay) -> Rejection | None:
    rank, (least, most) = challenge.challenger.rank, rules.ranks
    if not challenge.is_ranked or rank is None or least <= rank <= most:
        return None
    side = "low" if rank < least else "high"
    text = f"Your rank is too {side} to play a ranked game against this bot."
    details = {"allowed_rank_range": list(rules.rank_names)}
    return Rejection("player_rank_out_of_range", text, details)


def _handicap(
    challenge: OgsChallenge, rules: AcceptanceRules, _: GamesUnderWay
) -> Rejection | None:
    """Refuses automatic handicap too: the server computes it by ranks, and the bot has none."""
    ranked, handicap = challenge.is_ranked, challenge.handicap
    most = rules.most_ranked_handicap if ranked else rules.most_unranked_handicap
    details = {"handicap": handicap}
    if handicap <= AUTOMATIC and not rules.allow_automatic_handicap:
        text = (
            "This bot adapts to your level: please set the handicap to none instead of automatic."
        )
        return Rejection("handicap_not_allowed", text, details)
    if handicap <= most:
        return None
    text = f"This bot plays games with at most {most} handicap stones."
    if most == 0:
        text = "This bot only plays games with no handicap."
    return Rejection("handicap_not_allowed", text, details)


def _komi(challenge: OgsChallenge, rules: AcceptanceRules, _: GamesUnderWay) -> Rejection | None:
    least, most = rules.komi
    if challenge.komi is None or least <= challenge.komi <= most:
        return None
    text = f"Komi is out of the acceptable range of {least:g} to {most:g}."
    return Rejection("komi_out_of_range", text, {"allowed_komi_range": [least, most]})


def _games(
    challenge: OgsChallenge, rules: AcceptanceRules, standing: GamesUnderWay
) -> Rejection | None:
    count, most = standing.by_player[challenge.challenger.id], rules.most_games_per_player
    if not most or count < most:
        return None
    text = (
        f"You already have {count} games against this bot, and it allows {most} a player: "
        "please end your other games before you start a new one."
    )
    details = {"games_being_played": count, "max_games_per_player": most}
    return Rejection("too_many_games_for_player", text, details)


RULES: tuple[Rule, ...] = (
    _blocked,
    _declined,
    _speed,
    _time,
    _size,
    _ranked,
    _rank,
    _handicap,
    _komi,
    _games,
)
