from typing import Any

from lamella.domain import errors
from lamella.domain.conversations import errors as of_conversations
from lamella.domain.embeddings import errors as of_embeddings
from lamella.domain.errors import LamellaError
from lamella.domain.memories import errors as of_memories
from lamella.domain.memories.errors import AmbiguousIdError, Candidate, NothingFoundError
from lamella.domain.replies.budget import PAGE_TOKENS
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.unit.support.tables import cases

ERRORS: dict[str, type[LamellaError]] = {
    name: error
    for module in (errors, of_conversations, of_embeddings, of_memories)
    for name, error in vars(module).items()
}


@cases
def test_each_error_says_what_to_do_next(name: str, given: dict[str, Any], sentence: str) -> None:
    assert str(ERRORS[name](**given)) == sentence


LONG = "x" * 201


@cases
def test_what_was_asked_for_is_repeated_up_to_200_characters(name: str, given: dict[str, Any]) -> None:
    assert f"'{'x' * 200}'" in str(ERRORS[name](**given))


def test_what_was_asked_for_is_repeated_with_nothing_hidden() -> None:
    assert str(NothingFoundError(asked="a\u202e\ud800")) == (
        "No memories found matching 'a\\u{202E}\\u{D800}'. Try broader search terms or check the ID."
    )


@cases
def test_what_was_asked_for_is_repeated_in_one_line(name: str, given: dict[str, Any]) -> None:
    assert "a b" in str(ERRORS[name](**given))
    assert "\n" not in str(ERRORS[name](**given))


def test_the_longest_list_of_candidates_is_within_the_budget_of_a_reply() -> None:
    candidates = [Candidate(id="0" * 32, title="\U0001f680" * 200)] * 5
    sentence = str(AmbiguousIdError(prefix="0" * 32, candidates=candidates))
    assert ClassTokenizer().count(sentence) <= PAGE_TOKENS


def test_titles_of_candidates_are_one_short_line() -> None:
    assert str(Candidate(id="abcd", title="a\nb\u202e" + "x" * 200)) == f"abcd (a b\\u{{202E}}{'x' * 89})"
