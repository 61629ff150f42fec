"""Commands for users to copy into a shell."""

import os
from contextlib import suppress
from shlex import quote
from string import ascii_letters, digits

from lamella.container import Lamella
from lamella.domain.text.printing import printed_line, visible
from lamella.ports.shared_folder import SharedFolderError

_PLAIN = f" {ascii_letters}{digits}"


def typed(word: str) -> str:
    """Quote a word for a printed command, in any shell. Hidden characters become escapes of `printf`."""
    if word.isprintable() and visible(word) == word:
        return quote(word)
    written = "".join(chr(each) if chr(each) in _PLAIN else f"\\{each:03o}" for each in os.fsencode(word))
    return f"\"$(printf '{written}')\""


def unsynced(lamella: Lamella, old: str) -> tuple[str, str] | None:
    """Return a message about the shared folder of a merged project, and the command that shares it again.

    Return None if the project `old` isn't merged, or if it had no shared folder.
    """
    with suppress(SharedFolderError):  # the record of a shared folder is damaged
        merged = any(each.id == old and each.moved_to for each in lamella.storage.registry.all())
        if merged and (share := lamella.share.shared_folder.of(old)):
            left = f"Its folder {printed_line(share.folder)} is no longer synced."
            again = f"cd {typed(str(share.root))} && lamella share {typed(share.folder)}"
            return f"{left} To share the notes of both projects there", again
    return None
