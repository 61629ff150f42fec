"""Hooks name the tools that the session's server has, in the form that these accept."""

import re
from pathlib import Path

import pytest

from lamella.domain.hook_context import ROOT, ChangedFile, Index, MemoryExcerpt, Overview
from lamella_adapters.hooks.context.server_tools import server_tools
from lamella_adapters.hooks.context.session_start import index
from lamella_adapters.mcp.toolsets.registry import chosen
from tests.unit.support.tables import cases

KEY = "0123abcd456748998abcdef012345678"
SHORT, FULL = "0123abcd", "0123abcd-4567-4899-8abc-def012345678"
UNIFIED = (
    'One in full: recall(id="...", detail="full"). Others: recall(query=...),'
    " or recall(path=...) for the history of a file."
)
GRANULAR = 'One in full: get_observations(ids=["..."]). Others: search(query=...).'
COMMAND = "One in full: `lamella recall --id ... --detail full`. Others: "


@pytest.fixture(autouse=True)
def _lamella_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lamella").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))


@cases
def test_the_calls_are_those_of_the_toolset(
    toolset: str, advice: str, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMELLA_TOOLSET", toolset)
    tools = server_tools()
    assert (tools.advice, tools.id(KEY, SHORT)) == (advice, id)
    offered = chosen(toolset or "unified")
    for name, arguments in re.findall(r"(\w+)\((.*?)\)", advice):
        assert set(re.findall(r"(\w+)=", arguments)) <= set(offered[name].schema["properties"])


def test_the_ids_of_an_index_are_those_that_the_tools_accept(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = MemoryExcerpt(KEY, SHORT, 0, "title", "content")
    change = ChangedFile(KEY, SHORT, 0, "title", "a.py", 1, 0)
    found = Index(Overview("shop", 1, 0), [memory], [], [memory], [change])

    def ids() -> list[str]:
        text, _ = index(found, ROOT, lambda _: True, server_tools()) or ("", [])
        return re.findall(r"^- [\d-]+ ([\w-]+) ", text, re.MULTILINE)

    assert ids() == [SHORT] * 3
    monkeypatch.setenv("LAMELLA_TOOLSET", "granular")
    assert ids() == [FULL] * 3
