"""Text that sessions at a desk print for ids, accounts, projects and memories."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from attrs import fields

from lamella.application.projects.sizes import ProjectSize
from lamella.domain.memories.observation import Observation
from tests.unit.support.stand_ins import numbered


def numbers(ids: Iterable[UUID]) -> str:
    """Return the numbers of ids, and prefixes of ids that weren't made by counting."""
    counted = ((id, id.int >> 96) for id in ids)
    return " ".join(str(number) if id == numbered(number) else id.hex[:8] for id, number in counted)


def ids(words: Iterable[str]) -> tuple[str, ...]:
    """Return the ids for numbers of at most three digits."""
    return tuple(str(numbered(int(each))) if each.isdecimal() and len(each) < 4 else each for each in words)


def account(given: Any) -> list[str]:
    """Return the counts and reasons in an account."""
    found = {each.name: getattr(given, each.name) for each in fields(type(given))}
    counts = [f"{name} {value}" for name, value in found.items() if value and isinstance(value, int)]
    reasons = [(key, value) for each in found.values() if isinstance(each, dict) for key, value in each.items()]
    told = (f"{key if isinstance(key, str) else ' '.join(key)}: {value}" for key, value in reasons)
    return [", ".join(counts) or "nothing", *told]


def size(of: ProjectSize) -> str:
    return f"{of.project.name}: {of.live} live, {of.purged} purged, {of.messages} messages"


def about(memory: Observation) -> list[str]:
    """Return the text, author, time and other fields of a memory."""
    replaced = f"replaced by {numbers([memory.replaced_by])}" if memory.replaced_by else ""
    state = replaced or ("purged" if memory.purged else "")
    paths = " ".join(each.path for each in memory.changes)
    told = [memory.title, *([memory.content] if memory.content != memory.title else [])]
    source = "" if memory.source == "manual" else memory.source
    rest = [source, memory.keywords, memory.author, memory.session, f"{memory.created_at:%H:%M}", paths, state]
    lines = (line for each in memory.changes for line in each.hunks.split("\n")[1:])
    return [*told, " | ".join(filter(None, rest)), *lines]
