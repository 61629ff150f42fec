"""Meaning as directions: texts that mean the same point the same way.

A vector is kept and compared as signed bytes, so that every storage computes the same similarity to the last
digit. Rounding to bytes keeps 99 % of the ten nearest (measured: `bench/README.md`) in a quarter of the space.
"""

import math
from collections.abc import Iterable
from functools import cached_property

from attrs import field, frozen

from lamella.domain.errors import InvalidValueError, InvalidVectorError
from lamella.domain.validation import at_least

_LARGEST = 127
_SIGNS = bytes(ord("1") if 0 < byte <= _LARGEST else ord("0") for byte in range(256))


def is_retired(model: str) -> bool:
    """Return True if no embedder makes vectors of the model of this name any more."""
    return model.startswith("wordllama-")


@frozen
class EmbeddingModel:
    """Model that makes vectors. Vectors of different models can't be compared.

    Attributes:
        name: Its name, which changes whenever its vectors would; releases differ in what follows the last hyphen.
        dimension: Number of components of a vector.
    """

    name: str
    dimension: int = field(validator=at_least(1))

    def is_release_of(self, name: str) -> bool:
        """Return True if the model called `name` is another release of this one."""
        return name.rpartition("-")[0] == self.name.rpartition("-")[0] != ""

    def require(self, vector: "Vector") -> None:
        """Check that `vector` can be of this model.

        Raises:
            InvalidValueError: It has another dimension.
        """
        if vector.dimension != self.dimension:
            raise InvalidValueError(
                name="vector", given=f"{vector.dimension} numbers", allowed=f"{self.dimension} numbers"
            )


@frozen(slots=False)
class Vector:
    """A direction in the space of a model: one signed byte for each dimension, the largest of them 127 or -127."""

    components: bytes

    @classmethod
    def of(cls, numbers: Iterable[float]) -> "Vector":
        """Return the direction of `numbers`, whatever their length.

        Raises:
            InvalidVectorError: They point nowhere: all are zero, or one is no finite number.
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
        """One bit for each component, 1 if it is above zero: near vectors differ in few bits."""
        return int(self.components.translate(_SIGNS), 2).to_bytes((self.dimension + 7) // 8)

    def cosine(self, other: "Vector") -> float:
        """Return how much two vectors of one model point the same way: 1 is the same direction, 0 is unrelated.

        Raises:
            InvalidVectorError: `other` has another dimension, or one of them points nowhere.
        """
        if other.dimension != self.dimension or not (self.square and other.square):
            raise InvalidVectorError(dimension=other.dimension)
        # As |a - b|² is |a|² + |b|² - 2ab. These are whole numbers, and their roots are exact enough to be squared
        # again; adding up the products one by one takes four times as long.
        apart = round(math.dist(self.numbers, other.numbers) ** 2)
        dot = (self.square + other.square - apart) // 2
        return dot / math.sqrt(self.square * other.square)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Its components as numbers."""
        return tuple(memoryview(self.components).cast("b"))

    @cached_property
    def square(self) -> int:
        """Its length, squared."""
        return round(math.hypot(*self.numbers) ** 2)
