"""Vectors of one model are kept, of observations as they are now."""

from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.embeddings.errors import OtherModelError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.transactions.embedding import NewVector, decide_adoption, decide_vectors
from lamella.domain.transactions.other_writes import AdoptModel, PutVectors
from tests.unit.transactions.tiny import facts, observed

MODEL, OTHER = EmbeddingModel("m", 2), EmbeddingModel("o", 2)
EAST, NORTH = Vector.of((1, 0)), Vector.of((0, 1))


@pytest.mark.parametrize("kept", [MODEL, OTHER, None])
def test_a_model_is_adopted_once(kept: EmbeddingModel | None) -> None:
    plan = () if kept == MODEL else (AdoptModel(MODEL),)
    assert decide_adoption(MODEL, facts(model=kept)) == (plan, None)


def test_the_last_vector_of_what_is_said_now_is_put() -> None:
    said = observed(1)
    gone, changed = evolve(said, id=UUID(int=9)), evolve(said, content="changed meanwhile")
    made = [(said, EAST), (said, NORTH), (gone, EAST), (changed, EAST)]
    known = facts(model=MODEL, observations={said.id: said})
    vectors = [NewVector.of(each, vector) for each, vector in made]
    assert decide_vectors(MODEL, vectors, known) == ((PutVectors({said.id: NORTH}),), None)


@pytest.mark.parametrize("kept", [None, OTHER])
def test_vectors_of_a_model_that_is_not_kept_are_refused(kept: EmbeddingModel | None) -> None:
    with pytest.raises(OtherModelError):
        decide_vectors(MODEL, [], facts(model=kept))
