"""Number of calls of the storage for each answer. On a network each call is a round trip."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from attrs import define, field

from lamella.application.embeddings.background_worker import Embedding
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Mode, Recent  # noqa: F401 - for the table
from lamella.domain.replies.views import Detail  # noqa: F401 - for the table
from lamella.ports.storage.storage import Storage
from lamella_adapters.memory import InMemoryStorage
from tests.unit.maintenance.test_status import status  # noqa: F401 - for the table
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import ConceptEmbedder, numbered
from tests.unit.support.tables import cases

FIFTY = [str(numbered(number)) for number in range(1, 51)]


@define
class Part:
    """A part of a storage that notes each call of a method."""

    name: str
    part: object
    calls: list[str]

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def called(*arguments: Any, **named: Any) -> Any:
            self.calls.append(f"{self.name}.{method}")
            return getattr(self.part, method)(*arguments, **named)

        return called


@define
class CountingStorage:
    """A storage in memory that notes each call of its parts. To open a part is no call."""

    storage: InMemoryStorage = field(factory=InMemoryStorage)
    calls: list[str] = field(factory=list)

    def __getattr__(self, name: str) -> Any:
        if name in ("capabilities", "tenant"):
            return getattr(self.storage, name)
        if name in ("registry", "diagnosis"):
            return Part(name, getattr(self.storage, name), self.calls)
        return lambda *arguments: Part(name, getattr(self.storage, name)(*arguments), self.calls)


def counted(act: Callable[[Desk], object], **call: Any) -> tuple[list[str], list[str]]:
    """Return what is called of the registry, and of all other parts, for one answer about fifty memories."""
    counting = CountingStorage()
    embedding = Embedding(ConceptEmbedder, patient=True)
    desk = Desk(storage=cast("Storage", counting), embedding=embedding)
    for number in range(50):
        desk.save(f"car {number}", title=f"title {number}")
    desk.recall(ByText("car"))
    counting.calls.clear()
    act(desk.at(**call))
    registry = [each for each in counting.calls if each.startswith("registry.")]
    return registry, [each for each in counting.calls if each not in registry]


@pytest.mark.no_cover
@cases
def test_an_answer_looks_its_project_up_once_and_calls_no_more_than_it_needs(
    act: Callable[[Desk], object], call: dict[str, str], needed: list[str], moved: list[str]
) -> None:
    # Status looks whether another project has moved here.
    assert counted(act, **call) == (["registry.look", *moved], needed)


def test_an_empty_default_project_is_looked_up_by_name_and_place_together() -> None:
    assert counted(lambda desk: desk.recall(Recent()), default_project="new") == (["registry.look"], [])
