"""Hooks show memories on PostgreSQL, which they read from a copy."""

import re
from pathlib import Path
from uuid import uuid4

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.domain.memories.query import RecallQuery
from tests import postgres
from tests.end_to_end.hooks.place import Place, made_in, unmarked
from tests.end_to_end.postgresql.server import Server
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until
from tests.words_only import WORDS_ONLY


def copy(lamella: Lamella, call: Call) -> None:
    """Do what the session's server does in its background."""
    lamella.projects.find(call)
    lamella.projects.everywhere(call)
    for _ in lamella.keep_hook_copy():
        pass


@pytest.fixture
def place(tmp_path: Path, url: str) -> Place:
    """Return a project with memories on PostgreSQL, in which hooks answer."""
    made = made_in(tmp_path / "postgresql", url)
    assert made.answers() == [None, None, None]
    with running(made.settings) as lamella:
        copy(lamella, made.call)
    return made


def same(text: str | None) -> str:
    """An answer without ids and marks, which are others each time."""
    return re.sub(r"\b[0-9a-f]{8}\b", "ID", unmarked(text))


def test_hooks_say_what_they_say_on_sqlite(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = [same(each) for each in place.answers()]
    monkeypatch.setenv("LAMELLA_STORAGE", "sqlite:")
    theirs = made_in(tmp_path / "sqlite")
    assert ours == [same(each) for each in theirs.answers()]


def test_what_is_purged_or_erased_is_shown_no_more(place: Place) -> None:
    with running(place.settings) as lamella:
        here = lamella.projects.find(place.call)
        every = [hit.observation for hit in here.search.find(RecallQuery(limit=99))]
        (decision,) = (each for each in every if each.source == "decision")
        (edit,) = (each for each in every if each.source == "edit")
        lamella.purge(place.call, [str(decision.id)])
        lamella.erase(place.call, [str(edit.id)])
        copy(lamella, place.call)
    ask, warn, start = place.answers()
    assert (ask, warn) == (None, None)
    assert start is not None
    assert "Exports" in start
    assert "retry_payment" not in start
    copies = [each.read_bytes() for each in (place.data / "copies").rglob("*") if each.is_file()]
    assert not any(b"Drop the retries" in each for each in copies)


def test_hooks_of_another_tenant_or_project_show_nothing_of_it(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Place(place.data, tmp_path / "other", place.storage)
    other.project.mkdir()
    with running(other.settings) as lamella:
        copy(lamella, other.call)
    assert other.answers() == [None, None, None]
    monkeypatch.setenv("LAMELLA_STORAGE", postgres.location("theirs"))
    theirs = Place(place.data, place.project, postgres.location("theirs"))
    assert theirs.answers() == [None, None, None]
    with running(theirs.settings) as lamella:
        copy(lamella, theirs.call)
    assert theirs.answers() == [None, None, None]
    monkeypatch.setenv("LAMELLA_STORAGE", place.storage)
    assert all(place.answers())


def test_where_another_machine_has_switched_memory_off_hooks_fall_silent(place: Place) -> None:
    with running(place.settings) as ours:
        project = ours.projects.find(place.call).project
        assert project is not None
        ours.storage.registry.switch(project.id, on=False, now=project.created_at)
        for _ in ours.keep_hook_copy():
            pass
        assert place.answers() == [None, None, None]
        ours.storage.registry.switch(project.id, on=True, now=project.created_at)
        for _ in ours.keep_hook_copy():
            pass
    assert all(place.answers())


def test_hooks_show_memories_while_the_server_is_away(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMELLA_STORAGE", server.url())
    place = made_in(tmp_path, server.url())
    with running(place.settings) as lamella:
        copy(lamella, place.call)
    server.stop()
    try:
        assert all(place.answers())
    finally:
        server.start()


def test_a_server_brings_the_copy_up_to_date_by_itself(place: Place) -> None:
    environment = {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(place.data), "LAMELLA_STORAGE": place.storage}
    with (
        RawClient(Command(SERVE, place.project, {**environment, **WORDS_ONLY})),
        running(place.settings) as lamella,
    ):
        lamella.save(place.call, SaveRequest(text="Saved on another machine.", source="decision"))
        until(lambda: "Saved on another machine." in (place.start(f"a-{uuid4()}") or ""))
