"""Hostile text in every field of every kind of record, on every page."""

import io
import re
import zipfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from attrs import define, field

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.projects.project import Location
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_adapters.web.pages import ROUTES
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.support.web_pages import Answer, web_pages

HOSTILE = (
    "<script>alert(1)</script> "
    '"><img src=x onerror=alert(1)> '
    "<svg onload=alert(1)> javascript:alert(1) {{ 7 * 7 }}{% raw %} "
    "\x1b[31mred\x1b]8;;https://evil.example\x07 "
    "\u202egnp.exe\u2066\u200b\U000e0041 "
    "</textarea></title><style>*{display:none}</style> "
    "' onfocus='alert(1)' autofocus='"
)
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_TAGS = frozenset({"img", "style", "iframe", "object", "embed", "base"})
_LEADS = (
    *("/memory", "/file", "/conversation", "/message", "/edit", "/chosen", "/projects/merge"),
    *("/shown", "/comeback", "/log", "/undo", "/backups/preview"),
)


@define
class Markup(HTMLParser):
    """The tags of a page and what is wrong with them."""

    wrong: list[str] = field(factory=list)
    scripts: int = 0

    def __attrs_post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        if tag in _TAGS:
            self.wrong.append(tag)
        for name, value in attrs:
            leads = name in ("href", "src", "action", "formaction")
            if name.startswith("on") or name in ("style", "autofocus", "srcdoc"):
                self.wrong.append(f"{tag} {name}")
            own = ("/", "#", *(["https://", "http://"] if dict(attrs).get("rel") == "noreferrer noopener" else []))
            if leads and not (value or "").startswith(own):
                self.wrong.append(f"{tag} {name}={value}")


def plant(data: Path, folder: Path) -> None:
    """Write a project with hostile text in every field."""
    now = datetime.now(UTC)
    change = CodeChange(
        path=f"src/{HOSTILE}",
        former=f"old/{HOSTILE}",
        additions=1,
        deletions=1,
        hunks=f"@@ {HOSTILE}\n+{HOSTILE}\n-{HOSTILE}\n {HOSTILE}\n",
    )
    fields: dict[str, Any] = {
        **dict.fromkeys(("title", "source", "author", "actor", "session"), HOSTILE),
        "changes": (change,),
    }
    with closing(SqliteStorage(data)) as storage:
        here = storage.registry.at(GitWorkingTree().locate(folder), now=now).id
        storage.registry.at(Location(key=HOSTILE, name=HOSTILE, root=folder), now=now)
        observations = storage.observations(here)

        def save(text: str, **more: Any) -> Any:
            draft = Draft(content=f"{HOSTILE} {text}", **{**fields, **more})
            return observations.add(draft, id=uuid4(), now=now).observation.id

        old = save("old")
        save("new", replaces=(old,))
        save("edit", kind=Kind.CHANGE)
        observations.purge([save("purged")], by=signed(now))
        drafts = tuple(
            MessageDraft(
                key=f"{number}/0", session=HOSTILE, role=role, text=f"{HOSTILE} {number}. See app.py.", at=now
            )
            for number, role in enumerate([*Role] * 10)
        )
        storage.conversations(here).add(
            Batch(source=HOSTILE, position=HOSTILE, drafts=drafts, names={HOSTILE: HOSTILE})
        )
        shown, planted = (old.hex, "f" * 32), f"src/{HOSTILE}\n+{HOSTILE}"
        entries = [
            Activity(name=kind, at=now, kind=kind, session=HOSTILE, about=HOSTILE, tokens=1, memories=shown)
            for kind in ActivityKind
        ]
        warned = Activity(
            name=HOSTILE, at=now, kind=ActivityKind.INJECTED, about=HOSTILE, memories=shown, edit=planted
        )
        storage.activity(here).add([*entries, warned])


def archived(name: str) -> bytes:
    """Return an archive with one file, of an export that can't be understood."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, f"---\nlamella: 1\ntype: {HOSTILE}\n---\n")
    return stream.getvalue()


def test_planted_text_is_text_on_every_page(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / ".git").mkdir(parents=True)
    plant(tmp_path / "data", folder)
    asked = quote(HOSTILE)
    gets = [path for path, methods in ROUTES.items() if "GET" in methods]
    names = ("q", "kind", "since", "source", "author", "project", "page", "purged", "session", "done")
    wanted = [
        *gets,
        "/search?q=alert&messages=1&purged=with",
        *(f"{path}?q={asked}&id={asked}&path={asked}&session={asked}&old={asked}&done={asked}" for path in gets),
        *(f"/search?{name}={asked}" for name in names),
        *(f"/{each}={asked}" for each in ("shown?days", "timeline?day", "conversations?name", "message?number")),
    ]
    seen = dict[str, Answer]()
    with web_pages(tmp_path / "data", folder) as pages:
        pages.enter()
        pages.send("/backups")
        while wanted and len(seen) < 170:
            target = wanted.pop()
            if target not in seen:
                seen[target] = pages.ask(target)
                wanted += [link for lead in _LEADS for link in seen[target].links(lead)]
        ids = [link.partition("id=")[2] for link in seen["/search?q=alert&messages=1&purged=with"].links()]
        seen["erase"] = pages.send("/erase", id=ids)
        file = HOSTILE.replace('"', "%22")
        exported = pages.ask("/export/file?which=all&conversations=yes").content
        seen["import"] = pages.upload("/import/upload", exported.replace(b'"id":"', b'"id":"a'), file)
        seen["not imported"] = pages.upload("/import/upload", HOSTILE.encode(), file)
        for name in (f"{HOSTILE}.md", f"../../{HOSTILE}/project.md"):
            seen[name] = pages.upload("/import/upload", archived(name), "a.zip")
        seen["edit"] = pages.send("/edit", id=ids[0], title=HOSTILE, text="x" * 20_000)
    assert {each.status for each in seen.values()} <= {200, 303, 400, 404}
    assert len(seen) > 60
    for target, answer in seen.items():
        if "attachment" in answer.headers.get("content-disposition", ""):
            assert answer.headers["x-content-type-options"] == "nosniff"
            continue
        markup = Markup()
        markup.feed(answer.body)
        assert (markup.wrong, markup.scripts in (0, 2)) == ([], True), target
        assert _HIDDEN.search(answer.body) is None, target
        assert "49{% raw %}" not in answer.text, target
    assert sum("\\u{202E}" in each.text for each in seen.values()) > 20
    assert sum("\\u{001B}" in each.text for each in seen.values()) > 20


def test_the_plot_of_a_file_shows_hidden_characters_of_its_path(tmp_path: Path) -> None:
    (tmp_path / "folder" / ".git").mkdir(parents=True)
    path, now = "src/\u202egnp.\u200bexe", datetime.now(UTC)
    with closing(SqliteStorage(tmp_path / "data")) as storage:
        here = storage.registry.at(GitWorkingTree().locate(tmp_path / "folder"), now=now).id
        change = CodeChange(path=path, additions=1, deletions=1, hunks="@@ -1 +1 @@\n-old\n+new\n")
        storage.observations(here).add(Draft(content="changed", changes=(change,)), id=uuid4(), now=now)
    with web_pages(tmp_path / "data", tmp_path / "folder") as pages:
        answer = pages.enter().ask(f"/file?path={quote(path)}")
    labels = re.findall('aria-label="(Lines[^"]*)"', answer.body)
    assert labels == ["Lines that were added to src/\\u{202E}gnp.\\u{200B}exe and removed from it over time"]
    assert _HIDDEN.search(answer.body) is None
