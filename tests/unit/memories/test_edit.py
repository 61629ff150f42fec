"""A corrected memory takes the place of the old one."""

import pytest
from attrs import evolve

from lamella.application.memories.edit import EditMemory
from lamella.application.memories.save import SaveRequest
from lamella.application.memories.save_outcome import SaveOutcome
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.errors import NotReplaceableError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, Draft, Observation
from tests.unit.support.doubles import Desk
from tests.unit.support.tables import cases


def edited(
    desk: Desk, old: Observation, *, title: str, text: str, keywords: str | None = None
) -> SaveOutcome | None:
    (hit,) = desk.observations.starting_with([old.id.hex], limit=1)[old.id.hex]
    words = old.keywords if keywords is None else keywords
    return EditMemory(desk.save_memory)(desk.call, hit, title=title, text=text, keywords=words)


def test_a_correction_keeps_source_and_changes_and_the_old_memory_leads_to_it() -> None:
    desk = Desk()
    change = CodeChange(path="a.py", additions=1, deletions=2, hunks="@@ -1 +1 @@\n-x\n", version="v1")
    draft = Draft(
        content="Ship on Friday.", title="Ship day", source="decision", changes=(change,), branch="feat", head="1"
    )
    old = desk.observations.add(draft, id=desk.ids.new(), now=desk.clock.moment).observation
    done = edited(desk, old, title="Ship day", text="Ship on Monday.\n")
    assert done is not None
    new = done.observation
    assert (new.title, new.content, new.source) == ("Ship day", "Ship on Monday.", "decision")
    assert (new.changes, new.checkout) == ((change,), ("feat", "1"))
    assert (desk.kept(old.id).purged, desk.kept(old.id).replaced_by) == (True, new.id)


@cases
def test_a_title_that_was_made_of_the_text_is_made_anew(given: str, title: str) -> None:
    desk = Desk()
    done = edited(desk, desk.save("Ship on Friday."), title=given, text="Ship on Monday.")
    assert done is not None
    assert done.observation.title == title


def test_what_says_the_same_is_not_saved() -> None:
    desk = Desk()
    old = desk.save("Ship on Friday.", title="Ship  day")
    assert edited(desk, old, title=" Ship day ", text="Ship on Friday.\n") is None
    assert desk.everything == [old]


@pytest.mark.parametrize(("typed", "kept"), [(" release,\n when", "release, when"), ("", "")])
def test_keywords_alone_can_be_edited(typed: str, kept: str) -> None:
    desk = Desk()
    old = desk.save("Ship on Friday.", keywords="deploy")
    assert edited(desk, old, title="Ship on Friday.", text="Ship on Friday.", keywords=" deploy\n") is None
    done = edited(desk, old, title="Ship on Friday.", text="Ship on Friday.", keywords=typed)
    assert done is not None
    assert (done.observation.content, done.observation.keywords) == ("Ship on Friday.", kept)
    assert desk.kept(old.id).replaced_by == done.observation.id


def test_only_live_notes_are_edited() -> None:
    desk = Desk()
    change = desk.observations.add(
        Draft(content="Pruned", kind=Kind.CHANGE), id=desk.ids.new(), now=desk.clock.moment
    ).observation
    with pytest.raises(InvalidValueError, match="the id of a change"):
        edited(desk, change, title="", text="Kept")
    old = desk.save("Ship on Friday.")
    desk.purge(desk.call, [str(old.id)])
    with pytest.raises(NotReplaceableError):
        edited(desk, old, title="", text="Ship on Monday.")


def test_what_holds_everywhere_stays_so() -> None:
    desk = Desk()
    old = desk.saving(SaveRequest(text="Indent with tabs.", everywhere=True)).observation
    there = desk.projects.everywhere(desk.call)
    assert there is not None
    hit = evolve(there.observations.starting_with([old.id.hex], limit=1)[old.id.hex][0], everywhere=True)
    done = EditMemory(desk.save_memory)(desk.call, hit, title="", text="Indent with spaces.", keywords="")
    assert done is not None
    assert there.observations.get_all([done.observation.id])


@pytest.mark.parametrize("everywhere", [True, False])
def test_one_memory_replaces_no_memories_of_a_project_and_global_ones(*, everywhere: bool) -> None:
    desk = Desk()
    both = [
        str(desk.saving(SaveRequest(text=str(each), everywhere=each)).observation.id) for each in (True, False)
    ]
    with pytest.raises(NotReplaceableError, match="can't replace memories of a project and global ones: save two"):
        desk.saving(SaveRequest(text="both", replaces=tuple(both), everywhere=everywhere))
