"""Clauses on the context column and on searching purged observations."""

import pytest

from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import ProjectFixture


class ContextClauses:
    """The context column has the two live observations before a memory in its session."""

    def test_a_word_finds_its_followers(self, project: ProjectFixture) -> None:
        """The context column is missing, or holds fewer or more than two observations."""
        for content in ("zebra", "follower one", "follower two", "follower three"):
            project.save(content, session="s")
        assert set(project.contents("zebra")) == {"zebra", "follower one", "follower two"}

    def test_a_title_is_part_of_the_context(self, project: ProjectFixture) -> None:
        """The context holds contents without their titles."""
        project.save("content", title="zebra", session="s")
        project.save("follower", session="s")
        assert project.contents("zebra") == ["content", "follower"]

    def test_context_is_of_one_session(self, project: ProjectFixture) -> None:
        """The context is what was saved before in any session; or those without a session count as one."""
        project.save("zebra in s", session="s")
        project.save("follower in t", session="t")
        project.save("zebra without")
        project.save("follower without")
        assert project.contents("zebra") == ["zebra without", "zebra in s"]

    def test_context_is_a_beginning(self, project: ProjectFixture) -> None:
        """Contexts hold whole contents, or less than 300 characters of each: a word finds the follower, or not."""
        project.save("x" * 280 + " horse" + " " * 20 + "zebra", session="s")
        project.save("follower", session="s")
        assert [len(project.contents(word)) for word in ("horse", "zebra")] == [2, 1]

    def test_a_purge_takes_text_out_of_the_context(self, project: ProjectFixture) -> None:
        """A purge leaves the text in its followers' context, where it can still be searched for."""
        purged = project.save("zebra", title="zebra title", session="s")
        for content in ("follower one", "follower two"):
            project.save(content, session="s")
        project.purge(purged)
        assert project.find("zebra") == ()

    def test_what_follows_a_purge_has_no_purged_text(self, project: ProjectFixture) -> None:
        """A save after a purge takes purged text into its context, or its context is one short."""
        project.save("horse", session="s")
        purged = project.save("zebra", title="zebra title", session="s")
        project.save("cow", session="s")
        project.purge(purged)
        project.save("follower", session="s")
        assert project.find("zebra") == ()
        assert set(project.contents("horse")) == {"horse", "cow", "follower"}

    def test_a_purge_moves_earlier_ones_up(self, project: ProjectFixture) -> None:
        """After a purge the context is one short, instead of reaching further back."""
        project.save("zebra", session="s")
        middle = [project.save(each, session="s") for each in ("one", "two")]
        project.save("follower", session="s")
        project.purge(middle[0])
        assert set(project.contents("zebra")) == {"zebra", "two", "follower"}

    def test_a_restore_puts_text_back_into_the_context(self, project: ProjectFixture) -> None:
        """A restore forgets the followers, and what was between leaves their context again."""
        purged = project.save("zebra", session="s")
        for content in ("follower one", "follower two", "follower three"):
            project.save(content, session="s")
        project.purge(purged)
        project.restore(purged)
        assert set(project.contents("zebra")) == {"zebra", "follower one", "follower two"}

    def test_a_restored_one_has_its_context_of_today(self, project: ProjectFixture) -> None:
        """A restored observation keeps the context of the day it was purged, and leaks what was purged since."""
        leaked, follower = project.save("zebra", session="s"), project.save("follower", session="s")
        project.purge(follower)
        project.purge(leaked)
        project.restore(follower)
        assert project.find("zebra") == ()
        project.restore(leaked)
        assert project.contents("zebra") == ["zebra", "follower"]

    @needs(Capability.ERASE)
    def test_an_erase_takes_text_out_of_the_context(self, project: ProjectFixture) -> None:
        """An erase leaves the text in its followers' context."""
        erased = project.save("zebra", session="s")
        project.save("follower", session="s")
        project.erase(erased)
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
        contents = ["zebra", "zebra and horse", "cow", "dog", "cat", "hen"]
        for content in contents:
            other.save(content)
        filled(project)
        project.purge(*[project.save(content, session="s") for content in contents])
        project.save("zebra live")
        scores = project.scores("zebra", include_purged=True)
        assert list(scores) == ["zebra live", *other.contents("zebra")]
        assert {content: scores[content] for content in contents[:2]} == pytest.approx(other.scores("zebra"))

    def test_purged_ones_are_found_by_their_own_text_only(self, project: ProjectFixture) -> None:
        """A purged observation keeps a context, so that its neighbours' words find it."""
        saved = [project.save(content, session="s") for content in ("zebra", "follower")]
        project.purge(*saved)
        assert project.contents("zebra", include_purged=True) == ["zebra"]
