"""lamella as used by a client: a use case saves memories, and replies of `recall` are parsed for results."""

import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from attrs import define, evolve, field, frozen
from dependency_injector import providers

from bench.quality.collection import DEPTH, Engine, Memory, Results
from bench.quality.engines.replies import read
from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallMemories, RecallRequest
from lamella.application.search.request import SearchRequest
from lamella.container import Lamella as UseCases
from lamella.domain.call import Call
from lamella.domain.conversations.message import Batch, MessageDraft, message_key
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.limits import MAX_QUERY_CHARACTERS
from lamella.domain.memories.observation import Draft, Kind
from lamella.domain.memories.query import ByText, Hit, Mode
from lamella.entry_points import NO_EMBEDDER, adapter
from lamella.ports.embedder import Embedder
from lamella.ports.spool import EditCaptured
from lamella.ports.storage.ledger import Capture
from lamella.ports.system import Clock
from lamella.ports.transcripts import Source, Transcripts
from lamella.settings import Settings
from lamella_adapters.embedders.minilm import NAME

_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - the code creates its own folder in it
"""Folder in memory, in which saves don't wait for a disk."""


@frozen
class Lamella(Engine):
    """The use cases over SQLite storage in a separate folder, with or without an embedder."""

    embedder: str = NO_EMBEDDER
    mode: Mode = Mode.AUTO

    @property
    def name(self) -> str:
        """See `Engine.name`."""
        # Use only the last part of a folder, because the rest depends on the machine.
        named = Path(self.embedder.partition(":")[2] or self.embedder).name
        named = {NO_EMBEDDER: "keywords", NAME: "minilm"}.get(named, named)
        return f"lamella, {named}{' alone' if self.mode is Mode.SEMANTIC else ''}"

    def found(self, memories: Sequence[Memory], texts: Sequence[str]) -> Iterator[Results]:
        """See `Engine.found`."""
        then = _Then(memories[0])
        place = _IN_MEMORY if _IN_MEMORY.is_dir() else None
        with tempfile.TemporaryDirectory(dir=place) as folder, self._opened(Path(folder), then) as lamella:
            call, keys = Call(directory=Path(folder)), _saved(lamella, Path(folder), then, memories)
            if self.embedder != NO_EMBEDDER:
                list(lamella.embed(call))
            ids = sorted(keys)
            messages = any(memory.role for memory in memories)
            for text in texts:
                # A tool rejects longer questions. Of a trace, keep the end, which has the error.
                selector = ByText(text[-MAX_QUERY_CHARACTERS:], self.mode)
                request = RecallRequest(selector=selector, limit=DEPTH, include_messages=messages)
                found, weak = _asked(lamella.recall, call, request)
                # In sorted order, the first full id not before a short id begins with it.
                yield Results([keys[ids[bisect_left(ids, short)]] for short in found], weak)

    def hits(self, memories: Sequence[Memory], texts: Sequence[str]) -> Iterator[Sequence[Hit]]:
        """Yield the hits of each question before they are printed."""
        then = _Then(memories[0])
        with tempfile.TemporaryDirectory() as folder, self._opened(Path(folder), then) as lamella:
            _saved(lamella, Path(folder), then, memories)
            for text in texts:
                with suppress(NothingFoundError):
                    yield lamella.search(Call(directory=Path(folder)), SearchRequest(selector=ByText(text))).hits

    def saved(self, folder: Path, memories: Sequence[Memory]) -> dict[str, str]:
        """Save the memories of a project in `folder`/data. Return their keys, by the ids of the saved memories."""
        then = _Then(memories[0])
        with self._opened(folder, then) as lamella:
            return _saved(lamella, folder, then, memories)

    def reviewed(self, folder: Path, memories: Sequence[Memory]) -> Sequence[tuple[str, ...]]:
        """Save memories, and return the worklist of a review: the texts of the memories in each entry."""
        then = _Then(memories[0])
        with self._opened(folder, then) as lamella:
            _saved(lamella, folder, then, memories)
            if self.embedder != NO_EMBEDDER:
                list(lamella.embed(Call(directory=folder)))
            tasks = lamella.review(Call(directory=folder))
            return [tuple(hit.observation.content for hit in task.hits) for task in tasks]

    @contextmanager
    def _opened(self, folder: Path, then: "_Then") -> Iterator[UseCases]:
        # With `patient`, questions wait until the model is loaded.
        settings = Settings(data_directory=folder / "data", embedder=self.embedder, patient=True)
        given: dict[str, providers.Provider[Any]] = {
            "clock": providers.Object(then),
            "transcripts": providers.Object(lambda _client, _path: then.transcripts),
        }
        if self.embedder != NO_EMBEDDER:
            given["open_embedder"] = providers.Object(partial(_loaded, self.embedder))
        lamella = UseCases(settings, **given)
        try:
            yield lamella
        finally:
            lamella.storage.close()


@cache
def _loaded(name: str) -> Embedder:
    """Return the embedder, loaded once for all projects of a run."""
    return _EmbedsOnce(adapter("embedder", name.partition(":")[0])(name))


@frozen
class _EmbedsOnce(Embedder):
    """An embedder with a cache of vectors, because engines and collections of a run share most texts."""

    embedder: Embedder
    vectors: dict[str, Vector | None] = field(factory=dict)

    @property
    def model(self) -> EmbeddingModel:
        return self.embedder.model

    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        new = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        self.vectors.update(zip(new, self.embedder.embed(new), strict=True))
        return tuple(map(self.vectors.__getitem__, texts))

    def embed_query(self, text: str) -> Vector | None:
        return self.embedder.embed_query(text)


@define(eq=False)
class _Then(Clock):
    """Clock that shows the time of the memory being saved, and later times afterwards.

    The object also holds the transcripts to import.
    """

    memory: Memory
    transcripts: "_Spoken | None" = None

    def now(self) -> datetime:
        return self.memory.created_at

    def zone(self) -> tzinfo:
        return UTC


@frozen
class _Spoken(Transcripts):
    """Transcripts of a client made from memories with roles."""

    memories: Sequence[Memory]

    def sources(self) -> tuple[Source, ...]:
        return (Source(id="spoken", size=0),)

    def read(self, source: Source, since: str) -> Batch:
        drafts = tuple(
            MessageDraft(
                key=message_key(each.key, 0),
                session=each.session,
                role=each.role,
                text=each.text,
                at=each.created_at,
            )
            for each in self.memories
            if each.role
        )
        return Batch(source=source.id, position="end", drafts=() if since else drafts)


def _saved(lamella: UseCases, folder: Path, then: _Then, memories: Sequence[Memory]) -> dict[str, str]:
    """Save the memories. Return the memories' keys by id; for messages, by number."""
    keys = dict[str, str]()
    spoken = [memory for memory in memories if memory.role]
    for memory in memories:
        then.memory = memory
        call = Call(directory=folder, session=memory.session)
        if memory.role:
            continue
        if memory.edit or memory.summary:
            keys[_captured(lamella, call, memory)] = memory.key
            continue
        # The source isn't searched. It keeps memories with equal texts from counting as duplicates.
        request = SaveRequest(text=memory.text, source=memory.key, keywords=memory.keywords)
        keys[lamella.save(call, request).observation.id.hex] = memory.key
    if spoken:
        then.transcripts = _Spoken(spoken)
        list(lamella.import_transcripts(Call(directory=folder), folder))
        keys |= {f"message {number}": memory.key for number, memory in enumerate(spoken, 1)}
    return keys


def _captured(lamella: UseCases, call: Call, memory: Memory) -> str:
    """Store an edit or a summary in the way that hooks do. Return the id of the memory."""
    if memory.edit is not None:
        edit = EditCaptured(
            name=memory.key,
            at=memory.created_at,
            directory=call.directory,
            session=memory.session,
            reason=memory.edit.prompt,
            path=memory.edit.path,
            hunks=memory.edit.hunks,
        )
        lamella.record_changes(call, [edit])
    else:
        title = memory.text.split("\n")[1].removeprefix("- ")
        draft = Draft(
            content=memory.text, title=title, source="session", kind=Kind.SUMMARY, session=memory.session
        )
        here = lamella.projects.find_or_create(call)
        here.ledger().record([Capture(id=uuid4(), draft=draft, at=memory.created_at)])
    return lamella.search(call, SearchRequest(limit=1)).hits[0].observation.id.hex


def _asked(recall: RecallMemories, call: Call, request: RecallRequest) -> tuple[list[str], bool]:
    """Return the short ids of all results from all pages, and True if the reply calls the match weak."""
    try:
        page = read(recall(call, request))
    except NothingFoundError:
        return [], True
    ids, weak = [*page.ids], page.weak
    while page.cursor is not None:
        page = read(recall(call, evolve(request, cursor=page.cursor)))
        ids += page.ids
    return ids, weak
