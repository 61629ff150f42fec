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
from lamella.container import NO_EMBEDDER, Container, Settings
from lamella.domain.errors import NothingFoundError
from lamella.domain.memories.query import ByText
from lamella.ports.sessions import SessionIdentity
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
        with tempfile.TemporaryDirectory() as folder, self._container(Path(folder), then) as container:
            recall, keys = container.recall(), _saved(container, then, memories)
            if self.embedder != NO_EMBEDDER:
                list(container.embed()())
            for question in questions:
                ids = _asked(recall, question.text)
                yield [next(key for id_, key in keys.items() if id_.startswith(short)) for short in ids]

    def saved(self, folder: Path, memories: Sequence[Memory]) -> dict[str, str]:
        """Saves a project's memories in the folder `data` of `folder`; the key of each by its id."""
        then = _Then(memories[0])
        with self._container(folder, then) as container:
            return _saved(container, then, memories)

    @contextmanager
    def _container(self, folder: Path, then: "_Then") -> Iterator[Container]:
        # Who is patient asks by meaning too, even while the model is being loaded.
        settings = Settings(data_directory=folder / "data", directory=folder, embedder=self.embedder, patient=True)
        container = Container(settings=settings)
        container.clock.override(providers.Object(then))
        container.sessions.override(providers.Object(then))
        try:
            yield container
        finally:
            container.storage().close()


@define(eq=False)
class _Then(Clock, SessionIdentity):
    """The time and the session of a memory, while it is saved and after it was."""

    memory: Memory

    def now(self) -> datetime:
        return self.memory.created_at

    def zone(self) -> tzinfo:
        return UTC

    def current(self) -> str:
        return self.memory.session

    def hooked(self) -> bool:
        return False


def _saved(container: Container, then: _Then, memories: Sequence[Memory]) -> dict[str, str]:
    """Saves the memories; the key of each by its id."""
    save, keys = container.save(), dict[str, str]()
    for memory in memories:
        then.memory = memory
        # The source is not searched. It tells apart memories that say the same, which are one otherwise.
        request = SaveRequest(text=memory.text, actor=memory.actor, source=memory.key)
        keys[save(request).observation.id.hex] = memory.key
    return keys


def _asked(recall: RecallMemories, text: str) -> list[str]:
    """The short ids of all results, page after page."""
    request = RecallRequest(selector=ByText(text), limit=DEPTH)
    try:
        page = read(recall(request))
    except NothingFoundError:
        return []
    ids = [*page.ids]
    while page.cursor is not None:
        page = read(recall(RecallRequest(selector=ByText(text), limit=DEPTH, cursor=page.cursor)))
        ids += page.ids
    return ids
