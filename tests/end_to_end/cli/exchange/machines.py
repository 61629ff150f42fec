"""Machines that share memories through git."""

import subprocess
from pathlib import Path

from attrs import frozen

from tests.end_to_end.git.git_repository import ENVIRONMENT, Repository
from tests.end_to_end.support.command_line import CommandLine

FOLDER = "docs/memory"
TEXT = "Staging is reset every night, so never test there."


@frozen
class Machine:
    """A clone with its own memories."""

    lamella: CommandLine
    clone: Repository

    @property
    def folder(self) -> Path:
        return self.clone.root / FOLDER

    @property
    def files(self) -> dict[str, str]:
        return {path.name: path.read_text("utf-8") for path in sorted(self.folder.glob("*"))}

    @property
    def only(self) -> Path:
        (name,) = self.files
        return self.folder / name

    def share(self, *arguments: str) -> list[str]:
        """Run `lamella share`, and return its output."""
        done = self.lamella.run("share", *arguments)
        assert done.code == 0, done
        return (done.out + done.err).splitlines()

    def status(self) -> list[str]:
        """Files that git would commit."""
        return self.clone.git("status", "--porcelain", "--untracked-files=all").splitlines()

    def push(self) -> None:
        self.clone.commit()
        self.clone.git("push", "--quiet", "origin", "main")

    def pull(self) -> None:
        self.clone.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")

    def recalled(self, query: str = "staging") -> list[str]:
        """Return the titles found by a question."""
        out = self.lamella.run("recall", query).out
        return [line.split(" | ")[1] for line in out.splitlines() if line.startswith("[")]

    def id(self, query: str = "staging") -> str:
        (id,) = self.lamella.listed(query)
        return id


def machine(tmp_path: Path, remote: Path, name: str) -> Machine:
    place = tmp_path / name
    place.mkdir()
    made = Repository(place / "orchard")
    command = ["git", "clone", "--quiet", str(remote), str(made.root)]
    subprocess.run(command, env=ENVIRONMENT, check=True)
    return Machine(CommandLine(place / "data", made.root), made)
