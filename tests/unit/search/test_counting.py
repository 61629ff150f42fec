"""Numbers of memories by filter."""

from pathlib import Path

import pytest
from attrs import evolve

from lamella.application.search import counting as limits
from lamella.application.search.counting import CountMemories
from lamella.application.search.request import SearchRequest
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import ByText, Filters, Recent, Search
from tests.unit.support.doubles import Desk

DECISIONS, PURGED = Filters(kind=Kind.NOTE, source=DECISION), Filters(only_purged=True)


@pytest.fixture
def desk() -> Desk:
    """Return a desk with seven memories of zebras, one of which is purged."""
    desk = Desk()
    for number in range(5):
        desk.save(f"zebra {number}", source=DECISION if number else "manual", paths=["a.py"] if number else [])
    desk.purge(desk.call, [str(desk.everything[0].id)])
    desk.save("zebras everywhere", everywhere=True)
    desk.at(directory=Path("/srv/babbage")).save("zebra elsewhere")
    return desk


def counted(desk: Desk, selector: Search, *filters: Filters, **more: bool) -> list[str]:
    requests = [
        SearchRequest(selector=selector, filters=each, include_purged=each.only_purged, **more) for each in filters
    ]
    return list(
        map(str, CountMemories(projects=desk.projects, search=desk.searching)(desk.call, selector, requests))
    )


@pytest.mark.parametrize("selector", [Recent(), ByText("zebra")])
def test_each_filter_has_its_number(desk: Desk, selector: Search) -> None:
    assert counted(desk, selector) == []
    assert counted(desk, selector, Filters(), DECISIONS, Filters(kind=Kind.CHANGE), PURGED) == ["5", "4", "0", "1"]
    assert counted(desk, selector, Filters(path="a.py"), evolve(PURGED, path="a.py")) == ["4", "0"]
    assert counted(desk, selector, Filters(), all_projects=True) == ["6"]


@pytest.mark.parametrize("selector", [Recent(), ByText("zebra"), ByText("#zoo zebra")])
def test_a_number_that_is_not_exact_says_so(desk: Desk, selector: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COUNTED", 3)
    monkeypatch.setattr(limits, "RANKED", 3)
    for number in range(5):
        desk.save(f"zebra zebra {number}", source="rule" if number else DECISION, keywords="#zoo")
    desk.save(
        "what the zebra did all day long, in many more words than the notes", kind=Kind.SUMMARY, keywords="#zoo"
    )
    desk.save("horse", kind=Kind.CHANGE, keywords="#zoo")
    asked = Filters(), Filters(source="rule"), Filters(kind=Kind.SUMMARY), Filters(kind=Kind.CHANGE), PURGED
    changed = "1" if isinstance(selector, Recent) else "0"
    purged = "0" if "#" in getattr(selector, "text", "") else "1"
    assert counted(desk, selector, *asked) == ["3+", "3+", "1", changed, purged]
