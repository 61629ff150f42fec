"""Languages other than English: what is indexed of their words, and what a question looks for."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from lamella.domain.text.languages import Language
from lamella.domain.text.languages.latin import (
    DUTCH,  # noqa: F401 - for the table
    ENGLISH,
    FRENCH,  # noqa: F401 - for the table
    GERMAN,
    ITALIAN,  # noqa: F401 - for the table
    OTHERS,
    PORTUGUESE,  # noqa: F401 - for the table
    SPANISH,  # noqa: F401 - for the table
    language_of,
)
from lamella.domain.text.languages.scripts import SCRIPTS, runs
from lamella.domain.text.words import hidden_forms, query_words
from tests.unit.support.tables import cases

any_text = st.text(st.characters(exclude_categories=()))
foreign_text = st.lists(
    st.one_of(
        st.sampled_from(sorted(word for language in (*OTHERS, *SCRIPTS) for word in language.stop_words)),
        st.text(st.sampled_from("aäßéñçабёгѐўξαωάանխابتةىأؤءकखिीதமிழ்한국어の語数-_./'’؟。0Aa "), max_size=8),
        any_text,
    )
).map(" ".join)


def looked_for(question: str) -> list[tuple[str, ...]]:
    """Return the forms of the words that a question looks for."""
    return [word.forms for word in query_words(question)]


class TestWhichLanguageATextIsIn:
    @cases
    def test_it_is_that_of_most_of_its_stop_words(self, text: str, language: Language) -> None:
        assert language_of(text) is language

    @cases
    def test_it_is_english_where_in_doubt(self, text: str) -> None:
        assert language_of(text) is ENGLISH

    def test_a_long_list_of_names_with_two_such_words_is_in_none(self) -> None:
        names = " ".join(f"name{chr(97 + number)}x" for number in range(26))
        assert (language_of("nicht weil"), language_of(f"nicht weil {names}")) == (GERMAN, ENGLISH)

    def test_a_script_tells_it_word_by_word(self) -> None:
        found = runs("кот и γάτα, կատու; قطة बिल्ली பூனை 고양이 cat кот")
        assert {language.stemmer: words for language, words in found.items()} == {
            "russian": ["кот", "и"],
            "greek": ["γάτα"],
            "armenian": ["կատու"],
            "arabic": ["قطة"],
            "hindi": ["बिल्ली"],
            "tamil": ["பூனை"],
            "": ["고양이"],
        }

    def test_tables_of_scripts_are_in_the_order_of_their_letters(self) -> None:
        bounds = [letter for language in SCRIPTS for letter in (language.first, language.last)]
        assert bounds == sorted(bounds)

    def test_stop_words_are_words_in_lower_case(self) -> None:
        words = {word for language in (*OTHERS, *SCRIPTS) for word in language.stop_words}
        assert [word for word in words if word != word.lower() or " " in word] == []


class TestWhatIsIndexed:
    @cases
    def test_stems_and_pairs_of_korean_syllables_are(self, text: str, forms: Sequence[str]) -> None:
        assert set(forms) <= set(hidden_forms(text))

    def test_english_has_no_other_stems_than_those_of_the_index(self) -> None:
        assert list(hidden_forms("the connections were lost and the servers restarted")) == []

    def test_an_identifier_has_no_stem(self) -> None:
        forms = list(hidden_forms("und nicht getWorten wir_haben x2"))
        assert (forms[-1], "getwort" in forms) == ("x2", False)

    @given(foreign_text)
    @settings(max_examples=100)
    def test_forms_are_words_between_single_spaces(self, text: str) -> None:
        forms = list(hidden_forms(text))
        assert [form for form in forms if not form or form != " ".join(form.split())] == []


class TestWhatAQuestionLooksFor:
    @cases
    def test_words_with_their_stems_without_stop_words(self, question: str, words: list[tuple[str, ...]]) -> None:
        assert looked_for(question) == words

    @cases
    def test_nothing_where_there_are_only_stop_words(self, question: str) -> None:
        assert looked_for(question) == []

    def test_a_question_keeps_the_stop_words_of_other_languages(self) -> None:
        assert looked_for("when did they die in the war") == [("die",), ("war",)]
        assert looked_for("wann sind sie in the war gestorben, und warum")[:1] == [("the",)]

    @given(foreign_text)
    @settings(max_examples=100)
    def test_no_question_raises_and_every_word_has_a_form(self, question: str) -> None:
        assert all(form for word in query_words(question) for form in word.forms)


@cases
def test_a_word_finds_its_other_forms(asked: str, written: str) -> None:
    indexed = " ".join((*hidden_forms(written), written.strip("."))).lower().split()
    assert any(form.lower() in indexed for word in query_words(asked) for form in word.forms)
