import math
from operator import mul

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lamella.domain.embeddings.errors import InvalidVectorError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import InvalidValueError
from tests.unit.support.tables import cases

numbers = st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3).filter(lambda given: max(map(abs, given)) > 1e-3)


def test_the_largest_number_becomes_127_and_the_others_keep_their_proportion() -> None:
    assert Vector.of([0.5, -1.0, 0.25]) == Vector(bytes([64, 256 - 127, 32]))


@given(numbers, st.floats(0.001, 1000))
def test_length_does_not_matter(given: list[float], factor: float) -> None:
    assert Vector.of(given).cosine(Vector.of([factor * number for number in given])) > 0.999


@given(numbers, numbers)
def test_a_cosine_is_the_same_from_both_sides_and_near_the_exact_one(one: list[float], other: list[float]) -> None:
    exact = sum(map(math.prod, zip(one, other, strict=True))) / (math.hypot(*one) * math.hypot(*other))
    first, second = Vector.of(one), Vector.of(other)
    assert first.cosine(second) == second.cosine(first)
    assert first.cosine(second) == pytest.approx(exact, abs=0.02)


@given(st.integers(1, 2_000).flatmap(lambda size: st.tuples(*[st.binary(min_size=size, max_size=size)] * 2)))
def test_a_cosine_is_computed_from_whole_numbers_to_the_last_digit(pair: tuple[bytes, bytes]) -> None:
    assume(all(map(any, pair)))
    one, other = ([byte - 256 * (byte > 127) for byte in components] for components in pair)

    def product(first: list[int], second: list[int]) -> int:
        return sum(map(mul, first, second))

    exact = product(one, other) / math.sqrt(product(one, one) * product(other, other))
    assert Vector(pair[0]).cosine(Vector(pair[1])) == exact


@pytest.mark.parametrize("ends", [(127, 127), (127, -127), (-128, -128)])
def test_a_cosine_of_the_longest_vectors_is_exact(ends: tuple[int, int]) -> None:
    one, other = (Vector(bytes([end & 0xFF]) * 100_000) for end in ends)
    assert one.cosine(other) == math.copysign(1, ends[0] * ends[1])


def test_the_same_direction_is_one_and_the_opposite_is_minus_one() -> None:
    vector, opposite = Vector.of([3.0, 4.0]), Vector.of([-3.0, -4.0])
    assert (vector.cosine(vector), vector.cosine(opposite)) == (1.0, -1.0)


@pytest.mark.parametrize("unusable", [[], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], [1.0, -math.inf]])
def test_what_points_nowhere_is_refused(unusable: list[float]) -> None:
    with pytest.raises(InvalidVectorError) as caught:
        Vector.of(unusable)
    assert caught.value.dimension == len(unusable)


@pytest.mark.parametrize("other", [Vector(bytes([1])), Vector(bytes([1, 2, 3])), Vector(bytes(2)), Vector(b"")])
def test_vectors_that_cannot_be_compared_are_refused(other: Vector) -> None:
    for one, two in ((Vector.of([1, 2]), other), (other, Vector.of([1, 2]))):
        with pytest.raises(InvalidVectorError):
            one.cosine(two)


def test_a_very_short_direction_is_one_too() -> None:
    assert Vector.of([5e-324, 0.0]) == Vector.of([1.0, 0.0])


def test_a_code_is_one_bit_for_each_number_above_zero() -> None:
    assert Vector.of([1, -1, 0.5, 0, -0.5, 1, 1, -1]).code == bytes([0b10100110])
    assert Vector.of([1, -1, 1]).code == bytes([0b101])
    assert len(Vector.of([1.0] * 9).code) == 2


def test_a_model_refuses_vectors_of_another_dimension() -> None:
    model = EmbeddingModel("plane", 2)
    model.require(Vector.of([1, 2]))
    with pytest.raises(InvalidValueError, match="vector must be 2 numbers, not 3 numbers"):
        model.require(Vector.of([1, 2, 3]))


def test_a_dimension_is_the_number_of_components() -> None:
    assert Vector.of([1.0] * 384).dimension == 384


def test_a_model_has_at_least_one_dimension() -> None:
    with pytest.raises(ValueError, match="dimension"):
        EmbeddingModel("none", 0)


@cases
def test_releases_of_a_model_differ_in_the_end_of_its_name(name: str, is_one: bool) -> None:
    assert EmbeddingModel("words-256-0a", 256).is_release_of(name) is is_one
    assert not EmbeddingModel("words", 256).is_release_of("others")
