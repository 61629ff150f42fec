"""Hooks over a storage that is not SQLite."""

import importlib.metadata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, field, frozen

from lamella.ports.hook_reads import HookReads, ProjectReads
from lamella_adapters.git.repository.locate import find
from lamella_adapters.process.system import RecordedMachine
from lamella_adapters.sqlite.hook_reads.reads import open_hook_reads
from tests.end_to_end.hooks.place import Place
from tests.unit.adapters.git.git_repository import Repository

Opened = tuple[str, str | None, str]


@define
class Theirs(HookReads):
    """Reads of someone else's storage, which are those of a SQLite storage; notes what is asked for."""

    place: Place
    shared: bool = False
    asked: list[Opened] = field(factory=list)

    @contextmanager
    def project(self, key: str, repository: str | None, name: str) -> Iterator[ProjectReads]:
        self.asked.append((key, repository, name))
        reads = open_hook_reads("sqlite:", str(self.place.data))
        assert reads is not None
        with reads.project(find(str(self.place.project))[0], None, name) as project:
            yield project


@frozen
class EntryPoint:
    opener: Callable[[str, str], HookReads | None]

    def load(self) -> Callable[[str, str], HookReads | None]:
        return self.opener


Register = Callable[[Callable[[str, str], HookReads | None]], None]


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Register:
    """Return a function that registers an opener for the scheme `theirs`, which is the chosen one."""
    monkeypatch.setenv("LAMELLA_STORAGE", "theirs://ada:secret@host/name")

    def registered(opener: Callable[[str, str], HookReads | None]) -> None:
        every = importlib.metadata.entry_points

        def entry_points(**asked: str) -> object:
            ours = asked == {"group": "lamella.hook_reads", "name": "theirs"}
            return [EntryPoint(opener)] if ours else every(**asked)

        monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)

    return registered


def test_a_session_is_told_once_and_in_one_line_that_hooks_cannot_read_the_storage(
    said: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMELLA_STORAGE", "mysql://ada:secret@host/name")
    told = said.start("new")
    assert told == (
        "lamella: hooks can't read the storage mysql:, so no memory is shown unasked;"
        " recall(query=...) finds them."
    )
    assert [said.start("new"), said.start("new", "resume"), said.ask("What of retry_payment?"), said.edit()] == (
        [None] * 4
    )
    assert said.start("another") == told
    monkeypatch.setenv("LAMELLA_STORAGE", "memory:")
    assert "the storage memory:," in str(said.start("third"))


def test_an_opener_that_is_registered_is_asked(said: Place, register: Register) -> None:
    given: list[tuple[str, str]] = []
    theirs = Theirs(said)

    def opener(url: str, directory: str) -> HookReads:
        given.append((url, directory))
        return theirs

    register(opener)
    assert all(said.answers())
    assert set(given) == {("theirs://ada:secret@host/name", str(said.data))}
    here, everywhere = (f"dir:{said.project}", None, ""), ("everywhere:", None, "")
    assert sorted(theirs.asked, key=str) == [here] * 3 + [everywhere] * 2


def test_where_nothing_is_stored_yet_or_an_opener_fails_hooks_are_silent(said: Place, register: Register) -> None:
    register(lambda *_: None)
    assert said.answers() == [None, None, None]

    def broken(*_: str) -> HookReads:
        raise ConnectionError

    register(broken)
    assert said.answers() == [None, None, None]


def test_a_shared_storage_is_asked_for_machine_and_repository(
    said: Place, register: Register, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LAMELLA_PROJECT", "shop")
    theirs = Theirs(said, shared=True)
    register(lambda *_: theirs)
    machine = RecordedMachine(said.data).id()
    said.start()
    everywhere = (f"machine:{machine}:everywhere:", None, "")
    assert theirs.asked == [everywhere, (f"machine:{machine}:dir:{said.project}", None, "shop")]
    repository = Repository.made(said.project)
    repository.git("remote", "add", "origin", "git@example.org:org/shop.git")
    repository.commit()
    said.start("another")
    alias = f"repository:{repository.git('rev-parse', 'HEAD')}:example.org/org/shop"
    assert theirs.asked[2:] == [everywhere, (f"machine:{machine}:git:{repository.root}/.git", alias, "shop")]
