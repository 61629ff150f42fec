"""The command `lamella`, run as a separate process."""

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import field, frozen

from tests.end_to_end.support.forked import Command, Done
from tests.waiting import HANG_SECONDS
from tests.words_only import WORDS_ONLY

__all__ = ["LAMELLA", "LISTED_ID", "SAVED_ID", "SECONDS", "CommandLine", "Done"]

LAMELLA = Path(sys.executable).with_name("lamella")
SECONDS = HANG_SECONDS
"""After this, a command will never end."""

SAVED_ID = re.compile(r"^Memory saved \(id: ([0-9a-f-]{36})\)", re.MULTILINE)
LISTED_ID = re.compile(r"^\[\d+\] ([0-9a-f]{8,32}) \| ", re.MULTILINE)


@frozen
class CommandLine:
    """Runs commands in `directory`, with a separate home and data directory."""

    data: Path
    directory: Path
    settings: Mapping[str, str] = field(factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        home = self.data.parent / "home"
        home.mkdir(exist_ok=True)
        own = {"PATH": os.environ["PATH"], "HOME": str(home), "LAMELLA_DATA_DIR": str(self.data)}
        return {**own, **WORDS_ONLY, **self.settings}

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        limits: Mapping[str, float] | None = None,
    ) -> Done:
        """Run `lamella` without a terminal. `limits` are those of `Command`."""
        environment = {**self.environment, **(env or {})}
        # Python reads these variables at its start, so a forked process wouldn't.
        if any(name.startswith("PYTHON") for name in environment):
            return self.fresh(*arguments, env=env)
        return Command((LAMELLA, *arguments), self.directory, environment, limits=limits or {}).run(stdin)

    def fresh(self, *arguments: str, env: Mapping[str, str] | None = None) -> Done:
        """Start the installed command `lamella` with pipes."""
        with self.started(*arguments, env={**self.environment, **(env or {})}) as process:
            out, err = process.communicate(timeout=HANG_SECONDS)
        return Done(process.returncode, out.decode(), err.decode())

    def started(self, *arguments: str, **more: Any) -> subprocess.Popen[bytes]:
        """Start the installed command with pipes for its output, by default without input."""
        given: dict[str, Any] = {"stdin": subprocess.DEVNULL, "env": self.environment, **more}
        out = subprocess.PIPE
        return subprocess.Popen([LAMELLA, *arguments], cwd=self.directory, stdout=out, stderr=out, **given)

    def on_terminal(self, *arguments: str, typed: str = "", module: str | None = None) -> Done:
        """Run `lamella`, or a module, on a terminal with the input `typed`. `out` is everything on the screen."""
        controller, terminal = pty.openpty()
        os.write(controller, typed.encode())
        environment = self.environment | {"TERM": "xterm-256color"}
        started = Command((LAMELLA, *arguments), self.directory, environment, module=module).start([terminal] * 3)
        os.close(terminal)
        screen = bytearray()
        # On Linux, reading at the end of a terminal raises an error.
        with suppress(OSError):
            while select.select([controller], [], [], HANG_SECONDS)[0] and (piece := os.read(controller, 65536)):
                screen += piece
        os.close(controller)
        return Done(started.code, screen.decode().replace("\r\n", "\n"))

    def saved(self, text: str, *options: str, env: Mapping[str, str] | None = None) -> str:
        """Save `text` and return its id."""
        done = self.run("save", text, *options, env=env)
        found = SAVED_ID.search(done.out)
        assert found is not None, done
        return found[1]

    def listed(self, *arguments: str) -> list[str]:
        """Return the short ids in a compact recall."""
        return LISTED_ID.findall(self.run("recall", *arguments).out)

    @property
    def files(self) -> dict[Path, bytes]:
        """Return the files in the data directory, by relative path."""
        return {
            path.relative_to(self.data): path.read_bytes()
            for path in sorted(self.data.rglob("*"))
            if path.is_file()
        }

    @property
    def project_file(self) -> Path:
        """Return the file of the only project."""
        (path,) = (self.data / "projects").glob("*.db")
        return path
