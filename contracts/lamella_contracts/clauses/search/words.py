"""Clauses on the words of a query: stems, stop words, operators, identifiers and other scripts."""

from datetime import UTC, datetime

import pytest

from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.fixtures.project import ProjectFixture

IDENTIFIERS = {
    "getUserById": ("getUserById", "get_user_by_id", "get-user-by-id", "getuserbyid", "GetUserById", "user"),
    "E_CONN_RESET": ("E_CONN_RESET", "eConnReset", "conn_reset", "econnreset"),
    "src/auth/login_form.py": ("src/auth/login_form.py", "login_form.py", "loginForm", "auth/login_form"),
    "Cache::evictOldest": ("Cache::evictOldest", "evict_oldest", "cache.evictOldest", "evict oldest"),
}


INFLECTED = {
    "Die Verbindungen wurden nicht getrennt": "Wo ist die Verbindung?",
    "Les connexions sont fermées par le serveur": "Pourquoi la connexion ?",
    "Los errores fueron corregidos en las pruebas": "¿Por qué la prueba?",
    "Соединения разорваны": "соединение",
    "데이터베이스가 느려요": "데이터베이스는",
}
"""Texts, and questions with other forms of their words."""


class WordClauses:
    """A query is split into words by `lamella.domain.search.indexing.query_words`."""

    def test_words_are_found_by_their_stem(self, project: ProjectFixture) -> None:
        """Words are indexed as they stand: no Porter stems."""
        project.save("the server was connecting slowly")
        assert project.strengths("connected servers") == {"the server was connecting slowly": 1.0}

    def test_stop_words_are_dropped(self, project: ProjectFixture) -> None:
        """Words that say nothing are looked for, and everything that contains "the" is found."""
        project.save("the of and")
        project.save("zebra")
        assert project.contents("what is the zebra") == ["zebra"]

    def test_stop_words_alone_find_nothing(self, project: ProjectFixture) -> None:
        """A query of nothing but stop words finds everything that contains one of them."""
        project.save("to be or not to be")
        assert project.contents("or not") == []

    def test_other_languages_have_stems(self, project: ProjectFixture) -> None:
        """Words in other languages than English are found in one form only, and Korean ones with one particle."""
        for text in INFLECTED:
            project.save(text)
        found = {text: project.strengths(question) for text, question in INFLECTED.items()}
        assert {text: list(strengths) for text, strengths in found.items()} == {text: [text] for text in INFLECTED}
        assert min(found[text][text] or 0.0 for text in INFLECTED) > 0.7  # a near word has a strength of 0.5

    def test_operators_are_words(self, project: ProjectFixture) -> None:
        """`NOT`, `-`, `NEAR` or `title:` are obeyed instead of looked for."""
        for content in ("alpha", "beta", "near"):
            project.save(content)
        assert sorted(project.contents("alpha NOT beta")) == ["alpha", "beta"]
        assert sorted(project.contents("alpha -beta")) == ["alpha", "beta"]
        assert sorted(project.contents("NEAR(alpha beta, 1)")) == ["alpha", "beta", "near"]
        assert sorted(project.contents('"alpha beta"')) == ["alpha", "beta"]

    def test_a_star_is_no_wildcard(self, project: ProjectFixture) -> None:
        """`cat*` finds every word that begins with `cat`."""
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

    def test_languages_with_signs_are_told_apart(self, project: ProjectFixture) -> None:
        """`C++` and `C#` are read as `c`, and find each other and every C."""
        filled(project)
        for language in ("C++", "C#", "C"):
            project.save(f"written in {language}")
        found = [project.contents(language) for language in ("C++", "c#")]
        assert found == [["written in C++"], ["written in C#"]]

    def test_scripts_without_spaces_are_searched_inside(self, project: ProjectFixture) -> None:
        """A Chinese, Japanese or Thai sentence is one word, which only the whole sentence finds."""
        sentences = {
            "\u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6": "\u8fde\u63a5",
            "\u30c7\u30fc\u30bf\u30d9\u30fc\u30b9\u304c\u58ca\u308c\u305f": "\u58ca\u308c",
            "\u0e10\u0e32\u0e19\u0e02\u0e49\u0e2d\u0e21\u0e39\u0e25": "\u0e02\u0e49\u0e2d\u0e21\u0e39\u0e25",
        }
        for sentence in sentences:
            project.save(sentence)
        found = {sentence: project.contents(part) for sentence, part in sentences.items()}
        assert found == {sentence: [sentence] for sentence in sentences}

    def test_emoji_are_found_by_sign_and_name(self, project: ProjectFixture) -> None:
        """Pictographs are dropped by the word splitter and nothing stands for them."""
        project.save("shipped \U0001f680")
        project.save("broken \U0001f41b")
        assert [project.contents(query) for query in ("\U0001f680", "rocket")] == [["shipped \U0001f680"]] * 2

    def test_who_what_and_when_are_words(self, project: ProjectFixture) -> None:
        """The heading is not indexed: content is put into the index as it is stored."""
        project.save("plain words", actor="gardener")
        for query in ("gardener", "note", "2024-05-06"):
            assert project.contents(query) == ["plain words"]


class DateClauses:
    """A memory is found by the date in its heading."""

    def test_months_and_years_find_what_was_saved_then(self, project: ProjectFixture) -> None:
        """The heading holds the date in figures only, which no question has."""
        project.save("one", now=datetime(2023, 3, 7, tzinfo=UTC))
        project.save("two", now=datetime(2024, 5, 7, tzinfo=UTC))
        asked = ("March", "May 2024", "7 March", "2023", "2023-03-07")
        assert [project.contents(each, limit=1) for each in asked] == [["one"], ["two"], ["one"], ["one"], ["one"]]

    def test_dates_count_double(self, project: ProjectFixture) -> None:
        """The date of a question weighs as little as any word, or a verb counts as the month of its spelling."""
        filled(project)
        project.save("zebra")
        project.save("cat", now=datetime(2023, 3, 7, tzinfo=UTC))
        dated, plain = project.scores("zebra March"), project.scores("zebra march")
        assert dated["cat"] == pytest.approx(2 * (dated["zebra"] or 0.0))
        assert plain["cat"] == pytest.approx(plain["zebra"])
