"""Aliases of projects that are valid on more than one machine.

A storage shared by several machines identifies a repository by its root commit and remote, and a directory by
machine and path. Aliases never contain a credential.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from urllib.parse import unquote

from attrs import evolve

from lamella.domain.projects.key import EVERYWHERE, FOLDER, REMOTE, REPOSITORY, ROOT, is_name, is_trace
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.printing import stored_key

_REPOSITORY = "repository:"
_CALLED = "called:"
_MACHINE = "machine:"
_AUTHOR = "author:"

_DEFAULT_PORTS = {"ssh": "22", "git+ssh": "22", "ssh+git": "22", "git": "9418", "http": "80", "https": "443"}
"""Schemes of remotes reachable from other machines, with their default ports."""

# Compiled at first use: programs that save outside of repositories never need these patterns.
_URL = r"(?is)(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<authority>[^/?#]*)(?P<rest>.*)"
_HOST = r"(?i)(?P<host>\[[0-9a-f:.%]+\]|[^\s:@\[\]]+)(?::(?P<port>[0-9]*))?"
_SCP = r"(?i)(?:[^\s:/]*@)?(?P<host>\[[0-9a-f:.%]+\]|[^\s:/@\[\]]+):(?P<path>(?!:|//)[^@]*)"
_COMMIT = r"[0-9a-f]{40}|[0-9a-f]{64}"


def normalised_remote(url: str) -> str | None:
    """Return the `host/path` common to all forms of a remote URL.

    The ssh, scp-like, https, http and git forms of one URL are equal. User, password, query, fragment, default
    port, `.git`, surplus slashes and case of the host are dropped.

    Args:
        url: URL of a remote, as printed by git.

    Returns:
        The common form. None for a path on this machine, and for an unknown scheme. Also None for an `@` after the
        host, because the text before the `@` may be a password.
    """
    url = url.strip()
    if scp := re.fullmatch(_SCP, url):
        return _joined(scp["host"], scp["path"])
    parts = re.fullmatch(_URL, url)
    if parts is None or "@" in parts["rest"]:
        return None
    scheme, place = parts["scheme"].lower(), re.fullmatch(_HOST, parts["authority"].rpartition("@")[2])
    if scheme not in _DEFAULT_PORTS or place is None:
        return None
    port = (place["port"] or "").lstrip("0")
    host = place["host"] if port in ("", _DEFAULT_PORTS[scheme]) else f"{place['host']}:{port}"
    return _joined(host, unquote(re.split("[?#]", parts["rest"])[0]))


def _joined(host: str, path: str) -> str | None:
    names = [name for name in path.split("/") if name]
    if names and names[-1].endswith(".git"):
        names[-1] = names[-1].removesuffix(".git")
        names = [name for name in names if name]
    return "/".join([host.lower(), *names]) if names else None


def repository_alias(root_commit: str, url: str) -> str | None:
    """Return the alias of a repository, the same in every clone; None without a first commit or remote.

    Args:
        root_commit: Id of the repository's first commit.
        url: URL of the repository's remote.
    """
    remote = normalised_remote(url)
    if not remote or not re.fullmatch(_COMMIT, root_commit):
        return None
    return stored_key(f"{_REPOSITORY}{root_commit}:{remote}")


def traces_of(root_commit: str, url: str) -> tuple[str, ...]:
    """Return aliases for a repository's first commit and remote.

    The aliases identify the project even after its folder has moved.

    Args:
        root_commit: Id of the repository's first commit; empty without commits.
        url: URL of the repository's remote; empty without a remote.
    """
    remote = normalised_remote(url)
    root = f"{ROOT}{root_commit}" if re.fullmatch(_COMMIT, root_commit) else ""
    return tuple(filter(None, (root, remote and f"{REMOTE}{remote}")))


def machine_key(machine: str, key: str) -> str:
    """Prefix the key of a folder or repository with a machine's id, for a storage shared by machines.

    Args:
        machine: Id of the machine.
        key: Key of the folder or repository on that machine.
    """
    return f"{_MACHINE}{machine}:{key}"


def author_key(author: str, key: str) -> str:
    """Prefix a key with the name of a person, for a location that is the same on all of the person's machines.

    Args:
        author: Name of the person.
        key: Key of the location.
    """
    return f"{_AUTHOR}{author}:{key}"


def is_everywhere(aliases: Iterable[str]) -> bool:
    """Return True if a project with these aliases has the user's global memories."""
    return any(alias == EVERYWHERE or alias.endswith(f":{EVERYWHERE}") for alias in aliases)


def is_repository(alias: str) -> bool:
    """Return True for the alias of a repository, valid on every machine."""
    return alias.startswith(_REPOSITORY)


def called_alias(name: str, keys: Collection[str]) -> str | None:
    """Return the alias that a project without a remote has on all machines of its user.

    Args:
        name: Name of the project.
        keys: Key of the project's location, and aliases for the first commit and remote of its repository.

    Returns:
        The alias, made of the name and, in a repository, its first commit. None for a repository with an unknown
        first commit.
    """
    roots = [each.removeprefix(ROOT).partition(":")[0] for each in keys if each.startswith(ROOT)]
    if not roots and any(each.startswith(REPOSITORY) for each in keys):
        return None
    return stored_key(f"{_CALLED}{next(iter(roots), '')}:{name}")


def is_called(alias: str) -> bool:
    """Return True for an alias made by `called_alias`."""
    return alias.startswith(_CALLED)


def is_place(alias: str) -> bool:
    """Return True if an alias is the key of a folder or repository of this machine."""
    return alias.startswith((FOLDER, REPOSITORY))


def without_places(project: Project) -> Project:
    """Return a project without aliases that are valid on one machine only."""
    kept = (each for each in project.aliases if is_repository(each) or is_called(each) or is_name(each))
    return evolve(project, aliases=project.aliases if is_everywhere(project.aliases) else tuple(kept))


def under_own_id(project: Project) -> Project:
    """Return a project without locations, with an id computed from its alias.

    The present id was computed from a path, and another machine may have the same path.
    """
    main = sorted(project.aliases, key=lambda each: not is_repository(each))[:1]
    ids = (Location(key=each, name=project.name, root=Path()).project_id for each in main)
    return evolve(project, id=next(ids, project.id))


def is_qualified(alias: str) -> bool:
    """Return True for a key that has a machine as its prefix."""
    return alias.startswith(_MACHINE)


def is_of_a_machine(location: Location) -> bool:
    """Return True for a folder or repository on a machine, as opposed to a name or a user's global memories."""
    named = location.repository is None or is_repository(location.repository)
    return is_qualified(location.key) and named and not is_everywhere(location.stored_aliases)


def is_another_repository(aliases: Iterable[str], repository: str) -> bool:
    """Return True if a project with these aliases is known to be a repository other than `repository`.

    Args:
        aliases: Aliases of the project.
        repository: Alias of a repository.
    """
    known = list(filter(is_repository, aliases))
    return bool(known) and repository not in known


def resettled(project: Project, machine: str, *, shared: bool) -> Project:
    """Convert the keys and the id of a project from another storage for use in this storage.

    In a storage shared by machines, keys of folders and repositories have the machine's id as a prefix; in other
    storages, they don't. Keys of other machines, and aliases valid on all machines, stay unchanged. If a key
    changes, the id changes as well, because ids made of the same path on two machines would be equal.

    Args:
        project: The project, with the alias of its repository if known. Its locations are on `machine`, unless
            their keys name another machine.
        machine: Id of this machine.
        shared: True if machines share this storage.
    """
    aliases = {alias: _settled(alias, machine, shared=shared) for alias in project.aliases}
    repositories = sorted(filter(is_repository, aliases))
    places = sorted(set(aliases.values()) - set(repositories))
    settled = evolve(project, aliases=(*repositories, *places))
    moved = [new for old, new in sorted(aliases.items()) if old != new]
    if not moved:
        return settled
    repository = repositories[0] if repositories and shared else None
    home = Location(key=moved[0], name=project.name, root=Path(), repository=repository)
    return evolve(settled, id=home.project_id)


def _settled(alias: str, machine: str, *, shared: bool) -> str:
    if not shared:
        return alias.removeprefix(machine_key(machine, ""))
    same = is_repository(alias) or is_name(alias) or is_trace(alias) or is_qualified(alias)
    return alias if same else stored_key(machine_key(machine, alias))
