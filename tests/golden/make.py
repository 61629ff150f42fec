"""Make the golden file of the present schema: a data directory, as this version leaves it.

Usage: python -m tests.golden.make. Do it once for each release, and never make an older one again.
"""

import tarfile
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from lamella.domain.access.grant import Scope
from lamella.domain.access.token import AccessToken
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.projects.project import Location
from lamella_adapters.sqlite.schema.migrations import PROJECT, REGISTRY
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts.fixtures.project import signed

GOLDEN = Path(__file__).parent
PLACE = Location(key="/home/p/.git", name="p", root=Path("/home/p"))
NOW = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
CHANGE = CodeChange(path="a.py", additions=1, deletions=0, hunks="@@ -0,0 +1 @@\n+zebra = 1")
PURGED = UUID(int=2)
MEMORIES = {
    UUID(int=1): Draft(content="The zebra crossed the river.", changes=(CHANGE,)),
    PURGED: Draft(content="A purged zebra."),
    UUID(int=3): Draft(content="The zebra came back.", session="s"),
}
SAID = "Where do zebras graze?"
TOKEN = AccessToken(id=UUID(int=4), name="laptop", scopes=Scope.READ.held, created_at=NOW, revoked_at=NOW)
DIGEST = bytes(range(32))
NAME = f"schema-{len(PROJECT):02}.{len(REGISTRY)}.tar.xz"
"""Golden file of the present schemas of a project's file and of the registry."""


def fill(folder: Path) -> None:
    """Save memories, of which one is purged, import a message, and make a token."""
    storage = SqliteStorage(folder)
    project = storage.registry.at(PLACE, now=NOW).id
    for id, draft in MEMORIES.items():
        storage.observations(project).add(draft, id=id, now=NOW)
    storage.observations(project).purge([PURGED], by=signed(NOW))
    said = MessageDraft(key="k", session="s", role=Role.HUMAN, text=SAID, at=NOW)
    storage.conversations(project).add(Batch(source="s", position="end", drafts=(said,), names={}))
    storage.access_tokens.add(TOKEN, DIGEST)
    storage.close()


def pack(folder: Path, file: Path) -> None:
    """Pack the files of a data directory."""
    with tarfile.open(file, "w:xz", preset=9) as packed:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            packed.add(path, str(path.relative_to(folder)), filter=_plain)


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out who made a file, and when."""
    return entry.replace(uid=0, gid=0, uname="", gname="", mtime=0, mode=0o600, deep=False)


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        fill(Path(name))
        pack(Path(name), GOLDEN / NAME)
