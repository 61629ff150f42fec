"""Vectors of texts: texts with similar meanings have vectors with similar directions.

Vectors are stored and compared as signed bytes, to get identical similarities in every storage. Rounding to bytes
needs a quarter of the space, and keeps 99 % of the ten nearest neighbours (measured: `bench/README.md`).
"""

import math
from collections.abc import Iterable
from functools import cached_property

from attrs import field, frozen

from lamella.domain.embeddings.errors import InvalidVectorError
from lamella.domain.errors import InvalidValueError
from lamella.domain.validation import at_least

_LARGEST = 127
_SIGNS = bytes(ord("1") if 0 < byte <= _LARGEST else ord("0") for byte in range(256))


def is_retired(model: str) -> bool:
    """Return True if no embedder computes vectors of this model any more."""
    return model.startswith("wordllama-")


@frozen
class EmbeddingModel:
    """Model for making vectors. Vectors of different models can't be compared.

    Attributes:
        name: Name of the model. Models with different vectors have different names. The names of two releases of
            one model differ only in the part after the last hyphen.
        dimension: Number of components of a vector.
    """

    name: str
    dimension: int = field(validator=at_least(1))

    def is_release_of(self, name: str) -> bool:
        """Return True if the model called `name` is another release of this model."""
        return name.rpartition("-")[0] == self.name.rpartition("-")[0] != ""

    def require(self, vector: "Vector") -> None:
        """Check that `vector` fits this model.

        Raises:
            InvalidValueError: The dimension of the vector differs from the model's.
        """
        if vector.dimension != self.dimension:
            raise InvalidValueError(
                name="vector", given=f"{vector.dimension} numbers", allowed=f"{self.dimension} numbers"
            )


@frozen(slots=False)
class Vector:
    """A direction in the space of a model: one signed byte per dimension. The largest absolute value is 127."""

    components: bytes

    @classmethod
    def of(cls, numbers: Iterable[float]) -> "Vector":
        """Return the direction of a vector, given by its components. The length is ignored.

        Raises:
            InvalidVectorError: All numbers are zero, or a number isn't finite.
        """
        exact = tuple(numbers)
        largest = max(map(abs, exact), default=0.0)
        if not all(map(math.isfinite, exact)) or not largest:
            raise InvalidVectorError(dimension=len(exact))
        return cls(bytes(round(number / largest * _LARGEST) & 0xFF for number in exact))

    @property
    def dimension(self) -> int:
        """Number of components."""
        return len(self.components)

    @property
    def code(self) -> bytes:
        """One bit for each component: 1 if the component is above zero. Near vectors differ in few bits."""
        return int(self.components.translate(_SIGNS), 2).to_bytes((self.dimension + 7) // 8)

    def cosine(self, other: "Vector") -> float:
        """Return the cosine of two vectors of one model: 1 for the same direction, 0 for right angles.

        Raises:
            InvalidVectorError: The dimensions of the vectors differ, or a vector consists of zeros.
        """
        if other.dimension != self.dimension or not (self.square and other.square):
            raise InvalidVectorError(dimension=other.dimension)
        # The dot product comes from |a - b|² = |a|² + |b|² - 2ab. Rounding the squared distance gives the exact
        # integer. A sum of products in Python takes four times as long.
        apart = round(math.dist(self.numbers, other.numbers) ** 2)
        dot = (self.square + other.square - apart) // 2
        return dot / math.sqrt(self.square * other.square)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Components of the vector, as integers."""
        return tuple(memoryview(self.components).cast("b"))

    @cached_property
    def square(self) -> int:
        """Square of the vector's length."""
        return round(math.hypot(*self.numbers) ** 2)
