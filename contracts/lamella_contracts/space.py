"""Directions that clauses about vectors use, and a notebook's index of them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from lamella.domain.errors import OtherModelError
from lamella.domain.observation import Observation
from lamella.domain.query import Filters
from lamella.domain.vectors import EmbeddingModel, Vector
from lamella.ports.vectors import VectorIndex
from lamella_contracts.notebook import Notebook

MODEL = EmbeddingModel("plane", 3)
"""What all vectors are of, unless a clause says otherwise."""

EAST, NORTH, UP = Vector.of((1, 0, 0)), Vector.of((0, 1, 0)), Vector.of((0, 0, 1))
WEST = Vector.of((-1, 0, 0))


def towards(north: float) -> Vector:
    """East, and a little to the north: the more, the further from east."""
    return Vector.of((1, north, 0))


def index(notebook: Notebook, model: EmbeddingModel = MODEL) -> VectorIndex:
    """The vectors of `model` in the notebook's project, adopted unless they are already."""
    opened = notebook.storage.vectors(notebook.project.id, model)
    try:
        opened.coverage()
    except OtherModelError:
        opened.adopt()
    return opened


def put(notebook: Notebook, *pairs: tuple[Observation, Vector | None]) -> VectorIndex:
    """Gives each observation its vector; the index in which it stands."""
    opened = index(notebook)
    opened.put(dict(pairs))
    return opened


def placed(notebook: Notebook, vectors: Mapping[str, Vector | None], **fields: Any) -> list[Observation]:
    """Saves a memory with each content, and gives it its vector."""
    saved = [notebook.save(content, **fields) for content in vectors]
    put(notebook, *zip(saved, vectors.values(), strict=True))
    return saved


def near(
    notebook: Notebook,
    vector: Vector = EAST,
    *,
    limit: int = 10,
    filters: Filters | None = None,
    include_purged: bool = False,
) -> list[str]:
    """The contents of the nearest, best first."""
    asked = notebook.storage.vectors(notebook.project.id, MODEL)
    hits = asked.nearest(vector, limit=limit, filters=filters or Filters(), include_purged=include_purged)
    return [hit.observation.content for hit in hits]


def left(opened: VectorIndex) -> list[str]:
    """The contents of what is pending."""
    return [each.content for each in opened.pending(limit=100)]


def ids(observations: Sequence[Observation]) -> list[UUID]:
    """Their ids."""
    return [each.id for each in observations]
