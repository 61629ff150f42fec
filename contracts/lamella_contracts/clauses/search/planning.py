"""Clauses on search words: near words replace unknown ones, and the most informative ones are kept."""

from lamella.domain.memories.query import Span
from lamella_adapters.fts5.plan import MOST_WORDS
from lamella_contracts.clauses.search.ranking import filled
from lamella_contracts.fixtures.project import ProjectFixture


class PlanningClauses:
    """Unknown words are replaced by the nearest words of the project, and long questions are shortened."""

    def test_a_near_word_stands_in_for_an_unknown_one(self, project: ProjectFixture) -> None:
        """A typo, a compound or another form of a word finds nothing."""
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
        """Only similar spellings replace a word, or synonyms are searched beside a known word."""
        filled(project)
        project.save("we deleted rows at night")
        project.save("a remote host")
        assert project.contents("removing") == ["we deleted rows at night"]
        project.save("it removes rows")
        assert project.contents("removing") == ["it removes rows"]

    def test_a_near_word_has_less_strength(self, project: ProjectFixture) -> None:
        """A near word is as good as the word itself or nothing, or has no span."""
        project.save("a zebra crossing")
        (known,), (near,) = (project.find(each) for each in ("zebra", "zebar"))
        assert known.strength == 1.0
        assert 0.2 < (near.strength or 0.0) < 0.7
        assert list(near.spans) == [Span(2, 7, 0)]

    def test_a_known_word_is_not_replaced(self, project: ProjectFixture) -> None:
        """Near words are searched beside a known word."""
        for word in ("trail", "train"):
            project.save(word)
        assert project.contents("trail") == ["trail"]

    def test_a_compound_stands_in_for_its_first_part(self, project: ProjectFixture) -> None:
        """A German word doesn't find compounds beginning with it, or an English word finds longer ones."""
        project.save("Ankunftsdatum")
        project.save("Ankunft")
        project.save("horseradish")
        project.save("horse")
        assert set(project.contents("Wann war die Ankunft?")) == {"Ankunft", "Ankunftsdatum"}
        assert project.contents("When was the horse?") == ["horse"]

    def test_nothing_stands_in_for_dates_and_short_words(self, project: ProjectFixture) -> None:
        """Another month or a short word with one letter in common is found."""
        for word in ("marsh", "row", "E_CONN_RESET"):
            project.save(word)
        assert [project.contents(each) for each in ("March", "cow", "E_CONM_RESET")] == [[]] * 3

    def test_the_words_that_tell_most_are_looked_for(self, project: ProjectFixture) -> None:
        """A long question is searched by its first words, by all words, or by unknown words."""
        many = [f"word{number}" for number in range(MOST_WORDS)]
        for number in range(3):
            project.save(f"horse {number}")
        project.save(" ".join(many[1:]))
        project.save("zebra")
        unknown = " ".join(f"unknown{number}" for number in range(MOST_WORDS))
        assert set(project.contents(f"horse {unknown} zebra")) == {"zebra", "horse 2", "horse 1", "horse 0"}
        assert set(project.contents(f"horse {' '.join(many[1:])} zebra")) == {"zebra", " ".join(many[1:])}
