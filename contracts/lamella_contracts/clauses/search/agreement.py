"""Clauses to compare a storage with the in-memory storage on random stories and queries."""

from collections.abc import Sequence
from itertools import cycle, islice

from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.observation import Draft, Kind
from lamella.domain.memories.query import ByText, ByTitle, Recent
from lamella.ports.storage.storage import Capability
from lamella_adapters.fts5.bm25 import LARGE_PROJECT
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.answers import assert_same_ranking
from lamella_contracts.fixtures.project import ProjectFixture
from lamella_contracts.fixtures.strategies import (
    ASKED,
    IDENTIFIERS,
    PLAIN,
    UNSPACED,
    WORDS,
    Story,
    any_text,
    bounded,
    questions,
    stories,
)

ALL = 1_000
"""More hits than a story has."""


def assert_same_answers(
    one: ProjectFixture, other: ProjectFixture, queries: Sequence[str], *, include_purged: bool
) -> None:
    """Assert that both projects return equal hits in equal order, with numbers equal to nine digits.

    Compare the first 10 hits, or the first 100 if purged hits are included.
    """
    limit = 100 if include_purged else 10
    for query in queries:
        mine = one.find(query, limit=limit, include_purged=include_purged)
        theirs = other.find(query, limit=ALL, include_purged=include_purged)
        assert_same_ranking(mine, theirs, limit=limit, exact=False)


def long_story(length: int) -> Story:
    """Return a story with words of very different frequencies.

    A third of its memories is purged, and a fifth of these is restored.
    """
    words = list(islice(cycle(WORDS), 7 * length))
    every = [
        Draft(
            content=" ".join(
                [*words[number * 5 : number * 5 + 2 + number % 6], f"memory{number}", f"pair{number // 2}"]
            ),
            title=WORDS[number * number % len(WORDS)],
            keywords=WORDS[number * 3 % len(WORDS)] if number % 5 == 0 else "",
            session=(None, "s1", "s2")[number // 4 % 3],
            kind=(Kind.NOTE, Kind.NOTE, Kind.CHANGE, Kind.SUMMARY)[number // 3 % 4],
        )
        for number in range(length)
    ]
    purged = range(0, length, 3)
    return Story(every, purged, purged[::5])


def large_story() -> Story:
    """Return a story with enough rows for a large project. Their texts are short, and some are purged."""
    length = LARGE_PROJECT + 40
    every = [
        Draft(
            content=f"{WORDS[number % 31]} {WORDS[number * number % 23]} {WORDS[number % 5]} row{number}",
            title=WORDS[number % 7] if number % 11 == 0 else "",
            kind=Kind.NOTE if number % 4 else Kind.CHANGE,
        )
        for number in range(length)
    ]
    return Story(every, range(0, length, 30), (), distinct=True)


class AgreementClauses:
    """All storages rank memories alike, and any text is a valid query."""

    def test_ranking_agrees_with_the_model(self, project: ProjectFixture) -> None:
        """Fails if the ranking of a random story differs from the in-memory storage's.

        Likely causes are differences in tokens, columns, statistics, phrases, order of summation, or order of
        ties.
        """

        @bounded(12)
        @given(stories(12), st.lists(questions(4), min_size=1, max_size=5), st.booleans())
        def agrees(story: Story, queries: Sequence[str], include_purged: bool) -> None:
            tested = project.fresh()
            model = story.replay(tested)
            assert_same_answers(tested, model, queries, include_purged=include_purged)

        agrees()

    def test_ranking_agrees_where_words_are_rare(self, project: ProjectFixture) -> None:
        """Fails if an optimisation for rare words changes scores or the order."""
        model = long_story(120).replay(project)
        rare = [f"memory{number} pair{number}" for number in range(len(PLAIN))]
        words = zip(PLAIN, cycle(IDENTIFIERS), cycle(UNSPACED), cycle(["", *rare]), strict=False)
        queries = [*(" ".join(some) for some in words), " ".join(ASKED)]
        assert_same_answers(project, model, queries, include_purged=False)
        assert_same_answers(project, model, queries[:6], include_purged=True)

    def test_ranking_agrees_in_a_large_project(self, project: ProjectFixture) -> None:
        """Fails if an optimisation for many rows changes scores, strengths or the order."""
        model = large_story().replay(project)
        common = " ".join(PLAIN)
        queries = (
            f"{common} row7",
            "zebra crossing horse",
            "getUserById row12 row13 user name",
            "May row99 zebar",
        )
        assert_same_answers(project, model, queries, include_purged=False)

    @needs(Capability.EXACT_RANKING)
    def test_scores_are_exact(self, project: ProjectFixture) -> None:
        """Fails if terms are summed in another order or precision, so that nearly equal scores change places."""
        model = long_story(60).replay(project)
        every = [hit.observation.id for hit in model.find(Recent(), limit=ALL)]
        for query in (" ".join(WORDS[at : at + 7]) for at in range(0, len(WORDS), 3)):
            theirs = model.find(query, limit=ALL, include_purged=True)
            for limit in (3, ALL):
                mine = project.find(query, limit=limit, include_purged=True)
                assert_same_ranking(mine, theirs, limit=limit, exact=True)
            some = frozenset(every[::4])
            narrowed = [hit for hit in theirs if hit.observation.id in some and not hit.observation.purged]
            mine = project.find(query, limit=ALL, ids=some)
            assert_same_ranking(mine, narrowed, limit=ALL, exact=True)

    def test_any_query_has_an_answer(self, project: ProjectFixture) -> None:
        """Fails if text is parsed as query syntax, can't be encoded, or makes an expression too long."""
        for word in WORDS[::3]:
            project.save(word, title=word)

        @bounded(20)
        @given(any_text())
        def answers(text: str) -> None:
            for search in (ByText(text), ByTitle(text)):
                assert project.find(search, limit=3) == project.find(search, limit=50)[:3]
            assert project.find(Recent(), session=text, path=text) == ()

        answers()

    def test_the_longest_queries_have_an_answer(self, project: ProjectFixture) -> None:
        """Fails if a query of 500 characters raises, for example because it has too many words for the index."""
        project.save("zebra")
        queries = ("q w " * 125, "\u6570\u636e" * 250, "a.b" * 166, '"' * 500, "getUserById " * 41, "x" * 500)
        assert [project.find(query) for query in queries] == [()] * len(queries)
