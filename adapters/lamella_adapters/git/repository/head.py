"""Branch and commit of a checkout, now or at an earlier time, read from git's files without a git process.

A repository in the format `reftable` has no such files, so its commit is unknown.
"""

from lamella_adapters.git.repository.locate import content, directories

_REFERENCE, _BRANCHES, _REMOTE = "ref: ", "refs/heads/", "refs/remotes/origin/"
_DEFAULTS = ("main", "master")
"""Names of the default branch in repositories whose remote doesn't name one."""

_NO_FILES = ".invalid"
"""Branch that HEAD names in a repository in the format `reftable`."""

_MOST_BYTES = 64 * 1024
"""Number of bytes to read at the end of the reflog: some 400 entries."""

_PACKED_BYTES = 64 * 1024 * 1024
"""Maximum bytes of packed references to read: some 800,000 references."""

_LENGTHS = (40, 64)
"""Possible lengths of commit ids."""


def checked_out(root: str, at: float | None = None) -> tuple[str | None, str | None]:
    """Return the checked-out branch and commit. Each value is None if it is unknown.

    Args:
        root: Top of the working tree.
        at: Seconds since 1970, to return the checkout of that time, as far as HEAD's reflog reaches. None for now.
    """
    found = directories(root)
    if found is None:
        return None, None
    own, common = found
    said = content(f"{own}/HEAD").rstrip("\n")
    branch = said.removeprefix(f"{_REFERENCE}{_BRANCHES}")
    head = tip(common, branch) if branch != said else said
    known = branch if branch not in (said, _NO_FILES) else None
    for before, _, moved_at, why in reversed([] if at is None else reflog(f"{own}/logs/HEAD")):
        if at is None or moved_at <= at:
            break
        head = before if before.strip("0") else None
        if why.startswith("checkout: moving from "):
            former = why.split(" ")[3]
            known = None if is_commit(former) else former
    return known, head if is_commit(head) else None


def is_commit(name: str | None) -> bool:
    """Return True if a text is a complete commit id."""
    return name is not None and len(name) in _LENGTHS and not name.strip("0123456789abcdef")


def tip(common: str, branch: str) -> str | None:
    """Return the last commit of a branch in a git common directory; None if there is no such branch."""
    if is_commit(loose := content(f"{common}/{_BRANCHES}{branch}").strip()):
        return loose
    line = f" {_BRANCHES}{branch}"
    packed = content(f"{common}/packed-refs", _PACKED_BYTES).split("\n")
    return next((each.removesuffix(line) for each in packed if each.endswith(line)), None)


def default_branch(common: str) -> tuple[str, str]:
    """Return reference and name of the default branch, preferably the default branch of the remote.

    Both are empty without a default branch.
    """
    named = content(f"{common}/{_REMOTE}HEAD").rstrip("\n")
    reference = named.removeprefix(_REFERENCE)
    if reference.startswith(_REMOTE):  # don't return other text, which git could take as an option
        return reference, reference.removeprefix(_REMOTE)
    return next(((f"{_BRANCHES}{each}", each) for each in _DEFAULTS if tip(common, each)), ("", ""))


def start(common: str, branch: str) -> str | None:
    """Return the commit where a branch begins; None if the commit is unknown, or if the branch was fetched."""
    for _, begun, _, why in reflog(f"{common}/logs/{_BRANCHES}{branch}")[:1]:
        if why.startswith("branch: Created from ") and not why.endswith(f"/{branch}"):
            return begun
    return None


def reflog(file: str) -> list[tuple[str, str, int, str]]:
    """Return the last entries of a reflog: the commits before and after, seconds since 1970, and the reason."""
    entries = []
    for line in content(file, _MOST_BYTES, last=True).split("\n"):
        by, _, why = line.partition("\t")
        words = by.split(" ")
        if len(words) > 3 and words[-2].isdecimal():  # noqa: PLR2004 - two commits, a name, a time and its zone
            entries.append((words[0], words[1], int(words[-2]), why))
    return entries
