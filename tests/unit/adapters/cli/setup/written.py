"""Configurations as people write them: any data, in any layout, with comments where the format has them."""

import json
from typing import Any

import yaml
from hypothesis import strategies as st

KEYS = st.text("abz-_. é\"'#/*", min_size=1, max_size=6)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text("ab \"'#/*,:{}[]é\\\n", max_size=8))


def mappings(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw mappings with values of a kind."""
    return st.dictionaries(KEYS, values, max_size=3)


DATA = st.recursive(LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), mappings(inner)), max_leaves=8)


@st.composite
def json_text(draw: st.DrawFn, data: Any) -> str:
    """Format `data` as JSON in a random layout, with comments and trailing commas."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    if draw(st.booleans()):
        plain = json.dumps(data, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 2, "\t"])))
        return plain.replace("\n", newline) + draw(st.sampled_from(["", newline]))
    space = st.sampled_from(["", " ", newline, f"{newline}  ", ' /* { " */ ', f" // }} ,{newline}\t"])

    def laid_out(value: Any) -> str:
        if not value or not isinstance(value, dict | list):
            inside = draw(space) if value in ({}, []) else ""
            return (
                json.dumps(value)[:1] + inside + json.dumps(value)[1:] if value in ({}, []) else json.dumps(value)
            )
        parts = (
            [f"{json.dumps(key)}{draw(space)}:{draw(space)}{laid_out(each)}" for key, each in value.items()]
            if isinstance(value, dict)
            else [laid_out(each) for each in value]
        )
        joined = ",".join(f"{draw(space)}{part}{draw(space)}" for part in parts)
        trailing = f",{draw(space)}" if draw(st.booleans()) else ""
        return ("{%s}" if isinstance(value, dict) else "[%s]") % (joined + trailing)

    return draw(space) + laid_out(data) + draw(space)


@st.composite
def toml_text(draw: st.DrawFn) -> str:
    """TOML with tables, arrays of tables and comments, and with other servers."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    line = st.sampled_from(["", "# [mcp_servers.lamella]", "  # note", "x = 1", 'y = "[z]" # c', 'z = ["[a]", 1]'])
    heads = ["[a]", "[mcp_servers.other]", "[[list]]", "[mcp_servers.lamella-2]", '["mcp_servers".third.env]']
    chosen = ["", *draw(st.lists(st.sampled_from(heads), unique=True))]
    lines = [text for head in chosen for text in [head, *draw(st.lists(line, max_size=3, unique=True))]]
    return newline.join(lines) + draw(st.sampled_from(["", newline]))


@st.composite
def yaml_text(draw: st.DrawFn, key: str, values: st.SearchStrategy[Any]) -> str:
    """YAML with comments; its mapping has `key`, or doesn't."""
    data = draw(mappings(DATA))
    texts = [yaml.safe_dump({each: value}, allow_unicode=True) for each, value in data.items() if each != key]
    if draw(st.booleans()):
        texts.insert(draw(st.integers(0, len(texts))), yaml.safe_dump({key: draw(values)}, allow_unicode=True))
    notes = [draw(st.sampled_from(["", "# note\n", "\n"])) for _ in range(len(texts) + 1)]
    text = notes[0] + "".join(text + note for text, note in zip(texts, notes[1:], strict=True))
    return text.removesuffix("\n") if draw(st.booleans()) else text
