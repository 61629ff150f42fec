"""Sessions in a repository; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.end_to_end.git.git_session FILE ... writes what they print now.

    $ changes a.py b.py     the changes of files: lines that came and went, unless they aren't known, and the hunks
    $ uncommitted           the changes of all files since the last commit
    $ history               the commits, oldest first: messages, in which `⏎` ends a line, and changes
    $ latest 5              the latest commits that were made here, latest first, and how many more there are
    $ committed             the time at which something was committed last, in seconds
    $ missing a.py b.py     the files that are neither there nor in the last commit
    $ ignored a.py b.py     the files that git ignores
    $ past docs             what was deleted from a folder, what it misses, and what it ever had
    $ own                   the files that the commits of this branch have changed
    $ locate src            key, name and root of the project at a folder
    $ traces notes          what identifies a folder after a move
    $ alias .               the alias that its repository has in every clone
    $ branch                the branch and the commit that are checked out
    $ save plan             a memory of this name keeps them
    $ unmerged              the memories whose work is not in what is checked out now
    $ about a.py b.py       a memory is about these files as they are now
    $ lines a.py b.py       a memory is about the changed lines of these files alone
    $ fresh                 what has become of the files of all memories
    $ git add .             run by /bin/sh, as is all else; `cd` holds for the steps that follow

They begin in `shop`, a repository with two commits: `a.py` is of the first, `b.py` of the second. The home of the
user is `home` beside it.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import define, evolve, field

from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.observation import CodeChange
from lamella.ports.history import Commit
from lamella_adapters.git.changes.branch_files import BranchFiles
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import ENVIRONMENT, Repository
from tests.end_to_end.git.histories import HISTORY, told
from tests.end_to_end.git.uncommitted_changes import EVER, TREE, uncommitted
from tests.end_to_end.support.sessions import Player, Step, write_anew
from tests.patience import be_patient
from tests.waiting import HANG_SECONDS

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
    """A user's shell in the folder `shop`."""

    folder: Path
    directory: Path = field(init=False)
    saved: dict[str, Checkout] = field(factory=dict, init=False)
    files: list[CodeChange] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.directory = self.folder / "shop"

    def answer(self, step: Step) -> list[str]:
        typed = step.typed.replace(_HOME, str(self.folder))
        command, *words = shlex.split(typed)
        own = getattr(self, f"_{command}", None)
        lines = own(words) if own else self._shell(typed)
        return [line.replace(str(self.folder), _HOME) for line in lines]

    def _shell(self, typed: str) -> list[str]:
        done = subprocess.run(
            ["/bin/sh", "-c", typed],
            cwd=self.directory,
            env={**ENVIRONMENT, **_CONFIGURED},
            capture_output=True,
            check=False,
            text=True,
        )
        return [*done.stdout.splitlines(), *([f"[{done.returncode}]"] if done.returncode else [])]

    def _cd(self, words: list[str]) -> list[str]:
        self.directory = (self.directory / words[0]).resolve()
        return []

    def _changes(self, words: list[str]) -> list[str]:
        return _told(TREE.changes(self.directory, words))

    def _uncommitted(self, _: list[str]) -> list[str]:
        return _told(uncommitted(self.directory) or ())

    def _history(self, _: list[str]) -> list[str]:
        return _commits(told(Repository(self.directory)))

    def _latest(self, words: list[str]) -> list[str]:
        found = HISTORY.latest(self.directory, during=[EVER], limit=int(words[0]))
        return [*_commits(found.commits), *([f"{found.more} more"] if found.more else [])]

    def _committed(self, _: list[str]) -> list[str]:
        at = HISTORY.committed(self.directory)
        return ["unknown" if at is None else f"{at.timestamp():.0f}"]

    def _missing(self, words: list[str]) -> list[str]:
        return sorted(TREE.missing(self.directory, words))

    def _ignored(self, words: list[str]) -> list[str]:
        return sorted(TREE.ignored(self.directory, words))

    def _past(self, words: list[str]) -> list[str]:
        past = TREE.past(self.directory, words[0])
        kinds = {} if past is None else {"deleted": past.deleted, "missing": past.missing, "ever": past.ever}
        return [f"{kind}: {' '.join(sorted(paths))}" for kind, paths in kinds.items() if paths]

    def _own(self, _: list[str]) -> list[str]:
        return sorted(BranchFiles(str(self.directory)).get())

    def _traces(self, words: list[str]) -> list[str]:
        return [*TREE.traces(TREE.locate(self.directory / words[0]))]

    def _locate(self, words: list[str]) -> list[str]:
        found = WITHOUT_GIT.locate(self.directory / words[0])
        return [f"{found.key} {found.name} {found.root}"]

    def _alias(self, words: list[str]) -> list[str]:
        tree = GitWorkingTree(patience=HANG_SECONDS)
        alias = tree.repository_alias(tree.locate(self.directory / words[0]))
        return [re.sub("([0-9a-f]{8})[0-9a-f]{32}", r"\1", alias or "unknown")]

    def _branch(self, _: list[str]) -> list[str]:
        branch, head = TREE.checkout(self.directory)
        return [f"{branch or '(none)'} {(head or '(none)')[:8]}"]

    def _save(self, words: list[str]) -> list[str]:
        self.saved[words[0]] = TREE.checkout(self.directory)
        return []

    def _unmerged(self, _: list[str]) -> list[str]:
        found = TREE.unmerged(self.directory, self.saved.values())
        return [f"{name}{' (deleted)' * found[at]}" for name, at in self.saved.items() if at in found]

    def _about(self, words: list[str]) -> list[str]:
        versions = TREE.versions(self.directory, words)
        self.files += [CodeChange(path=path, version=versions.get(path)) for path in words]
        return []

    def _lines(self, words: list[str]) -> list[str]:
        self._about(words)
        changes = TREE.changes(self.directory, words)
        self.files[-len(words) :] = map(_with_lines, self.files[-len(words) :], changes)
        return []

    def _fresh(self, _: list[str]) -> list[str]:
        states = TREE.freshness(self.directory, self.files)
        return [f"{each.path}: {state or 'as it was'}" for each, state in zip(self.files, states, strict=True)]


def _with_lines(file: CodeChange, change: CodeChange) -> CodeChange:
    return evolve(file, hunks=change.hunks)


def _told(changes: Sequence[CodeChange]) -> list[str]:
    lines = []
    for each in changes:
        counts = "" if each.additions is None else f" +{each.additions} -{each.deletions}"
        former = "" if each.former is None else f" (was {each.former})"
        lines += [f"{each.path}{former}{counts}", *each.hunks.split("\n") * bool(each.hunks)]
    return lines


def _commits(commits: Sequence[Commit]) -> list[str]:
    lines = []
    for each in commits:
        message = each.message.replace("\n", "⏎")
        lines += [f"commit: {message}".rstrip(), *_told(each.changes)]
    return lines


def _at_the_shop(folder: Path) -> GitShell:
    os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = f"{folder}/home"
    shop = Repository.made(folder / "shop")
    shop.commit(a="1\n2\n3\n")
    shop.commit(b="one\n")
    return GitShell(folder)


if __name__ == "__main__":
    be_patient()
    write_anew(sys.argv[1:], _at_the_shop)
