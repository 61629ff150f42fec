"""Clauses on purging, restoring and erasing by id."""

import pytest
from attrs import evolve

from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.ports.storage.observations import Added, StatusChange
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories.looking_up import UNKNOWN
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import DAWN, MINUTE, Notebook

LATER, LATEST = DAWN + 100 * MINUTE, DAWN + 200 * MINUTE


class PurgingClauses:
    """A purge hides observations without deleting them, and a restore brings them back."""

    def test_a_purge_keeps_everything(self, notebook: Notebook) -> None:
        """A purge deletes text, or leaves `purged_at` or `updated_at` as they were."""
        saved = notebook.save("kept", title="t", session="s", changes=(CodeChange(path="a.py", hunks="+a"),))
        notebook.observations.purge([saved.id], now=LATER)
        assert notebook.get(saved) == evolve(saved, purged_at=LATER, updated_at=LATER)

    def test_a_restore_brings_everything_back(self, notebook: Notebook) -> None:
        """A restore makes a new observation, with another sequence number, moment or id."""
        saved = notebook.save("kept", title="t", session="s", changes=(CodeChange(path="a.py", hunks="+a"),))
        notebook.observations.purge([saved.id], now=LATER)
        notebook.observations.restore([saved.id], now=LATEST)
        assert notebook.get(saved) == evolve(saved, purged_at=None, updated_at=LATEST)

    def test_a_purge_answers_for_each_id(self, notebook: Notebook) -> None:
        """One id that can't be purged stops the others, or the answers aren't in the order of the ids."""
        live, purged, other = (notebook.save(each) for each in ("live", "purged", "other"))
        notebook.purge(purged)
        ids = [live.id, UNKNOWN, purged.id, live.id, other.id]
        assert notebook.observations.purge(ids, now=LATER) == (
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
            StatusChange.ALREADY,
            StatusChange.ALREADY,
            StatusChange.DONE,
        )
        assert notebook.search.count() == 0

    def test_a_restore_answers_for_each_id(self, notebook: Notebook) -> None:
        """One id that can't be restored stops the others, or the answers aren't in the order of the ids."""
        live, purged, other = (notebook.save(each) for each in ("live", "purged", "other"))
        notebook.purge(purged, other)
        ids = [purged.id, UNKNOWN, live.id, purged.id, other.id]
        assert notebook.observations.restore(ids, now=LATER) == (
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
            StatusChange.ALREADY,
            StatusChange.ALREADY,
            StatusChange.DONE,
        )
        assert notebook.search.count() == 3

    def test_what_is_already_so_stays_as_it_is(self, notebook: Notebook) -> None:
        """A second purge, or a restore of a live one, writes its own time over the first."""
        live, purged = notebook.save("live"), notebook.save("purged")
        notebook.observations.purge([purged.id], now=LATER)
        before = [notebook.get(each) for each in (live, purged)]
        notebook.observations.restore([live.id], now=LATEST)
        notebook.observations.purge([purged.id], now=LATEST)
        assert [notebook.get(each) for each in (live, purged)] == before

    def test_no_ids_are_no_error(self, notebook: Notebook) -> None:
        """An empty list makes a statement that is no statement."""
        assert notebook.purge() == ()
        assert notebook.restore() == ()


class ErasingClauses:
    """An erase leaves no trace of an observation."""

    @needs(Capability.ERASE)
    def test_what_is_erased_is_gone(self, notebook: Notebook) -> None:
        """An erase is only a deeper purge: the row, its short id or its place in search is still there."""
        saved = notebook.save("erased word", title="erased title")
        notebook.erase(saved)
        with pytest.raises(ObservationNotFoundError):
            notebook.get(saved)
        assert notebook.observations.starting_with(saved.id.hex[:8], limit=10) == ()
        assert notebook.find("erased", include_purged=True) == ()
        assert notebook.search.count(include_purged=True) == 0

    @needs(Capability.ERASE)
    def test_an_erase_answers_for_each_id(self, notebook: Notebook) -> None:
        """One id that can't be erased stops the others, or purged ones can't be erased."""
        live, purged = notebook.save("live"), notebook.save("purged")
        notebook.purge(purged)
        assert notebook.observations.erase([live.id, UNKNOWN, purged.id, live.id]) == (
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
            StatusChange.DONE,
            StatusChange.NOT_FOUND,
        )

    @needs(Capability.ERASE)
    def test_an_erase_leaves_the_others(self, notebook: Notebook) -> None:
        """An erase takes along what was saved beside it."""
        before, erased, after = (notebook.save(each, session="s") for each in ("before", "erased", "after"))
        notebook.erase(erased)
        assert [notebook.get(each) for each in (before, after)] == [before, after]

    @needs(Capability.ERASE)
    def test_what_is_erased_can_be_saved_again(self, notebook: Notebook) -> None:
        """The fingerprint or the request of an erased observation is kept somewhere."""
        draft = Draft(content="said", request="call-1")
        notebook.erase(notebook.save("said", request="call-1"))
        assert notebook.add(draft).added is Added.NEW

    @needs(Capability.ERASE)
    def test_an_erase_leaves_no_byte_in_any_file(self, notebook: Notebook) -> None:
        """Bytes of erased text are left in a free page, a log, an index or the context of a neighbour."""
        secret = "zzsecretzz"  # noqa: S105 - a word to look for, not a credential
        session = "s"
        notebook.save("before", session=session)
        erased = notebook.save(f"{secret} content", title=secret, session=session, request=secret)
        notebook.save("after", session=session)
        notebook.erase(erased)
        files = [path for path in notebook.folder.rglob("*") if path.is_file()]
        assert [path.name for path in files if secret.encode() in path.read_bytes()] == []
