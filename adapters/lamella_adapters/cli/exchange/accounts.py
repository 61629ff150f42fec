"""Lines of reports on imports, copies and syncs, with texts from `accounts.toml`."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from lamella.domain.memories.kind import Kind
from lamella.domain.text.printing import counted, printed_line
from lamella_adapters.process.tables import table

_TABLES = table(__file__, "accounts")


def words(*, dry_run: bool) -> Mapping[str, str]:
    """Return the verbs of a report: `Imported`, or `Would import` in a dry run."""
    found: Mapping[str, str] = _TABLES["would" if dry_run else "done"]
    return found


def report_lines(account: object, kind: str, *, dry_run: bool = False) -> Iterator[str]:
    """Yield a line for each count of a report that isn't 0."""
    for name, text in _TABLES[kind].items():
        if count := getattr(account, name):
            yield text.format(count, s="" if count == 1 else "s", **words(dry_run=dry_run))


def listed(counts: Mapping[str, int]) -> str:
    """Format the counts that aren't 0 as a list, such as `2 binary, 1 large`."""
    return ", ".join(f"{count} {printed_line(what)}" for what, count in sorted(counts.items()) if count)


def by_project(new: Mapping[tuple[str, Kind], int]) -> Iterator[str]:
    """Yield a line for each project, with its new memories by kind."""
    for project, found in groupby(sorted(new.items()), key=lambda each: each[0][0]):
        kinds = ", ".join(counted(count, kind) for (_, kind), count in found)
        yield f"  {printed_line(project)}: {kinds}"


def here_already(known: int, purged: int) -> str:
    """Return a sentence about the imported memories that existed already."""
    stay = (
        f", {purged:,} of them purged. They stay purged; to bring one back: lamella restore ID" if purged else "."
    )
    return f"Here already: {counted(known, 'memory')}{stay}"
