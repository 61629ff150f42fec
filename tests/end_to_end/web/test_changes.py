"""What was typed into a form is kept when that is refused; `sessions/changes.txt` has what forms change."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from lamella.ports.shared_folder import Share
from lamella_adapters.shared_folder.folders import RecordedFolders
from tests.end_to_end.support.web_pages import WebPages, id_of, titles, web_pages
from tests.end_to_end.web.visitor import fields
from tests.tour.web.data import fill
from tests.unit.support.tables import cases


def test_what_was_typed_for_an_erased_note_or_while_memory_is_off_is_kept(own: WebPages) -> None:
    old = id_of(own, "Tickets are checked offline")
    kept = {"id": old, "title": "Tickets", "text": 'Typed for "an hour".'}
    (which,) = re.findall(r'name="which" value="(ferry-[0-9a-f]+)"', own.ask("/projects").body)
    own.send("/projects/switch", which=which)
    kept["form_project"] = which
    off = own.send("/edit", **kept)
    assert ("Memory is off" in off.text, fields(off)) == (True, kept)
    own.send("/projects/switch", which=which, on="yes")
    own.send("/erase", id=old, sure="yes")
    erased = own.send("/edit", **kept)
    typed = {name: fields(erased)[name] for name in ("title", "text")}
    assert (erased.status, kept | typed) == (404, kept)
    assert "Typed for" in own.ask(own.send("/new", **fields(erased)).headers["location"]).text
    own.send("/projects/switch", which=which)
    new = own.send("/new", text="Typed into a new one.")
    assert ("Memory is off" in new.text, fields(new)["text"]) == (True, "Typed into a new one.")


def test_a_note_erased_behind_its_form_is_saved_anew_with_its_source_and_scope(own: WebPages) -> None:
    for text, given in (
        ("Moor\u200f astern.", {"everywhere": "1", "source": "mine"}),
        ("Moor.", {"decision": "1"}),
    ):
        own.send("/new", text=text, **given)
        form = fields(own.ask(own.ask(own.send("/new", text=text, **given).headers["location"]).links("/edit")[0]))
        own.send("/erase", id=form["id"], sure="yes")
        erased = own.send("/edit", **form | {"text": f"Written anew {len(text)}."})
        assert ('value="1" checked> It is a decision' in erased.body) is ("decision" in given)
        ticked = {name: value for name, value in fields(erased).items() if name != "decision" or name in given}
        page = own.ask(own.send("/new", **ticked).headers["location"])
        assert f"Written anew {len(text)}. · " in page.text
        assert ("Source mine" in page.text) is ("source" in given)
    assert titles(own.ask("/search?q=written+anew&project=museum")) == ["Written anew 13."]


def test_a_merge_and_an_undone_split_say_that_a_folder_is_no_longer_synced(own: WebPages, tmp_path: Path) -> None:
    body = own.ask("/projects").body
    old, new = (re.findall(f'<option value="({name}-[0-9a-f]+)"', body)[0] for name in ("ferry-old", "museum"))
    RecordedFolders(tmp_path / "data").start(old, Share(root=tmp_path, folder="old notes"))
    merged = own.send("/projects/merge", old=old, new=new).headers["location"]
    said = f"Its folder old notes is no longer synced. To share the notes of both projects there: cd {tmp_path} &&"
    assert said in own.ask(merged).text
    own.send("/projects/split", old=old, home=new)
    assert said not in own.ask(merged).text
    log = own.ask("/log?project=museum")
    form = fields(own.ask(log.links("/undo")[0]))
    assert said in own.ask(own.send("/undo?project=museum", **form).headers["location"]).text


def test_what_was_typed_is_kept_if_the_form_is_of_an_earlier_server(own: WebPages) -> None:
    id, home = id_of(own, "Tickets are checked offline"), fields(own.ask("/new"))["form_project"]
    kept = {"form_project": home, "id": id, "title": "Tickets", "text": "Typed for an hour."}
    refused = own.ask("/edit", method="POST", form={"form_token": "of another", **kept})
    assert (refused.status, fields(refused)) == (403, kept)
    assert "Typed for an hour." in own.ask(own.send("/edit", **fields(refused)).headers["location"]).text
    purge = own.ask("/purge", method="POST", form={"form_token": "of another", "id": kept["id"]})
    assert (purge.status, "Try again" in purge.text) == (403, False)


def test_what_was_typed_and_ticked_is_kept_while_the_storage_is_busy(tmp_path: Path) -> None:
    ferry = fill(tmp_path / "data", tmp_path)
    with web_pages(tmp_path / "data", ferry, limits={"sqlite.file.connection.BUSY_SECONDS": 0.2}) as own:
        old = id_of(own.enter(), "Tickets are checked offline")
        kept = {"id": old, "title": "Tickets", "text": "Typed for an hour.", "keywords": "boarding"}
        (which,) = re.findall(r'name="which" value="(ferry-[0-9a-f]+)"', own.ask("/projects").body)
        file = tmp_path / "data" / "projects" / f"{which}.db"
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            busy = own.send("/edit", **kept)
            purge = own.send("/purge", id=[old])
        assert (busy.status, fields(busy) | kept) == (503, fields(busy))
        assert purge.status == 503
        (form,) = re.findall(
            r'<form method="post" action="/purge" class="stacked">.*?</form>', purge.body, re.DOTALL
        )
        assert f'<input type="hidden" name="id" value="{old}">' in form
        assert "Typed for an hour." in own.ask(own.send("/edit", **fields(busy)).headers["location"]).text


@cases
def test_what_was_typed_into_a_form_that_only_reads_is_kept(
    own: WebPages, target: str, kept: dict[str, str]
) -> None:
    refused = own.ask(target)
    assert refused.status == 400
    path = re.escape(target.partition("?")[0])
    (form,) = re.findall(rf'<form action="{path}" class="stacked">.*?</form>', refused.body, re.DOTALL)
    assert dict(re.findall(r'<input[^>]* name="([^"]*)" value="([^"]*)"', form)) == kept


def test_a_review_lists_at_most_50_notes_on_a_page(own: WebPages) -> None:
    for number in range(60):
        words = " ".join(f"{word}{number}" for word in "abcdefgh")
        own.send("/new", text=f"courier{number % 3} carries {words}")
    page = own.ask("/review")
    assert ("the first 2 of them here" in page.text, page.body.count("<h3>")) == (True, 40)
