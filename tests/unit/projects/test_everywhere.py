"""Memories that hold in every project of the user."""

import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, Hit, Recent, Selector
from lamella.domain.replies.views import Detail
from lamella.domain.search.ranking import beside
from tests.unit.search.test_ranking import hit
from tests.unit.support.doubles import HOME, Desk

TABS = "Indent with tabs, never with spaces."
OTHER = "The parser indents what it prints."


def desk() -> Desk:
    """A desk in a project with one memory, beside one that holds everywhere: ids 00000001 and 00000002."""
    made = Desk()
    made.save(OTHER)
    made.saving(SaveRequest(text=TABS, everywhere=True))
    return made


@pytest.mark.parametrize("selector", [ByText("tabs"), ByTitle("with tabs"), Recent(), ById("00000002")])
@pytest.mark.parametrize("detail", Detail)
def test_every_project_shows_what_holds_everywhere_marked_as_such(selector: Selector, detail: Detail) -> None:
    away = desk().at(directory=HOME / "elsewhere")
    assert away.recall(selector, detail).count(" | everywhere") == 1


def test_what_holds_everywhere_ranks_by_strength_and_keeps_to_the_limit() -> None:
    made = desk()
    lines = made.shown(ByText("indent tabs spaces"))
    assert [line.split(" | ")[1] for line in lines] == [TABS, OTHER]
    assert len(made.shown(ByText("indent"), limit=1)) == 1
    assert made.recall(Recent(), limit=1).startswith("[1] 00000002")


def test_it_is_no_part_of_the_projects_own_file() -> None:
    made = desk()
    assert [each.content for each in made.everything] == [OTHER]
    assert "everywhere" not in made.at(project="everywhere").recall(Recent()).split("\n")[0]


def test_filters_apply_and_of_a_file_it_is_not() -> None:
    made = desk()
    request = RecallRequest(filters=Filters(path="src"))
    assert made.recalling(made.call, request) == "No memories match these filters."
    request = RecallRequest(filters=Filters(session="session-2"))
    assert made.recalling(made.call, request) == "No memories match these filters."


def test_the_neighbours_of_one_that_holds_everywhere_are_its_own() -> None:
    made = desk()
    made.saving(SaveRequest(text="Answer in Norwegian.", everywhere=True))
    shown = made.recall(ById("00000002"), Detail.TIMELINE)
    assert ("Norwegian" in shown, "parser" in shown) == (True, False)


def test_a_call_about_its_very_place_shows_it_once() -> None:
    made = desk()
    (place,) = (each for each in made.storage.registry.all() if each.name == "everywhere")
    for name in (place.id, place.name, *place.aliases):
        for named in (made.at(project=name), made.at(default_project=name)):
            assert "1 result(s)" in (shown := named.recall(ByText("tabs")))
            assert "edits" not in shown


def test_it_is_replaced_by_what_holds_everywhere_too() -> None:
    made = desk()
    for replaces, everywhere, place in (
        ("00000002", False, "in every project"),
        ("00000001", True, "in this project only"),
    ):
        with pytest.raises(NotReplaceableError, match=f"it holds {place}, so save with everywhere="):
            made.saving(SaveRequest(text="new", replaces=(replaces,), everywhere=everywhere))
    made.saving(SaveRequest(text="Indent with spaces.", replaces=("00000002",), everywhere=True))
    assert "replaced by" in made.recall(ByIds(("00000002",)))


def test_it_is_about_no_file() -> None:
    with pytest.raises(InvalidValueError, match="paths must be left out for what holds in every project"):
        SaveRequest(text="text", paths=("a.py",), everywhere=True)


def test_one_setting_switches_it_off() -> None:
    off = evolve(desk(), shows_everywhere=False)
    assert "everywhere" not in off.recall(Recent())
    with pytest.raises(InvalidValueError, match="while LAMELLA_EVERYWHERE is off"):
        off.saving(SaveRequest(text="text", everywhere=True))


def test_rankings_are_merged_by_strength_and_keep_their_order() -> None:
    def hits(everywhere: str, *strengths: float | None) -> list[Hit]:
        return [evolve(hit(1), short_id=everywhere, strength=each) for each in strengths]

    merged = beside(hits("here", 0.9, 0.5, 0.6, None), hits("there", 0.9, 0.55, 0.1))
    assert [(hit.short_id, hit.strength) for hit in merged] == [
        ("here", 0.9),
        ("there", 0.9),
        ("there", 0.55),
        ("here", 0.5),
        ("here", 0.6),
        ("there", 0.1),
        ("here", None),
    ]
