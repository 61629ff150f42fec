"""Clauses on the context column and on searching purged observations."""

import pytest

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan, SetStatus
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture


class ContextClauses:
    """A memory that refers to earlier memories is indexed with the two preceding live memories of its session.

    These two memories are the context of the memory. Words of the context raise its score, but don't make it a
    hit.
    """

    def test_a_word_raises_its_followers(self, project: ProjectFixture) -> None:
        """Fails if words of the two preceding memories don't raise the score.

        Also fails if words of only one preceding memory, or of more than two, raise the score.
        """
        project.save("content", title="zebra", session="s")
        for name in ("one", "two", "three"):
            project.refer(name)
        assert project.leaning_on("zebra") == {"one", "two"}

    def test_context_alone_finds_nothing(self, project: ProjectFixture) -> None:
        """Fails if a memory is found by words that occur only in the memories before it.

        Also fails if such words count in the strength of the memory.
        """
        project.save("zebra", session="s")
        project.refer("one")
        assert project.contents("zebra") == ["zebra"]
        assert [0 < (each or 0) < 1 for each in project.strengths("zebra follower").values()] == [True, True]

    def test_followers_take_no_place_of_hits(self, project: ProjectFixture) -> None:
        """Fails if rows that match only by their context use up the limit, so that hits are missing."""
        long = "zebra " + " ".join(f"word{number}" for number in range(400))
        for number in range(20):
            project.save(f"{long} {number}", session=f"s{number}")
            for name in "ab":
                project.refer(f"{number} {name}", session=f"s{number}")
        found = project.contents("zebra", limit=5)
        assert found == [f"{long} {number}" for number in (19, 18, 17, 16, 15)]

    def test_context_is_of_one_session(self, project: ProjectFixture) -> None:
        """Fails if words of preceding memories count across sessions.

        Also fails if memories without a session are treated as one session.
        """
        project.save("zebra", session="s")
        project.refer("in t", session="t")
        project.save("horse")
        project.refer("without", session=None)
        project.refer("in s")
        assert (project.leaning_on("zebra"), project.leaning_on("horse")) == ({"in s"}, set())

    def test_a_purge_takes_text_out_of_the_context(self, project: ProjectFixture) -> None:
        """Fails if words of a purged memory still raise the scores of the memories after it.

        Also fails if the memory before the purged one doesn't take its place in the context of these memories.
        """
        project.save("horse", session="s")
        purged = project.save("zebra", title="zebra title", session="s")
        for name in ("one", "two"):
            project.refer(name)
        assert project.leaning_on("zebra") == {"one", "two"}
        project.purge(purged)
        project.refer("three")
        assert (project.leaning_on("zebra"), project.leaning_on("horse")) == (set(), {"one", "two"})

    def test_a_change_finds_beginnings(self, project: ProjectFixture) -> None:
        """Fails if a transaction can't find ids by prefix.

        Also fails if words of a memory purged in that transaction still raise the scores of the memories after it.
        """
        project.save("horse", session="s")
        purged = project.save("zebra", title="zebra title", session="s")
        for name in ("one", "two"):
            project.refer(name)
        assert project.leaning_on("zebra") == {"one", "two"}
        asked, beginning = START + MINUTE, purged.id.hex[:12]

        def decide(facts: Facts) -> tuple[Plan, None]:
            ids = tuple(hit.observation.id for hit in facts.starting.get(beginning, ()))
            return (SetStatus(ids=ids, at=asked, purged=True),), None

        project.observations.transact(Look(prefixes=(beginning, "dead"), each=2, neighbours=True), decide)
        assert project.get(purged).purged_at == asked
        assert (project.leaning_on("zebra"), project.leaning_on("horse")) == (set(), {"one", "two"})

    def test_a_restore_puts_text_back_into_the_context(self, project: ProjectFixture) -> None:
        """Fails if words of a restored memory don't raise the scores of the memories after it.

        Also fails if a restored memory is indexed with the memories that preceded it before the purge, although
        these are now purged, too.
        """
        zebra, *followers = project.save("zebra", session="s"), *map(project.refer, ("one", "two", "three"))
        project.purge(followers[0])
        assert project.leaning_on("zebra") == {"two", "three"}
        project.purge(zebra)
        project.restore(followers[0])
        assert project.leaning_on("zebra") == set()
        project.restore(zebra)
        assert (project.contents("zebra"), project.leaning_on("zebra")) == (["zebra"], {"one", "two"})

    @needs(Capability.ERASE)
    def test_an_erase_takes_text_out_of_the_context(self, project: ProjectFixture) -> None:
        """Fails if erased text stays in the index entries of the memories after it."""
        erased = project.save("zebra", session="s")
        project.refer("one")
        assert project.leaning_on("zebra") == {"one"}
        project.erase(erased)
        assert project.leaning_on("zebra", include_purged=True) == set()
        assert project.find("zebra", include_purged=True) == ()


class PurgedSearchClauses:
    """A search includes purged observations only on request."""

    def test_purged_hits_follow_all_live_ones(self, project: ProjectFixture) -> None:
        """Fails if purged hits are sorted among live hits, or use up the limit first."""
        # "zebra" is rare among purged observations, so the purged one has the highest score.
        project.purge(*(project.save(f"purged {number}") for number in range(9)))
        project.purge(project.save("purged", title="zebra zebra"))
        project.save("live zebra among some other words")
        found = [project.contents("zebra", limit=limit, include_purged=True) for limit in (1, 10)]
        live = "live zebra among some other words"
        assert found == [[live], [live, "purged"]]

    def test_asking_for_purged_ones_leaves_live_scores_alone(self, project: ProjectFixture) -> None:
        """Fails if `include_purged` changes scores of live hits, by including purged rows in the statistics."""
        filled(project)
        project.save("zebra live")
        for number in range(4):
            project.purge(project.save(f"zebra purged {number}"))
        without, along = project.scores("zebra"), project.scores("zebra", include_purged=True)
        assert {content: along[content] for content in without} == pytest.approx(without)

    def test_purged_hits_are_ranked_among_themselves(self, project: ProjectFixture) -> None:
        """Fails if purged hits have no score.

        Also fails if their scores depend on the statistics of live rows, or on the memories that precede them.
        """
        other = project.other("as-if-live")
        contents = ["zebra", "it was that zebra and horse", "cow", "dog", "cat", "hen"]
        for content in contents:
            other.save(content)
        filled(project)
        project.purge(*[project.save(content, session="s") for content in contents])
        project.save("zebra live")
        scores = project.scores("zebra", include_purged=True)
        assert list(scores) == ["zebra live", *other.contents("zebra")]
        assert {content: scores[content] for content in contents[:2]} == pytest.approx(other.scores("zebra"))
