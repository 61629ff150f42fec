"""lamella itself, as a client meets it: saved by one use case, asked by the other, read from the replies."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from attrs import define, frozen
from dependency_injector import providers

from bench.quality.collection import DEPTH, Engine, Memory, Question
from bench.quality.replies import read
from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallMemories, RecallRequest
from lamella.container import Container, Settings
from lamella.container import Lamella as UseCases
from lamella.domain.call import Call
from lamella.domain.errors import NothingFoundError
from lamella.domain.memories.query import ByText
from lamella.entry_points import NO_EMBEDDER
from lamella.ports.system import Clock


@frozen
class Lamella(Engine):
    """The use cases over SQLite storage in a folder of its own, with one embedder or none."""

    embedder: str = NO_EMBEDDER

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        # Of a folder only the last part is told: the others say where it is on this machine.
        named = Path(self.embedder.partition(":")[2] or self.embedder).name
        return "lamella, keywords" if self.embedder == NO_EMBEDDER else f"lamella, {named}"

    def rankings(self, memories: Sequence[Memory], questions: Sequence[Question]) -> Iterator[Sequence[str]]:
        """See `Engine.rankings`."""
        then = _Then(memories[0])
        with tempfile.TemporaryDirectory() as folder, self._opened(Path(folder), then) as lamella:
            call, keys = Call(directory=Path(folder)), _saved(lamella, Path(folder), then, memories)
            if self.embedder != NO_EMBEDDER:
                list(lamella.embed(call))
            for question in questions:
                ids = _asked(lamella.recall, call, question.text)
                yield [next(key for id_, key in keys.items() if id_.startswith(short)) for short in ids]

    def saved(self, folder: Path, memories: Sequence[Memory]) -> dict[str, str]:
        """Saves a project's memories in the folder `data` of `folder`; the key of each by its id."""
        then = _Then(memories[0])
        with self._opened(folder, then) as lamella:
            return _saved(lamella, folder, then, memories)

    @contextmanager
    def _opened(self, folder: Path, then: "_Then") -> Iterator[UseCases]:
        # Who is patient asks by meaning too, even while the model is being loaded.
        settings = Settings(data_directory=folder / "data", embedder=self.embedder, patient=True)
        container = Container(settings=settings)
        container.clock.override(providers.Object(then))
        try:
            yield UseCases(container)
        finally:
            container.storage().close()


@define(eq=False)
class _Then(Clock):
    """The time of a memory, while it is saved and after it was."""

    memory: Memory

    def now(self) -> datetime:
        return self.memory.created_at

    def zone(self) -> tzinfo:
        return UTC


def _saved(lamella: UseCases, folder: Path, then: _Then, memories: Sequence[Memory]) -> dict[str, str]:
    """Saves the memories; the key of each by its id."""
    keys = dict[str, str]()
    for memory in memories:
        then.memory = memory
        # The source is not searched. It tells apart memories that say the same, which are one otherwise.
        request = SaveRequest(text=memory.text, source=memory.key)
        call = Call(directory=folder, session=memory.session, actor=memory.actor)
        keys[lamella.save(call, request).observation.id.hex] = memory.key
    return keys


def _asked(recall: RecallMemories, call: Call, text: str) -> list[str]:
    """The short ids of all results, page after page."""
    request = RecallRequest(selector=ByText(text), limit=DEPTH)
    try:
        page = read(recall(call, request))
    except NothingFoundError:
        return []
    ids = [*page.ids]
    while page.cursor is not None:
        page = read(recall(call, RecallRequest(selector=ByText(text), limit=DEPTH, cursor=page.cursor)))
        ids += page.ids
    return ids
