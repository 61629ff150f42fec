"""Base of all mutants: adapters with a fault, and the clauses that must notice it."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import Phase, settings

from lamella.domain.tables import read_rows
from lamella_contracts.contract import Contract, ContractRuleError
from lamella_contracts.fixtures import strategies

MORE_EXAMPLES = 20
"""Factor by which a mutant gets more random examples than an adapter.

More examples make it likelier that one of them shows the fault. Even with a fixed seed, the drawn examples depend
on the version of Hypothesis and on the imported modules. With a thousand examples, a fault that appears in one of
ten examples is always noticed.
"""

_NOTICED_BY = {fault: clauses.split() for fault, clauses in read_rows(__file__, "noticed_by.tsv")}
"""Clauses that notice the faults of this package's mutants."""

Opening = Mapping[str, Callable[..., object]]
"""Methods of a contract that open the adapter under test, keyed by name."""


def _thorough(**given: Any) -> settings:
    """Draw more examples, but don't shrink failures, which would take seconds."""
    examples = MORE_EXAMPLES * given["max_examples"]
    return settings(**{**given, "max_examples": examples, "phases": (Phase.generate,)})


def failing(ids: Iterable[str], contracts: Sequence[Contract], folder: Path) -> set[str]:
    """Return the failing clauses. Each clause runs in a new folder below `folder`. Skipped clauses don't fail."""
    tested = {id: (contract, clause) for contract in contracts for id, clause in contract.clauses().items()}
    failed = set()
    for id in ids:
        contract, clause = tested[id]
        (folder / id).mkdir()
        try:
            with contract.subject(folder / id) as subject, suppress(pytest.skip.Exception):
                clause.check(contract, subject)
        except (Exception, pytest.fail.Exception):  # noqa: BLE001 - a fault may raise any exception
            failed.add(id)
    return failed


def _names(clauses: Iterable[str]) -> frozenset[str]:
    return frozenset(clauses)


@frozen
class Mutant:
    """An adapter with a fault, and the clauses that must notice it.

    Attributes:
        fault: Description of the fault.
        clauses: Ids of the clauses to run. Without ids, a sound adapter runs all clauses of its contracts.
        opening: Function that creates the contract's methods for opening the adapter.
        sound: True for an adapter without a fault. It must pass all clauses. Otherwise, a failure of its faulty
            variants wouldn't prove their faults.
    """

    fault: str
    clauses: frozenset[str] = field(converter=_names)
    opening: Callable[[], Opening]
    sound: bool = False

    def __str__(self) -> str:
        return re.sub(r"\W+", "-", self.fault)

    @property
    def trips(self) -> Collection[str]:
        """Return the clauses expected to fail."""
        return frozenset() if self.sound else self.clauses

    def noticed_by(self, folder: Path, *contracts: type[Contract]) -> set[str]:
        """Run the clauses, and return the failing clauses.

        Args:
            folder: An empty folder.
            contracts: The contracts of the broken adapter.

        Raises:
            ContractRuleError: A clause belongs to none of the contracts.
        """
        opening = dict(self.opening())
        tested = [type("Tested", (contract,), opening)() for contract in contracts]
        known = {id for contract in contracts for id in contract.clauses()}
        if unknown := self.clauses - known:
            raise ContractRuleError(f"'{self.fault}' names an unknown clause: '{min(unknown)}'.")
        with pytest.MonkeyPatch.context() as patched:
            if not self.sound:
                patched.setattr(strategies, "settings", _thorough)
            return failing(sorted(self.clauses or known), tested, folder)


class Mutants(list[Mutant]):
    """Mutants of one port.

    Args:
        opening: Function that turns the classes of a mutant into the methods that open it.
    """

    def __init__(self, opening: Callable[..., Opening]) -> None:
        super().__init__()
        self._opening = opening

    def add(self, fault: str, *clauses: str, sound: bool = False) -> Callable[..., Any]:
        """Return a decorator that adds a mutant with the decorated class, or with several classes.

        Args:
            fault: See `Mutant`.
            *clauses: See `Mutant`. Without clauses, use the clauses of the fault in `noticed_by.tsv`.
            sound: See `Mutant`.
        """

        def added(part: type, *others: type) -> type:
            named = clauses or _NOTICED_BY.get(fault, ())
            self.append(Mutant(fault, named, partial(self._opening, part, *others), sound))
            return part

        return added
