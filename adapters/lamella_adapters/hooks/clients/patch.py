"""Parser of Codex's patches: `*** Begin Patch`, a section for each file, `*** End Patch`.

A section adds, updates or deletes a file. An update has chunks beginning with `@@`, with the lines of a diff, but
no line numbers.
"""

from lamella_adapters.hooks.clients import Edit
from lamella_adapters.hooks.clients.hunks import between
from lamella_adapters.hooks.paths import joined

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _MOVE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Move to: ", "*** Delete File: "
_MARK = "*** "
_CHUNK = "@@"


def intended(patch: str, directory: str) -> list[Edit]:
    """Return the edits of a patch before it is applied. Omit deleted files, because a deletion adds no code."""
    edits = []
    for edit, lines in _sections(patch, directory):
        if edit.after is None:
            chunks = [_sides(chunk) for chunk in _chunks(lines)]
            edit.replacements = [(old, new, False) for old, new in chunks if old]
        edits.append(edit)
    return edits


def made(patch: str, directory: str) -> list[Edit]:
    """Return the edits made by a patch. Omit deleted files, because their lines are unknown."""
    edits = []
    for edit, lines in _sections(patch, directory):
        if edit.after is None:
            # Codex doesn't report the line numbers of a chunk.
            edit.hunks = "\n".join("\n".join(["@@ @@", *chunk]) for chunk in _chunks(lines))
        else:
            edit.hunks = between("", edit.after)
        edits.append(edit)
    return edits


def tells_all(patch: str) -> bool:
    """Return True if a patch contains all removed lines. Otherwise, the working tree must be examined."""
    return _DELETE not in patch and _MOVE not in patch


def _sections(patch: str, directory: str) -> list[tuple[Edit, list[str]]]:
    """Return each added or updated file, and the lines of its section."""
    sections: list[tuple[Edit, list[str]]] = []
    lines: list[str] = []
    adds = False
    body = patch.partition(_BEGIN)[2].partition(f"\n{_END}")[0]
    for line in [*body.split("\n")[1:], _DELETE]:
        if not line.startswith(_MARK):
            lines.append(line)
            continue
        if line.startswith(_MOVE) and sections:
            sections[-1][0].path = joined(directory, line[len(_MOVE) :].strip())
        if not line.startswith((_ADD, _UPDATE, _DELETE)):
            continue
        if adds:
            sections[-1][0].after = "".join(f"{each[1:]}\n" for each in lines if each.startswith("+"))
        lines = []
        adds = line.startswith(_ADD)
        if not line.startswith(_DELETE):
            path = line[len(_ADD if adds else _UPDATE) :].strip()
            sections.append((Edit(joined(directory, path)), lines))
    return sections


def _chunks(lines: list[str]) -> list[list[str]]:
    """Return the lines of each chunk. An empty line counts as an unchanged line."""
    chunks: list[list[str]] = []
    for line in lines:
        if line.startswith(_CHUNK) or not chunks:
            chunks.append([])
        if not line.startswith(_CHUNK):
            chunks[-1].append(line or " ")
    return [chunk for chunk in chunks if chunk]


def _sides(chunk: list[str]) -> tuple[str, str]:
    """Return two texts: the lines before a chunk is applied, and the lines after it."""
    before, after = ("\n".join(line[1:] for line in chunk if line[0] in signs) for signs in (" -", " +"))
    return before, after
