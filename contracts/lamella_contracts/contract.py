"""What a contract is: named clauses that nobody may soften, and gaps that are admitted by name."""

import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen

from lamella.ports.storage import Capability

_PREFIX = "test_"
_PACKAGE = __name__.rpartition(".")[0]


class ContractRuleError(TypeError):
    """A subclass of a contract bends it: a clause is overridden, or a gap is not a named one with a reason."""


@frozen
class Clause:
    """One promise of a contract.

    `fault` says what an adapter's author probably got wrong when it fails. Where `capability` is not declared,
    the clause checks that the adapter refuses instead.
    """

    id: str
    fault: str
    check: Callable[..., None]
    capability: Capability | None = None


class Contract:
    """Base of the contracts: subclasses say what is tested, and change nothing else.

    Attributes:
        known_gaps: Clauses that the adapter is known not to keep, each with the reason. They are expected to
            fail: one that passes after all fails the run, so that the list never outlives its reasons.
    """

    known_gaps: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Checks that the new class keeps every clause as it is and names its gaps rightly."""
        super().__init_subclass__(**kwargs)
        clauses = cls.clauses()
        for id, clause in clauses.items():
            if inspect.getattr_static(cls, _PREFIX + id) is not clause.check:
                raise ContractRuleError(
                    f"{cls.__name__} overrides the clause '{id}'. If the adapter can't keep it, say why: "
                    f'known_gaps = {{"{id}": "reason"}}'
                )
        for id, reason in cls.known_gaps.items():
            if id not in clauses:
                raise ContractRuleError(f"{cls.__name__} knows a gap in '{id}', which is no clause of it.")
            if not reason.strip():
                raise ContractRuleError(f"{cls.__name__} gives no reason for its gap in '{id}'.")

    @classmethod
    def clauses(cls) -> Mapping[str, Clause]:
        """The clauses by id, in the order in which they are written down; an adapter's own tests are none."""
        shipped = [each for each in reversed(cls.__mro__) if each.__module__.startswith(f"{_PACKAGE}.")]
        return {
            name.removeprefix(_PREFIX): Clause(
                name.removeprefix(_PREFIX),
                " ".join((inspect.getdoc(check) or "").split()),
                check,
                getattr(check, "capability", None),
            )
            for each in shipped
            for name, check in vars(each).items()
            if name.startswith(_PREFIX)
        }

    def subject(self, folder: Path) -> AbstractContextManager[Any]:
        """What every clause is handed: something fresh to test, put away afterwards."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def _expected_gap(self, request: pytest.FixtureRequest) -> None:
        reason = self.known_gaps.get(request.function.__name__.removeprefix(_PREFIX))
        if reason is not None:
            request.node.add_marker(pytest.mark.xfail(reason=reason, strict=True))
