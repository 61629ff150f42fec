"""Migrations of a project's file and of the registry, read from `project.sql` and `registry.sql`.

Hooks import this module, so it must load fast.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

APPLICATION_ID = 0x4C414D45
"""`LAME` in ASCII. The header of our files contains it, to distinguish them from other databases."""

ACCOUNT = (
    "heading || char(10) || substr(content, 1 + iif(instr(sub, char(10)), length(sub) - instr(sub, char(10)), 0))"
)
"""SQL expression for the indexed content of a row of `observation`."""

SPOKEN = "role NOT IN ('tool', 'tool_result')"
"""Condition for searched messages; see `Role.searched`.

A query must repeat this condition literally to use a partial index.
"""

MESSAGE_INDEX = "message_search"
"""Name of the full-text index of the messages."""

_MARK, _NOT_READ, _NOT_BY_HOOKS = "-- migration: ", " (not read)", " (not read by hooks)"


def _read(name: str) -> "list[tuple[str, str]]":
    """Return the name and the statements of each migration in a file. Comments are left out."""
    found: list[tuple[str, str]] = []
    with open(f"{__file__.rpartition('/')[0]}/{name}", encoding="utf-8") as file:  # noqa: PTH123 - see above
        for line in file:
            if line.startswith(_MARK):
                found.append((line[len(_MARK) : -1], ""))
            elif found and line != "\n" and not line.startswith("--"):
                found[-1] = found[-1][0], found[-1][1] + line
    return [(name, statements[:-1]) for name, statements in found]


_PROJECT, _REGISTRY = _read("project.sql"), _read("registry.sql")

PROJECT: "Sequence[str]" = tuple(statements for _, statements in _PROJECT)
"""Migrations of a project's file."""

SQUASHED = PROJECT[:28]
"""Migrations that `squashed.sql` replaces. It has the same result in a quarter of their time."""

REGISTRY: "Sequence[str]" = tuple(statements for _, statements in _REGISTRY)
"""Migrations of the registry."""

NAMED = {name.partition(" (")[0]: statements for name, statements in (*_REGISTRY, *_PROJECT)}
"""Migrations, keyed by name."""

ANALYSE_ANEW = NAMED["analyse_anew"]
"""Statement that marks all rows to be analysed again."""

_UNREAD, _UNREAD_BY_HOOKS = (
    frozenset(statements for name, statements in (*_REGISTRY, *_PROJECT) if name.endswith(marks))
    for marks in (_NOT_READ, (_NOT_READ, _NOT_BY_HOOKS))
)


def reads_alike(migrations: "Sequence[str]", version: int, *, hooks: bool = False) -> bool:
    """Return True if a file of `version` can be read like a file with all `migrations`.

    If `hooks` is true, only the parts that hooks read count. If the result is True, the file needs no backup
    before a migration, and in a read-only folder, it can be read without a migration.
    """
    unread = _UNREAD_BY_HOOKS if hooks else _UNREAD
    return version <= len(migrations) and unread.issuperset(migrations[version:])
