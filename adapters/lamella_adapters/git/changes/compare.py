"""Which files of a working tree differ from what was committed, in four processes at most."""

import os
import stat
from collections.abc import Collection, Iterable
from pathlib import Path

from lamella_adapters.git.changes.patch import Counted, parsed
from lamella_adapters.git.changes.untracked import additions
from lamella_adapters.git.repository.process import Git

_EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The name of the tree without files, by the length of a repository's object names; git has it built in."""

_UNTRACKED = "?"

# A user's configuration may change how a patch looks; ours always looks the same.
_DIFF = (
    "diff",
    "--numstat",
    "--patch",
    "--unified=3",
    "--inter-hunk-context=0",
    "--no-color",
    "--no-ext-diff",
    "--no-prefix",
    "--no-renames",
    "--no-textconv",
    "--ignore-submodules=all",
    "--relative",
)


def compared(git: Git, paths: Iterable[str]) -> dict[str, Counted]:
    """The change of each file in `paths`; one of which nothing is known is left out.

    The working tree against HEAD; HEAD against its first parent where that shows nothing; an untracked file, and
    in a repository without commits any file, against nothing. Left out are folders, files that git ignores (their
    words must not be read, not even from an older commit) and files of other repositories within this one.
    """
    modes = {path: _mode(git.folder, path) for path in paths}
    files = [path for path, mode in modes.items() if not stat.S_ISDIR(mode)]
    tags = _tags(git, files) if files else None
    commits = _commits(git) if tags is not None else None
    if tags is None or commits is None:
        return {}
    head, parent = commits
    new = [path for path in files if path in tags and (not head or tags[path] == _UNTRACKED)]
    found = {path: change for path in new if (change := additions(git.folder, path))}
    if head:
        # What isn't there and not listed may have been deleted; what is there and not listed is none of our
        # business.
        rest = [path for path in files if path not in new and (path in tags or not modes[path])]
        found |= _since_commits(git, rest, known=tags.keys(), head=head, parent=parent)
    return found


def ignored(git: Git, paths: Iterable[str]) -> frozenset[str]:
    """Those of `paths` that git ignores, or says nothing of: outside the working tree, or because it fails."""
    asked = list(dict.fromkeys(paths))
    told = _told(git, asked)
    # One that it refuses keeps it from answering for those after it.
    for path in asked:
        if path not in told:
            told |= _told(git, [path])
    return frozenset(path for path in asked if told.get(path, True))


def _told(git: Git, paths: Iterable[str]) -> dict[str, bool]:
    """Whether git ignores each of `paths`, as far as it says; one that it refuses is left out."""
    given = "".join(f"./{path}\0" for path in paths)
    # Where no pattern fits, it says none; one that begins with `!` makes an exception.
    output = git.ask_anyway(
        "--no-literal-pathspecs", "check-ignore", "-z", "--stdin", "-v", "-n", given=os.fsencode(given)
    )
    fields = [os.fsdecode(field) for field in output.split(b"\0")[:-1]]
    entries = zip(fields[::4], fields[2::4], fields[3::4], strict=False)
    return {
        path.removeprefix("./"): source != "" and not pattern.startswith("!") for source, pattern, path in entries
    }


def _mode(folder: str, path: str) -> int:
    """The type and permissions of a file, a link not followed; 0 if it isn't there."""
    try:
        return Path(folder, path).lstat().st_mode
    except OSError:
        return 0


def _tags(git: Git, paths: Collection[str]) -> dict[str, str] | None:
    """How git lists each path, tracked ones and untracked ones; ignored ones are not listed."""
    listed = git.ask("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", "--", *paths)
    if listed is None:
        return None
    entries = (os.fsdecode(entry) for entry in listed.split(b"\0"))
    return {entry[2:]: entry[0] for entry in entries if entry}


def _commits(git: Git) -> tuple[str, str] | None:
    """The names of HEAD and of what to compare it with; empty where there is none, None where git fails."""
    # What it can't resolve, it prints as it was given, and fails.
    lines = git.ask_anyway("rev-parse", "--is-shallow-repository", "HEAD", "HEAD^1").decode().split("\n")
    match lines:
        case [_, "HEAD", *_]:
            return "", ""
        case ["true", head, "HEAD^1", *_]:  # the parent was not fetched, so what HEAD changed is not known
            return head, ""
        case [_, head, "HEAD^1", *_]:
            return head, _EMPTY_TREE.get(len(head), "")
        case [_, head, parent, *_]:
            return head, parent
    return None


def _since_commits(
    git: Git, paths: Collection[str], *, known: Collection[str], head: str, parent: str
) -> dict[str, Counted]:
    changed = _difference(git, (head,), paths)
    if changed is None:
        return {}
    clean = [path for path in paths if path not in changed]
    committed = _difference(git, (parent, head), clean) if parent else None
    if committed is None:
        return changed
    unchanged = {path: Counted(0, 0) for path in clean if path in known}
    return unchanged | changed | committed


def _difference(git: Git, commits: tuple[str, ...], paths: Collection[str]) -> dict[str, Counted] | None:
    if not paths:
        return {}
    output = git.ask(*_DIFF, *commits, "--", *paths)
    if output is None:
        return None
    # A path that was a folder once stands for all that was in it.
    return {path: change for path, change in parsed(output).items() if path in paths}
