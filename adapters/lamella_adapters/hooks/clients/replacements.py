"""Hunks of replacements, for clients that report replaced texts without line numbers."""

from lamella_adapters.hooks.clients import EDIT, Edit, Event
from lamella_adapters.hooks.clients.hunks import between
from lamella_adapters.hooks.paths import joined, text_of

_MOST_BYTES = 512 * 1024
"""Maximum size of a file to read. People don't write larger files by hand."""


_MOST_PLACED = 100
"""Maximum number of replacements to locate in the file. Locating each one reads the whole file."""


def read_edit(event: Event, path: str, replaced: list[tuple[str, str, bool]]) -> None:
    """Add an edit with replacements to an event, if the client names the file."""
    edit = Edit(joined(event.directory, path))
    edit.replacements = replaced
    if path:
        edit.hunks = made(edit)
        event.kind, event.edits = EDIT, [edit]


def made(edit: Edit) -> str:
    """Return the hunks of an edit's replacements. Replacements found in the file have hunks with whole lines.

    If a replacement isn't found (for example, because the edit only removes text), its hunks have the lines of the
    replacement, without line numbers. If all replacements are found, `edit.before` is set to the text before the
    edit.
    """
    try:
        text = text_of(edit.path, _MOST_BYTES) if len(edit.replacements) <= _MOST_PLACED else None
    except OSError:
        text = None
    hunks = []
    for old, new, _ in reversed(edit.replacements):
        if text is not None and new and text.count(new) == 1:
            before = text.replace(new, old)
            hunks.append(between(before, text))
            text = before
        else:
            text = None
            _, found, lines = between(old, new).partition("\n")
            hunks.append(f"@@ @@\n{lines}" if found else "")
    edit.before = text
    return "\n".join(hunk for hunk in reversed(hunks) if hunk)
