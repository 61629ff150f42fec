"""Clauses on the nearest vectors and their similarity."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.observation import CodeChange, Draft, Observation
from lamella.domain.memories.query import Filters, Hit, Match, RecallQuery
from lamella.ports.storage.storage import Capability
from lamella.ports.storage.vectors import NewVector
from lamella_contracts.clauses.memories import HIGH, LOW, MIDDLE
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.fixtures.answers import unnumbered
from lamella_contracts.fixtures.project import ProjectFixture
from lamella_contracts.fixtures.strategies import bounded
from lamella_contracts.fixtures.vectors import (
    EAST,
    NORTH,
    WEST,
    embedded,
    ids,
    index,
    nearest,
    put,
    similarities,
    towards,
)

DIMENSIONS = (1, 3, 8, 40)
COMPONENTS = st.integers(-3, 3)
"""Few values, to get many equal cosines."""


@st.composite
def crowds(draw: st.DrawFn) -> tuple[EmbeddingModel, Vector, list[Vector | None], list[int]]:
    """Draw a model, a vector to search for, the vectors of some memories, and the indexes of purged memories."""
    dimension = draw(st.sampled_from(DIMENSIONS))
    vectors = st.lists(COMPONENTS, min_size=dimension, max_size=dimension).filter(any).map(Vector.of)
    crowd = draw(st.lists(st.one_of(vectors, vectors, vectors, st.none()), min_size=1, max_size=30))
    purged = draw(st.lists(st.integers(0, len(crowd) - 1), max_size=10, unique=True))
    return EmbeddingModel("drawn", dimension), draw(vectors), crowd, purged


@every_clause_needs(Capability.VECTORS)
class NearnessClauses:
    """A search by vector finds the nearest memories."""

    def test_the_nearest_come_first(self, project: ProjectFixture) -> None:
        """Fails if the farthest or the oldest memories come first.

        Also fails if a score is a distance instead of a cosine, or if hits with negative scores are dropped.
        """
        vectors = {"far": NORTH, "opposite": WEST, "same": EAST, "near": towards(0.5)}
        far, opposite, same, close = embedded(project, vectors)
        hits = index(project).nearest(EAST, RecallQuery(limit=10)).hits
        assert hits == tuple(
            Hit(observation=each, short_id=each.id.hex[:8], match=Match.MEANING, score=score)
            for each, score in ((same, 1.0), (close, EAST.cosine(towards(0.5))), (far, 0.0), (opposite, -1.0))
        )
        assert nearest(project, limit=2) == ["same", "near"]

    def test_the_nearest_have_short_ids(self, project: ProjectFixture) -> None:
        """Fails if a short id isn't unique.

        Likely causes are a fixed length of eight digits, or a comparison with ids of live memories only.
        """
        saved = [project.save(f"{id}", id=id) for id in (LOW, MIDDLE, HIGH)]
        opened = put(project, *((each, EAST) for each in saved))
        project.purge(saved[-1])
        hits = opened.nearest(EAST, RecallQuery(limit=10, include_purged=True)).hits
        assert {hit.short_id for hit in hits} == {"abcd1200", "abcd1234560", "abcd1234567"}

    def test_equally_near_ones_put_the_later_saved_first(self, project: ProjectFixture) -> None:
        """Fails if hits with equal scores are ordered by id, age or chance. The last saved must come first."""
        embedded(project, {f"{number}": EAST for number in range(30)})
        assert nearest(project) == [f"{number}" for number in range(29, 19, -1)]

    def test_filters_come_before_the_nearest(self, project: ProjectFixture) -> None:
        """Fails if filters are applied after the limit, so that matching memories are missing."""
        embedded(project, {f"other {number}": EAST for number in range(60)}, session="other")
        wanted = embedded(
            project,
            {f"wanted {number}": towards(1 + number) for number in range(5)},
            session="wanted",
            changes=(CodeChange(path="src/a.py"),),
        )
        some = frozenset(ids(wanted[1:3]))
        narrow = (
            Filters(since=wanted[0].occurred_at),
            Filters(session="wanted"),
            Filters(path="src"),
            Filters(ids=frozenset(ids(wanted))),
        )
        assert [nearest(project, limit=4, filters=each) for each in narrow] == [
            [f"wanted {number}" for number in range(4)]
        ] * len(narrow)
        assert nearest(project, filters=Filters(session="wanted", ids=some)) == ["wanted 1", "wanted 2"]
        assert nearest(project, filters=Filters(session="other", ids=some)) == []
        assert nearest(project, filters=Filters(ids=frozenset())) == []

    def test_purged_ones_follow_all_live_ones(self, project: ProjectFixture) -> None:
        """Fails if purged memories come before live memories, or push live memories beyond the limit.

        Also fails if purged memories bypass the filters.
        """
        purged = embedded(project, {"purged near": EAST, "purged far": NORTH}, session="s")
        embedded(project, {"live far": WEST, "live near": towards(0.1)})
        project.purge(*purged)
        every = ["live near", "live far", "purged near", "purged far"]
        assert nearest(project, include_purged=True) == every
        assert nearest(project, limit=3, include_purged=True) == every[:3]
        assert nearest(project, limit=1, include_purged=True) == every[:1]
        assert nearest(project, include_purged=True, filters=Filters(session="s")) == every[2:]
        assert nearest(project) == every[:2]

    def test_similarities_are_of_those_that_were_asked_for(self, project: ProjectFixture) -> None:
        """Fails if a similarity is rounded, missing for a purged memory, or removed by the filters.

        Also fails if a memory without a vector, or a memory that wasn't asked for, gets a similarity.
        """
        close, far, purged, nothing, _ = saved = embedded(
            project, {"near": towards(0.3), "far": WEST, "purged": NORTH, "nothing": None, "unasked": EAST}
        )
        project.purge(purged)
        pending, opened = project.save("pending"), index(project)
        asked = [project.new_id(), *ids([nothing, far, pending, purged, close, far])]
        assert similarities(opened, EAST, asked) == {
            close.id: EAST.cosine(towards(0.3)),
            far.id: -1.0,
            purged.id: 0.0,
        }
        assert similarities(opened, EAST, []) == {}
        nothing_passes = Filters(ids=frozenset())
        found = opened.nearest(EAST, RecallQuery(limit=1, filters=nothing_passes), compared=ids(saved) * 100)
        assert (found.hits, len(found.similarities)) == ((), 4)

    def test_stored_vectors_are_of_those_that_were_asked_for(self, project: ProjectFixture) -> None:
        """Fails if the vector of a live or purged memory is changed or missing.

        Also fails if vectors of memories that weren't asked for are returned.
        """
        stored = {"live": towards(0.3), "purged": WEST, "nothing": None, "unasked": EAST}
        live, purged, nothing, _ = embedded(project, stored)
        project.purge(purged)
        opened, asked = index(project), [project.new_id(), *ids([nothing, purged, project.save("pending"), live])]
        assert opened.vectors(asked * 100) == {live.id: towards(0.3), purged.id: WEST}
        assert opened.vectors([]) == {}

    def test_nearness_agrees_with_the_model(self, project: ProjectFixture) -> None:
        """Fails if scores differ from `Vector.cosine` in the last digits.

        Also fails if the order of ties, or the effect of a limit, differs from the in-memory storage.
        """

        @bounded(12)
        @given(crowds(), st.integers(1, 40), st.booleans())
        def agrees(
            crowd: tuple[EmbeddingModel, Vector, list[Vector | None], list[int]], limit: int, include_purged: bool
        ) -> None:
            model, asked, vectors, purged = crowd
            answers: list[Sequence[Hit]] = []
            tested = project.fresh()
            for each in (tested, tested.in_memory()):
                saved = _crowded(each, model, vectors)
                each.purge(*(saved[place] for place in purged))
                opened = each.storage.vectors(each.id, model)
                hits = opened.nearest(asked, RecallQuery(limit=limit, include_purged=include_purged)).hits
                answers.append(hits)
                near_ids = [hit.observation.id for hit in hits]
                assert similarities(opened, asked, near_ids) == {hit.observation.id: hit.score for hit in hits}
            assert unnumbered(tuple(answers[0])) == unnumbered(tuple(answers[1]))

        agrees()


def _crowded(
    project: ProjectFixture, model: EmbeddingModel, vectors: Sequence[Vector | None]
) -> list[Observation]:
    saved = project.fill([Draft(content=f"{number}") for number in range(len(vectors))])
    opened = index(project, model)
    opened.put(list(map(NewVector.of, saved, vectors)))
    return saved
