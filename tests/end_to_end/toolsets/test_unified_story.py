"""The story of `unified` as the SDK's client lives it, in both eras of the protocol."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import MCPError
from mcp_types import TextResourceContents

from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.support.tools import count
from tests.end_to_end.toolsets.eras import Call, told

NO_MATCH = "No memories found matching '{}'. Try broader search terms or check the ID."


async def read(call: Call, uri: str) -> str:
    """Return the text of a resource."""
    (contents,) = (await call.client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    assert (str(contents.uri), contents.mime_type) == (uri, "text/plain")
    return contents.text


async def resources(call: Call, id: str) -> None:
    """Read a memory as a resource, as one of the latest, and one that isn't there."""
    assert f"memory://observation/{id}" in [each.uri for each in (await call.client.list_resources()).resources]
    full = await call("recall", id=id, detail="full")
    for each in (id, id[:8]):
        assert (False, [await read(call, f"memory://observation/{each}")]) == full
    with pytest.raises(MCPError) as refusal:
        await call.client.read_resource("memory://observation/ffffffff")
    assert refusal.value.error.message == NO_MATCH.format("ffffffff")


def test_the_story_of_unified(live: Callable[..., None], tmp_path: Path, stored: dict[str, str]) -> None:
    repository = Repository.made(tmp_path)
    main = repository.write("main.c", "#define PORT 8080\n")
    repository.commit()
    main.write_text("#define PORT 8080\n#define LISTENS 8123\n", encoding="utf-8")

    async def story(call: Call) -> None:
        listed = (await call.client.list_tools()).model_dump(mode="json", by_alias=True, exclude_none=True)
        assert count(json.dumps(listed)) <= 1_200
        await resources(call, (await told("unified", call)).ids["port"])

    live("unified", story, **stored)
