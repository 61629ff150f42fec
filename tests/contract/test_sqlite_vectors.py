"""The vectors of the SQLite storage keep the contract, whoever computes distances and however they are chosen."""

import sys
from collections.abc import Iterator

import pytest

from lamella_adapters.sqlite.embeddings import distance_function, vector_index
from lamella_contracts import VectorIndexContract
from tests.contract.test_sqlite import InSqlite


def choose_by_codes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose twice the wanted number of rows by their codes, as in a large project, however few rows there are.

    The nearest of so few may not be among them, so that where all are compared with the model all are chosen.
    """
    compared = request.node.originalname == "test_nearness_agrees_with_the_model"
    monkeypatch.setattr(vector_index, "CODED_FROM", 0)
    monkeypatch.setattr(vector_index, "CANDIDATES_AT_LEAST", 30 if compared else 0)
    monkeypatch.setattr(vector_index, "CANDIDATES_EACH", 2)


class TestSqliteVectors(InSqlite, VectorIndexContract):
    def test_sqlite_vec_is_what_computes_them(self) -> None:
        assert distance_function.library() is not None


class TestSqliteVectorsByCodes(InSqlite, VectorIndexContract):
    """The contract with candidates chosen by codes, as in a large project."""

    @pytest.fixture(autouse=True)
    def _coded(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
        choose_by_codes(request, monkeypatch)


class TestSqliteVectorsWithoutSqliteVec(InSqlite, VectorIndexContract):
    """The contract without the package sqlite-vec."""

    @pytest.fixture(autouse=True)
    def _missing(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setitem(sys.modules, "sqlite_vec", None)
        distance_function.library.cache_clear()
        yield
        distance_function.library.cache_clear()

    @pytest.fixture(autouse=True, params=(False, True), ids=("all", "by codes"))
    def _coded(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
        if request.param:
            choose_by_codes(request, monkeypatch)

    def test_sqlite_vec_is_missing(self) -> None:
        assert distance_function.library() is None
