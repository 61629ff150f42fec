"""Print the memories of a session, by default the latest, as Markdown: `python digest.py [SESSION]`."""

import sys
from collections.abc import Iterator, Sequence

from lamella import (
    LamellaError,
    Memory,
    Observation,
    TimelineRequest,
    defused,
    one_line,
    open_memory,
    printed_line,
    printed_time,
)

MOST = 500
"""Maximum number of memories in a digest. The latest of the session are taken."""


def saved(memory: Memory, session: str | None) -> Sequence[Observation]:
    """Return the memories of a session, oldest first. By default, take the session of the latest save."""
    if session is None:
        latest = memory.timeline(TimelineRequest(before=1, after=0)).before
        session = latest[0].session if latest else None
    return memory.timeline(TimelineRequest(session=session, before=MOST, after=0)).before


def digest(memories: Sequence[Observation]) -> Iterator[str]:
    """Yield the lines of the digest: decisions, other notes, and the files of all of them."""
    first, last = memories[0], memories[-1]
    yield f"# Session {printed_line(first.session or '(unknown)')}"
    yield f"\n{len(memories)} memories, {printed_time(first.created_at)} to {printed_time(last.created_at)}"
    for heading, decisions in (("Decisions", True), ("Notes", False)):
        chosen = [each for each in memories if (each.source == "decision") is decisions]
        if chosen:
            yield f"\n## {heading}\n"
            yield from map(item, chosen)
    files: dict[str, list[int]] = {}
    for change in (change for each in memories for change in each.changes):
        counts = files.setdefault(change.path, [0, 0])
        counts[0] += change.additions or 0
        counts[1] += change.deletions or 0
    if files:
        yield "\n## Files\n"
        yield from (f"- `{printed_line(path)}` +{added} -{deleted}" for path, (added, deleted) in files.items())


def item(memory: Observation) -> str:
    """Return a memory as an item of a list. If the text begins with the title, print the title only once."""
    title, text = printed_line(memory.title), printed_line(memory.content)
    rest = text.removeprefix(title).strip() if one_line(memory.content).startswith(title) else text
    return defused(f"- **{title}** {rest}".rstrip())


def main() -> None:
    """Print the digest, or the reason if there is none."""
    try:
        with open_memory() as memory:
            memories = saved(memory, sys.argv[1] if len(sys.argv) > 1 else None)
    except LamellaError as error:
        sys.exit(str(error))
    if not memories:
        sys.exit("Nothing was saved in this session.")
    print("\n".join(digest(memories)))


if __name__ == "__main__":
    main()
