"""A desk whose spool is drained, and what it remembers then."""

from pathlib import Path

from attrs import define, field

from lamella.application.capture.drained import Drained
from lamella.application.projects.context import ProjectContext
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.domain.memories.observation import Kind, Observation
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.transcripts import Source, Transcripts
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.ledger import InMemoryLedger
from tests.unit.support.doubles import HOME, Desk, everything
from tests.unit.support.stand_ins import DAWN

HUNKS = "@@ -1,2 +1 @@\n-def retried(call, attempts):\n-    return call(attempts or DEFAULT)\n+def called(call):"
EDIT = {"tool": "Edit", "path": str(HOME / "pay.py"), "hunks": HUNKS, "reason": "Drop the retries."}
TALK = Path("/talks/s.jsonl")


@define
class Talks(Transcripts):
    """Transcript of one session, read two messages at a time. Messages are a minute apart."""

    said: list[tuple[Role, str]] = field(factory=list)
    directory: Path | None = HOME
    missing: bool = False
    asked: list[Path | None] = field(factory=list)

    def __call__(self, path: Path | None) -> Transcripts:
        self.asked.append(path)
        return self

    def sources(self) -> tuple[Source, ...]:
        if self.missing:
            raise TranscriptsUnreadableError(reason="It is gone.", advice="Look for it.")
        return (Source(id="s", size=len(self.said), directory=self.directory),)

    def read(self, source: Source, since: str) -> Batch:
        start = int(since or 0)
        end = min(start + 2, len(self.said))
        drafts = [
            MessageDraft(key=f"s {n}", session="s", role=role, text=text, at=DAWN.replace(minute=n + 1))
            for n, (role, text) in enumerate(self.said[start:end], start)
        ]
        return Batch(source=source.id, position=str(end), drafts=tuple(drafts), complete=end == len(self.said))


@define(eq=False)
class Storage(InMemoryStorage):
    """Storage with ledgers of another class."""

    kind: type[InMemoryLedger] = InMemoryLedger

    def ledger(self, project: str) -> CodeLedger:
        inner = super().ledger(project)
        assert isinstance(inner, InMemoryLedger)
        return self.kind(inner.observations)


def drained(desk: Desk, talks: Talks | None = None) -> Drained:
    """Return the final account of a drain."""
    accounts = list(desk.draining(talks or Talks())())
    assert all(each is accounts[0] for each in accounts)
    return accounts[-1] if accounts else Drained()


def there(desk: Desk, directory: Path = HOME) -> ProjectContext:
    return desk.at(directory=directory).here


def observations(desk: Desk, directory: Path = HOME) -> list[Observation]:
    """Return the observations of a directory's project in order of time."""
    return sorted(everything(there(desk, directory)), key=lambda each: each.occurred_at)


def summaries(desk: Desk) -> list[tuple[str, list[str]]]:
    made = [each for each in observations(desk) if each.kind is Kind.SUMMARY]
    return [(each.title, each.content.split("\n")) for each in made]
