from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.text.words import query_words
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.tokens import holds, joined

TOKENS = st.lists(st.text(st.sampled_from("abé木"), min_size=1, max_size=2), max_size=8)


@given(TOKENS, TOKENS.filter(bool))
def test_joined_tokens_hold_the_phrases_that_the_tokens_hold(column: list[str], phrase: list[str]) -> None:
    assert (joined(phrase) in joined(column)) == holds(column, phrase)


@given(st.text(max_size=40))
def test_no_token_has_white_space(text: str) -> None:
    assert all(token == "".join(token.split()) for token in bm25.tokens(text))


def test_an_identifier_does_not_begin_in_one_text_and_end_in_another() -> None:
    words = [*map(bm25.Sought.of, query_words("read_spool"))]
    within, apart = (
        bm25.explain(words, [1.0], 1, "", others) for others in (("read spool", ""), ("read", "spool"))
    )
    assert (within.own, apart.own) == (True, False)


def test_a_near_word_tells_less_than_a_better_one() -> None:
    words = [bm25.Sought.of(word._replace(near=("car", "truck"))) for word in query_words("automobile")]
    held = [bm25.explain(words, [1.0], 1, text, ()).held for text in ("truck", "a truck and a car", "bus")]
    assert held == [{"automobile": bm25.NEAR_TELLS / 2}, {"automobile": bm25.NEAR_TELLS}, {}]
