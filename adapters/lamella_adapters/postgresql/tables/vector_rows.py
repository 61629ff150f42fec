"""Conversion of vectors to columns."""

from lamella.domain.embeddings.vector import Vector


def code_of(vector: Vector) -> str:
    """Return the sign code of a vector as a bit string, such as `0110`."""
    return f"{int.from_bytes(vector.code, 'big'):0{vector.dimension}b}"
