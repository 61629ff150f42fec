"""Adapters of third parties, as the pages about them show them: chosen by name, and proved by their contracts."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

import lamella
from lamella import entry_points

DOCS = Path(__file__).parents[3] / "docs"


def page(port: str) -> tuple[dict[str, Any], str]:
    """Return what the example of a page defines, the test of it included, and its registration."""
    text = DOCS.joinpath(f"own-{port}.md").read_text("utf-8")
    defined: dict[str, Any] = {"__name__": __name__}
    example, *tests = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(example.splitlines()) <= 31  # a comment names the file
    for block in (example, *tests):
        exec(block, defined)  # noqa: S102 - our own page
    (registration,) = re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return defined, registration


PAGES = {port: page(port) for port in ("tokenizer", "embedder", "storage")}

TestThreeBytes = PAGES["tokenizer"][0]["TestThreeBytes"]
TestHashedWords = PAGES["embedder"][0]["TestHashedWords"]


@frozen
class Registered:
    """Entry point of a third party."""

    name: str
    factory: Any

    def load(self) -> Any:
        return self.factory


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the packages of the pages."""
    theirs: dict[str, list[Registered]] = {}
    for defined, registration in PAGES.values():
        for group, points in tomllib.loads(registration)["project"]["entry-points"].items():
            for name, place in points.items():
                module, _, factory = place.partition(":")
                assert module == "my_package"
                theirs.setdefault(group, []).append(Registered(name, defined[factory]))
    installed = entry_points._installed
    monkeypatch.setattr(entry_points, "_installed", lambda group: (*installed(group), *theirs.get(group, ())))


def opened(folder: Path, **given: Any) -> Any:
    return lamella.open_memory(folder, data_directory=folder / "data", **{"embedder": "none", **given})


def test_replies_are_counted_by_a_tokenizer_of_ones_own(tmp_path: Path) -> None:
    with opened(tmp_path, storage="memory:", tokenizer="three-bytes") as memory:
        memory.save("Staging is reset every night.")
        page = memory.recall("staging")
        assert f"~{-(-len(page.text.encode()) // 3)} tokens" in page.text


def test_questions_are_embedded_by_an_embedder_of_ones_own(tmp_path: Path) -> None:
    with opened(tmp_path, storage="memory:", embedder="hashed:64") as memory:
        for text in ("night every reset is staging", "the nightly job broke off"):
            memory.save(text)
        hits = memory.similar("Staging is reset every night", limit=1).hits
        assert [hit.observation.content for hit in hits] == ["night every reset is staging"]


def test_memories_are_kept_by_a_storage_of_ones_own(tmp_path: Path) -> None:
    for customer in ("acme", "byron"):
        with opened(tmp_path, storage=f"customer:{customer}") as memory:
            memory.save(f"Of {customer}.")
    with opened(tmp_path, storage="customer:acme") as memory:
        assert [hit.observation.content for hit in memory.search()] == ["Of acme."]
    assert sorted(each.name for each in (tmp_path / "data" / "customers").iterdir()) == ["acme", "byron"]
    with (
        pytest.raises(lamella.InvalidValueError, match=r"^storage must be customer:"),
        opened(tmp_path, storage="customer:../acme"),
    ):
        pass
