from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from attrs import define, evolve, field

from lamella.application.conversations.import_transcripts import Imported
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.errors import MemoryOffError, TranscriptsUnreadableError
from lamella.ports.transcripts import Source, Transcripts
from lamella_contracts.fixtures.project import signed
from tests.unit.support.doubles import CALL, HOME, Desk
from tests.unit.support.stand_ins import DAWN

SECRET = "ghp_" + "a" * 36


@define
class Shelf(Transcripts):
    """Transcripts made of lists of texts, read two messages at a time. Each message counts as ten bytes."""

    files: dict[str, list[str]] = field(factory=dict)
    directory: Path | None = HOME
    directories: dict[str, Path | None] = field(factory=dict)
    """Directories of sessions that took place elsewhere."""
    copies: frozenset[str] = frozenset()
    """Sessions whose messages are the same as in "a", word for word."""
    broken: frozenset[str] = frozenset()

    def __call__(self, path: Path | None) -> Transcripts:
        del path
        return self

    def sources(self) -> tuple[Source, ...]:
        return tuple(
            Source(
                id=name,
                size=10 * len(texts),
                directory=self.directories.get(name, self.directory),
                place=f"/{name}",
            )
            for name, texts in self.files.items()
        )

    def read(self, source: Source, since: str) -> Batch:
        if source.id in self.broken:
            raise TranscriptsUnreadableError(reason=f"{source.id} cannot be read.", advice="Look at it.")
        start, texts = int(since or 0), self.files[source.id]
        end = min(start + 2, len(texts))
        key = "a" if source.id in self.copies else source.id
        return Batch(
            source=source.id,
            position=str(end),
            drafts=tuple(
                MessageDraft(key=f"{key} {n}", session=source.id, role=Role.HUMAN, text=texts[n], at=DAWN)
                for n in range(start, end)
            ),
            names={source.id: f"About {SECRET}"} if start == 0 else {},
            read=10 * end,
            skipped={"other record": 1} if start < end else {},
            complete=end == len(texts),
            waiting=texts[-1:] == ["half"],
        )


def imported(desk: Desk, shelf: Shelf, path: Path | None = None, *, dry_run: bool = False) -> Imported:
    """Return the final account of an import."""
    accounts = list(desk.importing(shelf)(desk.call, path, dry_run=dry_run))
    assert all(each is accounts[0] for each in accounts)
    return accounts[-1]


def texts(desk: Desk, session: str) -> list[str]:
    conversations = desk.here.conversations()
    return [message.text for message in conversations.messages(conversations.numbers(session))]


def test_everything_is_taken_over_once_and_then_what_is_new() -> None:
    desk, shelf = Desk(), Shelf({"a": ["one", "two", "three"], "b": ["four"]})
    account = imported(desk, shelf)
    assert (account.sources, account.size, account.read, account.messages) == (2, 40, 40, 4)
    assert (texts(desk, "a"), texts(desk, "b")) == (["one", "two", "three"], ["four"])
    assert account.skipped == Counter({"other record": 3})
    shelf.files["b"].append("five")
    again = imported(desk, shelf)
    assert (again.sources, again.size, again.read, again.messages) == (2, 50, 50, 1)
    assert texts(desk, "b") == ["four", "five"]
    assert imported(desk, shelf).messages == 0


def test_progress_is_told_batch_by_batch() -> None:
    shelf = Shelf({"a": ["one", "two", "three"], "b": ["four"]})
    progress = [each.read for each in Desk().importing(shelf)(CALL)]
    assert progress == [0, 20, 30, 30, 40, 40]


def test_secrets_and_what_is_private_are_never_stored() -> None:
    desk = Desk()
    account = imported(desk, Shelf({"a": [f"key {SECRET}", "my <private>thoughts</private>"]}))
    assert account.redacted == 2
    assert texts(desk, "a") == ["key [redacted]", "my [private]"]
    assert [each.name for each in desk.here.conversations().sessions()] == ["About [redacted]"]


def test_a_secret_counts_only_where_it_is_new() -> None:
    desk, texts = Desk(), [f"key {SECRET}", f"key {SECRET}", "three"]
    assert imported(desk, Shelf({"a": texts})).redacted == 3
    copied = Shelf({"b": [*texts, f"four {SECRET}"]}, copies=frozenset("b"))
    dry, done = (imported(desk, copied, dry_run=each) for each in (True, False))
    assert (dry.messages, dry.redacted) == (done.messages, done.redacted) == (1, 2)


def test_titles_are_cleaned_and_told_in_a_dry_run_too() -> None:
    class Titled(Shelf):
        def read(self, source: Source, since: str) -> Batch:
            title = f"About {SECRET} <private>and me</private>"
            return evolve(super().read(source, since), names={}, titles={"a 1": title} if not since else {})

    desk, shelf = Desk(), Titled({"a": ["one", "two"]})
    dry = imported(desk, shelf, dry_run=True)
    done = imported(desk, shelf)
    assert (dry.titles, dry.redacted) == (done.titles, done.redacted) == (1, 1)


def test_a_title_with_a_secret_counts_once() -> None:
    @define
    class Titled(Shelf):
        def read(self, source: Source, since: str) -> Batch:
            draft = MessageDraft(key="r/0", session="s", role=Role.HUMAN, text="Hello.", at=DAWN)
            position = f"{since}again"
            return Batch(source=source.id, position=position, drafts=(draft,), titles={"r": f"About {SECRET}"})

    desk, shelf = Desk(), Titled({"a": ["one"]})
    assert [imported(desk, shelf).redacted for _ in range(2)] == [1, 0]
    assert [each.name for each in desk.here.conversations().sessions()] == ["About [redacted]"]


def test_a_name_counts_as_long_as_the_session_has_another() -> None:
    class Forgetful(Shelf):
        def read(self, source: Source, since: str) -> Batch:
            read = super().read(source, "")
            return evolve(read, position=f"{since}again")

    desk, shelf = Desk(), Forgetful({"a": ["one"]})
    assert [imported(desk, shelf).redacted for _ in range(2)] == [1, 0]


def test_what_stands_twice_in_what_is_read_is_counted_once() -> None:
    class Stuttering(Shelf):
        def read(self, source: Source, since: str) -> Batch:
            read = super().read(source, since)
            return evolve(read, drafts=read.drafts * 2)

    for dry_run in (True, False):
        account = imported(Desk(), Stuttering({"a": [f"key {SECRET}"]}), dry_run=dry_run)
        assert (account.messages, account.redacted) == (1, 2)


def test_a_dry_run_counts_and_makes_nothing() -> None:
    desk, shelf = Desk(), Shelf({"a": ["one", "two", "three"]})
    assert imported(desk, shelf, dry_run=True).messages == 3
    assert desk.storage.registry.all() == ()
    imported(desk, shelf)
    shelf.files["a"].append("four")
    assert imported(desk, shelf, dry_run=True).messages == 1
    assert texts(desk, "a") == ["one", "two", "three"]


def test_without_a_path_only_conversations_of_the_project_are_taken_over() -> None:
    desk = Desk()
    for elsewhere, unplaced in ((None, 1), (HOME.parent / "byron", 0)):
        shelf = Shelf({"a": ["one"]}, directory=elsewhere)
        assert imported(desk, shelf) == Imported(unplaced=unplaced)
        assert desk.storage.registry.all() == ()
        account = imported(Desk(), shelf, Path("/given"))
        assert (account.messages, account.unplaced) == (1, 0)


def test_conversations_of_what_was_merged_into_the_project_are_its_own() -> None:
    desk = Desk()
    other = Desk(storage=desk.storage).at(directory=HOME.parent / "byron")
    assert other.made_here.project
    shelf = Shelf({"a": ["one"]}, directory=other.call.directory)
    desk.save("something")
    assert imported(desk, shelf).sources == 0
    ids = [each.here.project for each in (other, desk)]
    desk.storage.registry.merge(*(each.id for each in ids if each is not None), by=signed())
    assert imported(desk, shelf).messages == 1
    assert imported(Desk(storage=desk.storage).at(default_project="cellar"), shelf).sources == 0


def test_a_named_project_takes_over_what_took_place_there() -> None:
    desk = Desk()
    desk.save("something")
    asked = desk.here.project
    assert asked is not None
    elsewhere = Desk(storage=desk.storage).at(directory=HOME.parent / "byron")
    (*_, account) = elsewhere.importing(Shelf({"a": ["one"]}))(evolve(elsewhere.call, project=asked.id))
    assert (account.messages, texts(desk, "a")) == (1, ["one"])


def test_a_source_that_cannot_be_read_does_not_stop_the_others() -> None:
    desk = Desk()
    account = imported(desk, Shelf({"a": ["one"], "b": ["two"], "c": ["three"]}, broken=frozenset("b")))
    assert account.unreadable == ["b cannot be read. Look at it."]
    assert (account.messages, account.read) == (2, 30)
    assert (texts(desk, "a"), texts(desk, "b"), texts(desk, "c")) == (["one"], [], ["three"])


def test_a_record_that_is_being_written_is_counted_as_waiting() -> None:
    desk, shelf = Desk(), Shelf({"a": ["one", "half"]})
    assert [imported(desk, shelf).waiting for _ in range(2)] == [1, 1]


def test_an_import_that_was_broken_off_goes_on_where_it_was() -> None:
    desk, shelf = Desk(), Shelf({"a": ["one", "two", "three"]})
    assert len(list(islice(desk.importing(shelf)(CALL), 2))) == 2
    assert texts(desk, "a") == ["one", "two"]
    assert imported(desk, shelf).messages == 1
    assert texts(desk, "a") == ["one", "two", "three"]


def test_new_messages_are_counted_by_role_and_project() -> None:
    desk, shelf = Desk(), Shelf({"a": ["one", "two", "three"]})
    for dry_run in (True, False):
        account = imported(desk, shelf, dry_run=dry_run)
        assert (account.roles, account.projects) == ({Role.HUMAN: 3}, {HOME.name: 3})


def test_the_transcripts_of_the_client_that_is_named_are_opened() -> None:
    asked: list[tuple[str, Path | None]] = []

    def opened(client: str, path: Path | None) -> Transcripts:
        asked.append((client, path))
        return Shelf()

    importing = evolve(Desk().importing(Shelf()), transcripts=opened)
    list(importing(CALL))
    list(importing(CALL, Path("/given"), client="codex"))
    assert asked == [("claude_code", None), ("codex", Path("/given"))]


@pytest.mark.parametrize("path", [None, Path("/given")])
@pytest.mark.parametrize("dry_run", [True, False])
def test_conversations_of_every_directory_go_to_their_own_projects(path: Path | None, *, dry_run: bool) -> None:
    files = {"a": ["one"], "b": ["two", "three"], "c": ["four"], "d": ["five"]}
    shelf = Shelf(files, directories={"b": HOME.parent / "byron", "c": None})
    desk = Desk().at(default_project="cellar")
    (*_, account) = desk.importing(shelf)(desk.call, path, every_project=True, dry_run=dry_run)
    assert (account.sources, account.size, account.read, account.unplaced) == (3, 40, 40, 1)
    assert account.projects == {HOME.name: 2, "byron": 2}
    kept = {project.name: project.id for project in desk.storage.registry.all()}
    assert kept.keys() == (set() if dry_run else {HOME.name, "byron"})
    counts = {name: len(desk.storage.conversations(id).sessions()) for name, id in kept.items()}
    assert counts == ({} if dry_run else {HOME.name: 2, "byron": 1})


def test_a_project_in_which_memory_is_off_keeps_no_other_from_its_conversations() -> None:
    shelf, desk = Shelf({"a": ["one"], "b": ["two"]}, directories={"b": HOME.parent / "byron"}), Desk()
    desk.storage.registry.switch(desk.project.id, on=False, now=DAWN)
    (*_, account) = desk.importing(shelf)(desk.call, every_project=True)
    assert (account.off, account.messages, account.read) == (1, 1, account.size)
    assert account.projects == {"byron": 1}
    with pytest.raises(MemoryOffError):
        list(desk.importing(shelf)(desk.call, Path("/given")))


def test_where_there_is_nothing_to_read_it_says_so() -> None:
    class Nowhere(Shelf):
        def sources(self) -> tuple[Source, ...]:
            raise TranscriptsUnreadableError(reason="There is no such folder.", advice="Name another.")

    with pytest.raises(TranscriptsUnreadableError, match=r"^There is no such folder\. Name another\.$"):
        list(Desk().importing(Nowhere())(CALL))
