import pytest

from lamella.domain.conversations.errors import AmbiguousSessionError, MessageNotFoundError, UnknownSessionError
from lamella.domain.errors import (
    AmbiguousProjectError,
    CapabilityUnsupportedError,
    InvalidValueError,
    LamellaError,
    OtherModelError,
    OutcomeUnknownError,
    PathOutsideProjectError,
    SemanticSearchUnavailableError,
    StorageUnreachableError,
    UnknownProjectError,
)
from lamella.domain.memories.errors import (
    AmbiguousIdError,
    Candidate,
    NoneChangedError,
    NothingFoundError,
    ObservationNotFoundError,
)
from lamella.domain.replies.budget import PAGE_TOKENS
from lamella_adapters.tokenizers.character_classes import ClassTokenizer


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (InvalidValueError(name="text", given="blank", allowed="words"), "text must be words, not blank."),
        (ObservationNotFoundError(id="abcd"), "No observation found with id: abcd"),
        (
            AmbiguousIdError(
                prefix="abcd", candidates=[Candidate(id="abcd1", title="One"), Candidate(id="2", title="")]
            ),
            "The id 'abcd' is ambiguous: use more of its characters. It could be: abcd1 (One); 2 (untitled)",
        ),
        (NoneChangedError(reply="Purged 0/1 memories."), "Purged 0/1 memories."),
        (
            PathOutsideProjectError(path="../x"),
            (
                "The path '../x' is outside this project. "
                "Give paths relative to the project's root, or absolute ones within it."
            ),
        ),
        (
            UnknownProjectError(asked="x"),
            "No project is known as 'x'. List the known ones with: lamella project list",
        ),
        (
            AmbiguousProjectError(asked="x", candidates=["x-1", "x-2"]),
            "Several projects are called 'x'. Use an id: x-1, x-2",
        ),
        (
            UnknownSessionError(asked="x"),
            (
                "No conversation is known as 'x'. Give its id or its name, or how one of them begins. List them"
                " with: lamella sessions"
            ),
        ),
        (
            AmbiguousSessionError(
                asked="x", candidates=[Candidate(id="x-1", title="One"), Candidate(id="x-2", title="Two")]
            ),
            "'x' could be several conversations. Use an id. Some of them: x-1 (One); x-2 (Two)",
        ),
        (
            OtherModelError(kept="old", asked="new"),
            "This project has no vectors of the model new: they are of the model old. Restart this server.",
        ),
        (
            OtherModelError(kept=None, asked="new"),
            "This project has no vectors of the model new: there are none yet. Restart this server.",
        ),
        (MessageNotFoundError(number=10**4_000), f"Message 1{'0' * 199} not found"),
        (
            SemanticSearchUnavailableError(),
            (
                "Search by meaning is not available: no embedder configured. Install one and leave"
                " LAMELLA_EMBEDDER unset; `lamella status` says how."
            ),
        ),
        (
            SemanticSearchUnavailableError(by_words=True),
            (
                "Search by meaning is not available: no embedder configured. Search by words instead"
                " (mode 'auto'), or install one and leave LAMELLA_EMBEDDER unset;"
                " `lamella status` says how."
            ),
        ),
        (CapabilityUnsupportedError(capability="erasing"), "This storage does not support: erasing."),
        (
            StorageUnreachableError(),
            (
                "The memory server cannot be reached; nothing was changed."
                " Check the network and LAMELLA_STORAGE, then try again."
            ),
        ),
        (
            OutcomeUnknownError(),
            (
                "The connection to the memory server was lost, and it may or may not have done this."
                " Repeat the call: what was saved already is not saved twice."
            ),
        ),
    ],
)
def test_each_error_says_what_to_do_next(error: LamellaError, sentence: str) -> None:
    assert str(error) == sentence


LONG = "x" * 201


@pytest.mark.parametrize(
    "error",
    [
        NothingFoundError(asked=LONG),
        PathOutsideProjectError(path=LONG),
        UnknownProjectError(asked=LONG),
        AmbiguousProjectError(asked=LONG, candidates=[]),
    ],
)
def test_what_was_asked_for_is_repeated_up_to_200_characters(error: LamellaError) -> None:
    assert f"'{'x' * 200}'" in str(error)


def test_what_was_asked_for_is_repeated_with_nothing_hidden() -> None:
    assert str(NothingFoundError(asked="a\u202e\ud800")) == (
        "No memories found matching 'a\\u{202E}\\u{D800}'. Try broader search terms or check the ID."
    )


@pytest.mark.parametrize(
    "error",
    [
        NothingFoundError(asked="a\nb"),
        ObservationNotFoundError(id="a\nb"),
        PathOutsideProjectError(path="a\nb"),
        UnknownProjectError(asked="a\nb"),
        AmbiguousProjectError(asked="a\nb", candidates=["p"]),
        UnknownSessionError(asked="a\nb"),
    ],
)
def test_what_was_asked_for_is_repeated_in_one_line(error: LamellaError) -> None:
    assert "a b" in str(error)
    assert "\n" not in str(error)


def test_the_longest_list_of_candidates_is_within_the_budget_of_a_reply() -> None:
    candidates = [Candidate(id="0" * 32, title="\U0001f680" * 200)] * 5
    sentence = str(AmbiguousIdError(prefix="0" * 32, candidates=candidates))
    assert ClassTokenizer().count(sentence) <= PAGE_TOKENS


def test_titles_of_candidates_are_one_short_line() -> None:
    assert str(Candidate(id="abcd", title="a\nb\u202e" + "x" * 200)) == f"abcd (a b\\u{{202E}}{'x' * 89})"
