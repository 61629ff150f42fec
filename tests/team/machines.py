"""Machines of a cluster: each has a place in the network, a disk, PostgreSQL, Patroni and a member of etcd."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from tests.team import configuration
from tests.team.alone import PLACE
from tests.team.network import Network
from tests.team.packages import programs

LOGS = Path(__file__).parents[2] / "build" / "team"
"""Folder for what programs say; it stays after the run."""

AS_POSTGRES = ("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups")
"""Beginning of the command that runs another one as the user that servers have."""

DISK_BYTES = 300_000_000
"""Size of the disk of a machine."""

DATABASE, EVERYTHING = ("postgres",), ("postgres", "patroni", "etcd")
"""Names of processes of a machine."""


def launch(log: str, command: Sequence[object]) -> None:
    """Start a process that nobody waits for."""
    LOGS.mkdir(parents=True, exist_ok=True)
    with (LOGS / f"{log}.log").open("ab") as file:
        line = ["setsid", "--fork", *map(str, command)]
        subprocess.run(line, stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=True)


def name_of(pid: int) -> str:
    """Return the name of a process; none if it has ended."""
    with suppress(OSError):
        before, _, after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
        if after.split()[0] != "Z":
            return before.partition("(")[2]
    return ""


def send(number: signal.Signals, pids: Sequence[int]) -> None:
    """Send a signal to processes, if they are still there."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@frozen
class Machine:
    """A machine by its name."""

    name: str
    network: Network

    @property
    def address(self) -> str:
        """Its address."""
        return self.network.addresses[self.name]

    @property
    def folder(self) -> Path:
        """Folder of its files."""
        return PLACE / self.name

    @property
    def disk(self) -> Path:
        """Folder of its database."""
        return self.folder / "disk"

    def install(self) -> None:
        """Make its disk and its files of settings."""
        self.disk.mkdir(parents=True)
        mount = ("mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", self.disk)
        subprocess.run(mount, check=True)
        text = configuration.patroni(self.name, self.network.addresses, self.folder, programs())
        (self.folder / "patroni.json").write_text(text, encoding="utf-8")
        for each in (self.folder, self.disk):
            subprocess.run(["chown", "postgres:postgres", each], check=True)

    def start(self) -> None:
        """Start what does not run."""
        running = {name_of(pid) for pid in self.network.processes(self.name)}
        if "etcd" not in running:
            options = configuration.etcd(self.name, self.network.addresses, self.folder / "etcd")
            launch(f"{self.name}-etcd", self._command("etcd", *options))
        if "patroni" not in running:
            file = self.folder / "patroni.json"
            launch(f"{self.name}-patroni", self._command("patroni", file))

    def _command(self, *words: object) -> list[object]:
        return ["nsenter", f"--net=/run/netns/{self.name}", *AS_POSTGRES, *words]

    def pids(self, names: Sequence[str] = EVERYTHING) -> list[int]:
        """Return the ids of its processes that have one of the names."""
        return [pid for pid in self.network.processes(self.name) if name_of(pid) in names]

    def kill(self, names: Sequence[str] = EVERYTHING) -> None:
        """Kill processes, until none is left."""
        while pids := self.pids(names):
            send(signal.SIGKILL, pids)

    def freeze(self, names: Sequence[str] = EVERYTHING) -> None:
        """Stop processes where they are."""
        send(signal.SIGSTOP, self.pids(names))

    def thaw(self) -> None:
        """Let all processes go on."""
        send(signal.SIGCONT, self.pids())

    def fill(self) -> None:
        """Leave no room on its disk."""
        with suppress(OSError), (self.disk / "filler").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1_000_000))
        with suppress(OSError), (self.disk / "filler").open("ab", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def free(self) -> None:
        """Take away what filled its disk."""
        (self.disk / "filler").unlink(missing_ok=True)
