"""Comparison of files with commits, in at most five processes."""

import os
import stat
from collections.abc import Collection, Iterable
from pathlib import Path

from lamella_adapters.git.changes.patch import AS_READ, Counted, parsed
from lamella_adapters.git.changes.untracked import additions
from lamella_adapters.git.repository.process import Git

_EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""Ids of git's built-in empty tree, keyed by the length of the repository's object ids."""

_UNTRACKED = "?"

_DIFF = ("diff", "--numstat", *AS_READ, "--no-renames", "--relative")


def compared(git: Git, paths: Iterable[str]) -> dict[str, Counted]:
    """Return the change of each file in `paths`. Files whose change is unknown are left out.

    The working tree is compared with HEAD. If a file is equal in both, HEAD is compared with its first parent
    instead. All lines of an untracked file are additions. So are all lines in a repository without commits.

    Folders, files of nested repositories, and files ignored by git are left out. The content of ignored files must
    not be read, not even from older commits.
    """
    modes = _modes(git.folder, paths)
    tags = _tags(git, modes) if modes else None
    commits = _commits(git) if tags is not None else None
    if tags is None or commits is None:
        return {}
    head, parent = commits
    new = {path for path, tag in tags.items() if not head or tag == _UNTRACKED}
    changes = {path: change for path in modes if path in new and (change := additions(git.folder, path))}
    if not head:
        return changes
    # Leave out existing files that git's index doesn't list. Keep missing files, which may have been deleted.
    old = [path for path in modes if path not in new and (path in tags or not modes[path])]
    return changes | _since_commits(git, old, known=tags.keys(), head=head, parent=parent)


def ignored(git: Git, paths: Iterable[str]) -> frozenset[str]:
    """Return the `paths` that git ignores.

    If git gives no answer about a path, the path counts as ignored. An example is a path outside the working tree.
    """
    asked = list(dict.fromkeys(paths))
    answers = _ignored(git, asked)
    # Git stops at a path that it refuses. So pass all later paths to git again.
    for path in asked:
        if path not in answers:
            answers |= _ignored(git, [path])
    return frozenset(path for path in asked if answers.get(path, True))


def missing(git: Git, paths: Iterable[str]) -> frozenset[str]:
    """Return the `paths` that are not a file, neither in the working tree nor in HEAD."""
    gone = [path for path in paths if not os.path.lexists(Path(git.folder, path))]
    kept = git.ask("ls-tree", "-z", "--name-only", "HEAD", "--", *gone) if gone else None
    return frozenset(gone).difference(os.fsdecode(name) for name in (kept or b"").split(b"\0"))


def _ignored(git: Git, paths: Iterable[str]) -> dict[str, bool]:
    """Return True for each ignored path, and False for each other path, keyed by path. Omit paths git refuses."""
    given = "".join(f"./{path}\0" for path in paths)
    # If no pattern matches a path, git prints an empty source. If a pattern begins with `!`, git doesn't ignore
    # the path.
    output = git.ask_anyway(
        "--no-literal-pathspecs", "check-ignore", "-z", "--stdin", "-v", "-n", given=os.fsencode(given)
    )
    fields = [os.fsdecode(field) for field in output.split(b"\0")[:-1]]
    entries = zip(fields[::4], fields[2::4], fields[3::4], strict=False)
    return {
        path.removeprefix("./"): source != "" and not pattern.startswith("!") for source, pattern, path in entries
    }


def _modes(folder: str, paths: Iterable[str]) -> dict[str, int]:
    """Return the type and permissions of each path; 0 for a missing file. Leave out folders."""
    modes = {}
    for path in paths:
        try:
            modes[path] = Path(folder, path).lstat().st_mode  # links are not followed
        except OSError:
            modes[path] = 0
    return {path: mode for path, mode in modes.items() if not stat.S_ISDIR(mode)}


def _tags(git: Git, paths: Collection[str]) -> dict[str, str] | None:
    """Return the tag (`ls-files -t`) of each path that git doesn't ignore; None if git fails."""
    listed = git.ask("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", "--", *paths)
    if listed is None:
        return None
    entries = (os.fsdecode(entry) for entry in listed.split(b"\0"))
    return {entry[2:]: entry[0] for entry in entries if entry}


def _commits(git: Git) -> tuple[str, str] | None:
    """Return the ids of HEAD and of HEAD's parent, empty if missing. Return None if git fails."""
    # If git can't resolve a name, it prints the name unchanged and fails.
    lines = git.ask_anyway("rev-parse", "--is-shallow-repository", "HEAD", "HEAD^1").decode().split("\n")
    match lines:
        case [_, "HEAD", *_]:
            return "", ""
        case ["true", head, "HEAD^1", *_]:  # a shallow clone: the parent was not fetched
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
    # Drop other paths: the path of a former folder matches all files in it.
    return None if output is None else {path: change for path, change in parsed(output).items() if path in paths}
