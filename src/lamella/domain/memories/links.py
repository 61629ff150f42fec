"""Links between memories: `[[id]]`, `[[title]]`, `[[keywords]]` or an id in a text, and replacements."""

import re
from collections.abc import Sequence

from attrs import frozen

from lamella.domain.memories.errors import Candidate
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.text.printing import canonical


@frozen
class Links:
    """Links of a memory.

    Attributes:
        replaced: Memories that this memory has replaced.
        linked: Memories that the text of this memory links to.
        linking: Memories that link to this memory.
    """

    replaced: Sequence[Hit] = ()
    linked: Sequence[Hit] = ()
    linking: Sequence[Hit] = ()

    def lines(self) -> tuple[str, ...]:
        """Return a line for each direction with links."""
        forth = [*(f"replaces {_named(hit)}" for hit in self.replaced), *map(_named, self.linked)]
        lines = {"links": forth, "linked from": [*map(_named, self.linking)]}
        return tuple(f"{name}: {'; '.join(ends)}" for name, ends in lines.items() if ends)


_ID = re.compile(r"(?<![\w-])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,32})(?![\w-])")
_NAMED = re.compile(r"\[\[([^\[\]|\n]+)")


def linked_ids(content: str) -> tuple[str, ...]:
    """Return the ids in a text, without duplicates.

    Some of these ids may belong to commits, because ids of commits look like ids of memories.
    """
    return tuple(dict.fromkeys(_ID.findall(content)))


def linked_titles(content: str) -> tuple[str, ...]:
    """Return the titles in double brackets in a text, without duplicates."""
    return tuple(dict.fromkeys(name.strip() for name in _NAMED.findall(content) if not _ID.fullmatch(name)))


def links_to(content: str, other: Observation) -> bool:
    """Return True if the text `content` has a link to the memory `other`."""
    names = {canonical(other.title), canonical(other.keywords)}
    return any(other.id.hex.startswith(id.replace("-", "")) for id in linked_ids(content)) or any(
        canonical(name) in names for name in linked_titles(content)
    )


def _named(hit: Hit) -> str:
    return str(Candidate(id=hit.short_id, title=hit.observation.title))
