"""Vectors of observations as rows."""

from lamella.domain.embeddings.vector import Vector


def code_of(vector: Vector) -> str:
    """Return the signs of a vector as the text of a bit string."""
    return f"{int.from_bytes(vector.code, 'big'):0{vector.dimension}b}"
