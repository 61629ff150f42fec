"""Tests that agents are asked to save corrections by the user, and find these corrections later."""

import re
from pathlib import Path

import pytest

from bench.quality.collections.records import DATA
from lamella.application.memories.save import SaveRequest
from lamella.application.search.request import SearchRequest
from lamella.container import running
from lamella.domain.call import Call
from lamella.domain.memories.query import ByText
from lamella.settings import Settings
from lamella_adapters.mcp.toolsets.registry import instructions

_ROOT = Path(__file__).resolve().parents[2]
_RECORD = re.compile(
    r"^> .*\n(?:- (?P<old>.*)\n)?(?:\+ (?P<new>.*) \| (?P<words>.*)\n)?\? (?P<later>.*)$", re.MULTILINE
)


@pytest.mark.parametrize(
    "said",
    [
        *map(instructions, ("unified", "granular")),
        (_ROOT / "plugin/skills/memory/SKILL.md").read_text("utf-8")[:400],
    ],
    ids=["unified", "granular", "skill"],
)
def test_texts_that_are_always_read_ask_for_corrections(said: str) -> None:
    assert "what the user prefers or corrects" in " ".join(said.split())


def test_a_correction_replaces_what_it_corrects_and_is_found_by_a_later_prompt(tmp_path: Path) -> None:
    told = [each.groupdict() for each in _RECORD.finditer((DATA / "told.txt").read_text("utf-8"))]
    facts = (DATA / "facts.txt").read_text("utf-8").split("\n\n", 1)[1].splitlines()
    corrections = [each for each in told if each["new"]]
    call, hinted, found = Call(directory=tmp_path), 0, 0
    with running(Settings(data_directory=tmp_path / "data", embedder="none")) as lamella:
        for text in (*filter(None, (each["old"] for each in told)), *facts):
            if text and text[:2] not in {"? ", "##"}:
                lamella.save(call, SaveRequest(text=text))
        for each in corrections:
            saved = lamella.save(call, SaveRequest(text=each["new"], keywords=each["words"]))
            hinted += saved.corrected is not None and saved.corrected.observation.content == each["old"]
        for each in corrections:
            hits = lamella.search(call, SearchRequest(selector=ByText(each["later"]), limit=3)).hits
            found += each["new"] in [hit.observation.content for hit in hits]
    print(f"{len(corrections)} corrections among {len(told)} messages: {hinted} named the old, {found} found")
    assert (len(told), len(corrections), sum(bool(each["old"]) for each in told)) == (23, 17, 4)
    assert (hinted, found) == (2, 8)
