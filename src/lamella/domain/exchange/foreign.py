"""Memories of other programs: their ids here, and the parts of a text that is too long for one memory."""

from collections.abc import Sequence
from uuid import UUID, uuid5

from lamella.domain.memories.observation import content_digest
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS, generated_title
from lamella.domain.text.printing import cut, cut_point, one_line, well_formed

_NAMESPACE = UUID("5f0c6c1e-8a3b-4d61-9d2c-3f5b0f6f7a10")
"""Namespace of the ids; another one would store everything again."""

_LEAST_FULL = 0.5
"""Part of the limit that a text is filled to at least, before it is divided at a better place."""

_BETTER_PLACES = ("\n\n", "\n", " ")


def foreign_id(peer: str, key: str, content: str) -> UUID:
    """Return the id of a memory from another program, the same at each import and from each of its files.

    Projects play no part: one may be merged here, and not every file of a program names it.

    Args:
        peer: Name of the program.
        key: The program's own id of the memory.
        content: Text of the memory, as it is stored.
    """
    # The names of two memories that differ must not become equal when they are joined.
    names = "\n".join(well_formed(each).replace("\n", "\r") for each in (peer, key))
    return uuid5(_NAMESPACE, f"{names}\n{content_digest(content).hex()}")


def parts(text: str, most: int) -> Sequence[str]:
    """Divide a text into parts of at most `most` characters, between paragraphs, lines or words if possible.

    Nothing is lost but white space between two parts.
    """
    text = text.strip()
    found: list[str] = []
    while len(text) > most:
        end = _end_of_part(text, most)
        found.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*found, text] if text else found


def titled(title: str, content: str) -> tuple[str, str]:
    """Return a title of allowed length on one line, and the content. A longer title moves into the content."""
    line = one_line(title)
    if len(line) <= MAX_TITLE_CHARACTERS:
        return line or generated_title(content), content
    return generated_title(line), f"{title.strip()}\n\n{content}"


def title_of_part(title: str, number: int, count: int) -> str:
    """Return the title of a part, such as `Deploy (1 of 3)`."""
    suffix = f" ({number} of {count})" if count > 1 else ""
    return cut(title, MAX_TITLE_CHARACTERS - len(suffix)) + suffix


def _end_of_part(text: str, most: int) -> int:
    for place in _BETTER_PLACES:
        end = text.rfind(place, int(most * _LEAST_FULL), most)
        if end > 0:
            return end
    return cut_point(text, most) or most
