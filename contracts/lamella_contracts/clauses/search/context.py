"""Clauses on the context column and on searching purged observations."""

import pytest

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan, SetStatus
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture


class ContextClauses:
    """A memory that refers to others has the two live ones before it in its session as its context.

    Its context raises its score, and admits it to no answer.
    """

    def test_a_word_raises_its_followers(self, project: ProjectFixture) -> None:
        """The context column is missing, or holds fewer or more than two observations."""
        project.save("zebra", session="s")
        for name in ("one", "two", "three"):
            project.refer(name)
        assert project.leaning_on("zebra") == {"one", "two"}

    def test_a_question_counts_twice(self, project: ProjectFixture) -> None:
        """A text after a question gains no more by its words than a text after anything else."""
        followers = []
        for session, said in (("s", "zebra?"), ("t", "zebra!")):
            project.save(said, session=session)
            followers.append(project.refer("one", session=session, source=session).id)
        scores = {hit.observation.id: hit.score or 0.0 for hit in project.find("follower zebra")}
        asked, told = (scores[each] for each in followers)
        assert asked > told * 1.01

    def test_context_alone_finds_nothing(self, project: ProjectFixture) -> None:
        """A memory is found by words that only others said, or has the strength of their words."""
        project.save("zebra", session="s")
        project.refer("one")
        assert project.contents("zebra") == ["zebra"]
        assert [0 < (each or 0) < 1 for each in project.strengths("zebra follower").values()] == [True, True]

    def test_followers_take_no_place_of_hits(self, project: ProjectFixture) -> None:
        """Rows that only their context brings up count for the limit, and leave less room for hits."""
        long = "zebra " + " ".join(f"word{number}" for number in range(400))
        for number in range(20):
            project.save(f"{long} {number}", session=f"s{number}")
            for name in "ab":
                project.refer(f"{number} {name}", session=f"s{number}")
        found = project.contents("zebra", limit=5)
        assert found == [f"{long} {number}" for number in (19, 18, 17, 16, 15)]

    def test_a_text_that_refers_to_nothing_has_no_context(self, project: ProjectFixture) -> None:
        """Every memory has a context, also one that says all there is to say."""
        project.save("zebra", session="s")
        project.save("plain follower", session="s")
        project.refer("one")
        assert project.leaning_on("zebra") == {"one"}

    def test_a_title_is_part_of_the_context(self, project: ProjectFixture) -> None:
        """The context holds contents without their titles."""
        project.save("content", title="zebra", session="s")
        project.refer("one")
        assert project.leaning_on("zebra") == {"one"}

    def test_context_is_of_one_session(self, project: ProjectFixture) -> None:
        """The context is what was saved before in any session; or those without a session count as one."""
        project.save("zebra", session="s")
        project.refer("in t", session="t")
        project.save("horse")
        project.refer("without", session=None)
        project.refer("in s")
        assert (project.leaning_on("zebra"), project.leaning_on("horse")) == ({"in s"}, set())

    def test_context_is_a_beginning(self, project: ProjectFixture) -> None:
        """Contexts hold whole contents, or less than 300 characters of each."""
        project.save("x" * 280 + " horse" + " " * 20 + "zebra", session="s")
        project.refer("one")
        assert [project.leaning_on(word) for word in ("horse", "zebra")] == [{"one"}, set()]

    def test_a_purge_takes_text_out_of_the_context(self, project: ProjectFixture) -> None:
        """A purge leaves the text in its followers' context, where it still counts."""
        purged = project.save("zebra", title="zebra title", session="s")
        for name in ("one", "two"):
            project.refer(name)
        project.purge(purged)
        assert project.leaning_on("zebra") == set()

    def test_a_change_finds_beginnings(self, project: ProjectFixture) -> None:
        """A transaction doesn't find ids by their beginnings, or what it finds leaves the context of followers."""
        project.save("horse", session="s")
        purged = project.save("zebra", title="zebra title", session="s")
        for name in ("one", "two"):
            project.refer(name)
        asked, beginning = START + MINUTE, purged.id.hex[:12]

        def decide(facts: Facts) -> tuple[Plan, None]:
            ids = tuple(hit.observation.id for hit in facts.starting.get(beginning, ()))
            return (SetStatus(ids=ids, at=asked, purged=True),), None

        project.observations.transact(Look(prefixes=(beginning, "dead"), each=2, neighbours=True), decide)
        assert project.get(purged).purged_at == asked
        assert (project.leaning_on("zebra"), project.leaning_on("horse")) == (set(), {"one", "two"})

    def test_what_follows_a_purge_has_no_purged_text(self, project: ProjectFixture) -> None:
        """A save after a purge takes purged text into its context, or its context is one short."""
        project.save("horse", session="s")
        purged = project.save("zebra", title="zebra title", session="s")
        project.refer("one")
        project.purge(purged)
        project.refer("two")
        assert (project.leaning_on("zebra"), project.leaning_on("horse")) == (set(), {"one", "two"})

    def test_a_purge_moves_earlier_ones_up(self, project: ProjectFixture) -> None:
        """After a purge the context is one short, instead of reaching further back."""
        project.save("zebra", session="s")
        middle = [project.refer(name) for name in ("one", "two", "three")]
        project.purge(middle[0])
        assert project.leaning_on("zebra") == {"two", "three"}

    def test_a_restore_puts_text_back_into_the_context(self, project: ProjectFixture) -> None:
        """A restore forgets the followers, and what was between leaves their context again."""
        purged = project.save("zebra", session="s")
        for name in ("one", "two", "three"):
            project.refer(name)
        project.purge(purged)
        project.restore(purged)
        assert (project.contents("zebra"), project.leaning_on("zebra")) == (["zebra"], {"one", "two"})

    def test_a_restored_one_has_its_context_of_today(self, project: ProjectFixture) -> None:
        """A restored observation keeps the context of the day it was purged, and leaks what was purged since."""
        leaked, follower = project.save("zebra", session="s"), project.refer("one")
        project.purge(follower)
        project.purge(leaked)
        project.restore(follower)
        assert project.leaning_on("zebra") == set()
        project.restore(leaked)
        assert project.leaning_on("zebra") == {"one"}

    @needs(Capability.ERASE)
    def test_an_erase_takes_text_out_of_the_context(self, project: ProjectFixture) -> None:
        """An erase leaves the text in its followers' context."""
        erased = project.save("zebra", session="s")
        project.refer("one")
        project.erase(erased)
        assert project.leaning_on("zebra", include_purged=True) == set()
        assert project.find("zebra", include_purged=True) == ()


class PurgedSearchClauses:
    """A search includes purged observations only on request."""

    def test_purged_hits_follow_all_live_ones(self, project: ProjectFixture) -> None:
        """Purged and live hits are put in one order, or the limit is filled with purged ones first."""
        # "zebra" is rare among purged observations, so the purged one has the highest score.
        project.purge(*(project.save(f"purged {number}") for number in range(9)))
        project.purge(project.save("purged", title="zebra zebra"))
        project.save("live zebra among some other words")
        found = [project.contents("zebra", limit=limit, include_purged=True) for limit in (1, 10)]
        live = "live zebra among some other words"
        assert found == [[live], [live, "purged"]]

    def test_asking_for_purged_ones_leaves_live_scores_alone(self, project: ProjectFixture) -> None:
        """With `include_purged` the statistics are those of all rows, and live scores change."""
        filled(project)
        project.save("zebra live")
        for number in range(4):
            project.purge(project.save(f"zebra purged {number}"))
        without, along = project.scores("zebra"), project.scores("zebra", include_purged=True)
        assert {content: along[content] for content in without} == pytest.approx(without)

    def test_purged_hits_are_ranked_among_themselves(self, project: ProjectFixture) -> None:
        """Purged hits are not scored, or by the statistics of live ones, or with a context."""
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

    def test_purged_ones_have_no_context(self, project: ProjectFixture) -> None:
        """A purged observation keeps a context, so that its neighbours' words count for it."""
        project.purge(project.save("zebra", session="s"), project.refer("one"))
        assert project.contents("zebra", include_purged=True) == ["zebra"]
        assert project.leaning_on("zebra", include_purged=True) == set()
