"""Real repositories for tests, made by the real git."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Self

from attrs import frozen

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


def executable(file: Path, script: str) -> Path:
    """Write an executable shell script."""
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


@frozen
class Repository:
    """A working tree with its repository."""

    root: Path

    @classmethod
    def made(cls, root: Path, *options: str) -> Self:
        root.mkdir(parents=True, exist_ok=True)
        repository = cls(root.resolve())
        repository.git("init", "--quiet", *options)
        return repository

    def copied(self, root: Path) -> Self:
        """Return a copy of the repository elsewhere, which takes less time than making the commits."""
        shutil.copytree(self.root, root, symlinks=True)
        copy = type(self)(root.resolve())
        copy.git("update-index", "--refresh")
        return copy

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(
            command, cwd=self.root, env=ENVIRONMENT, check=True, capture_output=True, text=True
        ).stdout.removesuffix("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def commit(self, **files: str) -> None:
        """Write `files` (Python files, named without suffix), and commit everything."""
        for name, content in files.items():
            self.write(f"{name}.py", content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a commit")

    def worktree(self, root: Path) -> Path:
        self.git("worktree", "add", "--quiet", "--detach", str(root))
        return root.resolve()
