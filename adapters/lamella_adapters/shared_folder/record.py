"""Records of shared folders: a private file of the data directory for each project."""

import json
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from attrs import frozen

from lamella.ports.shared_folder import LeftFile, Share, SharedFolderError, SharedMemory
from lamella_adapters.process.files import replaced
from lamella_adapters.process.tables import table

_VERSION = 1
_ERRORS = table(__file__, "errors")
_Kind = TypeVar("_Kind")


def refusal(name: str, **values: object) -> SharedFolderError:
    """Return an error with texts of `errors.toml`.

    The texts are read at the start of the program, because the disk may be unreadable when an error occurs.
    """
    return SharedFolderError(**{key: text.format(**values) for key, text in _ERRORS[name].items()})


@frozen
class Record:
    """Record of one project."""

    path: Path

    def read(self) -> Share | None:
        """Return the content of the record; None if the project has no record.

        Raises:
            SharedFolderError: The record can't be read.
        """
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise refusal("record", how=f"cannot be read: {error.strerror}") from error
        try:
            return _share(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise refusal("record", how="is damaged, or was written by a newer lamella") from error

    def write(self, share: Share) -> None:
        """Replace the record.

        Raises:
            SharedFolderError: The record can't be written.
        """
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replaced(self.path) as file:
                file.write(json.dumps(_fields(share), separators=(",", ":")).encode())
        except OSError as error:
            raise refusal("record-unwritable", why=error.strerror) from error


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
    left = {name: _of(list, each) for name, each in _of(dict, fields["left"]).items()}
    return Share(
        root=Path(_of(str, fields["root"])),
        folder=_of(str, fields["folder"]),
        sequence=int(str(fields["sequence"])),
        memories={each.id: each for each in map(_memory, _of(list, fields["memories"]))},
        left={name: LeftFile(_of(str, stamp), _of(str, reason)) for name, (stamp, reason) in left.items()},
        # Records of earlier versions lack this field.
        waiting=int(str(fields.get("waiting", 0))),
    )


def _memory(fields: object) -> SharedMemory:
    id, live, name, stamp, by_file = _of(list, fields)
    return SharedMemory(
        id=UUID(_of(str, id)),
        live=bool(live),
        name=None if name is None else _of(str, name),
        stamp=None if stamp is None else _of(str, stamp),
        by_file=bool(by_file),
    )


def _of(kind: type[_Kind], value: object) -> _Kind:
    """Return `value`, which must be of the type `kind`.

    Raises:
        TypeError: The value is of another type.
    """
    if not isinstance(value, kind):
        raise TypeError
    return value
