"""Memories of other programs: give them ids, and divide long texts."""

import re
from collections.abc import Sequence
from uuid import UUID, uuid5

from attrs import evolve

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import CodeChange, Observation, content_digest
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS, generated_title
from lamella.domain.text.printing import cut, cut_point, one_line, well_formed

_NAMESPACE = UUID("5f0c6c1e-8a3b-4d61-9d2c-3f5b0f6f7a10")
"""Namespace of the ids. It must never change: otherwise the next import would store everything again."""

_LEAST_FULL = 0.5
"""Divide at a paragraph or line only if the part before it has at least this share of the maximum length."""

_PART = re.compile(r" \((\d+) of \d+\)\Z")
_TAGS = re.compile(r"\n\nTags: [^\n]*\Z")

_BETTER_PLACES = ("\n\n", "\n", " ")


def foreign_id(peer: str, key: str, content: str) -> UUID:
    """Return the id of a memory from another program, the same at every import and in all files of the program.

    The id doesn't depend on the project, because projects may be merged, and some files of the program don't name
    the project.

    Args:
        peer: Name of the program.
        key: The program's own id of the memory.
        content: Text of the memory, redacted and trimmed as it will be stored.
    """
    # Escape names, so that different pairs stay different after joining.
    names = "\n".join(well_formed(each).replace("\n", "\r") for each in (peer, key))
    return uuid5(_NAMESPACE, f"{names}\n{content_digest(content).hex()}")


def parts(text: str, most: int) -> Sequence[str]:
    """Divide a text into parts of at most `most` characters, between paragraphs, lines or words if possible.

    Only white space between two parts is lost.
    """
    text, start = text.strip(), 0
    found: list[str] = []
    while len(text) - start > most:
        # Slice first: copying the whole rest for each part would take quadratic time.
        piece = text[start : start + 2 * most]
        end = _end_of_part(piece, most)
        found.append(piece[:end].rstrip())
        start += end
        while text[start].isspace():
            start += 1
    return [*found, text[start:]] if text else found


def fitted(title: str, content: str, most: int) -> Sequence[tuple[str, str]]:
    """Divide a memory into parts. Return the title (such as `Deploy (1 of 3)`) and content of each part.

    Args:
        title: Title of the memory. A title that is too long moves into the content.
        content: Content of the memory.
        most: Maximum number of characters of each content.
    """
    title, content = _titled(title, content)
    texts = parts(content, most)
    return [(_title_of_part(title, number, len(texts)), text) for number, text in enumerate(texts, 1)]


def parts_of(arrival: Arrival, most: int) -> Sequence[Arrival]:
    """Divide a memory of more than `most` characters. The first part keeps the id, request and changes."""
    said = arrival.observation
    if len(said.content) <= most and len(said.title) <= MAX_TITLE_CHARACTERS:
        return (arrival,)
    first, *others = fitted(said.title, said.content, most)
    paths = tuple(CodeChange(path=each.path) for each in said.changes)
    return (
        evolve(arrival, observation=evolve(said, title=first[0], content=first[1])),
        *(
            Arrival(
                observation=evolve(said, id=part_id(said.id, number), title=title, content=text, changes=paths),
                place=arrival.place,
            )
            for number, (title, text) in enumerate(others, 2)
        ),
    )


def part_id(first: UUID, number: int) -> UUID:
    """Return the id of a further part of a memory. It is the same at every import.

    The first part keeps the id of the memory.
    """
    return uuid5(first, f"part {number}")


def undivided(title: str) -> str:
    """Return the title of a memory without the number of its part, such as `(1 of 3)`."""
    return _PART.sub("", title)


def with_tags(content: str, tags: Sequence[str]) -> str:
    """Append a line with tags to `content`, so that searches find them. Blank content stays blank."""
    return f"{content}\n\nTags: {', '.join(tags)}" if tags and content else content


def untagged(content: str) -> str:
    """Return a text without the line of `with_tags`."""
    return _TAGS.sub("", content)


def same_text(said: Observation) -> tuple[str, str]:
    """Return the title and text of a memory in a form that is equal for copies with other tags or another key.

    If the memory's title ends with the title generated from its text, return an empty title. Such a title consists
    of the generated title, possibly with headings before it.
    """
    title = undivided(said.title)
    return "" if title.endswith(generated_title(said.content)) else title, untagged(said.content)


def keyless_id(said: Observation) -> UUID:
    """Return an id made of author, title and text, to recognise an erased memory even if its key has changed."""
    title, text = same_text(said)
    return foreign_id(f"{said.author}\n{title}", "", text)


def keyed_id(peer: str, key: str) -> UUID:
    """Return an id made of program and key, to recognise an erased memory even if its text has changed."""
    return foreign_id(peer, key, "")


def erased_ids(said: Observation) -> Sequence[UUID]:
    """Return the ids by which the next import recognises the erased memory `said` of another program.

    The key of a memory isn't stored, so it is only known if the program uses the title as the key.
    """
    if said.author is None:
        return ()
    name = undivided(said.title)
    return (keyless_id(said), *[keyed_id(said.author, name)] * is_version(said.author, name, said))


def has_same_description(said: Observation, here: Observation) -> bool:
    """Return True if two memories with the same text also have the same title, source, keywords and paths.

    Paths are compared only if `said` has paths: after a merge of projects, `said` lacks the paths outside of the
    project.
    """
    said = evolve(said, changes=said.changes or here.changes)
    return (said.fingerprint, said.keywords) == (here.fingerprint, here.keywords)


def described_id(said: Observation) -> UUID:
    """Return the id for a memory with the same text as a stored memory, but with another description."""
    return uuid5(said.id, f"{said.fingerprint.hex()} {said.keywords}")


def is_version(peer: str, key: str, here: Observation) -> bool:
    """Return True if `here` was imported from the program `peer`, and the memory's id in that program is `key`.

    `here` may also be a part of that memory; see `parts_of`.
    """
    part = _PART.search(here.title)
    keys = [key, *([f"{key}/{part[1]}"] if part else [])]
    first = (evolve(here, id=foreign_id(peer, each, here.content)) for each in keys)
    return any(here.id in (each.id, described_id(each)) for each in first)


def may_be_version(later: Observation, old: Observation) -> bool:
    """Return True if two memories of a program have the same text, or the same title and session."""
    title, text = undivided(later.title), untagged(later.content)
    alike = text == untagged(old.content) or (title, later.session) == (undivided(old.title), old.session)
    return alike and later.author == old.author is not None


def _titled(title: str, content: str) -> tuple[str, str]:
    line = one_line(title)
    if len(line) <= MAX_TITLE_CHARACTERS:
        return line or generated_title(content), content
    return generated_title(line), f"{title.strip()}\n\n{content}"


def _title_of_part(title: str, number: int, count: int) -> str:
    suffix = f" ({number} of {count})" if count > 1 else ""
    return cut(title, MAX_TITLE_CHARACTERS - len(suffix)) + suffix


def _end_of_part(text: str, most: int) -> int:
    for place in _BETTER_PLACES:
        end = text.rfind(place, int(most * _LEAST_FULL), most)
        if end > 0:
            return end
    return cut_point(text, most) or most
