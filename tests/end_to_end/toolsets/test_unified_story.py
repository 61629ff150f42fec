"""The story of `unified` as the SDK's client lives it, in both eras of the protocol."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import TextResourceContents

from tests.end_to_end.support.tools import count
from tests.end_to_end.toolsets.eras import Call, refused, told
from tests.unit.adapters.git.git_repository import Repository

TITLE = "Why the port is 8123"
TEXT = "The server listens on 8123.\nThe proxy has 8080."
MATCHED = "The proxy has 8080."

NO_MATCH = "No memories found matching '{}'. Try broader search terms or check the ID."
NO_RESOURCE = "There is no resource '{}'. Memories are at memory://observation/{{id}}."


async def save(call: Call, **arguments: Any) -> tuple[str, str]:
    """Save a memory. Return its id, and the reply without it."""
    (reply,) = (await call("save_memory", **arguments)).blocks
    found = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", reply)
    assert found is not None, reply
    return found[0], reply.replace(found[0], "ID")


def footed(reply: str, rest: str) -> str:
    """Return the footer that a reply must end with, given what follows the number of its tokens."""
    return f"---\n1 result(s) | ~{count(reply)} tokens | {rest}"


async def life_of_a_memory(call: Call) -> None:
    """Save a memory, read it in each detail, purge and restore it."""
    saving = {"text": TEXT, "title": TITLE, "source": "decision", "paths": ["main.c"]}
    id, saved = await save(call, **saving)
    assert saved == f"Memory saved (id: ID)\nTitle: {TITLE}"
    assert await save(call, **saving) == (id, f"Memory saved (id: ID) (already saved)\nTitle: {TITLE}")

    found = await call("recall", query="proxy")
    (compact,) = found.blocks
    short_id, score, day = compact[4:12], compact.split(" | ")[2], compact.partition("\n")[0][-10:]
    assert id.startswith(short_id)
    assert re.fullmatch(r"\d+\.\d\d", score)
    assert found == told(
        f"[1] {short_id} | {TITLE} | {score} | {MATCHED} | {day}\n" + footed(compact, "detail: compact")
    )

    (full,) = (await call("recall", id=short_id, detail="full")).blocks
    time = full.partition("\n")[0].removesuffix("Z ---")[-8:]
    changed = "main.c +1 -0" if call.files else "main.c +? -?"
    assert full == (
        f"--- {short_id} | {TITLE} | {day}T{time}Z ---\n{TEXT}\n{changed}\n" + footed(full, "detail: full")
    )

    (timeline,) = (await call("recall", query="proxy", detail="timeline")).blocks
    assert timeline == (
        f"{day}\n{time[:5]} | {TITLE} | decision | {MATCHED} | {short_id}\n" + footed(timeline, "detail: timeline")
    )

    assert await call("recall", action="purge", ids=[short_id]) == told("Purged 1/1 memories.")
    assert await call("recall", query="proxy") == refused(NO_MATCH.format("proxy"))
    assert await call("recall", action="restore", id=short_id) == told("Restored 1/1 memories.")
    assert await call("recall", query="proxy") == found


async def read(call: Call, uri: str) -> str:
    """Return the text of a resource."""
    (contents,) = (await call.client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    assert (str(contents.uri), contents.mime_type) == (uri, "text/plain")
    return contents.text


async def resources(call: Call) -> None:
    """Read a memory as a resource, and what is none."""
    (template,) = (await call.client.list_resource_templates()).resource_templates
    assert template.model_dump(mode="json", by_alias=True, exclude_none=True) == {
        "name": "observation",
        "title": "Memory",
        "uriTemplate": "memory://observation/{id}",
        "description": "One memory in full, by its id.",
        "mimeType": "text/plain",
    }
    assert (await call.client.list_resources()).resources == []
    id, _ = await save(call, text="A memory is a resource.")
    (full,) = (await call("recall", id=id, detail="full")).blocks
    assert await read(call, f"memory://observation/{id}") == full
    assert await read(call, f"memory://observation/{id[:8]}") == full
    for uri, why in (
        ("memory://observation/ffffffff", NO_MATCH.format("ffffffff")),
        ("memory://observation/", NO_RESOURCE.format("memory://observation/")),
        ("file:///a", NO_RESOURCE.format("file:///a")),
    ):
        with pytest.raises(MCPError) as refusal:
            await call.client.read_resource(uri)
        assert refusal.value.error.message == why


def test_the_story_of_unified(live: Callable[..., None], tmp_path: Path) -> None:
    repository = Repository.made(tmp_path)
    main = repository.write("main.c", "#define PORT 8080\n")
    repository.commit()
    main.write_text("#define PORT 8080\n#define LISTENS 8123\n", encoding="utf-8")

    async def story(call: Call) -> None:
        listed = (await call.client.list_tools()).model_dump(mode="json", by_alias=True, exclude_none=True)
        assert count(json.dumps(listed)) <= 1_200
        await life_of_a_memory(call)
        await resources(call)

    live("unified", story)
