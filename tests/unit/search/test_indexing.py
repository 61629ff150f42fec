from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from uuid import UUID

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ByText, RecallQuery
from lamella.domain.search.indexing import IndexedText, all_hidden_forms, context, indexed_text, needs_context
from lamella.domain.text.printing import well_formed
from lamella.domain.text.words import Word, query_words
from tests.unit.support.doubles import Desk
from tests.unit.support.tables import cases

THEN = datetime(2024, 5, 6, 23, 30, tzinfo=timezone(timedelta(hours=-2)))
OBSERVATION = Draft(title="User names", content="call it: getUserById").observed(
    id=UUID(int=1), project="p", sequence=1, now=THEN
)

any_text = st.text(st.characters(exclude_categories=()))


def found(query: str, *texts: str) -> list[str]:
    """Return the `texts` that a query finds, best first."""
    return found_at(desk_with_texts(*texts), query)


def desk_with_texts(*texts: str) -> Desk:
    """A desk at which these texts were saved."""
    desk = Desk()
    for text in texts:
        desk.save(text, title="t")
    return desk


def found_at(desk: Desk, query: str) -> list[str]:
    """Return the texts saved at a desk that a query finds, best first."""
    hits = desk.here.search.find(RecallQuery(selector=ByText(query)))
    return [hit.observation.content for hit in hits]


STYLES: dict[str, Callable[[list[str]], str]] = {
    "camel": lambda parts: parts[0] + "".join(map(str.capitalize, parts[1:])),
    "pascal": lambda parts: "".join(map(str.capitalize, parts)),
    "snake": "_".join,
    "screaming": lambda parts: "_".join(parts).upper(),
    "kebab": "-".join,
    "dotted": ".".join,
    "scoped": "::".join,
    "joined": "".join,
}
"""Ways to write the words of a name as one."""

parts_of_names = st.lists(
    st.one_of(
        st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=8), st.sampled_from(["2", "x", "64", "id"])
    ),
    min_size=2,
    max_size=4,
)


def test_an_observation_is_indexed_with_its_heading_and_what_came_before() -> None:
    before = evolve(OBSERVATION, title="Before", content="x" * 301)
    text = indexed_text(OBSERVATION, [before])
    assert text == IndexedText(
        title="User names",
        content="agent note 2024-05-07 7 May 2024\ncall it: getUserById",
        hidden_forms="get User By Id getuserbyid",
        context="Before\n" + "x" * 300,
    )
    assert text.columns == (text.title, text.content, text.hidden_forms, text.context)


def test_keywords_are_indexed_with_the_content_and_their_hidden_forms() -> None:
    text = indexed_text(evolve(OBSERVATION, keywords="fetch_user, \u6570"), [])
    assert text.content == "agent note 2024-05-07 7 May 2024 fetch_user, \u6570\ncall it: getUserById"
    assert text.hidden_forms == "get User By Id getuserbyid fetch user fetchuser \u6570"
    desk = Desk()
    desk.save("Ask the accounts team.", keywords="login, password")
    assert found_at(desk, "password") == ["Ask the accounts team."]


@cases
def test_only_a_text_that_refers_to_others_has_a_context(content: str, refers: bool) -> None:
    assert needs_context(content) == refers
    text = indexed_text(evolve(OBSERVATION, content=content), [evolve(OBSERVATION, title="", content="zebra")])
    assert text.context == ("\nzebra" if refers else "")


@cases
def test_a_question_is_in_the_context_of_its_answer_twice(said: str, times: int) -> None:
    answer = evolve(OBSERVATION, content="It was that one.")
    previous = [evolve(OBSERVATION, title="", content=each) for each in (said, "Before?")]
    words = indexed_text(answer, previous).context.split()
    assert words == [said[:300].strip()] * times + ["Before?"]


def test_the_context_is_of_titles_and_beginnings_nearest_first() -> None:
    assert context([("b", "two"), ("", "one")]) == "b\ntwo\n\none"


@cases
def test_the_sub_column_holds_what_the_word_splitter_cannot_see(title: str, text: str, forms: str) -> None:
    assert all_hidden_forms(title, text) == forms


@cases
def test_a_query_is_taken_apart_as_a_text_is(query: str, words: tuple[Word, ...]) -> None:
    assert tuple(word._replace(synonyms="") for word in query_words(query)) == words


@settings(max_examples=10, deadline=None)
@given(parts_of_names)
def test_a_name_is_found_in_every_case_style(parts: list[str]) -> None:
    names = {style: make(parts) for style, make in STYLES.items()}
    texts = [f"see {name} there" for name in names.values()]
    desks = {text: desk_with_texts(text) for text in texts}
    missed = [
        (asked, text) for asked, text in product(names.values(), texts) if found_at(desks[text], asked) != [text]
    ]
    assert missed == []


@cases
def test_what_is_asked_for_finds_what_is_written(asked: str, written: str) -> None:
    assert found(asked, written) == [written]


def test_languages_with_signs_are_told_apart() -> None:
    texts = ("written in C", "written in C++", "written in C#", "nothing", "else", "at", "all", "here")
    assert [found(language, *texts)[0] for language in ("C++", "C#")] == ["written in C++", "written in C#"]


@given(any_text, any_text)
def test_no_text_and_no_query_raises(text: str, query: str) -> None:
    assert isinstance(all_hidden_forms(text, text), str)
    assert all(word.forms for word in query_words(query))


@settings(max_examples=50, deadline=None)
@given(any_text.filter(str.strip), any_text)
def test_no_search_raises(text: str, query: str) -> None:
    assert set(found(query, text)) <= {well_formed(text).strip()}


class TestWhatIsIndexedOfATitle:
    @cases
    def test_its_words_count_unless_the_content_begins_with_them(
        self, title: str, content: str, indexed: str
    ) -> None:
        draft = Draft(content=content, title=title)
        observation = draft.observed(id=UUID(int=1), project="p", sequence=1, now=datetime(2026, 1, 2, tzinfo=UTC))
        assert indexed_text(observation, ()).title == indexed
        assert context([(title, content)]) == f"{indexed}\n{content}"
