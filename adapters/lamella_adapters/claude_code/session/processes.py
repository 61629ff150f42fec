"""Ancestors of this process, and the time when each began.

Process ids are used again. An id together with the time of the start identifies a process.
"""

# ruff: noqa: PTH110, PTH123 - importing pathlib costs a hook more than the rest

import os

Process = tuple[int, str]
"""The id of the parent, and the start of the process as a text that is unique among processes with the same id."""

_MAX_ANCESTORS = 64

_PS = "/bin/ps"
_PS_SECONDS = 2.0
_PS_FIELDS = 7  # process, parent, and a date such as `Fri Nov 20 19:25:00 2026`


def started(pid: int) -> str | None:
    """Return the start of a process as a text, None if there is no such process."""
    found = _process_of(pid) if _has_proc() else _table().get(pid)
    return found[1] if found else None


def ancestors() -> tuple[tuple[int, str], ...]:
    """Return the ids and starts of this process's parent, its parent's parent, and so on. Empty if unknown."""
    table = None if _has_proc() else _table()
    found: list[tuple[int, str]] = []
    pid = os.getppid()
    while pid > 0 and len(found) < _MAX_ANCESTORS:
        process = _process_of(pid) if table is None else table.get(pid)
        if process is None:
            break
        found.append((pid, process[1]))
        pid = process[0]
    return tuple(found)


def _has_proc() -> bool:
    return os.path.exists("/proc/self/stat")


def _process_of(pid: int) -> Process | None:
    """Return a process from Linux's /proc. Its start is in clock ticks since the machine was started."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name is in parentheses and may have any characters. The state, the parent and 17 fields follow.
            fields = file.read().rpartition(b")")[2].split()
        return int(fields[1]), f"{int(fields[19])}@{_boot()}"
    except (OSError, ValueError, IndexError):
        return None


def _boot() -> str:
    """Return the id of the machine's last start, without which clock ticks are ambiguous."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""


def _table() -> dict[int, Process]:
    """Return all processes as `ps` lists them, for systems without /proc (macOS)."""
    import subprocess  # noqa: PLC0415 - costs a hook on Linux more than the rest of its work

    # Hooks and servers must get the same text for the same start, whatever their environment is.
    environment = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    try:
        listed = subprocess.run(  # noqa: S603 - a fixed command
            [_PS, "-A", "-o", "pid=", "-o", "ppid=", "-o", "lstart="],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_PS_SECONDS,
            check=False,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = (line.split() for line in listed.decode("ascii", "replace").splitlines())
    return {
        int(row[0]): (int(row[1]), " ".join(row[2:]))
        for row in rows
        if len(row) == _PS_FIELDS and row[0].isdecimal() and row[1].isdecimal()
    }
