"""Clauses on the feed of changes."""

from collections.abc import Callable

from lamella.domain.memories.observation import CodeChange, Kind
from lamella.ports.storage.feed import FeedState, Mark
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import START, ProjectFixture, signed

_MANY = 100


def _state(project: ProjectFixture) -> FeedState:
    return project.storage.feed.states([project.id])[project.id]


def _changed(project: ProjectFixture, mark: Mark, limit: int = _MANY) -> tuple[list[str], Mark]:
    """Return the texts of the changes after a position in the feed, and the position of the last change."""
    changes = project.storage.feed.after(project.id, mark, limit=limit)
    return [each.arrival.observation.content for each in changes], changes[-1].mark if changes else mark


class FeedClauses:
    """The feed returns all changes, so that a copy stays up to date."""

    @needs(Capability.FEED)
    def test_the_feed_brings_what_has_changed(self, project: ProjectFixture) -> None:
        """Fails if the feed lacks a purge, restore or replacement, or if unchanged observations are repeated."""
        one, two, three = (project.save(text, session="s") for text in ("one", "two", "three"))
        texts, mark = _changed(project, Mark())
        assert sorted(texts) == ["one", "three", "two"]
        assert _changed(project, mark) == ([], mark)
        changes: list[tuple[Callable[[], object], list[str]]] = [
            (lambda: project.purge(two), ["two"]),
            (lambda: project.restore(two), ["two"]),
            (lambda: project.save("four", replaces=(one.id,)), ["four", "one"]),
            (lambda: project.observations.swap(purge=[two.id], restore=[one.id], by=signed()), ["one", "two"]),
            (lambda: project.purge(two), []),
        ]
        if Capability.ERASE in project.storage.capabilities:
            changes.append((lambda: project.erase(three), []))
        for change, expected in changes:
            change()
            texts, mark = _changed(project, mark)
            assert sorted(texts) == expected
        (latest,) = project.storage.feed.after(project.id, Mark(), limit=1)
        assert latest.arrival.observation == project.get(latest.arrival.observation)

    @needs(Capability.FEED)
    def test_the_feed_brings_arrivals_whole(self, project: ProjectFixture) -> None:
        """Fails if a change lacks the request id of an observation or the fingerprints of its lines."""
        change = CodeChange(path="a.py", hunks="@@\n-a line that is long enough", additions=0, deletions=1)
        project.save("edit", kind=Kind.CHANGE, source="edit", changes=(change,), request="r-1")
        (found,) = project.storage.feed.after(project.id, Mark(), limit=_MANY)
        assert (found.arrival,) == project.observations.page(limit=_MANY)
        assert found.arrival.request == "r-1"
        if Capability.LEDGER in project.storage.capabilities:
            project.storage.ledger(project.id).age(project.now(), limit=_MANY)
            (aged,) = project.storage.feed.after(project.id, found.mark, limit=_MANY)
            assert aged.arrival.fingerprints == found.arrival.fingerprints
            assert aged.arrival.observation.changes[0].hunks == ""

    @needs(Capability.FEED)
    def test_the_feed_is_read_in_pages(self, project: ProjectFixture) -> None:
        """Fails if a page exceeds the limit, or if changes of one revision are lost between two pages."""
        saved = [project.save(f"memory {number}") for number in range(5)]
        project.purge(*saved)
        found, mark = [], Mark()
        for most in (2, 2, 2):
            texts, mark = _changed(project, mark, most)
            assert len(texts) <= most
            found += texts
        assert sorted(found) == [each.content for each in saved]
        project.restore(saved[0])
        assert _changed(project, mark)[0] == ["memory 0"]

    @needs(Capability.FEED)
    def test_a_state_changes_with_each_change(self, project: ProjectFixture) -> None:
        """Fails if a change, such as an erase, doesn't change the revision.

        Also fails if the state has a wrong number of observations.
        """
        states = [_state(project)]
        one = project.save("one")
        changes: list[Callable[[], object]] = [
            lambda: None,
            lambda: project.save("two"),
            lambda: project.purge(one),
            lambda: project.restore(one),
        ]
        if Capability.ERASE in project.storage.capabilities:
            changes.append(lambda: project.erase(one))
        for change in changes:
            change()
            states.append(_state(project))
            assert states[-1] == _state(project)
        assert len({each.revision for each in states}) == len(states)
        assert (states[0].project, states[0].name, states[0].observations) == (project.id, "project", 0)
        assert [each.observations for each in states[1:]] == [1, 2, 2, 2, 1][: len(states) - 1]
        others = project.other("other").storage.feed.states([project.id, "unheard-of"])
        assert others == {project.id: states[-1]}

    @needs(Capability.FEED)
    def test_memory_that_is_off_has_no_state(self, project: ProjectFixture) -> None:
        """Fails if the feed has a state for a project with memory switched off.

        The copy for hooks would then still contain the project's memories.
        """
        project.save("one")
        registry, feed = project.storage.registry, project.storage.feed
        before = _state(project)
        registry.switch(project.id, on=False, now=START)
        assert feed.states([project.id]) == {}
        registry.switch(project.id, on=True, now=START)
        assert _state(project).observations == before.observations

    @needs(Capability.MERGE)
    def test_the_feed_follows_merges(self, project: ProjectFixture) -> None:
        """Fails if a merge or split doesn't change the revision.

        Also fails if the moved observations are missing in the feed of the new project.
        """
        if Capability.FEED not in project.storage.capabilities:
            return
        old, new, by = project.other("old"), project, signed()
        new.save("of the new")
        moved = old.save("of the old")
        left, mark = _state(old), _changed(new, Mark())[1]
        project.storage.registry.merge(old.id, new.id, by=by)
        states = project.storage.feed.states([old.id, new.id])
        assert states[old.id] == states[new.id]
        assert (states[old.id].project, states[old.id].observations) == (new.id, 2)
        assert _changed(new, mark)[0] == ["of the old"]
        assert _changed(old, mark)[0] == ["of the old"]
        before = states[new.id]
        project.storage.registry.split(old.id, by=by)
        assert (_state(old).observations, _state(new).observations) == (1, 1)
        assert _state(new).revision != before.revision
        assert _state(old).revision != left.revision
        assert old.knows(moved)
