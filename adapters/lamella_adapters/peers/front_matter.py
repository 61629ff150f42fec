"""Markdown with front matter, as other programs write it."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

_LIMIT = 64 * 1024
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<fields>.*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<title>\S.*?)[ \t]*#*$", re.MULTILINE)


def divided(text: str) -> tuple[Mapping[str, Any], str]:
    """Return the fields of the front matter, and the text behind it. Broken front matter is text.

    All values are texts, lists and mappings: a title such as `2024-01-01` stays what it is.
    """
    found = _FRONT_MATTER.match(text[:_LIMIT])
    if found is None:
        return {}, text.strip()
    try:
        fields = yaml.load(found["fields"], Loader=yaml.BaseLoader)  # noqa: S506 - the base loader makes plain texts only
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}, text.strip()
    return (fields if isinstance(fields, dict) else {}), text[found.end() :].strip()


def heading(text: str) -> str:
    """Return the first heading of a text; empty if it has none."""
    found = _HEADING.search(text)
    return found["title"] if found else ""
