"""Calibration of a model: how near it puts texts that say the same, and texts that don't."""

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from lamella.domain.embeddings.calibration import TYPICAL, Calibration
from lamella.domain.errors import InvalidVectorError
from lamella.domain.memories.observation import Draft
from lamella.domain.search.indexing import embedded_text
from lamella.ports.embedder import Embedder

PARAPHRASES: Final = (
    ("The staging database is reset every night.", "Each night the data in the staging database is wiped."),
    ("Passwords are hashed with argon2.", "We store passwords as argon2 hashes."),
    ("Deploy only from the main branch.", "Releases may be made from main only."),
    (
        "The cache key has the schema version in it since the outage of May.",
        "After the outage in May we put the schema version into the cache key.",
    ),
    (
        "The test suite is slow because every test starts a new server.",
        "Tests take long, as each of them launches a server of its own.",
    ),
    ("Anna prefers tabs to spaces.", "Anna likes indenting with tabs better than with spaces."),
    (
        "Logging in fails when the clock of the client is wrong.",
        "If the client's clock is off, the login is refused.",
    ),
    ("Our budget for hosting is small.", "We do not have much money for hosting."),
    (
        "The user asked us never to commit without running the tests.",
        "Before each commit the tests have to be run; the user insists on that.",
    ),
    (
        "The memory leak came from listeners that were never removed.",
        "Event handlers that nobody unregistered caused the memory leak.",
    ),
    (
        "Images are resized in the browser before they are uploaded.",
        "Before the upload, pictures are made smaller in the browser.",
    ),
    (
        "The invoice number must be unique for each customer.",
        "No two invoices of one customer may have the same number.",
    ),
    (
        "Feature flags are kept in a file that is read at start.",
        "At startup the feature flags are loaded from a file.",
    ),
    ("The living room was painted green.", "We painted the walls of the living room in green."),
    ("The search got slow because an index was missing.", "A missing index made searching slow."),
    (
        "The automatic retries in the client hid the rate limits from its callers.",
        "Callers of the client never saw that they were rate limited, because it retried by itself.",
    ),
)
"""Pairs that say the same in other words; two halves of different pairs have nothing to do with each other."""


_SOME_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""Day of all of them, so that a model has the same anchors whenever they are measured."""


def calibrated(embedder: Embedder) -> Calibration:
    """Measure the anchors of any model on a few questions and memories.

    Returns:
        The anchors; typical ones if the model makes an unusable vector, because it may do better on other texts.
    """
    try:
        # In no project is any word rarer than another.
        questions = [embedder.embed_query(each, lambda words: [1.0] * len(words)) for each, _ in PARAPHRASES]
        memories = embedder.embed([_as_saved(memory) for _, memory in PARAPHRASES])
    except InvalidVectorError:
        return TYPICAL
    cosines = {
        (asked, saved): question.cosine(memory)
        for asked, question in enumerate(questions)
        for saved, memory in enumerate(memories)
        if question is not None and memory is not None
    }
    return Calibration.of(
        unrelated=[cosine for (asked, saved), cosine in cosines.items() if asked != saved],
        paraphrases=[cosine for (asked, saved), cosine in cosines.items() if asked == saved],
    )


def _as_saved(text: str) -> str:
    """Return `text` in the form in which a memory of it would be embedded."""
    nowhere = Draft(content=text).observed(id=UUID(int=0), project="", sequence=1, now=_SOME_DAY)
    return embedded_text(nowhere)
