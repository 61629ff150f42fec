"""Faults in reading transcripts. The mutants are subclasses of the reader for Codex."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from attrs import evolve

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.ports.transcripts import Source
from lamella_adapters.transcripts.codex import CodexTranscripts
from lamella_adapters.transcripts.records import TranscriptParser
from lamella_contracts.mutants.mutant import Mutants

MUTANTS = Mutants(
    lambda transcripts: {
        "open_transcripts": lambda _, folder: transcripts(folder),
        "record_session": lambda _, *recorded: record(*recorded),
    }
)

_BEGUN = datetime(2026, 3, 2, 8, tzinfo=UTC)


def record(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a session as Codex does."""
    records: list[dict[str, Any]] = [{"type": "session_meta", "payload": {"id": session, "cwd": "/home/ada/kiln"}}]
    for number, text in enumerate(texts):
        role, kind = ("assistant", "output_text") if number % 2 else ("user", "input_text")
        payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        records.append({"type": "response_item", "payload": payload})
    lines = [
        json.dumps({"timestamp": (_BEGUN + timedelta(seconds=number)).isoformat(), **each}) + "\n"
        for number, each in enumerate(records)
    ]
    (folder / f"rollout-{session}.jsonl").write_text("".join(lines), "utf-8")


def drafting(change: Callable[[MessageDraft], MessageDraft]) -> type[CodexTranscripts]:
    """Return a reader that changes each message."""

    class Drafting(CodexTranscripts):
        def read(self, source: Source, since: str) -> Batch:
            batch = super().read(source, since)
            return evolve(batch, drafts=tuple(map(change, batch.drafts)))

    return Drafting


MUTANTS.add("keys are random")(drafting(lambda draft: evolve(draft, key=f"{uuid4()}/0")))
MUTANTS.add("keys are line numbers")(drafting(lambda draft: evolve(draft, key=draft.key.rpartition(":")[2])))
MUTANTS.add("every role is human")(drafting(lambda draft: evolve(draft, role=Role.HUMAN)))


@MUTANTS.add("a source is read in one batch")
class AtOnce(CodexTranscripts):
    def read(self, source: Source, since: str) -> Batch:
        batches = [super().read(source, since)]
        while not batches[-1].complete:
            batches.append(super().read(source, batches[-1].position))
        return evolve(batches[-1], drafts=tuple(draft for each in batches for draft in each.drafts))


@MUTANTS.add("a position isn't checked against its file")
class TrustsPositions(CodexTranscripts):
    def _position(self, path: Path, file: BinaryIO, known: Mapping[str, Any]) -> tuple[int, TranscriptParser]:
        del file
        offset = known.get("offset", 0)
        begun = not isinstance(offset, int) or offset <= 0
        return (0, self.resumed_parser(path, None)) if begun else (offset, self.resumed_parser(path, known))


@MUTANTS.add("errors of reading are swallowed")
class SilentAboutErrors(CodexTranscripts):
    def read(self, source: Source, since: str) -> Batch:
        try:
            return super().read(source, since)
        except TranscriptsUnreadableError:
            return Batch(source=source.id, position=since)


MUTANTS.add("sound reader", sound=True)(CodexTranscripts)
