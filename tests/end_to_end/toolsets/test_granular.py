"""The toolset `granular` as its clients meet it, with what they get wrong; `test_stories` has both eras."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella.domain.call import Call
from lamella.settings import Settings
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import Tools, count, started

GONE = "00000000-0000-4000-8000-000000000000"
PROVERB = "A stitch in time saves nine. "


class Granular(Tools):
    """The tools of a running server, as functions."""

    def blocks(self, tool: str, **arguments: Any) -> list[str]:
        """Return the blocks of a reply, which is within its budget."""
        failed, blocks = self.answered(tool, **arguments)
        assert not failed, blocks
        if tool == "get_observations":
            assert len("\n".join(blocks)) <= 45_000
        else:
            assert count("\n".join(blocks)) <= 2_000
        return blocks

    def text(self, tool: str, **arguments: Any) -> str:
        """Return the only block of a reply."""
        (text,) = self.blocks(tool, **arguments)
        return text

    def read(self, tool: str, **arguments: Any) -> Any:
        """Return the only block of a reply, which is JSON."""
        return json.loads(self.text(tool, **arguments))

    def save(self, text: str, **arguments: Any) -> str:
        """Save a memory and return its id."""
        found = re.match(
            r"Memory saved \(id: ([0-9a-f-]{36})\)\. Text: ", self.text("save_memory", text=text, **arguments)
        )
        assert found
        return found[1]


def serving(folder: Path, name: str = "project", toolset: str = "granular") -> RawClient:
    """Start a server of the toolset."""
    return started(folder, name, LAMELLA_TOOLSET=toolset, LAMELLA_SESSION="the-session")


@pytest.fixture
def granular(tmp_path: Path) -> Iterator[Granular]:
    """A server of its own, for what depends on all memories of the project."""
    with serving(tmp_path) as client:
        yield Granular(client)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Granular]:
    """A server with at least one memory: each test finds what it saves itself, and nothing of the others."""
    with serving(tmp_path_factory.mktemp("shared")) as client:
        granular = Granular(client)
        granular.save("A memory of something.")
        yield granular


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Granular]:
    """A server that offers `unified` too."""
    with serving(tmp_path_factory.mktemp("both"), toolset="unified,granular") as client:
        yield Granular(client)


def test_a_search_over_budget_shows_the_best_and_says_how_many(shared: Granular) -> None:
    for number in range(21):
        shared.save(f"{number} 数据库" + "连接超时" * 60, source="数" * 100)
    listed, cut = shared.blocks("search", query="连接", limit=20)
    found = json.loads(listed)
    shown = len(found["results"])
    assert 0 < shown < 20
    assert found["totalCount"] == 20
    assert found["tokenEstimate"] == count(f"{listed}\n{cut}")
    assert cut == (
        f"Showing {shown} of 20 results. Use a more specific query or reduce limit to see different results."
    )
    whole = shared.read("search", query="连接", limit=shown)
    assert whole["results"] == found["results"]


def test_a_long_query_of_hidden_characters_leaves_room_for_a_result(shared: Granular) -> None:
    id = shared.save("\U000e0041" * 200 + " macaw", source="\U000e0041" * 100)
    query = "macaw " + "\U000e0041" * 493
    assert [each["id"] for each in json.loads(shared.blocks("search", query=query)[0])["results"]] == [id]


def test_whole_texts_stop_at_45000_characters_and_the_others_are_listed(shared: Granular) -> None:
    ids = [shared.save(f"{number} " + PROVERB * 170) for number in range(10)]
    found, missing, omitted = shared.blocks("get_observations", ids=[GONE, *ids[:9]])
    shown = [each["id"] for each in json.loads(found)]
    assert len(shown) == 8
    assert json.loads(missing) == {"not_found": [GONE]}
    assert json.loads(omitted) == {"omitted": ids[8:9]}
    found, omitted = shared.blocks("get_observations", ids=ids)
    assert [each["id"] for each in json.loads(found)] + json.loads(omitted)["omitted"] == ids


def test_a_text_whose_escapes_are_longer_than_a_reply_is_cut_when_it_comes_first(both: Granular) -> None:
    longest = re.findall(r"\(id: (.{36})\)", both.text("save_memory", text="\u202e" * 10_000))[0]
    other = re.findall(r"\(id: (.{36})\)", both.text("save_memory", text="Another."))[0]
    found, omitted = both.blocks("get_observations", ids=[other, longest])
    assert ([each["id"] for each in json.loads(found)], json.loads(omitted)) == ([other], {"omitted": [longest]})
    found, missing, omitted = both.blocks("get_observations", ids=[longest, GONE, other])
    assert (json.loads(missing), json.loads(omitted)) == ({"not_found": [GONE]}, {"omitted": [other]})
    alone = both.text("get_observations", ids=[longest])
    (whole,) = json.loads(alone)
    kept, mark = re.fullmatch("(\u202e+)(.*)", whole["text"]).groups()  # type: ignore[union-attr] # as the next line says
    assert re.fullmatch(rf"\[\.\.\.truncated at ~{count(kept)} tokens\]", mark)
    assert 44_990 < len(alone) <= 45_000


def test_a_timeline_over_budget_loses_the_farthest(granular: Granular) -> None:
    ids = [granular.save(f"{number} " + "数据库连接超时" * 40) for number in range(15)]
    around = granular.read("timeline", anchor=ids[7], before=7, after=7)
    shown = [each["id"] for each in around["items"]]
    first = ids.index(shown[0])
    assert shown == ids[first : first + len(shown)]
    assert len(shown) < 15
    assert ids[7] in shown
    assert (around["totalBefore"], around["totalAfter"], around["hasMore"]) == (7, 7, True)


def test_every_tool_reaches_another_project_by_its_id_or_alias(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with running(Settings(data_directory=tmp_path / "data")) as lamella:
        id = str(lamella.save(Call(directory=elsewhere), SaveRequest(text="A parrot.")).observation.id)
    (project,) = (path.stem for path in (tmp_path / "data" / "projects").glob("*.db"))
    with serving(tmp_path, "here") as client:
        here = Granular(client)
        assert here.text("search", query="parrot") == "No observations found matching 'parrot'."
        assert here.read("search", query="parrot", projectId=project)["totalCount"] == 1
        assert here.read("get_observations", ids=[id], projectId=project)[0]["text"] == "A parrot."
        assert here.read("timeline", projectId=project)["totalBefore"] == 1
        here.save("Another parrot.", projectId=project)
        assert here.read("search", query="parrot", projectId=project)["totalCount"] == 2
        assert here.text("forget", id=id, projectId=project).startswith("Memory forgotten")
        assert here.text("search", query="parrot", projectId=" ") == "No observations found matching 'parrot'."
