"""Differences for people, in which nothing of a configuration shows but what lamella changes."""

import re
from collections.abc import Iterator
from difflib import unified_diff

from lamella.domain.text.printing import visible

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_VALUE = re.compile(r"(?<=[:=])\s*\S.*")


def difference(name: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a unified diff without context, as what stands nearby may be secret.

    Where it is more than an insertion or a deletion, whatever is both before and after is left out.
    """
    old, new = before.splitlines(), after.splitlines()
    names, lines = [f"--- {name}", f"+++ {name}"], [*unified_diff(old, new, n=0, lineterm="")][2:]
    moved = {line.strip() for line in old} & {line.strip() for line in new}
    mixed = len({line[0] for line in lines if not line.startswith("@@")}) > 1
    for line in [*names, *lines]:
        if not mixed or line in names or line.startswith("@@"):
            yield visible(line)
        elif line[1:].strip() in moved:
            yield visible(_VALUE.sub(" …", line))
        else:
            yield visible(
                _TEXT.sub(lambda text: '"…"' if text[0] in before and text[0] in after else text[0], line)
            )
