"""Calibration of a model by its anchors: typical cosines of paraphrases, and of unrelated texts."""

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from lamella.domain.embeddings.calibration import TYPICAL, Calibration
from lamella.domain.embeddings.errors import InvalidVectorError
from lamella.domain.memories.observation import Draft
from lamella.domain.search.indexing import embedded_text
from lamella.domain.tables import read_table
from lamella.ports.embedder import Embedder

PARAPHRASES: Final = tuple(read_table(__file__, "paraphrases.txt").items())
"""Pairs of paraphrases. Texts of different pairs are unrelated."""


_SOME_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""Date of all texts. It is fixed, because the anchors must be the same at each run."""


def calibrated(embedder: Embedder) -> Calibration:
    """Measure the anchors of a model: its typical cosines of paraphrases, and of unrelated texts.

    Returns:
        The anchors of the model. If the model computes an unusable vector for one of the texts, the anchors of a
        typical model are returned. The model isn't rejected, because its vectors of other texts may be usable.
    """
    try:
        questions = [embedder.embed_query(each) for each, _ in PARAPHRASES]
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
    """Return the text to embed for a memory with the content `text`."""
    nowhere = Draft(content=text).observed(id=UUID(int=0), project="", sequence=1, now=_SOME_DAY)
    return embedded_text(nowhere)
