"""Ancestors of this process, and the time when each of them started.

The system reuses process ids. Only the id together with the start time identifies a process.
"""

from lamella_adapters.process.calls import posix

# ruff: noqa: PTH123 - importing pathlib would take longer than the rest of a hook


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Process = tuple[int, str, str]
"""A process: the id of its parent, its start time as text (unique for its id), and its name."""

_STARTERS = (
    *("sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "zsh"),
    *("env", "lamella", "nice", "nohup", "setsid", "timeout", "uv", "uvx"),
)
"""Programs used by clients to start hooks."""

_MAX_ANCESTORS = 64

_PS = "/bin/ps"
_PS_SECONDS = 2.0
_PS_FIELDS = 8  # process, parent, a date such as `Fri Nov 20 19:25:00 2026`, and the program


def started(pid: int) -> str | None:
    """Return the start time of a process as text; None if the process doesn't exist."""
    found = _process_of(pid) if _has_proc() else _table().get(pid)
    return found[1] if found else None


def ancestors() -> tuple[tuple[int, str], ...]:
    """Return id and start time of this process's parent, its parent's parent, and so on, as far as known."""
    return tuple((pid, begun) for pid, begun, _ in _ancestors())


def client() -> int:
    """Return the id of the nearest ancestor that isn't a shell or another launcher of hooks; 0 if unknown."""
    return next((pid for pid, _, name in _ancestors() if name not in _STARTERS), 0)


def _ancestors() -> "Iterator[tuple[int, str, str]]":
    """Yield id, start time and name of this process's parent, its parent's parent, and so on."""
    table = None if _has_proc() else _table()
    pid = posix.getppid()
    for _ in range(_MAX_ANCESTORS):
        process = _process_of(pid) if table is None else table.get(pid)
        if pid <= 0 or process is None:
            return
        yield pid, process[1], process[2]
        pid = process[0]


def _has_proc() -> bool:
    return posix.access("/proc/self/stat", posix.F_OK)


def _process_of(pid: int) -> Process | None:
    """Return a process from Linux's /proc. Its start time is in clock ticks since the machine was started."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name is in parentheses and may have any characters. The state, the parent and 17 fields follow.
            before, _, after = file.read().rpartition(b")")
        fields = after.split()
        name = before.partition(b"(")[2].decode(errors="replace")
        return int(fields[1]), f"{int(fields[19])}@{_boot()}", name
    except (OSError, ValueError, IndexError):
        return None


def _boot() -> str:
    """Return the id of the machine's last boot. Clock ticks count from that boot."""
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return file.read().decode().strip()
    except (OSError, ValueError):
        return ""


def _table() -> dict[int, Process]:
    """Return all processes as `ps` lists them, for systems without /proc (macOS)."""
    import os  # noqa: PLC0415 - `hooks.paths` says why
    import subprocess  # noqa: PLC0415 - its import takes longer than the rest of a hook on Linux

    # Hooks and servers must get the same text for the same start, independent of their environment.
    environment = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    try:
        listed = subprocess.run(  # noqa: S603 - a fixed command
            [_PS, "-A", "-o", "pid=", "-o", "ppid=", "-o", "lstart=", "-o", "comm="],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_PS_SECONDS,
            check=False,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = (line.split(None, _PS_FIELDS - 1) for line in listed.decode("ascii", "replace").splitlines())
    return {
        int(row[0]): (int(row[1]), " ".join(row[2:-1]), row[-1].rpartition("/")[2].strip())
        for row in rows
        if len(row) == _PS_FIELDS and row[0].isdecimal() and row[1].isdecimal()
    }
