"""Bounds that the lists of tools name: every toolset refuses what is beyond them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.support.tools import Tools, started

TOOLSETS = ("conversation", "granular", "semantic", "unified")


NEEDED = {"string": "x", "array": ["abcd"], "integer": 1}
"""Values of arguments that a tool can't do without."""


def beyond(schema: dict[str, Any]) -> Iterator[object]:
    """Yield values that a schema refuses, each a little beyond one of its bounds or of another type."""
    if "maxLength" in schema:
        yield "x" * (schema["maxLength"] + 1)
    if "maxItems" in schema:
        yield ["abcd"] * (schema["maxItems"] + 1)
    if "minimum" in schema:
        yield schema["minimum"] - 1
    if "maximum" in schema:
        yield schema["maximum"] + 1
    if schema["type"] != "string":
        yield "no value of this kind"
    yield {"no": "value of this kind"}


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_what_is_beyond_a_bound_is_refused(tmp_path: Path, toolset: str) -> None:
    listed = json.loads(Path(__file__).with_name(f"{toolset}_tools.json").read_text("utf-8"))
    with started(tmp_path, LAMELLA_TOOLSET=toolset) as client:
        tools, refusals = Tools(client), 0
        for tool in listed:
            properties = tool["inputSchema"]["properties"]
            needed = {each: NEEDED[properties[each]["type"]] for each in tool["inputSchema"].get("required", ())}
            for name, schema in properties.items():
                for value in beyond(schema):
                    error = tools.refused(tool["name"], **{**needed, name: value})
                    assert error.startswith(f"'{name}' must be "), (tool["name"], name, value, error)
                    refusals += 1
        assert refusals > len(listed)
