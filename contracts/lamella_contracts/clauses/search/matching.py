"""Clauses on the words of a query, and on the strength and the spans of matches."""

from datetime import UTC, datetime

import pytest

from lamella.domain.memories.query import Hit, Match, Span
from lamella_adapters.fts5.plan import MOST_WORDS
from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.fixtures.project import ProjectFixture

IDENTIFIERS = {
    "getUserById": ("getUserById", "get_user_by_id", "get-user-by-id", "getuserbyid", "GetUserById", "user"),
    "E_CONN_RESET": ("E_CONN_RESET", "eConnReset", "conn_reset", "econnreset"),
    "src/auth/login_form.py": ("src/auth/login_form.py", "login_form.py", "loginForm", "auth/login_form"),
    "Cache::evictOldest": ("Cache::evictOldest", "evict_oldest", "cache.evictOldest", "evict oldest"),
}


def marked(hit: Hit) -> list[tuple[str, int]]:
    """Return the parts of the content covered by spans, each with the number of its query word."""
    return [(hit.observation.content[span.start : span.end], span.word) for span in hit.spans]


class MatchingClauses:
    """Hits have a kind of match, a strength, and the spans of the matching words.

    The strength of a hit is the share of the query's information that the hit contains, from 0 to 1. Rare words
    carry more information.
    """

    def test_strength_says_how_much_a_hit_holds(self, project: ProjectFixture) -> None:
        """Fails if all words have the same weight, or if stop words and punctuation count.

        Also fails if words in titles or metadata don't count, or if the hit doesn't list its matched words.
        """
        filled(project)
        for content in ("crossing here", "zebra here", "zebra there"):
            project.save(content)
        project.save("crossing too", title="zebra", actor="gardener")
        hits = {hit.observation.content: hit for hit in project.find("the zebra crossing _ gardener")}
        assert {hit.match for hit in hits.values()} == {Match.WORDS}
        strengths = {content: hit.strength or 0.0 for content, hit in hits.items()}
        assert strengths["crossing too"] == pytest.approx(1.0)
        assert 1 > strengths["crossing here"] > strengths["zebra here"] == strengths["zebra there"] > 0
        assert {content: sorted(hit.held) for content, hit in hits.items()} == {
            "crossing too": ["crossing", "gardener", "zebra"],
            "crossing here": ["crossing"],
            "zebra here": ["zebra"],
            "zebra there": ["zebra"],
        }

    def test_an_unknown_word_tells_as_much_as_a_rare_one(self, project: ProjectFixture) -> None:
        """Fails if a word that no memory has weighs nothing, or weighs more than a word of a single memory."""
        strengths = []
        for other in ("cow", "unicorn"):
            one = project.fresh()
            one.save("zebra")
            one.save(other)
            strengths.append(one.strengths("zebra unicorn")["zebra"])
        assert strengths[0] == pytest.approx(strengths[1])

    def test_strength_means_the_same_in_every_project(self, project: ProjectFixture) -> None:
        """Fails if the strength depends on the size of the project.

        A hit with one of a query's three words must be neither a weak nor a strong match.
        """
        strengths: list[float | None] = []
        for filler in (0, 3, 300):
            one = project.fresh()
            for number in range(filler):
                one.save(f"horse{number}")
            one.save("zebra")
            strengths += one.strengths("zebra unicorn centaur").values()
        assert [0.3 < (each or 0.0) < 0.6 for each in strengths] == [True] * 3

    def test_dates_beside_words_have_no_strength(self, project: ProjectFixture) -> None:
        """Fails if a memory on another subject is a strong match because it dates from the requested month."""
        filled(project)
        project.save("zebra", now=datetime(2023, 3, 7, tzinfo=UTC))
        project.save("cow in spring", now=datetime(2023, 3, 8, tzinfo=UTC))
        assert project.strengths("zebra March 2023") == {"zebra": 1.0, "cow in spring": 0.0}
        assert list(project.strengths("March 2023").values()) == pytest.approx([1.0, 1.0])

    def test_spans_point_at_the_words_in_the_content(self, project: ProjectFixture) -> None:
        """Fails if spans are offsets in bytes, or offsets in the title or in the indexed text.

        Also fails if a word that occurs twice has only one span.
        """
        project.save("\u00e4\u6570\U0001f680 zebra, na\u00efve Crossing zebras", title="zebra")
        project.save("content", title="zebra")
        found = {hit.observation.content: marked(hit) for hit in project.find("zebra crossing")}
        assert sorted(found.values()) == [[], [("zebra", 0), ("Crossing", 1), ("zebras", 0)]]

    def test_parts_of_longer_words_are_marked(self, project: ProjectFixture) -> None:
        """Fails if a match inside a longer word has no span."""
        project.save("call getUserById now")
        project.save("\u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6")
        found = [marked(hit) for query in ("user", "\u8fde\u63a5") for hit in project.find(query)]
        assert found == [[("User", 0)], [("\u8fde\u63a5", 0)]]


class WordClauses:
    """A query is split into words by `lamella.domain.search.indexing.query_words`."""

    def test_words_are_found_by_their_stem(self, project: ProjectFixture) -> None:
        """Fails if words are indexed without Porter stemming."""
        project.save("the server was connecting slowly")
        assert project.strengths("connected servers") == {"the server was connecting slowly": 1.0}

    def test_operators_are_words(self, project: ProjectFixture) -> None:
        """Fails if `NOT`, `-`, `NEAR` or `title:` act as operators instead of being searched for."""
        for content in ("alpha", "beta", "near"):
            project.save(content)
        assert sorted(project.contents("alpha NOT beta")) == ["alpha", "beta"]
        assert sorted(project.contents("alpha -beta")) == ["alpha", "beta"]
        assert sorted(project.contents("NEAR(alpha beta, 1)")) == ["alpha", "beta", "near"]
        assert sorted(project.contents('"alpha beta"')) == ["alpha", "beta"]

    def test_a_star_is_no_wildcard(self, project: ProjectFixture) -> None:
        """Fails if `cat*` finds every word beginning with `cat`."""
        for content in ("cat", "catalogue", "category"):
            project.save(content)
        assert project.contents("cat*") == ["cat"]

    def test_identifiers_are_found_in_every_style(self, project: ProjectFixture) -> None:
        """Fails if parts of identifiers are not indexed, or if a query is split differently from the text."""
        filled(project)
        for identifier in IDENTIFIERS:
            project.save(f"{identifier} broke")
        asked = {query: wanted for wanted, queries in IDENTIFIERS.items() for query in queries}
        found = {query: project.strengths(query, limit=1) for query in asked}
        assert found == {query: {f"{wanted} broke": 1.0} for query, wanted in asked.items()}

    def test_a_compound_is_a_phrase(self, project: ProjectFixture) -> None:
        """Fails if the parts of an identifier are searched one by one, so that `user_name` finds every name."""
        project.save("the name of a user")
        project.save("a user_name")
        assert project.contents("user_name") == ["a user_name"]

    def test_scripts_without_spaces_are_searched_inside(self, project: ProjectFixture) -> None:
        """Fails if a Chinese, Japanese or Thai sentence is indexed as one word."""
        sentences = {
            "\u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6": "\u8fde\u63a5",
            "\u30c7\u30fc\u30bf\u30d9\u30fc\u30b9\u304c\u58ca\u308c\u305f": "\u58ca\u308c",
            "\u0e10\u0e32\u0e19\u0e02\u0e49\u0e2d\u0e21\u0e39\u0e25": "\u0e02\u0e49\u0e2d\u0e21\u0e39\u0e25",
        }
        for sentence in sentences:
            project.save(sentence)
        found = {sentence: project.contents(part) for sentence, part in sentences.items()}
        assert found == {sentence: [sentence] for sentence in sentences}

    def test_keywords_count_as_content(self, project: ProjectFixture) -> None:
        """Fails if keywords are not indexed, are not split like content, or have another weight."""
        filled(project)
        project.save("slow at noon", keywords="getUserById, \u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6")
        asked = ("getUserById", "user", "\u8fde\u63a5")
        assert [project.contents(query) for query in asked] == [["slow at noon"]] * 3
        project.save("cow", keywords="okapi")
        project.save("cow okapi")
        for query in ("okapi", "okapi unicorn"):
            scores, strengths = project.scores(query), project.strengths(query)
            assert scores["cow"] == pytest.approx(scores["cow okapi"])
            assert strengths["cow"] == pytest.approx(strengths["cow okapi"])

    def test_who_what_and_when_are_words(self, project: ProjectFixture) -> None:
        """Fails if a memory isn't found by its actor, kind or date, because only its content is indexed."""
        project.save("plain words", actor="gardener")
        for query in ("gardener", "note", "2024-05-06"):
            assert project.contents(query) == ["plain words"]


class PlanningClauses:
    """Words that no memory has are replaced by similar words, and long queries are shortened."""

    def test_a_near_word_stands_in_for_an_unknown_one(self, project: ProjectFixture) -> None:
        """Fails if a typo, a compound, or another form of a word finds nothing."""
        filled(project)
        project.save("the timeout hurts")
        project.save("Verbindung")
        project.save("photography")
        project.save("deployment")
        asked = ("timeuot", "timeoutt", "itmeout", "timout", "Datenbankverbindung", "photographs", "deploymnet")
        found = {each: project.contents(each) for each in asked}
        contents = [*["the timeout hurts"] * 4, "Verbindung", "photography", "deployment"]
        assert found == {each: [content] for each, content in zip(asked, contents, strict=True)}

    def test_a_word_of_the_same_meaning_stands_in_for_an_unknown_one(self, project: ProjectFixture) -> None:
        """Fails if an unknown word doesn't find memories with a synonym.

        Also fails if synonyms are searched although the word itself occurs in the project.
        """
        filled(project)
        project.save("we deleted rows at night")
        project.save("a remote host")
        assert project.contents("removing") == ["we deleted rows at night"]
        project.save("it removes rows")
        assert project.contents("removing") == ["it removes rows"]

    def test_a_near_word_has_less_strength(self, project: ProjectFixture) -> None:
        """Fails if a similar word counts as much as the exact word, doesn't count, or has no span."""
        project.save("a zebra crossing")
        (known,), (near,) = (project.find(each) for each in ("zebra", "zebar"))
        assert known.strength == 1.0
        assert 0.2 < (near.strength or 0.0) < 0.7
        assert list(near.spans) == [Span(2, 7, 0)]

    def test_a_known_word_is_not_replaced(self, project: ProjectFixture) -> None:
        """Fails if similar words are searched although the word itself occurs in the project."""
        for word in ("trail", "train"):
            project.save(word)
        assert project.contents("trail") == ["trail"]

    def test_a_compound_stands_in_for_its_first_part(self, project: ProjectFixture) -> None:
        """Fails if a German word doesn't find compounds beginning with it.

        Also fails if an English word finds longer words beginning with it.
        """
        project.save("Ankunftsdatum")
        project.save("Ankunft")
        project.save("horseradish")
        project.save("horse")
        assert set(project.contents("Wann war die Ankunft?")) == {"Ankunft", "Ankunftsdatum"}
        assert project.contents("When was the horse?") == ["horse"]

    def test_nothing_stands_in_for_dates_and_short_words(self, project: ProjectFixture) -> None:
        """Fails if a month, a short word or an identifier finds a similarly spelt word."""
        for word in ("marsh", "row", "E_CONN_RESET"):
            project.save(word)
        assert [project.contents(each) for each in ("March", "cow", "E_CONM_RESET")] == [[]] * 3

    def test_the_words_that_tell_most_are_looked_for(self, project: ProjectFixture) -> None:
        """Fails if a long query isn't searched by its rarest known words.

        Likely causes are a search by its first words, by all of its words, or by unknown words.
        """
        many = [f"word{number}" for number in range(MOST_WORDS)]
        for number in range(3):
            project.save(f"horse {number}")
        project.save(" ".join(many[1:]))
        project.save("zebra")
        unknown = " ".join(f"unknown{number}" for number in range(MOST_WORDS))
        assert set(project.contents(f"horse {unknown} zebra")) == {"zebra", "horse 2", "horse 1", "horse 0"}
        assert set(project.contents(f"horse {' '.join(many[1:])} zebra")) == {"zebra", " ".join(many[1:])}
