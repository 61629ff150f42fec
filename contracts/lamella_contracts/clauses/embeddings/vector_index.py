"""Clauses on storing vectors, the model of a project, and pending observations."""

from collections.abc import Callable

import pytest
from attrs import evolve

from lamella.domain.embeddings.errors import OtherModelError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import RecallQuery
from lamella.ports.storage.storage import Capability
from lamella.ports.storage.vectors import Coverage, NewVector, VectorIndex
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.clauses.storage.concurrency import EACH, THREADS, at_once
from lamella_contracts.fixtures.ledger import PARSE, RETRY, LedgerFixture, change
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture, signed
from lamella_contracts.fixtures.vectors import (
    EAST,
    MODEL,
    NORTH,
    UP,
    embedded,
    index,
    nearest,
    pending,
    put,
    similarities,
)

QUESTIONS: tuple[Callable[[VectorIndex], object], ...] = (
    lambda opened: opened.pending(limit=1),
    lambda opened: opened.put([]),
    lambda opened: opened.nearest(EAST, RecallQuery(limit=1)),
    lambda opened: opened.vectors([]),
    lambda opened: opened.coverage(),
)
"""One call of every method except `adopt`."""


def refusals(opened: VectorIndex) -> list[tuple[str | None, str]]:
    """Call every method. Return the names of the stored model and of the requested model from each error."""
    said = []
    for question in QUESTIONS:
        with pytest.raises(OtherModelError) as caught:
            question(opened)
        said.append((caught.value.kept, caught.value.asked))
    return said


@every_clause_needs(Capability.VECTORS)
class EmbeddingClauses:
    """A project stores vectors of a single model, and knows which observations still need a vector."""

    def test_adopting_again_changes_nothing(self, project: ProjectFixture) -> None:
        """Fails if adopting the current model drops its vectors, so that each start embeds all memories again."""
        (saved,) = embedded(project, {"one": EAST})
        again = project.storage.vectors(project.id, MODEL)
        again.adopt()
        assert (similarities(again, EAST, [saved.id]), pending(again)) == ({saved.id: 1.0}, [])

    def test_another_model_drops_the_vectors(self, project: ProjectFixture) -> None:
        """Fails if vectors of two models are compared, or reappear when an earlier model is adopted again."""
        saved = embedded(project, {"one": EAST, "two": None})
        other, returned = (
            project.storage.vectors(project.id, model) for model in (EmbeddingModel("other", 3), MODEL)
        )
        other.adopt()
        assert (pending(other), similarities(other, EAST, [saved[0].id])) == (["two", "one"], {})
        returned.adopt()
        assert (pending(returned), nearest(project)) == (["two", "one"], [])

    def test_another_model_is_refused(self, project: ProjectFixture) -> None:
        """Fails if a method doesn't check that the model is the adopted model.

        Also fails if the check ignores the dimension, or is made only when the index is opened.
        """
        embedded(project, {"one": EAST})
        first, renamed, resized = (
            project.storage.vectors(project.id, model)
            for model in (MODEL, evolve(MODEL, name="other"), evolve(MODEL, dimension=4))
        )
        assert refusals(renamed) == [("plane", "other")] * len(QUESTIONS)
        with pytest.raises(OtherModelError):
            resized.coverage()
        renamed.adopt()
        assert refusals(first) == [("other", "plane")] * len(QUESTIONS)

    def test_another_dimension_is_refused(self, project: ProjectFixture) -> None:
        """Fails if a vector of another dimension is stored or compared.

        Also fails if the rest of a refused batch is stored.
        """
        saved = [project.save(each) for each in ("one", "two")]
        opened = index(project)
        for wrong in (Vector.of((1, 2)), Vector.of((1, 2, 3, 4))):
            with pytest.raises(InvalidValueError):
                opened.put([NewVector.of(saved[0], EAST), NewVector.of(saved[1], wrong)])
            with pytest.raises(InvalidValueError):
                opened.nearest(wrong, RecallQuery(limit=1))
        assert pending(opened) == ["two", "one"]

    def test_vectors_stay_in_their_project(self, project: ProjectFixture) -> None:
        """Fails if projects share vectors or the adopted model.

        Also fails if a project has a model before any model was adopted.
        """
        there = project.other("there")
        (theirs,) = embedded(there, {"theirs": EAST})
        assert refusals(project.storage.vectors(project.id, MODEL)) == [(None, "plane")] * len(QUESTIONS)
        opened = put(project, (theirs, NORTH))
        project.save("ours")
        assert (nearest(project), pending(opened)) == ([], ["ours"])
        assert opened.coverage() == Coverage(embedded=0, total=1)
        assert (similarities(opened, EAST, [theirs.id]), opened.vectors([theirs.id])) == ({}, {})
        assert similarities(index(there), EAST, [theirs.id]) == {theirs.id: 1.0}

    def test_the_latest_saved_is_pending_first(self, project: ProjectFixture) -> None:
        """Fails if pending observations are ordered by time, or with the first saved first.

        Also fails if more observations than the limit are returned.
        """
        for number in range(4):
            project.save(f"{number}", now=START - number * MINUTE)
        opened = index(project)
        assert [each.content for each in opened.pending(limit=3)] == ["3", "2", "1"]
        assert opened.pending(limit=1) == (project.find("3")[0].observation,)

    def test_notes_are_pending_first(self, project: ProjectFixture) -> None:
        """Fails if captured edits are pending before notes, so that thousands of edits delay a few notes."""
        for number, kind in enumerate((Kind.NOTE, Kind.CHANGE, Kind.NOTE, Kind.SUMMARY)):
            project.save(f"{number}", kind=kind)
        opened = index(project)
        assert [each.content for each in opened.pending(limit=4)] == ["2", "0", "3", "1"]
        assert [each.content for each in opened.pending(limit=2)] == ["2", "0"]

    def test_what_was_put_is_not_pending(self, project: ProjectFixture) -> None:
        """Fails if an observation stays pending after its vector, or None, was stored.

        Also fails if a new observation isn't pending, or if storing the vector of an unknown id raises.
        """
        saved = [project.save(each) for each in ("one", "two", "three")]
        unknown = evolve(saved[0], id=project.new_id())
        opened = put(project, (unknown, EAST), (saved[0], EAST), (saved[2], None))
        assert (pending(opened), opened.coverage()) == (["two"], Coverage(embedded=2, total=3))
        assert nearest(project) == ["one"]
        assert similarities(opened, EAST, [unknown.id]) == {}

    def test_a_vector_is_replaced(self, project: ProjectFixture) -> None:
        """Fails if a second vector of an observation is refused, ignored, or stored beside the first.

        Also fails if storing None doesn't delete the vector.
        """
        kept, emptied, filled = embedded(project, {"kept": EAST, "emptied": EAST, "filled": None})
        opened = put(project, (kept, UP), (emptied, UP), (kept, NORTH), (emptied, None), (filled, EAST))
        assert nearest(project) == ["filled", "kept"]
        assert similarities(opened, NORTH, [kept.id, emptied.id, filled.id]) == {kept.id: 1.0, filled.id: 0.0}
        assert opened.coverage() == Coverage(embedded=3, total=3)

    @needs(Capability.LEDGER)
    def test_what_changed_meanwhile_is_passed_over(self, project: ProjectFixture) -> None:
        """Fails if an observation that is amended during or after embedding keeps the vector of its old text."""
        ledger = LedgerFixture(project)
        first = ledger.record(change("a.py", removed=RETRY))
        opened = put(project, (first, EAST))
        amended = ledger.record(change("a.py", removed=PARSE), at=first.occurred_at)
        assert (opened.pending(limit=5), nearest(project)) == ((amended,), [])
        for vector in (EAST, None):
            put(project, (first, vector))
            assert opened.coverage() == Coverage(embedded=0, total=1)
        put(project, (amended, EAST))
        assert (opened.pending(limit=5), nearest(project)) == ((), [amended.content])

    def test_purged_ones_are_neither_pending_nor_covered(self, project: ProjectFixture) -> None:
        """Fails if purged observations are pending or counted as embedded.

        Also fails if a purge deletes the vector, or prevents storing a new vector.
        """
        one, two, _ = saved = [project.save(each) for each in ("one", "two", "three")]
        opened = put(project, (one, EAST))
        project.purge(one, two)
        assert (pending(opened), opened.coverage()) == (["three"], Coverage(embedded=0, total=1))
        assert (nearest(project), similarities(opened, EAST, [each.id for each in saved])) == ([], {one.id: 1.0})
        put(project, (two, NORTH))
        project.restore(one, two)
        assert (pending(opened), opened.coverage()) == (["three"], Coverage(embedded=2, total=3))
        assert nearest(project) == ["one", "two"]

    @needs(Capability.ERASE)
    def test_an_erase_takes_the_vector(self, project: ProjectFixture) -> None:
        """Fails if an erase leaves the vector, so that a later memory with the same id gets it."""
        erased, kept = embedded(project, {"erased": EAST, "kept": NORTH})
        project.erase(erased)
        opened = index(project)
        assert (nearest(project), opened.coverage()) == (["kept"], Coverage(embedded=1, total=1))
        again = project.save("another", id=erased.id)
        assert (nearest(project), pending(opened)) == (["kept"], ["another"])
        assert similarities(opened, EAST, [again.id, kept.id]) == {kept.id: 0.0}

    @needs(Capability.MERGE)
    def test_what_moves_is_pending_again(self, project: ProjectFixture) -> None:
        """Fails if a merge or split leaves vectors behind, or moves them into a project with another model.

        Also fails if an index opened before a merge still reads from the old project.
        """
        old, new = project.other("old"), project.other("new")
        embedded(old, {"moved": EAST})
        embedded(new, {"there": EAST})
        opened, registry = index(old), project.storage.registry
        registry.merge(old.id, new.id, by=signed())
        assert (pending(opened), nearest(old), nearest(new)) == (["moved"], ["there"], ["there"])
        opened.put([NewVector.of(each, UP) for each in opened.pending(limit=1)])
        assert nearest(new, UP) == ["moved", "there"]
        registry.split(old.id, by=signed())
        assert (pending(opened), nearest(old), nearest(new)) == (["moved"], [], ["there"])
        assert opened.coverage() == Coverage(embedded=0, total=1)

    @needs(Capability.DURABLE)
    def test_vectors_survive_a_restart(self, project: ProjectFixture) -> None:
        """Fails if the model, the vectors, or the list of embedded memories are only in memory."""
        saved = embedded(project, {"one": EAST, "two": None})
        project.save("three")
        again = project.reopened()
        opened = again.storage.vectors(again.id, MODEL)
        assert (pending(opened), similarities(opened, EAST, [each.id for each in saved])) == (
            ["three"],
            {saved[0].id: 1.0},
        )
        assert nearest(again) == ["one"]

    def test_threads_that_put_lose_nothing(self, project: ProjectFixture) -> None:
        """Fails if a writer overwrites vectors that another thread has stored after the writer read the index."""
        saved = [project.save(f"memory {number}") for number in range(THREADS * EACH)]
        opened = index(project)

        def puts(thread: int) -> Callable[[], None]:
            def each_alone() -> None:
                for observation in saved[thread::THREADS]:
                    opened.put([NewVector.of(observation, EAST)])

            return each_alone

        at_once([puts(thread) for thread in range(THREADS)])
        assert opened.coverage() == Coverage(embedded=len(saved), total=len(saved))
        assert sorted(nearest(project, limit=100)) == sorted(each.content for each in saved)
