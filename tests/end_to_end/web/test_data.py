"""Data that comes in and goes out by the pages: import, export, backups; undo; memory off in a project."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.web_pages import REQUESTS, Answer, WebPages, id_of, titles, web_pages
from tests.end_to_end.web.visitor import fields


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[WebPages]:
    """Return a server of another machine, where nothing is stored."""
    (tmp_path / "there").mkdir()
    with web_pages(tmp_path / "there/data", tmp_path / "there") as pages:
        yield pages.enter()


def uploaded(answer: Answer) -> str:
    """Return the id of the file that a preview keeps."""
    found = re.search(r'name="upload" value="([^"]+)"', answer.body)
    assert found is not None, answer.text
    return found[1]


@pytest.mark.parametrize(("format_", "name"), [("jsonl", ".jsonl"), ("markdown", ".zip")])
def test_an_export_is_imported_elsewhere_after_a_preview(
    own: WebPages, empty: WebPages, tmp_path: Path, format_: str, name: str
) -> None:
    exported = own.ask(f"/export/file?format={format_}&which=all&conversations=yes")
    assert exported.headers["content-disposition"].startswith('attachment; filename="lamella-all-')
    assert exported.headers["content-disposition"].endswith(f'{name}"')
    preview = empty.upload("/import/upload", exported.content, f"../../evil{name}")
    assert f"Import ../../evil{name}?" in preview.text
    assert "Would import 20 records into 3 projects." in preview.text
    assert ("ferry change 8" in preview.text, "14 messages of conversations, new" in preview.text) == (True, True)
    assert titles(empty.ask("/search?project=ferry")) == []
    done = empty.send("/import/file", upload=uploaded(preview))
    assert "Imported 20 records into 3 projects." in done.text
    assert "Payments are never repeated by us" in empty.ask("/search?project=ferry&q=payments").text
    assert empty.send("/import/file", upload=uploaded(preview)).status == 410
    again = empty.upload("/import/upload", exported.content, name)
    assert ("There is nothing new." in again.text, "34 here already" in again.text) == (True, True)
    assert empty.send("/import/file", upload=uploaded(again), leave="yes").headers["location"] == "/import"
    assert empty.send("/import/file", upload=uploaded(again)).status == 410
    assert [*(tmp_path / "there/data").glob("tmp*")] == []


def test_an_export_is_what_the_command_line_writes(own: WebPages, tmp_path: Path) -> None:
    command = CommandLine(tmp_path / "data", tmp_path / "ferry")
    assert own.ask("/export/file").body == command.run("export").out
    command.run("export", "out", "--format", "markdown", "--conversations")
    folder = tmp_path / "ferry/out"
    archive = zipfile.ZipFile(io.BytesIO(own.ask("/export/file?format=markdown&conversations=yes").content))
    files = {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*.md")}
    assert {name: archive.read(name) for name in archive.namelist()} == files
    assert {info.external_attr >> 16 for info in archive.infolist()} == {0o600}


@pytest.mark.parametrize(("filters", "count"), REQUESTS["export_filters"])
def test_an_export_has_filters(site: WebPages, filters: str, count: int) -> None:
    lines = [json.loads(line) for line in site.ask(f"/export/file?{filters}").body.splitlines()]
    assert (sum(line["type"] == "memory" for line in lines), lines[-1]) == (count, {"type": "end"})


@pytest.mark.parametrize(("target", "said"), REQUESTS["refused_data"])
def test_what_cannot_be_done_is_said_on_a_page(site: WebPages, target: str, said: str) -> None:
    answer = site.ask(target)
    assert (answer.status in (400, 404), said in answer.text) == (True, True), answer.text


def test_conversations_of_a_client_are_imported_after_a_preview(own: WebPages, tmp_path: Path) -> None:
    assert "There is nothing new." in own.ask("/import/conversations?name=codex&every=yes").text
    folder = tmp_path / "home/.claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(tmp_path / "ferry"))
    folder.mkdir(parents=True)
    said = {
        "type": "user",
        "uuid": "0b7d1f6e-0000-4000-8000-000000000001",
        "sessionId": "0b7d1f6e-0000-4000-8000-00000000f009",
        "timestamp": "2026-01-02T03:04:05.000Z",
        "cwd": str(tmp_path / "ferry"),
        "message": {"role": "user", "content": "Which pier is closed in February?"},
    }
    (folder / "0b7d1f6e-0000-4000-8000-00000000f009.jsonl").write_text(json.dumps(said) + "\n", "utf-8")
    preview = own.ask("/import/conversations?name=claude-code")
    assert ("ferry messages 1" in preview.text, "Which pier" in own.ask("/conversations").text) == (True, False)
    assert "Imported 1 record" in own.send("/import/conversations", name="claude-code").text
    assert "Which pier is closed" in own.ask("/conversations").text


def test_what_holds_everywhere_is_undone_from_any_project(own: WebPages, tmp_path: Path) -> None:
    id = id_of(own, "Prices are cents, never floats")
    saved = CommandLine(tmp_path / "data", tmp_path).saved("Tabs, never spaces.", "--everywhere")
    own.send("/purge", id=[id, saved])
    page = own.ask("/log")
    assert "purged 1 memory everywhere Tabs, never spaces." in page.text
    assert "/undo?number=e1" in page.links("/undo")
    preview = own.ask("/undo?number=e1").text
    assert ("Undo entry e1?" in preview, "It changed memories that are shown in every" in preview) == (True, True)
    assert "The same command made entry 3 , which stays in effect." in preview
    back = own.ask(own.send("/undo", **fields(own.ask("/undo?number=e1"))).headers["location"])
    assert ("Entry e1 was taken back." in back.text, "takes back entry e1" in back.text) == (True, True)
    assert own.ask("/log?undid=nonsense").status == 200
    refused = own.ask("/undo?number=e1")
    assert (refused.status, refused.links("/undo")) == (400, ["/undo?number=e2"])


def test_what_a_merge_changed_after_a_preview_is_shown_anew(own: WebPages) -> None:
    ferry, old, museum = re.findall(r'name="which" value="([^"]+)"', own.ask("/projects").body)
    (link,) = own.ask(f"/search?project={museum}").links()
    own.send("/purge", project=museum, id=link.rpartition("=")[2])
    undo = fields(own.ask(f"/undo?number=1&project={museum}"))
    merge = fields(own.ask(f"/projects/merge?old={old}&new={museum}"))
    own.send("/projects/merge", **fields(own.ask(f"/projects/merge?old={museum}&new={ferry}")))
    shown = own.send("/projects/merge", **merge)
    assert (shown.status, "Nothing has moved yet" in shown.text) == (409, True)
    assert fields(shown) == {"form_project": ferry, "old": old, "new": ferry}
    # The entries of the other project come before the entry, which has another number now.
    shown = own.send("/undo", **undo)
    assert (shown.status, fields(shown) | {"latest": ""}) == (409, undo | {"number": "3", "latest": ""})
    assert "Entry 4: merged, 1 memory, by user" in shown.text
    own.send("/undo", **fields(shown))
    assert "Members walk in" in own.ask(f"/search?project={ferry}&q=members").text
    split = fields(own.ask(f"/projects/split?old={museum}"))
    own.send("/projects/split", **split)
    own.send("/projects/merge", old=museum, new=old)
    shown = own.send("/projects/split", **split)
    assert (shown.status, "Nothing has moved yet" in shown.text) == (409, True)
    # A split took the entry along.
    own.send("/projects/split", **fields(shown))
    gone = own.send("/undo", **undo | {"project": ferry, "form_project": ferry})
    assert (gone.status, "The entry is no longer in this log." in gone.text) == (400, True)
