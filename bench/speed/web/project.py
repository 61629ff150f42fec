"""A large project as shown by `lamella web`."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from bench.support.workload import Language, fill
from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.kind import EDITED, Kind
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.backups import Label
from lamella.ports.storage.ledger import Capture
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts.fixtures.project import signed

_FILES, _SESSION = 200, 500
_SHOWN, _IMPORTED, _CHANGED = 20, 20_000, 100
"""Number of memories that a hook shows, that the import adds, and that are purged."""

_ROLES = (Role.HUMAN, Role.TOOL, Role.TOOL_RESULT, Role.ASSISTANT)


def populate(data: Path, folder: Path, rows: int) -> None:
    """Write a project with `rows` memories, and proportional numbers of edits, messages and shown memories."""
    edits, messages, given = rows // 25, rows // 10, rows // 50
    now, language = datetime.now(UTC), Language(3)
    with closing(SqliteStorage(data)) as storage:
        project = storage.registry.at(GitWorkingTree().locate(folder), now=now).id
        fill(storage, project, rows - edits)
        captures = [
            Capture(
                id=uuid4(),
                draft=Draft(
                    content=language.text(40),
                    title=language.text(8),
                    source=EDITED,
                    kind=Kind.CHANGE,
                    request=f"edit-{number}",
                    changes=(
                        CodeChange(
                            path=f"src/module_{number % _FILES}.py",
                            additions=20,
                            deletions=10,
                            hunks="@@ -1 +1 @@\n" + "".join(f"+{language.text(8)}\n" for _ in range(30)),
                        ),
                    ),
                ),
                at=now - timedelta(minutes=10 * (edits - number)),
            )
            for number in range(edits)
        ]
        for begin in range(0, edits, 500):
            storage.ledger(project).record(captures[begin : begin + 500])
        drafts = [
            MessageDraft(
                key=f"{number}/0",
                session=f"session-{number // _SESSION}",
                role=_ROLES[number % len(_ROLES)],
                text=language.text(80),
                at=now - timedelta(minutes=messages - number),
            )
            for number in range(messages)
        ]
        for begin in range(0, messages, 1_000):
            storage.conversations(project).add(
                Batch(source="bench", position=f"{begin}", drafts=tuple(drafts[begin : begin + 1_000]))
            )
        found = storage.observations(project).page(after=0, limit=_IMPORTED)
        ids = tuple(each.observation.id for each in found)
        storage.activity(project).add(
            [
                Activity(
                    name=f"{number}",
                    at=now - timedelta(minutes=number * 5),
                    kind=ActivityKind.INJECTED,
                    session=f"session-{number // 100}",
                    about="SessionStart",
                    tokens=800,
                    memories=tuple(ids[(number + place) % len(ids)].hex for place in range(_SHOWN)),
                )
                for number in range(given)
            ]
        )
        imported = AuditEntry(id=uuid4(), action=Action.IMPORT, by=signed(now), added=ids, count=len(ids))
        storage.audit(project).add([imported])
        for id in ids[:_CHANGED]:
            storage.observations(project).purge([id], by=signed(now))
        storage.backups.copy(project, Label.MANUAL)
        while storage.maintain():
            pass
