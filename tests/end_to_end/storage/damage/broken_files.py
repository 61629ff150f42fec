"""Files that are filled, broken and compared."""

import random
from contextlib import closing
from pathlib import Path
from uuid import UUID

import apsw

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import RecallQuery, Recent
from lamella_adapters.sqlite.doctor.recovery.table_layout import tables
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.schema import migrations
from tests.end_to_end.storage.worker import Memory

PAGE = 4096
COUNT = 30
REPAIR = "rebuild it from its readable parts, and keep the damaged file"

OTHER_ROWS = Path(__file__).with_name("other_rows.sql").read_text("utf-8")

DERIVED = {
    "statistics", "message_statistics", "code_block", "unembedded", "changed_lines", "observation", "unanalysed",
}  # fmt: skip
"""Tables that are made of other rows, in whole or in part."""
PARTS = {
    "observation": {"code_change", "told_removal", "vector"},
    "embedding_model": {"vector"},
    "audit": {"audited"},
}
"""Tables that nobody can use without the others."""


def structure() -> tuple[list[str], list[str]]:
    """Return the names of our tables, and of everything with separate pages."""
    with closing(apsw.Connection(":memory:")) as connection:
        for migration in migrations.PROJECT:
            connection.execute(migration).fetchall()
        own = [table.name for table in tables(connection) if table.ours]
        trees = fetch(connection, "SELECT name FROM sqlite_schema WHERE rootpage ORDER BY name")
        return own, [name for (name,) in trees]


TABLES, TREES = structure()


def connection_of(path: Path) -> apsw.Connection:
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)


def observation(connection: apsw.Connection, number: int) -> UUID:
    with closing(connection):
        return UUID(bytes=connection.execute("SELECT id FROM observation WHERE seq = ?", (number,)).get)


def rows(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """All rows of each of our own tables."""
    with closing(connection_of(path)) as connection:
        return {name: set(connection.execute(f'SELECT * FROM "{name}"').fetchall()) for name in TABLES}  # noqa: S608 - made of our own constants


def pages(path: Path, tree: str) -> list[int]:
    with closing(connection_of(path)) as connection:
        return [number for (number,) in fetch(connection, "SELECT pageno FROM dbstat WHERE name = ?", (tree,))]


def overwrite(path: Path, numbers: list[int], noise: random.Random) -> bytes:
    content = bytearray(path.read_bytes())
    for number in numbers:
        content[(number - 1) * PAGE : number * PAGE] = noise.randbytes(PAGE)
    path.write_bytes(content)
    return bytes(content)


def everything(memory: Memory) -> list[Observation]:
    query = RecallQuery(selector=Recent(), limit=1000, include_purged=True)
    return [hit.observation for hit in memory.storage.search(memory.id).find(query)]


def salvaged(memory: Memory) -> str:
    finding, said = memory.repaired()
    assert finding.repair == REPAIR
    return said


def kept(path: Path) -> bytes:
    (aside,) = path.parent.glob(f"{path.name}.damaged-*")
    assert aside.stat().st_mode & 0o777 == 0o600
    return aside.read_bytes()


def pages_root(path: Path, table: str) -> int:
    with closing(connection_of(path)) as connection:
        return int(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).get)


def harmless(folder: Path) -> None:
    """Damage a part that no save and no recall needs."""
    path = Memory(folder).file
    overwrite(path, pages(path, "summary"), random.Random(2))  # noqa: S311 - repeatable
