"""What LizzieYzy's flash analysis of a whole game sends, read as it reads the answers.

Source: yzyray/lizzieyzy, AnalysisEngine.sendRequest and Utils.getBestMovesFromJsonArray.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support.analysis_talk import Json, Query, Talk

# The rules of an engine's own answer to `kata-get-rules`, sent back as they are.
OWN_RULES = {
    "friendlyPassOk": False,
    "hasButton": False,
    "ko": "SIMPLE",
    "scoring": "TERRITORY",
    "suicide": False,
    "tax": "SEKI",
    "whiteHandicapBonus": "0",
}
NUMBERS = ("winrate", "lcb", "prior", "scoreLead", "scoreStdev")

# One position of a game: its moves and its fields beside those of each request.
POSITIONS: tuple[tuple[list[list[str]], Json], ...] = (
    ([], {}),
    ([["B", "D4"], ["W", "C3"]], {"rules": OWN_RULES}),
    ([["W", "D4"]], {"initialStones": [["B", "C3"], ["B", "E5"]], "rules": OWN_RULES}),
    ([["B", "D4"], ["W", "pass"], ["B", "pass"]], {}),
)


@pytest.mark.parametrize(("moves", "fields"), POSITIONS)
def test_lizzieyzy_reads_each_position_of_a_game(
    talk: Talk, query: Query, moves: Sequence[Sequence[str]], fields: Json
) -> None:
    request = query(
        id="1",
        moves=moves,
        analyzeTurns=[len(moves)],
        includePVVisits=True,
        includeOwnership=True,
        includeMovesOwnership=True,
        overrideSettings={"reportAnalysisWinratesAs": "SIDETOMOVE"},
        **fields,
    )
    (answer,) = talk.ask(request)  # a warning or an error would be read as an answer
    assert int(answer["id"]) == 1
    assert_ownership(answer)
    assert answer["moveInfos"]
    for order, move in enumerate(answer["moveInfos"]):
        assert move["order"] == order
        assert isinstance(move["visits"], int)
        assert all(isinstance(move[name], float) for name in NUMBERS)
        assert len(move["pvVisits"]) == len(move["pv"])
        assert_ownership(move)


def assert_ownership(found: Json) -> None:
    """Asserts an owner of each cell, none a whole number: Java casts each one to a Double."""
    assert len(found["ownership"]) == 49
    assert all(isinstance(owner, float) for owner in found["ownership"])
