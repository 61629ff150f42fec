"""Servers of a toolset, and a client in each era of the protocol."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters

from lamella_adapters.mcp.toolsets.registry import instructions
from tests import postgres
from tests.end_to_end.clients.node_clients import bare_environment
from tests.end_to_end.support import unhurried
from tests.end_to_end.support.http_server import serving
from tests.end_to_end.toolsets.eras import Call, Story

VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


@pytest.fixture(params=["sqlite", "postgresql"])
def stored(request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the settings of an empty storage, in which memories have an author."""
    author = {"LAMELLA_AUTHOR": "ada"}
    if request.param == "sqlite":
        return author
    postgres.empty()
    return {"LAMELLA_STORAGE": postgres.location(), **author}


@pytest.fixture(params=["legacy over stdio", "auto over http"])
def live(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., None]:
    """Return what lives a story with a server that offers a toolset, in one era of the protocol and one transport.

    The clients of other tests speak the present era over stdio, and that of 2025 over HTTP.

    What `tools/list` gives is that of the toolset's file: the model and its user rely on every word of it.
    """
    era, _, way = request.param.partition(" over ")
    mode: Literal["legacy", "auto"] = era

    def lived(toolset: str, story: Story, *, folder: Path = tmp_path, **settings: str) -> None:
        own = {"LAMELLA_DATA_DIR": str(tmp_path / "data"), "LAMELLA_SESSION": "the-session"}
        environment = bare_environment(tmp_path) | own | settings

        @asynccontextmanager
        async def connected() -> AsyncIterator[Client]:
            if way == "http":
                with serving(folder, environment, "--toolset", toolset) as http:
                    async with http.client(mode, project=folder.name, session="the-session") as client:
                        yield client
                return
            server = StdioServerParameters(
                command=str(unhurried.command(tmp_path / "lamella")),
                args=["serve", "--toolset", toolset],
                env=environment,
                cwd=folder,
            )
            async with Client(server, mode=mode) as client:
                yield client

        tools = json.loads(Path(__file__).with_name(f"{toolset}_tools.json").read_text(encoding="utf-8"))

        async def session() -> None:
            async with connected() as client:
                assert client.protocol_version == VERSIONS[mode]
                assert client.instructions == instructions(toolset)
                assert client.server_info is not None
                assert client.server_info.model_dump(exclude_none=True) == {
                    "name": "lamella",
                    "title": "lamella",
                    "version": version("lamella"),
                }
                offers = client.server_capabilities.model_dump(exclude_none=True)
                assert sorted(offers) == ["completions", "prompts", "resources", "tools"]
                listed = (await client.list_tools()).model_dump(mode="json", by_alias=True, exclude_none=True)
                assert listed["tools"] == tools
                await story(Call(client))

        anyio.run(session)

    return lived
