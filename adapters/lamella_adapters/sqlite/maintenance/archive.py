"""Archive with copies of all projects, to be kept elsewhere. It is a zip file with a manifest."""

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from lamella.domain.errors import BackupUnusableError
from lamella.ports.storage.backups import Archived
from lamella_adapters.sqlite.file import backups, create, folders
from lamella_adapters.sqlite.file.connection import failure, translated_sqlite_errors
from lamella_adapters.sqlite.maintenance.copies import held
from lamella_adapters.sqlite.projects.registry import SqliteRegistry

FORMAT = 1
"""Version of the format. Archives of a higher version are rejected."""

MANIFEST, REGISTRY = "manifest.json", "registry.db"
_MANIFEST_BYTES = 16 << 20
_CHUNK_BYTES = 1 << 20
_LEVEL = 1
"""Level of compression. Higher levels take four times as long, and save a tenth of the size."""


@frozen
class ArchivedFile:
    """File in an archive, with its size in bytes and its SHA-256 digest. The registry has no `project`."""

    file: str
    size: int
    digest: str
    project: str | None = None


def write(registry: SqliteRegistry, path: Path) -> tuple[Archived, ...]:
    """See `Backups.write`."""
    archived: list[Archived] = []
    listed: list[Mapping[str, Any]] = []
    draft = path.with_name(f".{path.name}.part")
    with translated_sqlite_errors:
        draft.unlink(missing_ok=True)
        try:
            with (
                _own(draft) as file,
                zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive,
            ):
                for project in registry.all():
                    copied = registry.path_of(project.id)
                    if not folders.is_there(copied):
                        continue
                    with _copied(copied) as each:
                        kept = held(each)
                        entry = _put(archive, each, f"projects/{project.id}.db")
                    archived.append(Archived(project=project.id, name=project.name, held=kept))
                    counts = {"memories": kept.memories, "messages": kept.messages}
                    listed.append({"id": project.id, "name": project.name, **counts, **entry})
                with _copied(registry.path) as each:
                    known = _put(archive, each, REGISTRY)
                manifest = {
                    "format": FORMAT,
                    "lamella": version("lamella"),
                    "made": datetime.now(UTC).isoformat(timespec="seconds"),
                    "projects": listed,
                    "registry": known,
                }
                archive.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
            folders.sync(draft)
            _read_back(draft)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        folders.sync(path.parent)
    return tuple(archived)


def entries(archive: zipfile.ZipFile) -> tuple[ArchivedFile, ...]:
    """Return the files in the manifest of an archive.

    Raises:
        BackupUnusableError: The file isn't an archive of lamella, is damaged, has a newer format, or has entries
            that the manifest doesn't list.
    """
    try:
        with archive.open(MANIFEST) as file:
            manifest = json.loads(file.read(_MANIFEST_BYTES))
        if manifest["format"] > FORMAT:
            raise failure("newer-archive", version=str(manifest["lamella"])[:20])
        listed = [(str(each["id"]), each) for each in manifest["projects"]]
        found = [(None, manifest["registry"]), *listed]
        known = tuple(
            ArchivedFile(str(each["file"]), int(each["bytes"]), str(each["sha256"]), project)
            for project, each in found
        )
    except (KeyError, TypeError, ValueError, zipfile.BadZipFile, OSError, EOFError, RuntimeError) as error:
        raise failure("no-backup") from error
    twice = len({each.project for each in known}) < len(known)
    if twice or sorted(archive.namelist()) != sorted([MANIFEST, *(each.file for each in known)]):
        raise failure("no-backup")
    return known


def extract(archive: zipfile.ZipFile, entry: ArchivedFile, to: Path) -> None:
    """Write one file of an archive to `to`. Compare its size and digest with the manifest.

    Raises:
        BackupUnusableError: The file differs from the manifest.
    """
    with to.open("wb") as target:
        _compare(archive, entry, target)


def _own(path: Path) -> IO[bytes]:
    """Create and open a file that only its owner can read."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, folders.FILE_MODE)
    os.fchmod(descriptor, folders.FILE_MODE)
    return os.fdopen(descriptor, "w+b")


@contextmanager
def _copied(path: Path) -> Iterator[Path]:
    """Create a verified copy of a database beside the database. Delete the copy at the end of the block."""
    with create.draft_of(path) as draft:
        backups.copy_database(path, draft)
        backups.require_sound(draft)
        yield draft


def _put(archive: zipfile.ZipFile, path: Path, name: str) -> Mapping[str, Any]:
    with path.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256").hexdigest()
    archive.write(path, name)
    return {"file": name, "bytes": path.stat().st_size, "sha256": digest}


def _read_back(path: Path) -> None:
    """Compare every file of a new archive with its manifest."""
    with zipfile.ZipFile(path) as archive:
        for entry in entries(archive):
            try:
                _compare(archive, entry)
            except BackupUnusableError as error:
                raise failure("not-read-back") from error


def _compare(archive: zipfile.ZipFile, entry: ArchivedFile, target: IO[bytes] | None = None) -> None:
    """Compare the size and the digest of a file in an archive with the manifest.

    If `target` is given, write the file's content to it.
    """
    digest, left = hashlib.sha256(), entry.size
    try:
        with archive.open(entry.file) as source:
            # Read one byte more than declared, to detect a zip bomb.
            while chunk := source.read(min(_CHUNK_BYTES, left + 1)):
                left -= len(chunk)
                if left < 0:
                    raise failure("no-backup")
                digest.update(chunk)
                if target:
                    target.write(chunk)
    except (KeyError, zipfile.BadZipFile, EOFError, RuntimeError, NotImplementedError, zlib.error) as error:
        raise failure("no-backup") from error
    if left or digest.hexdigest() != entry.digest:
        raise failure("no-backup")
