"""Clauses on the words of a query: stems, stop words, operators, identifiers and other scripts."""

import pytest

from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.fixtures.project import ProjectFixture

IDENTIFIERS = {
    "getUserById": ("getUserById", "get_user_by_id", "get-user-by-id", "getuserbyid", "GetUserById", "user"),
    "E_CONN_RESET": ("E_CONN_RESET", "eConnReset", "conn_reset", "econnreset"),
    "src/auth/login_form.py": ("src/auth/login_form.py", "login_form.py", "loginForm", "auth/login_form"),
    "Cache::evictOldest": ("Cache::evictOldest", "evict_oldest", "cache.evictOldest", "evict oldest"),
}


class WordClauses:
    """A query is split into words by `lamella.domain.search.indexing.query_words`."""

    def test_words_are_found_by_their_stem(self, project: ProjectFixture) -> None:
        """Words are indexed without Porter stemming."""
        project.save("the server was connecting slowly")
        assert project.strengths("connected servers") == {"the server was connecting slowly": 1.0}

    def test_operators_are_words(self, project: ProjectFixture) -> None:
        """`NOT`, `-`, `NEAR` or `title:` are obeyed instead of looked for."""
        for content in ("alpha", "beta", "near"):
            project.save(content)
        assert sorted(project.contents("alpha NOT beta")) == ["alpha", "beta"]
        assert sorted(project.contents("alpha -beta")) == ["alpha", "beta"]
        assert sorted(project.contents("NEAR(alpha beta, 1)")) == ["alpha", "beta", "near"]
        assert sorted(project.contents('"alpha beta"')) == ["alpha", "beta"]

    def test_a_star_is_no_wildcard(self, project: ProjectFixture) -> None:
        """`cat*` finds every word beginning with `cat`."""
        for content in ("cat", "catalogue", "category"):
            project.save(content)
        assert project.contents("cat*") == ["cat"]

    def test_identifiers_are_found_in_every_style(self, project: ProjectFixture) -> None:
        """The `sub` column is not indexed, or a query is not taken apart as the text was."""
        filled(project)
        for identifier in IDENTIFIERS:
            project.save(f"{identifier} broke")
        asked = {query: wanted for wanted, queries in IDENTIFIERS.items() for query in queries}
        found = {query: project.strengths(query, limit=1) for query in asked}
        assert found == {query: {f"{wanted} broke": 1.0} for query, wanted in asked.items()}

    def test_a_compound_is_a_phrase(self, project: ProjectFixture) -> None:
        """The parts of an identifier are looked for one by one: `user_name` finds every name."""
        project.save("the name of a user")
        project.save("a user_name")
        assert project.contents("user_name") == ["a user_name"]

    def test_scripts_without_spaces_are_searched_inside(self, project: ProjectFixture) -> None:
        """A Chinese, Japanese or Thai sentence is one word, found only by the whole sentence."""
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
        """Keywords are not indexed, not split like content, or weigh more or less."""
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
        """The heading is not indexed: content is put into the index as it is stored."""
        project.save("plain words", actor="gardener")
        for query in ("gardener", "note", "2024-05-06"):
            assert project.contents(query) == ["plain words"]
