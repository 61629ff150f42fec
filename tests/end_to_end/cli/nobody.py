"""Commands that run as a user without privileges, in a place that such a user can reach."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from tests.end_to_end.storage.worker import NOBODY, give_away
from tests.end_to_end.support.command_line import LAMELLA, CommandLine
from tests.end_to_end.support.forked import Command, Done
from tests.words_only import WORDS_ONLY


@frozen
class Machine:
    """Folder accessible to every user.

    `data` belongs to the user nobody, and the working directory is read-only.
    """

    folder: Path

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.folder / "data"

    @property
    def own(self) -> CommandLine:
        """Return commands run as the user of the tests."""
        return CommandLine(self.data, self.folder / "orchard")

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of nobody's commands."""
        own = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LAMELLA_DATA_DIR": str(self.data)}
        return {**own, **WORDS_ONLY, **more}

    def run(self, *arguments: str, **more: str) -> Done:
        """Run `lamella` as nobody."""
        environment = self.environment(**more)
        return Command((LAMELLA, *arguments), self.own.directory, environment, user=NOBODY).run()

    def give_away(self, mode: int) -> None:
        """Give all files in the data directory to nobody, and its folders the permissions `mode`."""
        give_away(self.data, mode)

    def paths(self) -> set[Path]:
        """Return all paths in the folder."""
        return set(self.folder.rglob("*"))


@contextmanager
def machine() -> Iterator[Machine]:
    """Create an empty machine, and remove it after the block."""
    # Only their owner can reach pytest's own folders.
    with TemporaryDirectory() as outer:
        folder = Path(outer)
        folder.chmod(0o755)
        made = Machine(folder)
        made.own.directory.mkdir(mode=0o755)
        try:
            yield made
        finally:
            for path in folder.rglob("*"):
                if path.is_dir():
                    path.chmod(0o700)
