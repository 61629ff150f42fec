"""Edits of YAML in block style: entries of a top-level mapping or list."""

from typing import Any

import yaml

from lamella_adapters.cli.setup.entries import Format, Path, UnfitFileError, ended, newline_of


def _parsed(text: str) -> Any:
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UnfitFileError(f"it cannot be parsed as YAML: {' '.join(str(error).split())}") from None
    return {} if data is None else data


def _inserted(text: str, path: tuple[str, ...], name: str | None, value: Any) -> str:
    """Insert an entry before existing entries, or append a new mapping or list to the text."""
    newline = newline_of(text)
    (key,) = path
    entry = [value] if name is None else {name: value}
    _, node = _child(_composed(text), key)
    if node is None:
        return ended(text) + _printed({key: entry}, 0, newline)
    if isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        place = node.start_mark.index - node.start_mark.column
        return text[:place] + _printed(entry, node.start_mark.column, newline) + text[place:]
    block = newline + _printed(entry, 2, newline).removesuffix(newline)
    return text[: node.start_mark.index].rstrip(" ") + block + text[node.end_mark.index :]


def _printed(data: Any, margin: int, newline: str) -> str:
    printed = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1 << 20)
    return "".join(f"{' ' * margin}{line}{newline}" for line in printed.splitlines())


def _composed(text: str) -> Any:
    return yaml.compose(text, yaml.SafeLoader)


def _child(node: Any, key: str | int) -> tuple[Any, Any]:
    """Return the nodes of a key and its value. For a list element, return its node twice.

    Both are None if the key is missing.
    """
    if isinstance(node, yaml.MappingNode):
        return next((pair for pair in node.value if pair[0].value == key), (None, None))
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int):
        return node.value[key], node.value[key]
    return None, None


def _deleted(text: str, path: Path) -> str:
    node = first = _composed(text)
    for key in path:
        first, node = _child(node, key)
    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
    begin = text.rfind("\n", 0, first.start_mark.index) + 1
    end = text.find("\n", node.end_mark.index) + 1 or len(text)
    return text[:begin] + text[end:]


YAML = Format(parsed=_parsed, inserted=_inserted, deleted=_deleted)
"""YAML files."""
