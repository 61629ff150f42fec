"""Tags: `#word` in the text or the keywords of a memory, or a name in the line `Tags:` at the end of its text.

A question may begin with tags and a branch, such as `#release branch:feat rollback`. Only memories that have these
tags, and were saved on this branch, are then searched.
"""

import re

from lamella.domain.memories.observation import Observation

_NO_NAME = r"(?!(?i:(?=[a-f]*\d)[0-9a-f]{6}(?:[0-9a-f]{2})?|f{3}|f{6})(?![\w/-]))"
"""Words after `#` that aren't tags: colours, and short ids of memories and commits."""

_NAME = rf"{_NO_NAME}[^\W\d_](?:[\w/-]*\w)?"
_TAG = re.compile(rf"(?<![\w&#/])#({_NAME})")
_LEADING = re.compile(rf"\s*(?:#({_NAME})|branch:(\S+))(?!\S)")
_LINE = re.compile(r"^Tags: (.+)\Z", re.MULTILINE)


def tags_of(observation: Observation) -> frozenset[str]:
    """Return the tags of a memory, without `#`, in lower case, and with hyphens for spaces."""
    written = f"{observation.title} {observation.content} {observation.keywords}"
    listed = (name for line in _LINE.findall(observation.content) for name in line.split(","))
    return frozenset(map(_canonical, (*_TAG.findall(written), *listed)))


def without_limits(question: str) -> tuple[frozenset[str], str | None, str]:
    """Return the tags and the branch at the beginning of a question, and the rest of the question."""
    tags, branch, place = list[str](), None, 0
    while found := _LEADING.match(question, place):
        tag, branch = found[1], found[2] or branch
        tags += [tag] if tag else []
        place = found.end()
    return frozenset(map(_canonical, tags)), branch, question[place:].strip()


def _canonical(tag: str) -> str:
    return "-".join(tag.strip().lstrip("#").casefold().split())
