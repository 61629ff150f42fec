"""Files of an export that people have edited."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from attrs import define, evolve

from lamella.application.audit.undo import Undo
from lamella.application.exchange.accounts import ImportAccount
from lamella.application.exchange.import_records import ImportRecords
from lamella.application.memories.save import SaveRequest
from lamella.domain.exchange import json_lines, markdown
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Record
from lamella_adapters.cli.exchange.folder import MarkdownFolder
from lamella_adapters.memory.observations import InMemoryObservations
from tests.unit.exchange.moving import elsewhere, exported, imported
from tests.unit.ledger.test_learn_from_git import commit, learned
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import ToldHistory

NINE, TEN, ELEVEN = (f"The ferry sails at {hour}." for hour in ("nine", "ten", "eleven"))


@define
class Folder:
    """An export as Markdown whose only memory says `NINE`, with the desk that it comes from."""

    desk: Desk
    records: list[Record]

    def says(self, text: str, *, title: str | None = None, keywords: str = "", **options: bool) -> ImportAccount:
        """Import the folder again, with another text in the file."""
        edited = [self.edited(each, text, title, keywords) for each in self.records]
        return imported(self.desk, edited, folder=True, **options)

    @staticmethod
    def edited(record: Record, text: str, title: str | None = None, keywords: str = "") -> Record:
        if not isinstance(record, Arrival):
            return record
        said = record.observation
        title = said.title if title is None else title
        return Arrival(observation=evolve(said, content=text, title=title, keywords=keywords), place="ferry.md")

    @property
    def live(self) -> dict[str, UUID]:
        return {each.content: each.id for each in self.desk.everything if not each.purged}

    def undo(self) -> None:
        Undo(storage=self.desk.storage, projects=self.desk.projects)(self.desk.call)


@pytest.fixture
def folder() -> Folder:
    desk = Desk()
    desk.save(NINE)
    return Folder(desk, exported(desk))


def test_a_text_edited_before_its_import_gets_a_new_title_unless_a_person_chose_it(folder: Folder) -> None:
    folder.desk.save(ELEVEN, title="Last ferry")
    there, records = Desk(), exported(folder.desk)
    files = [markdown.memory_file(each) for each in records if isinstance(each, Arrival)]
    edited = [markdown.records_in(each.replace("sails", "goes"), "a.md") for each in files]
    imported(there, [*(each for each in records if not isinstance(each, Arrival)), *chain(*edited)], folder=True)
    said = {each.content: each.title for each in there.everything}
    nine, eleven = "The ferry goes at nine.", "The ferry goes at eleven."
    assert said == {nine: nine, eleven: "Last ferry"}


def test_edited_values_that_no_import_stores_are_counted(folder: Folder) -> None:
    learned(folder.desk, ToldHistory([commit(1)]))
    records = exported(folder.desk)

    def differing(**values: Any) -> int:
        edited = [
            evolve(each, observation=evolve(each.observation, **values), place=str(number))
            if isinstance(each, Arrival)
            else each
            for number, each in enumerate(records)
        ]
        return imported(folder.desk, edited, folder=True).differing

    later = {name: folder.desk.clock.now() + timedelta(hours=1) for name in ("created_at", "occurred_at")}
    values: tuple[dict[str, Any], ...] = ({"author": "eve"}, {"source": "letter"}, {"metadata": {"a": "b"}}, later)
    assert [differing(**each) for each in values] == [2, 2, 2, 2]
    # An edited note stores its text and source. Commits stay.
    assert [differing(content=TEN, source="letter"), differing(content=TEN, source="letter")] == [1, 1]
    assert differing() == 0


def counts(account: ImportAccount) -> tuple[int, int, int, dict[str, str]]:
    return account.memories, account.known, account.edited, account.left


def test_two_files_of_one_memory_are_never_both_taken_over(folder: Folder) -> None:
    project, memory = folder.records
    copy = folder.edited(memory, ELEVEN)
    assert isinstance(copy, Arrival)
    records = [project, folder.edited(memory, TEN), evolve(copy, place="copy.md")]
    reason = "ferry.md has the same memory; delete one of them"
    for edited in (1, 0):
        assert counts(imported(folder.desk, records, folder=True)) == (0, 1, edited, {"copy.md": reason})
        assert list(folder.live) == [TEN]


def test_an_edited_line_replaces_its_memory_as_a_file_does(folder: Folder) -> None:
    lines = b"".join(json_lines.written(folder.records))

    def taken_over(said: bytes) -> ImportAccount:
        importing = folder.desk.make(ImportRecords)
        return [*importing(folder.desk.call, json_lines.read(BytesIO(said)))][-1]

    assert counts(taken_over(lines.replace(NINE.encode(), TEN.encode()))) == (0, 1, 1, {})
    assert list(folder.live) == [TEN]
    assert list(taken_over(lines).left) == ["Line 3"]


def test_a_link_to_what_is_kept_elsewhere_ends_a_chain(folder: Folder) -> None:
    project, memory = folder.records
    assert isinstance(memory, Arrival)
    there = Folder(elsewhere(), [])
    at = memory.observation.created_at
    gone = evolve(memory.observation, purged_at=at, updated_at=at, replaced_by=UUID(int=9))
    there.records = [project, Arrival(observation=gone)]
    imported(there.desk, there.records)
    reason = "its memory was purged here; to import it, first run: lamella restore 00000001"
    there.records = folder.records
    account = imported(there.desk, [folder.edited(each, TEN) for each in folder.records], folder=True)
    assert account.left == {"ferry.md": reason}


@pytest.mark.parametrize("undone", [False, True])
def test_a_memory_that_is_changed_at_the_same_time_is_named(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, undone: bool
) -> None:
    if undone:
        folder.says(TEN)
        folder.undo()
    known: Callable[..., object] = InMemoryObservations.known
    first = folder.live[NINE]

    def late(self: InMemoryObservations, ids: Sequence[UUID]) -> object:
        if first not in ids:
            folder.desk.purge(folder.desk.call, [str(first)])
        return known(self, ids)

    monkeypatch.setattr(InMemoryObservations, "known", late)
    reason = "its memory was changed here at the same time; import again"
    assert counts(folder.says(TEN, dry_run=False)) == (0, 1, 0, {"ferry.md": reason})
    assert list(folder.live) == []


def test_files_with_the_same_text_keep_a_memory_each(folder: Folder) -> None:
    folder.desk.save(TEN)
    project, nine, ten = exported(folder.desk)

    def texts(first: str, second: str) -> ImportAccount:
        files = folder.edited(nine, first, keywords="boat"), folder.edited(ten, second)
        placed = [evolve(each, place=f"{at}.md") for at, each in enumerate(files) if isinstance(each, Arrival)]
        return imported(folder.desk, [project, *placed], folder=True)

    for first, second, edited in ((TEN, TEN, 1), (TEN, TEN, 0), (TEN, ELEVEN, 1), (NINE, ELEVEN, 1)):
        assert counts(texts(first, second)) == (0, 2, edited, {})
        live = [each for each in folder.desk.everything if not each.purged]
        assert sorted(each.content for each in live) == sorted([first, second])
        assert [each.keywords for each in live if each.keywords] == ["boat"]


def test_edited_files_of_memories_that_became_one_are_left_alone(folder: Folder) -> None:
    desk = folder.desk
    formers = *(str(each) for each in folder.live.values()), str(desk.save(TEN).id)
    records = exported(desk)
    desk.saving(SaveRequest(text="Ferries sail at nine and ten.", replaces=formers))
    [merged] = folder.live.values()
    edited = [folder.edited(each, str(place)) for place, each in enumerate(records)]
    placed = [
        evolve(each, place=each.observation.content) if isinstance(each, Arrival) else each for each in edited
    ]
    reason = f"its memory was replaced together with others; to edit the replacement: lamella edit {merged!s:.8}"
    for _ in range(2):
        assert imported(desk, placed, folder=True).left == {"1": reason, "2": reason}
        assert folder.live == {"Ferries sail at nine and ten.": merged}


def test_captured_changes_are_not_edited(folder: Folder) -> None:
    learned(folder.desk, ToldHistory([commit(1)]))
    records = [folder.edited(each, "Edited") for each in exported(folder.desk)]
    assert imported(folder.desk, records, folder=True).edited == 1


def test_a_file_that_cannot_be_used_is_named_and_the_rest_is_imported(folder: Folder, tmp_path: Path) -> None:
    folder.desk.save(TEN)
    folder.desk.save(ELEVEN)
    list(MarkdownFolder(tmp_path / "notes").write(exported(folder.desk)))
    (project,) = (each.parent for each in tmp_path.rglob("project.md"))
    nine, ten, eleven = sorted(each for each in project.iterdir() if each.name != "project.md")
    nine.write_bytes(nine.read_bytes().replace(b"\n---\n", b"\n", 1))
    ten.write_bytes(b"\xff" + ten.read_bytes())
    eleven.write_bytes(b"\xef\xbb\xbf" + eleven.read_bytes().replace(b"\n", b"\r\n"))
    (project / "stray.md").write_text(
        eleven.read_text("utf-8").replace(f"project: {project.name}", "project: stray")
    )
    there = Folder(elsewhere(), [])
    account = imported(there.desk, [each for _, each in MarkdownFolder(tmp_path / "notes").read()], folder=True)
    assert account.memories == 1
    assert account.left == {
        f"{project.name}/{nine.name}": "its front matter is not between two lines of ---; add the missing line",
        f"{project.name}/{ten.name}": "it is not UTF-8",
        "Record 4": "no record before this one describes the project stray",
    }
    assert [each.content for each in there.desk.at(project="lovelace").everything] == [ELEVEN]


def test_front_matter_without_a_fence_is_refused_but_a_text_about_it_is_not() -> None:
    head = "lamella: 1\ntype: memory\nid: 7\n"
    for text in (f"---\n{head}", f"\n---\n{head}---\n\nText\n", f"{head}---\n\nText\n"):
        with pytest.raises(UnreadableExportError, match="add the missing line"):
            list(markdown.records_in(text, "a.md"))
    for text in ("lamella: a memory\nid: 7\n", f"# Format\n\n{head}"):
        assert list(markdown.records_in(text, "a.md")) == []


def test_an_edited_copy_before_the_file_is_not_taken_over(folder: Folder) -> None:
    project, memory = folder.records
    copy = folder.edited(memory, TEN)
    assert isinstance(copy, Arrival)
    assert isinstance(memory, Arrival)
    records = [project, evolve(copy, place="copy.md"), evolve(memory, place="ferry.md")]
    reason = "ferry.md has the same memory; delete one of them"
    assert counts(imported(folder.desk, records, folder=True)) == (0, 1, 0, {"copy.md": reason})
    assert list(folder.live) == [NINE]


@pytest.mark.parametrize(("first", "second"), [(TEN, ELEVEN), (TEN, NINE)])
def test_texts_that_move_between_files_all_stay_in_effect(folder: Folder, first: str, second: str) -> None:
    folder.desk.save(TEN)
    project, *memories = exported(folder.desk)
    assert isinstance(memories[0], Arrival)
    assert isinstance(memories[1], Arrival)
    edited = [
        Arrival(observation=evolve(each.observation, title=text, content=text), place=f"{text}.md")
        for each, text in ((memories[0], first), (memories[1], second))
    ]
    for count in (2, 0):
        account = imported(folder.desk, [project, *edited], folder=True)
        assert (account.edited, account.left) == (count, {})
        assert set(folder.live) == {first, second}
    assert {each.origin for each in folder.desk.everything} == {folder.desk.project.id}


def test_a_new_memory_is_no_edit(folder: Folder) -> None:
    project, memory = folder.records
    assert isinstance(memory, Arrival)
    new = evolve(memory, observation=evolve(memory.observation, id=UUID(int=9)))
    account = imported(folder.desk, [project, new], folder=True, dry_run=True)
    assert (account.memories, account.edited) == (1, 0)
