"""A storage that has of a server what may differ from SQLite keeps the contracts, too.

Its scores differ in the last digits, and it erases no bytes. PostgreSQL shows what becomes of broken connections.
"""

from pathlib import Path

from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.fts5 import bm25
from lamella_contracts import ObservationSearchContract, ObservationStorageContract
from lamella_contracts.mutants.broken_storage import Parts, finding_with
from lamella_contracts.mutants.mutant import failing
from lamella_contracts.mutants.storage.connection import Networked

SCORED = (
    "asking_for_purged_ones_leaves_live_scores_alone",
    "filters_leave_scores_alone",
    "ids_leave_scores_alone",
    "purged_hits_are_ranked_among_themselves",
    "ranking_agrees_with_the_model",
    "scores_are_exact",
    "statistics_are_those_of_live_ones",
)
"""Clauses that compare scores: all others are kept by what the storage in memory does too."""

_BM25 = bm25.bm25


class Server(Networked):
    """A storage behind a network."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        return super().capabilities - {Capability.ERASE_BYTES, Capability.EXACT_RANKING}


SERVER = Parts.of(Server, finding_with(bm25, bm25=lambda *row: _BM25(*row) * (1 + 1e-12)))


class BehindNetwork:
    def open_storage(self, tmp_path: Path) -> Storage:
        return Server(SERVER, tmp_path)


def test_scores_may_differ_in_their_last_digits(tmp_path: Path) -> None:
    class Tested(BehindNetwork, ObservationSearchContract):
        pass

    assert failing(SCORED, [Tested()], tmp_path) == set()


def test_a_storage_is_closed_by_its_author(tmp_path: Path) -> None:
    closed: list[Storage] = []

    class Tested(BehindNetwork, ObservationStorageContract):
        def close_storage(self, storage: Storage) -> None:
            closed.append(storage)

    with Tested().subject(tmp_path) as project:
        again = project.reopened()
    assert closed == [again.storage]
