"""Checks of the data directory: private to its owner, usable, and on a local disk."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lamella.domain.text.printing import counted
from lamella_adapters.sqlite.doctor.check import Check, fault, fine, warning
from lamella_adapters.sqlite.file.connection import translated_sqlite_errors

_NETWORK = frozenset({
    "9p", "afs", "beegfs", "ceph", "cifs", "davfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "s3fs",
    "smb3", "smbfs", "sshfs",
})  # fmt: skip
"""Network file systems, by their names in Linux."""


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
    """Check this user's right to create the missing `folder` in its nearest existing parent."""
    above = next(each for each in (folder, *folder.absolute().parents) if os.path.lexists(each))
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return fine("data directory", "not made yet; setup or the first save makes it")
    return fault("data directory", "it does not exist, and this user cannot create it")


def check_permissions(folder: Path) -> Check:
    """Check that the owner alone can use the directories (0700) and files (0600)."""
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
    # SQLite has deleted its log meanwhile.
    return False


def _close_to_others(places: list[Path]) -> str:
    with translated_sqlite_errors:
        for place in places:
            with suppress(FileNotFoundError):
                place.chmod(place.stat().st_mode & 0o700)
    return f"For the owner alone now: {counted(len(places), 'path')}."
