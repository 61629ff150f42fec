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


def left_in(folder: Path) -> list[str]:
    """Return the names in a data directory that no upload may add to."""
    return sorted(each.name for each in folder.iterdir())


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
    assert [each for each in left_in(tmp_path / "there/data") if each.startswith("tmp")] == []


def test_an_export_is_what_the_command_line_writes(own: WebPages, tmp_path: Path) -> None:
    command = CommandLine(tmp_path / "data", tmp_path / "ferry")
    assert own.ask("/export/file").body == command.run("export").out
    command.run("export", "out", "--format", "markdown", "--conversations")
    folder = tmp_path / "ferry/out"
    archive = zipfile.ZipFile(io.BytesIO(own.ask("/export/file?format=markdown&conversations=yes").content))
    files = {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*.md")}
    assert {name: archive.read(name) for name in archive.namelist()} == files
    assert {info.external_attr >> 16 for info in archive.infolist()} == {0o600}


@pytest.mark.parametrize(
    ("filters", "count"),
    REQUESTS["export_filters"],
)
def test_an_export_has_filters(site: WebPages, filters: str, count: int) -> None:
    lines = [json.loads(line) for line in site.ask(f"/export/file?{filters}").body.splitlines()]
    assert (sum(line["type"] == "memory" for line in lines), lines[-1]) == (count, {"type": "end"})


@pytest.mark.parametrize(
    ("target", "said"),
    REQUESTS["refused_data"],
)
def test_what_cannot_be_done_is_said_on_a_page(site: WebPages, target: str, said: str) -> None:
    answer = site.ask(target)
    assert (answer.status in (400, 404), said in answer.text) == (True, True), answer.text


def test_memories_of_another_program_are_found_and_imported(own: WebPages) -> None:
    assert "server-memory" in own.ask("/import").text
    preview = own.ask("/import/program?name=server-memory")
    assert "projects that are known here; 2 memories are left out, as said below." in preview.text
    assert "There is nothing new." not in preview.text
    (here,) = [link for link in preview.links("/import/program") if "into=here" in link]
    assert "Would import 2 records into 1 project." in own.ask(here).text
    assert titles(own.ask("/search?q=thermal+paper")) == []
    done = own.send("/import/program", name="server-memory", into="here")
    assert ("Imported 2 records" in done.text, "ferry note 2" in done.text) == (True, True)
    assert titles(own.ask("/search?q=thermal+paper")) == ["Ticket printer"]
    assert "There is nothing new." in own.ask(here).text


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


def test_backups_are_made_listed_and_previewed(own: WebPages) -> None:
    assert "No copies yet." in own.ask("/backups").text
    done = own.send("/backups")
    page = own.ask(done.headers["location"])
    assert ("3 projects were copied" in page.text, "3 copies" in page.text) == (True, True)
    assert "Nothing has changed" in own.ask(own.send("/backups").headers["location"]).text
    assert "Memories with purged ones" in page.text
    for link in page.links("/backups/preview"):
        assert "No memory would be gone or come back" in own.ask(link).text
    own.send("/purge", id=id_of(own, "Prices are cents, never floats"))
    previews = [own.ask(link).text for link in page.links("/backups/preview")]
    (ferry,) = [each for each in previews if "15 memories now, 16 memories in the copy" in each]
    assert "1 memory would come back Prices are cents, never floats" in ferry
    assert re.search(r"lamella restore-backup \S+ All backups", ferry)


def test_a_change_is_undone_after_a_preview(own: WebPages) -> None:
    listed = own.ask("/log")
    assert "purged 1 memory Blue logo" in listed.text
    edited = "edited 1 memory Staging is reset every night at four in the place of Staging is reset every night"
    assert f"{edited} at three" in listed.text
    preview = own.ask(listed.links("/undo")[0])
    assert "1 memory would be restored Blue logo" in preview.text
    assert titles(own.ask("/search?q=blue+logo")) == []
    done = own.send("/undo", number=2)
    page = own.ask(done.headers["location"])
    assert "Entry 2 was taken back." in page.text
    assert ("takes back entry 2" in page.text, "taken back by entry 3" in page.text) == (True, True)
    assert titles(own.ask("/search?q=blue+logo")) == ["Blue logo"]
    for refused in (own.send("/undo", number=2), own.ask("/undo?number=2")):
        assert (refused.status, "Entry 2 was undone by entry 3." in refused.text) == (400, True)
        assert refused.links("/undo") == ["/undo?number=3"]
    assert "Undo entry 3?" in own.ask("/undo?number=3").text


def test_undo_is_offered_where_something_can_be_undone(own: WebPages) -> None:
    id = id_of(own, "Blue logo")
    own.send("/restore", id=id)
    assert own.ask("/log").links("/undo") == ["/undo?number=3", "/undo?number=1"]
    own.send("/erase", id=id, sure="yes")
    assert own.ask("/log").links("/undo") == ["/undo?number=1"]


def test_what_holds_everywhere_is_undone_from_any_project(own: WebPages, tmp_path: Path) -> None:
    id = id_of(own, "Prices are cents, never floats")
    saved = CommandLine(tmp_path / "data", tmp_path).saved("Tabs, never spaces.", "--everywhere")
    own.send("/purge", id=[id, saved])
    page = own.ask("/log")
    assert "purged 1 memory everywhere Tabs, never spaces." in page.text
    assert "/undo?number=e1" in page.links("/undo")
    preview = own.ask("/undo?number=e1").text
    assert ("Undo entry e1?" in preview, "What it changed holds in every project." in preview) == (True, True)
    back = own.ask(own.send("/undo", number="e1").headers["location"])
    assert ("Entry e1 was taken back." in back.text, "takes back entry e1" in back.text) == (True, True)
    assert own.ask("/log?undid=nonsense").status == 200
    refused = own.ask("/undo?number=e1")
    assert (refused.status, refused.links("/undo")) == (400, ["/undo?number=e2"])


def test_a_correction_that_keeps_the_title_is_one_memory(own: WebPages) -> None:
    title = "Tickets are checked offline"
    own.send("/edit", id=id_of(own, title), title=title, text="The crew has no network.")
    assert f"edited 1 memory {title} in the place of its former text" in own.ask("/log").text
    assert "1 memory was edited by" in own.ask("/undo?number=3").text


def test_a_memory_has_its_own_trail(own: WebPages) -> None:
    id = id_of(own, "Prices are cents, never floats")
    assert "What happened to it" not in own.ask(f"/memory?id={id}").text
    own.send("/purge", id=id)
    page = own.ask(f"/memory?id={id}")
    assert "What happened to it" in page.text
    (link,) = page.links("/log")
    trail = own.ask(link)
    assert ("Changes of Prices are cents" in trail.text, "Blue logo" in trail.text) == (True, False)
    assert len(trail.links("/undo")) == 1


def test_memory_is_switched_off_and_on(own: WebPages) -> None:
    (ferry,) = re.findall(r"<code class=\"quiet\">(ferry-[0-9a-f]{10})</code>", own.ask("/projects").body)
    done = own.send("/projects/switch", which=ferry)
    page = own.ask(done.headers["location"])
    assert ("Memory is off in ferry" in page.text, "off since" in page.text) == (True, True)
    refused = own.ask("/")
    words = ("Memory is off in ferry", "Switch on")
    assert (refused.status, *(each in refused.text for each in words)) == (400, True, True)
    assert own.ask("/projects").status == 200
    back = own.send("/projects/switch", which=ferry, on="yes")
    assert "Memory is on in ferry again." in own.ask(back.headers["location"]).text
    assert len(titles(own.ask("/search"))) > 5


def test_what_a_session_was_shown_is_listed(site: WebPages) -> None:
    latest, earlier = [link for link in dict.fromkeys(site.ask("/shown").links("/shown")) if "session=" in link]
    page = site.ask(latest)
    assert "when it began 934 tokens Staging is reset every night at three replaced since" in page.text
    assert "before an edit 121 tokens Removed the retry from pay()" in page.text
    assert "Which memories these were was not noted" in site.ask(earlier).text
    assert "Nothing was shown in this session" in site.ask("/shown?session=nobody").text
