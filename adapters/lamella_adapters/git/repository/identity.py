"""Identity of a repository by its root commit and its remote, which are the same in every clone.

A folder without a repository is identified by hashes of the names and times of its oldest entries.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from lamella.domain.projects.identity import repository_alias, traces_of
from lamella.domain.projects.key import ENTRY

if TYPE_CHECKING:
    from lamella_adapters.git.repository.asking import Ask

_PREFERRED = "origin"
"""Name of a clone's original remote, unless the user chose another name."""

_TRACES, _MOST = 4, 1_000
_SECOND = 1_000_000_000

# Ignore replaced objects and grafts, which are local to a clone. With them, clones could differ in the root
# commit.
VARIABLES = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull}

_State = tuple[int, int, int]


@define(eq=False, repr=False, slots=False)
class KnownAliases:
    """Cache of the aliases of repositories.

    Git is asked again only if the configuration file of a repository has changed. The file changes when the
    repository is created anew or gets another remote. A missing alias is not cached, so the first commit and the
    first remote take effect immediately.
    """

    _known: dict[str, tuple[_State, str]] = field(factory=dict)

    def of(self, ask: Ask, common: str) -> str | None:
        """Return the alias of a repository; None if the repository has no alias.

        Args:
            ask: Runs git in the repository with `VARIABLES`.
            common: The git common directory of the repository.
        """
        try:
            status = Path(common, "config").stat()
        except OSError:
            return None
        state = (status.st_ino, status.st_size, status.st_mtime_ns)
        known = self._known.get(common)
        if known is not None and known[0] == state:
            return known[1]
        alias = None if Path(common, "shallow").exists() else _alias(ask)
        if alias is not None:
            self._known[common] = (state, alias)
        return alias


def _alias(ask: Ask) -> str | None:
    url = _remote(ask("remote", "--verbose") or b"")
    if url is None:
        return None
    root = _root(ask)
    return repository_alias(root, url) if root else None


def traces(ask: Ask) -> tuple[str, ...]:
    """Return aliases for a repository's first commit and remote; see `identity.traces_of`."""
    shallow = (ask("rev-parse", "--is-shallow-repository") or b"").strip() != b"false"
    return traces_of("" if shallow else _root(ask), _remote(ask("remote", "--verbose") or b"") or "")


def entries(root: Path) -> tuple[str, ...]:
    """Return aliases for the oldest entries of a folder.

    An alias is a hash of an entry's name and modification time. Both stay the same if the folder is moved, or
    copied with `cp -a`. Entries whose time is a whole second are left out: archives and templates give the same
    times to several folders.
    """
    with suppress(OSError), os.scandir(root) as found:
        times = ((each.stat(follow_symlinks=False).st_mtime_ns, each.name) for each in islice(found, _MOST))
        oldest = sorted(each for each in times if each[0] % _SECOND)[:_TRACES]
        return tuple(f"{ENTRY}{sha256(os.fsencode(f'{time} {name}')).hexdigest()[:16]}" for time, name in oldest)
    return ()


def _root(ask: Ask) -> str:
    # Follow first parents: their chain has exactly one root, even after a merge of an unrelated history.
    return (ask("rev-list", "--max-parents=0", "--first-parent", "HEAD", "--") or b"").decode().partition("\n")[0]


def _remote(listed: bytes) -> str | None:
    """Return the URL of `origin`, or else of the only remote; None for several remotes without an `origin`.

    Args:
        listed: Output of `git remote --verbose`, which has URLs without the user's abbreviations.
    """
    urls: dict[str, str] = {}
    for line in listed.decode(errors="replace").split("\n"):
        name, _, rest = line.partition("\t")
        url, fetched, _ = rest.rpartition(" (fetch)")
        if fetched:
            urls.setdefault(name, url)
    return urls.get(_PREFERRED) or (next(iter(urls.values())) if len(urls) == 1 else None)
