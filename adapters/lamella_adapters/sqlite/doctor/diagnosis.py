"""Diagnosis of a data directory, and repairs without losses."""

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import apsw
from attrs import define

from lamella.domain.errors import StorageDamagedError, StorageError
from lamella.domain.projects.identity import is_everywhere
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import counted
from lamella.ports.storage.diagnosis import Finding, Space, StorageDiagnosis
from lamella_adapters.sqlite.doctor.check import Check, fault, fine, warning
from lamella_adapters.sqlite.doctor.project import ProjectChecks, set_damaged_aside
from lamella_adapters.sqlite.file.connection import fetch, require_sound_sqlite, translated_sqlite_errors
from lamella_adapters.sqlite.file.folders import RESTORING, is_there
from lamella_adapters.sqlite.maintenance.backups import SqliteBackups
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.statements import statements

_NETWORK = frozenset({
    "9p", "afs", "beegfs", "ceph", "cifs", "davfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "s3fs",
    "smb3", "smbfs", "sshfs",
})  # fmt: skip
"""Names of network file systems in Linux."""


def check_network(folder: Path, mounts: str) -> Iterator[Check]:
    """Warn of a folder on a network file system; `mounts` is the content of `/proc/self/mountinfo`."""
    place = folder.resolve()
    kind, nearest = "", 0
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        # Spaces in paths are escaped as octal numbers. If two file systems are mounted on one path, the later
        # mount is visible.
        mounted = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), before.split(" ")[4])
        if place.is_relative_to(mounted) and len(mounted) >= nearest:
            kind, nearest = after.split(" ")[0], len(mounted)
    if kind.removeprefix("fuse.") in _NETWORK:
        message = f"it is on a network file system ({kind}), where SQLite's log does not work: use a local disk"
        yield warning("data directory", message)


def mounts() -> str:
    """Return the content of `/proc/self/mountinfo`; empty on systems other than Linux."""
    try:
        return Path("/proc/self/mountinfo").read_text("utf-8", errors="surrogateescape")
    except OSError:
        return ""


def check_missing(folder: Path) -> Check:
    """Check that this user may create the missing `folder`. Its nearest existing parent must be writable."""
    above = next(each for each in (folder, *folder.absolute().parents) if os.path.lexists(each))
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return fine("data directory", "not made yet; setup or the first save makes it")
    return fault("data directory", "it does not exist, and this user cannot create it")


def check_permissions(folder: Path) -> Check:
    """Check that only their owner can use the directories (0700) and files (0600)."""
    places = [folder.resolve(), *sorted(folder.rglob("*"))]
    if shut := [place for place in places if _is_shut(place)]:
        return fault(
            "data directory",
            f"{counted(len(shut), 'path')} can't be read by the owner, such as {shut[0].name}",
            "let their owner read them",
            lambda: _open_to_owner(shut),
        )
    open_to_others = [place for place in places if _can_be_used_by_others(place)]
    if not os.access(folder, os.W_OK):
        return fault("data directory", "it is read-only for this user")
    if open_to_others:
        count = f"{counted(len(open_to_others), 'path')} can be used by other users"
        return fault(
            "data directory", count, "let only their owner use them", lambda: _close_to_others(open_to_others)
        )
    return fine("data directory", "for its owner alone")


def _is_shut(place: Path) -> bool:
    """Return True if this user owns `place`, but its permissions don't allow reading it."""
    with suppress(FileNotFoundError, PermissionError):
        status = place.lstat()
        needed = 0o500 if stat.S_ISDIR(status.st_mode) else 0o400
        mode = status.st_mode & 0o777
        return not stat.S_ISLNK(status.st_mode) and status.st_uid == os.geteuid() and mode & needed != needed
    return False


def _open_to_owner(places: list[Path]) -> str:
    with translated_sqlite_errors:
        for place in places:
            place.chmod(0o700 if place.is_dir() else 0o600)
    return f"{counted(len(places), 'path')} can be read by the owner now."


def _can_be_used_by_others(place: Path) -> bool:
    with suppress(FileNotFoundError):
        return not place.is_symlink() and place.stat().st_mode & 0o077 != 0
    # The file no longer exists. It was SQLite's log, which SQLite deletes after use.
    return False


def _close_to_others(places: list[Path]) -> str:
    with translated_sqlite_errors:
        for place in places:
            with suppress(FileNotFoundError):
                place.chmod(place.stat().st_mode & 0o700)
    return f"For the owner alone now: {counted(len(places), 'path')}."


SQL = statements(__file__)


@define(eq=False)
class SqliteDiagnosis(StorageDiagnosis):
    """Diagnosis of a data directory. Checking a search index takes the write lock of its file for a moment."""

    registry: SqliteRegistry

    def findings(self) -> tuple[Finding, ...]:
        """See `StorageDiagnosis.findings`."""
        return tuple(check.finding for check in self._all())

    def repair(self, finding: Finding) -> str:
        """See `StorageDiagnosis.repair`.

        The checks run again first, because the fault, and the counts in its message, may have changed.
        """
        for check in self._all():
            same = (check.finding.subject, check.finding.repair) == (finding.subject, finding.repair)
            if same and check.repair is not None:
                return check.repair()
        return f"There is nothing to repair: {finding.subject}."

    def space(self, project: str) -> Mapping[Space, int]:
        """See `StorageDiagnosis.space`."""
        found: Counter[Space] = Counter()
        home = self.registry.catalogue().home(self.registry.catalogue().known(project).id).id
        with self.registry.file_of(home).database.reading() as connection:
            for kind, size in fetch(connection, SQL["pages"]):
                found[Space(kind)] += size
            found[Space.FREE] += connection.execute(SQL["free"]).get
            edits = _edits_among_memories(connection, found[Space.MEMORIES])
        found[Space.MEMORIES] -= edits
        found[Space.EDITS] += edits
        copies = SqliteBackups(self.registry).copies()
        found[Space.BACKUPS] = sum(each.size for each in copies if each.project == home)
        return {each: found[each] for each in Space}

    def _all(self) -> Iterator[Check]:
        yield _sqlite()
        folder = self.registry.folder
        try:
            with translated_sqlite_errors:
                there = is_there(folder)
                registered = there and is_there(self.registry.path)
                projects = [path.stem for path in self.registry.project_files()] if there else []
                directory = check_permissions(folder) if there else check_missing(folder)
        except StorageError as error:
            yield fault("data directory", error.reason)
            return
        yield directory
        yield from check_network(folder, mounts())
        yield from check_copies(self.registry)
        if registered:
            check, known = self._registry()
            yield check
            # First the registered projects, then projects that have a file, but aren't registered.
            projects = [*known, *(each for each in projects if each not in known)]
        elif projects:
            advice = "rebuild it from the files of the projects"
            yield fault("registry", "it is missing", advice, self._rebuild_registry)
        for project in projects:
            yield from ProjectChecks(self.registry, project).all()

    def _registry(self) -> tuple[Check, list[str]]:
        """Return the result of reading the registry, and the ids of the projects in it."""
        try:
            known = self.registry.all()
        except StorageDamagedError as error:
            return fault(
                "registry",
                error.reason,
                "set it aside and rebuild it from the files of the projects",
                lambda: f"{set_damaged_aside(self.registry.path)} {self._rebuild_registry()}",
            ), []
        except Exception as error:  # noqa: BLE001 - continue with the projects
            return fault("registry", str(error) or type(error).__name__), []
        return fine("registry", _counted(known)), [project.id for project in known]

    def _rebuild_registry(self) -> str:
        self.registry.ensure_database()
        return f"The registry was made from the files of {_counted(self.registry.all())}."


def _counted(projects: Sequence[Project]) -> str:
    """Return the number of projects as text. The project of global memories isn't counted."""
    return counted(sum(not is_everywhere(each.aliases) for each in projects), "project")


def _sqlite() -> Check:
    version = apsw.sqlite_lib_version()
    try:
        require_sound_sqlite(version)
    except StorageError as error:
        return fault("SQLite", str(error))
    return fine("SQLite", f"{version}, with FTS5, by APSW {apsw.apsw_version()}")


def check_copies(registry: SqliteRegistry) -> Iterator[Check]:
    """Report the time of the latest copy, and the error if the latest attempt to copy has failed."""
    if os.path.exists(registry.folder / RESTORING):  # noqa: PTH110 - unlike `Path.exists` it never raises
        yield fault("backups", "a restore is not finished; it continues when lamella starts next")
    try:
        backups = SqliteBackups(registry)
        why, found = backups.trouble(), backups.copies()
    except StorageError as error:
        yield fault("backups", f"they cannot be listed: {error}")
        return
    if why:
        yield warning("backups", f"the latest one could not be made: {why}")
    if found:
        size = sum(each.size for each in found) / 1e6
        yield fine(
            "backups", f"{counted(len(found), 'copy')}, {size:,.1f} MB, the latest of {found[-1].at:%Y-%m-%d}"
        )


def _edits_among_memories(connection: apsw.Connection, size: int) -> int:
    """Estimate the bytes of captured edits in the table of memories.

    The estimate is a share of the table's `size`, based on the lengths of all texts.
    """
    ((edits, every),) = fetch(connection, SQL["texts"])
    return int(size * edits // max(1, every))
