"""Records of shared folders: a private file of the data directory for each project."""

import json
import os
import secrets
from pathlib import Path
from uuid import UUID

from attrs import frozen

from lamella.ports.shared_folder import LeftFile, Share, SharedFolderError, SharedMemory

_VERSION = 1


@frozen
class Record:
    """Record of one project."""

    path: Path

    def read(self) -> Share | None:
        """Return the record, None without one.

        Raises:
            SharedFolderError: The record can't be read.
        """
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unreadable(f"cannot be read: {error.strerror}") from error
        try:
            return _share(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _unreadable("is damaged, or of a newer lamella") from error

    def write(self, share: Share) -> None:
        """Replace the record.

        Raises:
            SharedFolderError: The record can't be written.
        """
        draft = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}.part")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(json.dumps(_fields(share), separators=(",", ":")).encode())
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
        except OSError as error:
            raise SharedFolderError(
                reason=f"The record of the shared folder cannot be written: {error.strerror}.",
                advice="Free space, or make the data directory writable.",
            ) from error
        finally:
            draft.unlink(missing_ok=True)


def _fields(share: Share) -> dict[str, object]:
    return {
        "version": _VERSION,
        "root": str(share.root),
        "folder": share.folder,
        "sequence": share.sequence,
        "memories": [
            [each.id.hex, each.live, each.name, each.stamp, each.by_file] for each in share.memories.values()
        ],
        "left": {name: [each.stamp, each.reason] for name, each in share.left.items()},
        "waiting": share.waiting,
    }


def _share(fields: dict[str, object]) -> Share:
    if fields["version"] != _VERSION:
        raise ValueError
    return Share(
        root=Path(_text(fields["root"])),
        folder=_text(fields["folder"]),
        sequence=int(str(fields["sequence"])),
        memories={each.id: each for each in map(_memory, _list(fields["memories"]))},
        left={name: LeftFile(*map(_text, _list(each))) for name, each in _object(fields["left"]).items()},
        # Records of earlier versions lack this field.
        waiting=int(str(fields.get("waiting", 0))),
    )


def _memory(fields: object) -> SharedMemory:
    id, live, name, stamp, by_file = _list(fields)
    return SharedMemory(
        id=UUID(_text(id)),
        live=bool(live),
        name=None if name is None else _text(name),
        stamp=None if stamp is None else _text(stamp),
        by_file=bool(by_file),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError
    return value


def _unreadable(how: str) -> SharedFolderError:
    return SharedFolderError(
        reason=f"The record of the shared folder {how}.",
        advice="Start again with: lamella share --stop, then lamella share FOLDER",
    )
