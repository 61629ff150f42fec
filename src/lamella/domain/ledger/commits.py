"""Learned commits: the line that names a commit in its observation, and the request id of the observation."""

import re

from lamella.domain.memories.kind import PARTS_APART
from lamella.domain.memories.observation import Observation

_NAMED = f"{PARTS_APART}Commit "
_LAST = re.compile(re.escape(_NAMED) + r"(?P<id>[0-9a-f]{40}|[0-9a-f]{64})\Z")


def commit_named(id: str) -> str:
    """Return the line that names a commit. It ends the content of the commit's observation."""
    return f"{_NAMED}{id}"


def short_commit(id: str) -> str:
    """Return the short id of a commit as git prints it in a small repository: the first 7 characters."""
    return id[:7]


def commit_request(id: str) -> str:
    """Return the request id under which a commit is recorded, so that it is learned only once."""
    return f"git commit {id}"


def request_of_learned(observation: Observation) -> str | None:
    """Return the request id of an observation of a learned commit; None for other observations."""
    named = _LAST.search(observation.content) if observation.learned else None
    return commit_request(named["id"]) if named else None
