"""The installed command `lamella`, run as a process of its own."""

import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from attrs import field, frozen

LAMELLA = Path(sys.executable).with_name("lamella")
SECONDS = 60.0
"""Patience with one command; a loaded machine needs it."""

SAVED_ID = re.compile(r"^Memory saved \(id: ([0-9a-f-]{36})\)", re.MULTILINE)
LISTED_ID = re.compile(r"^\[\d+\] ([0-9a-f]{8,32}) \| ", re.MULTILINE)


@frozen
class Done:
    """What became of a command."""

    code: int
    out: str
    err: str = ""


@frozen
class CommandLine:
    """Runs commands in `directory`, with a home and a data directory of their own."""

    data: Path
    directory: Path
    settings: Mapping[str, str] = field(factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        home = self.data.parent / "home"
        home.mkdir(exist_ok=True)
        return {"PATH": os.environ["PATH"], "HOME": str(home), "LAMELLA_DATA_DIR": str(self.data), **self.settings}

    def run(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
        """Runs `lamella`, with pipes."""
        done = subprocess.run(
            [LAMELLA, *arguments],
            input=stdin,
            capture_output=True,
            cwd=self.directory,
            env={**self.environment, **(env or {})},
            timeout=SECONDS,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def on_terminal(self, *arguments: str, typed: str = "") -> Done:
        """Runs `lamella` on a terminal, where `typed` has been typed ahead; all that the screen shows is `out`."""
        controller, terminal = pty.openpty()
        process = subprocess.Popen(
            [LAMELLA, *arguments],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            cwd=self.directory,
            env=self.environment | {"TERM": "xterm-256color"},
        )
        os.close(terminal)
        stop = threading.Timer(SECONDS, process.kill)
        stop.start()
        screen = bytearray()
        os.write(controller, typed.encode())
        # On Linux the end of a terminal is an error.
        with suppress(OSError):
            while piece := os.read(controller, 65536):
                screen += piece
        os.close(controller)
        stop.cancel()
        stop.join()
        return Done(process.wait(SECONDS), screen.decode().replace("\r\n", "\n"))

    def saved(self, text: str, *options: str, env: Mapping[str, str] | None = None) -> str:
        """Saves `text` and returns its id."""
        done = self.run("save", text, *options, env=env)
        found = SAVED_ID.search(done.out)
        assert found is not None, done
        return found[1]

    def listed(self, *arguments: str) -> list[str]:
        """The short ids of a compact recall."""
        return LISTED_ID.findall(self.run("recall", *arguments).out)

    @property
    def files(self) -> dict[Path, bytes]:
        """Every file in the data directory, by its path relative to it."""
        return {
            path.relative_to(self.data): path.read_bytes()
            for path in sorted(self.data.rglob("*"))
            if path.is_file()
        }

    @property
    def project_file(self) -> Path:
        """The file of the only project."""
        (path,) = (self.data / "projects").glob("*.db")
        return path
