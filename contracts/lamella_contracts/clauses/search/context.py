"""Clauses on the context column and on searching purged observations."""

import pytest

from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import Notebook


class ContextClauses:
    """The context column has the two live observations before a memory in its session."""

    def test_a_word_finds_its_followers(self, notebook: Notebook) -> None:
        """The context column is missing, or holds fewer or more than two observations."""
        for content in ("zebra", "follower one", "follower two", "follower three"):
            notebook.save(content, session="s")
        assert set(notebook.contents("zebra")) == {"zebra", "follower one", "follower two"}

    def test_a_title_is_part_of_the_context(self, notebook: Notebook) -> None:
        """The context holds contents without their titles."""
        notebook.save("content", title="zebra", session="s")
        notebook.save("follower", session="s")
        assert notebook.contents("zebra") == ["content", "follower"]

    def test_context_is_of_one_session(self, notebook: Notebook) -> None:
        """The context is what was saved before in any session; or those without a session count as one."""
        notebook.save("zebra in s", session="s")
        notebook.save("follower in t", session="t")
        notebook.save("zebra without")
        notebook.save("follower without")
        assert notebook.contents("zebra") == ["zebra without", "zebra in s"]

    def test_context_is_a_beginning(self, notebook: Notebook) -> None:
        """Contexts hold whole contents: a word after 300 characters of a neighbour finds the follower."""
        notebook.save("x" * 299 + " zebra", session="s")
        notebook.save("follower", session="s")
        assert len(notebook.contents("zebra")) == 1

    def test_a_purge_takes_text_out_of_the_context(self, notebook: Notebook) -> None:
        """A purge leaves the text in its followers' context, where it can still be searched for."""
        purged = notebook.save("zebra", title="zebra title", session="s")
        for content in ("follower one", "follower two"):
            notebook.save(content, session="s")
        notebook.purge(purged)
        assert notebook.find("zebra") == ()

    def test_a_purge_moves_earlier_ones_up(self, notebook: Notebook) -> None:
        """After a purge the context is one short, instead of reaching further back."""
        notebook.save("zebra", session="s")
        middle = [notebook.save(each, session="s") for each in ("one", "two")]
        notebook.save("follower", session="s")
        notebook.purge(middle[0])
        assert set(notebook.contents("zebra")) == {"zebra", "two", "follower"}

    def test_a_restore_puts_text_back_into_the_context(self, notebook: Notebook) -> None:
        """A restore forgets the followers, and what was between leaves their context again."""
        purged = notebook.save("zebra", session="s")
        for content in ("follower one", "follower two", "follower three"):
            notebook.save(content, session="s")
        notebook.purge(purged)
        notebook.restore(purged)
        assert set(notebook.contents("zebra")) == {"zebra", "follower one", "follower two"}

    def test_a_restored_one_has_its_context_of_today(self, notebook: Notebook) -> None:
        """A restored observation keeps the context of the day it was purged, and leaks what was purged since."""
        leaked, follower = notebook.save("zebra", session="s"), notebook.save("follower", session="s")
        notebook.purge(follower)
        notebook.purge(leaked)
        notebook.restore(follower)
        assert notebook.find("zebra") == ()
        notebook.restore(leaked)
        assert notebook.contents("zebra") == ["zebra", "follower"]

    @needs(Capability.ERASE)
    def test_an_erase_takes_text_out_of_the_context(self, notebook: Notebook) -> None:
        """An erase leaves the text in its followers' context."""
        erased = notebook.save("zebra", session="s")
        notebook.save("follower", session="s")
        notebook.erase(erased)
        assert notebook.find("zebra", include_purged=True) == ()


class PurgedSearchClauses:
    """A search includes purged observations only on request."""

    def test_purged_hits_follow_all_live_ones(self, notebook: Notebook) -> None:
        """Purged and live hits are put in one order, or the limit is filled with purged ones first."""
        # "zebra" is rare among purged observations, so the purged one has the highest score.
        notebook.purge(*(notebook.save(f"purged {number}") for number in range(9)))
        notebook.purge(notebook.save("purged", title="zebra zebra"))
        notebook.save("live zebra among some other words")
        found = [notebook.contents("zebra", limit=limit, include_purged=True) for limit in (1, 10)]
        live = "live zebra among some other words"
        assert found == [[live], [live, "purged"]]

    def test_asking_for_purged_ones_leaves_live_scores_alone(self, notebook: Notebook) -> None:
        """With `include_purged` the statistics are those of all rows, and live scores change."""
        filled(notebook)
        notebook.save("zebra live")
        for number in range(4):
            notebook.purge(notebook.save(f"zebra purged {number}"))
        without, along = notebook.scores("zebra"), notebook.scores("zebra", include_purged=True)
        assert {content: along[content] for content in without} == without

    def test_purged_hits_are_ranked_among_themselves(self, notebook: Notebook) -> None:
        """Purged hits are not scored, or by the statistics of live ones, or with a context."""
        other = notebook.elsewhere("as-if-live")
        contents = ["zebra", "zebra and horse", "cow", "dog", "cat", "hen"]
        for content in contents:
            other.save(content)
        filled(notebook)
        notebook.purge(*[notebook.save(content, session="s") for content in contents])
        notebook.save("zebra live")
        scores = notebook.scores("zebra", include_purged=True)
        assert list(scores) == ["zebra live", *other.contents("zebra")]
        assert {content: scores[content] for content in contents[:2]} == pytest.approx(other.scores("zebra"))

    def test_purged_ones_are_found_by_their_own_text_only(self, notebook: Notebook) -> None:
        """A purged observation keeps a context, so that its neighbours' words find it."""
        saved = [notebook.save(content, session="s") for content in ("zebra", "follower")]
        notebook.purge(*saved)
        assert notebook.contents("zebra", include_purged=True) == ["zebra"]
