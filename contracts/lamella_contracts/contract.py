"""What a contract is: named clauses that a subclass can't soften, and gaps that are admitted by name.

The rules are checked when a subclass is made, and again before each clause runs. They are there for mistakes and
shortcuts; Python has no defence against someone who patches the suite itself.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen

from lamella.ports.storage.storage import Capability

_PREFIX = "test_"
_MARKS = "pytestmark"
_AUTHORS = frozenset({"known_gaps", "make_embedder", "make_tokenizer", "open_storage"})
"""What a subclass is there to define."""
_PACKAGE = __name__.rpartition(".")[0]


class ContractRuleError(TypeError):
    """A subclass of a contract bends it.

    It overrides a clause or what hands the clauses their subject, carries a mark, or has a gap that is not a named
    one with a reason.
    """


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


class _Unmarked(type):
    """A class that can't be marked after it was made, as a decorator like `@pytest.mark.skip` does."""

    def __setattr__(cls, name: str, value: object) -> None:
        if name == _MARKS:
            raise _marked(cls)
        super().__setattr__(name, value)


class Contract(metaclass=_Unmarked):
    """Base of the contracts: subclasses say what is tested, and change nothing else.

    Attributes:
        known_gaps: Clauses that the adapter is known not to keep, each with the reason. They are expected to
            fail: one that passes after all fails the run, so that the list never outlives its reasons.
    """

    known_gaps: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Checks that the new class changes nothing but what is its to say, and names its gaps rightly."""
        super().__init_subclass__(**kwargs)
        _require_unbent(cls)
        clauses = cls.clauses()
        for id, reason in cls.known_gaps.items():
            if id not in clauses:
                raise ContractRuleError(f"{cls.__name__} knows a gap in '{id}', which is no clause of it.")
            if not reason.strip():
                raise ContractRuleError(f"{cls.__name__} gives no reason for its gap in '{id}'.")

    @classmethod
    def clauses(cls) -> Mapping[str, Clause]:
        """The clauses by id, in the order in which they are written down; an adapter's own tests are none."""
        return {
            name.removeprefix(_PREFIX): Clause(
                name.removeprefix(_PREFIX),
                " ".join((inspect.getdoc(check) or "").split()),
                check,
                getattr(check, "capability", None),
            )
            for each in reversed(_shipped(cls))
            for name, check in vars(each).items()
            if name.startswith(_PREFIX)
        }

    def subject(self, folder: Path) -> AbstractContextManager[Any]:
        """What every clause is handed: something fresh to test, put away afterwards."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def _expected_gap(self, request: pytest.FixtureRequest) -> None:
        # A class can be changed after it was made, and so can a mixin in front of the contract.
        _require_unbent(type(self))
        reason = self.known_gaps.get(request.function.__name__.removeprefix(_PREFIX))
        if reason is not None:
            request.node.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def _shipped(contract: type) -> Sequence[type]:
    """The class and its bases as far as they come with the suite, in the order in which they are searched."""
    return [each for each in contract.__mro__ if each.__module__.startswith(f"{_PACKAGE}.")]


def _require_unbent(contract: type[Contract]) -> None:
    """Checks that what comes with the suite is what `contract` has, and that no mark can take it out of the run.

    Raises:
        ContractRuleError: it is something else, or there is a mark.
    """
    if hasattr(contract, _MARKS):
        raise _marked(contract)
    shipped = _shipped(contract)
    for name in dict.fromkeys(name for each in shipped for name in vars(each) if _is_fixed(name)):
        (owner, *_) = (each for each in contract.__mro__ if name in vars(each))
        if owner in shipped:
            continue
        if name.startswith(_PREFIX):
            id = name.removeprefix(_PREFIX)
            raise ContractRuleError(
                f"{contract.__name__} overrides the clause '{id}'. If the adapter can't keep it, say why: "
                f'known_gaps = {{"{id}": "reason"}}'
            )
        raise ContractRuleError(f"{contract.__name__} overrides '{name}', which is the contract's own.")


def _is_fixed(name: str) -> bool:
    """Whether a name of the suite's is not for an author to define; what every class has doesn't matter."""
    return name == "__init_subclass__" or not (name in _AUTHORS or name.startswith("__"))


def _marked(contract: type) -> ContractRuleError:
    return ContractRuleError(
        f"{contract.__name__} has a mark, which could take clauses out of the run. If the adapter can't keep one, "
        'say why: known_gaps = {"clause": "reason"}'
    )
