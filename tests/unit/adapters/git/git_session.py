"""Sessions in a repository; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.unit.adapters.git.git_session FILE ... writes what they print now.

    $ changes a.py b.py     the changes of files: lines that came and went, unless they aren't known, and the hunks
    $ uncommitted           the changes of all files since the last commit
    $ history               the commits, oldest first: messages, in which `⏎` ends a line, and changes
    $ missing a.py b.py     the files that are neither there nor in the last commit
    $ locate src            key, name and root of the project at a folder
    $ git add .             run by /bin/sh, as is all else; `cd` holds for the steps that follow

They begin in `shop`, a repository with two commits: `a.py` is of the first, `b.py` of the second.
"""

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import define, field

from lamella.domain.memories.observation import CodeChange
from lamella.ports.history import Commit
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.support.sessions import Player, Step, sessions
from tests.unit.adapters.git.git_repository import ENVIRONMENT, Repository
from tests.unit.adapters.git.histories import told
from tests.unit.adapters.git.uncommitted_changes import TREE, uncommitted

WITHOUT_GIT = GitWorkingTree(program="/nonexistent/git")

_HOME = "/machine"
"""What sessions call the folder around `shop`."""

_CONFIGURED = {
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "init.defaultBranch",
    "GIT_CONFIG_VALUE_0": "main",
    "GIT_CONFIG_KEY_1": "protocol.file.allow",
    "GIT_CONFIG_VALUE_1": "always",
}


@define
class GitShell(Player):
    """Somebody at a shell in the folder `shop`."""

    folder: Path
    directory: Path = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.directory = self.folder / "shop"

    def answer(self, step: Step) -> list[str]:
        command, *words = shlex.split(step.typed.replace(_HOME, str(self.folder)))
        match command:
            case "cd":
                self.directory = (self.directory / words[0]).resolve()
                return []
            case "changes":
                lines = [line for each in TREE.changes(self.directory, words) for line in _told(each)]
            case "uncommitted":
                lines = [line for each in uncommitted(self.directory) or () for line in _told(each)]
            case "history":
                lines = [line for each in told(Repository(self.directory)) for line in _commit(each)]
            case "missing":
                lines = sorted(TREE.missing(self.directory, words))
            case "locate":
                found = WITHOUT_GIT.locate(self.directory / words[0])
                lines = [f"{found.key} {found.name} {found.root}"]
            case _:
                shell = ["/bin/sh", "-c", step.typed.replace(_HOME, str(self.folder))]
                environment = {**ENVIRONMENT, **_CONFIGURED}
                done = subprocess.run(
                    shell, cwd=self.directory, env=environment, capture_output=True, check=False, text=True
                )
                lines = [*done.stdout.splitlines(), *([f"[{done.returncode}]"] if done.returncode else [])]
        return [line.replace(str(self.folder), _HOME) for line in lines]


def _told(change: CodeChange) -> list[str]:
    counts = "" if change.additions is None else f" +{change.additions} -{change.deletions}"
    former = "" if change.former is None else f" (was {change.former})"
    return [f"{change.path}{former}{counts}", *change.hunks.split("\n") * bool(change.hunks)]


def _commit(commit: Commit) -> list[str]:
    message = commit.message.replace("\n", "⏎")
    return [f"commit: {message}".rstrip(), *(line for each in commit.changes for line in _told(each))]


if __name__ == "__main__":
    for file in map(Path, sys.argv[1:]):
        for each in sessions(file):
            with tempfile.TemporaryDirectory() as folder:
                shop = Repository.made(Path(folder).resolve() / "shop")
                shop.commit(a="1\n2\n3\n")
                shop.commit(b="one\n")
                text = GitShell(Path(folder).resolve()).rewrite(each, file.read_text("utf-8"))
            file.write_text(text, encoding="utf-8")
