"""Pages that change memories, conversations and projects."""

import html
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.end_to_end.support.web_pages import Answer, WebPages, id_of, titles, web_pages
from tests.tour.web.data import fill
from tests.unit.support.tables import cases


def test_purge_and_its_undo(own: WebPages) -> None:
    ids = [id_of(own, title) for title in ("Prices in cents", "Prices are cents, never floats")]
    done = own.send("/purge", id=ids)
    assert done.status == 303
    page = own.ask(done.headers["location"])
    assert "Purged 2 memories." in page.text
    assert titles(own.ask("/search?q=cents")) == []
    again = own.send("/purge", id=ids)
    assert "Nothing was changed" in own.ask(again.headers["location"]).text
    back = own.send("/restore", id=ids)
    assert "Restored 2 memories." in own.ask(back.headers["location"]).text
    assert len(titles(own.ask("/search?q=cents"))) == 2
    assert own.send("/purge").status == 400
    assert own.send("/purge", id=["x"] * 51).status == 400


def test_erase_asks_first(own: WebPages) -> None:
    ids = [id_of(own, title) for title in ("Blue logo", "Prices in cents")]
    asked = own.send("/erase", id=ids)
    assert (asked.status, "Erase 2 memories" in asked.text) == (200, True)
    assert len(titles(own.ask("/search?q=logo+cents&purged=with"))) == 3
    done = own.send("/erase", id=ids, sure="yes")
    assert "2 memories erased for good." in own.ask(done.headers["location"]).text
    assert len(titles(own.ask("/search?q=logo+cents&purged=with"))) == 1
    assert own.ask(f"/memory?id={ids[0]}").status == 404


def test_a_conversation_is_erased_when_the_answer_is_yes(own: WebPages) -> None:
    session = "5b9a1f6e-0000-4000-8000-00000000f002"
    assert "Erase this conversation for good?" in own.send("/conversation/erase", session=session).text
    assert own.ask(f"/conversation?session={session}").status == 200
    done = own.send("/conversation/erase", session=session, sure="yes")
    assert "The conversation was erased." in own.ask(done.headers["location"]).text
    assert own.ask(f"/conversation?session={session}").status == 404


def test_a_memory_is_corrected(own: WebPages) -> None:
    old = id_of(own, "Tickets are checked offline")
    form = own.ask(f"/edit?id={old}")
    assert "The crew has no network at sea" in form.text
    wrong = own.send("/edit", id=old, title="Tickets", text=" ")
    assert (wrong.status, "text must be what to remember" in wrong.text) == (400, True)
    done = own.send("/edit", id=old, title="Tickets are checked offline", text="Line one.\r\nLine two.")
    page = own.ask(done.headers["location"])
    assert "<p>Line one.<br>\nLine two.</p>" in page.body
    assert "Source decision" in page.text
    assert "Replaced by" in own.ask(f"/memory?id={old}").text
    new = done.headers["location"].partition("id=")[2].partition("&")[0]
    assert own.ask(f"/edit?id={old}").headers["location"] == f"/edit?id={new}"
    same = own.send("/edit", id=new, title="Tickets are checked offline", text="Line one.\r\nLine two.")
    assert "Unchanged" in own.ask(same.headers["location"]).text
    change = id_of(own, "Prices in cents")
    assert own.send("/edit", id=change, title="x", text="x").status == 400


def test_keywords_are_shown_and_corrected(own: WebPages) -> None:
    old, title = id_of(own, "Tickets are checked offline"), "Tickets are checked offline"
    said = fields(own.ask(f"/edit?id={old}"))
    done = saved(own.send("/edit", **{**said, "keywords": "gate, \u202escanner"}))
    assert "Keywords gate, \\u{202E}scanner" in own.ask(f"/memory?id={done}").text
    assert fields(own.ask(f"/edit?id={done}")) == {**said, "id": done, "keywords": "gate, \\u{202E}scanner"}
    again = own.send("/edit", id=done, title=title, text=said["text"], keywords="gate, \\u{202E}scanner")
    assert "Unchanged" in own.ask(again.headers["location"]).text
    newer = saved(own.send("/edit", **{**said, "id": done, "keywords": "gate"}))
    overtaken = own.send("/edit", id=old, title=title, text=said["text"], keywords="boarding")
    assert (overtaken.status, fields(overtaken)["keywords"]) == (409, "boarding")
    assert "keywords gate" in overtaken.text
    wrong = own.send("/edit", id=newer, title=title, text=said["text"], keywords="x" * 201)
    assert (wrong.status, "keywords must be at most 200 characters" in wrong.text) == (400, True)


def fields(answer: Answer) -> dict[str, str]:
    """Return the fields of the form that a page sends to the editor, without its token."""
    (form,) = re.findall(r'<form method="post" action="/edit".*?</form>', answer.body, re.DOTALL)
    inputs = re.findall(r'<input[^>]* name="([^"]*)" value="([^"]*)"', form)
    texts = re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', form, re.DOTALL)
    return {name: html.unescape(value) for name, value in (*inputs, *texts) if name != "form_token"}


def saved(answer: Answer) -> str:
    """Return the id of the memory that a form leads to."""
    assert answer.status == 303, answer.text
    return answer.headers["location"].partition("id=")[2].partition("&")[0]


def test_a_note_that_is_edited_in_two_tabs_keeps_both_texts(own: WebPages) -> None:
    old, title = id_of(own, "Tickets are checked offline"), "Tickets are checked offline"
    first = saved(own.send("/edit", id=old, title=title, text="Of the first tab."))
    newer = saved(own.send("/edit", id=first, title=title, text="Of the first tab, again."))
    refused = own.send("/edit", id=old, title=title, text="Of the second tab, <b>long</b>.")
    assert refused.status == 409
    assert "Not saved yet: this memory was changed while you were writing." in refused.text
    assert "Of the first tab, again." in refused.text
    assert refused.links() == [f"/memory?id={newer}"]
    kept = {"id": newer, "title": title, "text": "Of the second tab, <b>long</b>.", "keywords": ""}
    assert fields(refused) == kept
    third = saved(own.send("/edit", **kept))
    assert own.ask(f"/memory?id={third}").text.count("Of the second tab, <b>long</b>.") == 1
    assert own.send("/edit", id=first, title=title, text=kept["text"]).headers["location"] == (
        f"/memory?id={third}&done=unchanged"
    )


def test_a_title_that_was_made_of_a_text_is_not_kept_for_another(own: WebPages) -> None:
    old = saved(own.send("/edit", id=id_of(own, "Tickets are checked offline"), title="", text="Made of this."))
    own.send("/edit", id=old, title="", text="Made of that.")
    refused = own.send("/edit", id=old, title="Made of this.", text="Made of the other.")
    assert fields(refused)["title"] == ""


def test_a_note_that_was_purged_meanwhile_is_restored_and_corrected(own: WebPages) -> None:
    old = id_of(own, "Tickets are checked offline")
    own.send("/purge", id=old)
    assert own.ask(f"/edit?id={old}").status == 400
    refused = own.send("/edit", id=old, title="Tickets", text="Typed for an hour.", keywords="boarding")
    assert (refused.status, "this memory was purged while you were writing" in refused.text) == (409, True)
    kept = fields(refused)
    typed = {"title": "Tickets", "text": "Typed for an hour.", "keywords": "boarding"}
    assert kept == {"id": old, "restore": "yes", **typed}
    new = saved(own.send("/edit", **kept))
    assert "Typed for an hour." in own.ask(f"/memory?id={new}").text
    assert "Replaced by" in own.ask(f"/memory?id={old}").text


def test_what_was_typed_for_an_erased_note_or_while_memory_is_off_is_kept(own: WebPages) -> None:
    old = id_of(own, "Tickets are checked offline")
    kept = {"id": old, "title": "Tickets", "text": 'Typed for "an hour".'}
    (which,) = re.findall(r'name="which" value="(ferry-[0-9a-f]+)"', own.ask("/projects").body)
    own.send("/projects/switch", which=which)
    off = own.send("/edit", **kept)
    assert ("Memory is off" in off.text, fields(off)) == (True, kept)
    own.send("/projects/switch", which=which, on="yes")
    own.send("/erase", id=old, sure="yes")
    erased = own.send("/edit", **kept)
    assert (erased.status, fields(erased)) == (404, kept)


def test_what_was_typed_is_kept_if_the_form_is_of_an_earlier_server(own: WebPages) -> None:
    kept = {"id": id_of(own, "Tickets are checked offline"), "title": "Tickets", "text": "Typed for an hour."}
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
        assert (busy.status, fields(busy)) == (503, kept)
        assert purge.status == 503
        (form,) = re.findall(
            r'<form method="post" action="/purge" class="stacked">.*?</form>', purge.body, re.DOTALL
        )
        assert f'<input type="hidden" name="id" value="{old}">' in form
        new = saved(own.send("/edit", **fields(busy)))
        assert "Typed for an hour." in own.ask(f"/memory?id={new}").text


@cases
def test_what_was_typed_into_a_form_that_only_reads_is_kept(
    own: WebPages, target: str, kept: dict[str, str]
) -> None:
    refused = own.ask(target)
    assert refused.status == 400
    path = re.escape(target.partition("?")[0])
    (form,) = re.findall(rf'<form action="{path}" class="stacked">.*?</form>', refused.body, re.DOTALL)
    assert dict(re.findall(r'<input[^>]* name="([^"]*)" value="([^"]*)"', form)) == kept


def test_a_corrected_memory_comes_from_the_conversation_of_the_first_one(own: WebPages) -> None:
    old = id_of(own, "Payments are never repeated by us")
    done = own.send("/edit", id=old, title="Payments", text="The bank repeats payments, we never do.")
    page = own.ask(done.headers["location"])
    assert re.search(r"Conversation Cards are charged twice , .*, and corrected ", page.text)
    (talk,) = [link for link in page.links("/conversation") if "at=" in link]
    assert "Good. Remember why" in own.ask(talk).text
    assert "session-" not in page.text
    change = own.ask(f"/memory?id={id_of(own, 'Removed the retry from pay()')}")
    assert page.links("/edit")[0].replace("/edit", "/memory") in change.links()


def test_projects_are_merged_after_a_preview_and_split_again(own: WebPages) -> None:
    listed = own.ask("/projects")
    ids = re.findall(r"<code class=\"quiet\">([^<]*)</code>", listed.body)
    old, new = (next(each for each in ids if each.startswith(name)) for name in ("ferry-old", "museum"))
    preview = own.ask(f"/projects/merge?old={old}&new={new}")
    assert "1 memory, 0 purged memories and 0 messages" in preview.text
    done = own.send("/projects/merge", old=old, new=new)
    assert "Merged: 1 memory moved." in own.ask(done.headers["location"]).text
    assert "Till, first sketch" in own.ask(f"/search?project={new}").text
    foreseen = own.ask(f"/projects/split?old={old}").text
    assert "moved 1 memory, purged ones included. It returns" in foreseen
    assert "which has 2 memories" in foreseen
    back = own.send("/projects/split", old=old)
    assert "Taken back: 1 memory moved." in own.ask(back.headers["location"]).text
    assert own.send("/projects/split", old=old).status == 400


def test_another_project_is_shown_corrected_and_kept_apart(own: WebPages) -> None:
    (museum,) = re.findall(r'href="/\?project=(museum-[0-9a-f]+)"', own.ask("/projects").body)
    page = own.ask(f"/search?project={museum}")
    assert titles(page) == ["Members walk in"]
    links = [link for link in page.links("/memory") if f"project={museum}" in link]
    id = links[0].partition("id=")[2]
    done = own.send("/edit", project=museum, id=id, title="Members walk in", text="Guests too.")
    assert "Guests too." in own.ask(done.headers["location"]).text
    assert "Guests too." not in own.ask("/search?purged=with").text


def test_hidden_characters_survive_an_edit_that_leaves_them(own: WebPages) -> None:
    # What the form shows for a hidden character is saved as it is shown, but only if the text was edited.
    id = id_of(own, "Blue logo")
    own.send("/restore", id=id)
    first = own.send("/edit", id=id, title="Blue logo", text="a\u200bb")
    new = first.headers["location"].partition("id=")[2].partition("&")[0]
    shown = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", own.ask(f"/edit?id={new}").body)
    assert shown is not None
    assert shown[1] == "a\\u{200B}b"
    same = own.send("/edit", id=new, title="Blue logo", text=shown[1])
    assert "done=unchanged" in same.headers["location"]


def test_a_review_lists_what_repeats_itself_until_it_is_kept_or_purged(own: WebPages) -> None:
    texts = {
        "A": "Rotate the signing key before each release of the app.",
        "B": "Before each release of the app rotate the signing key.",
    }
    old = id_of(own, "Tickets are checked offline")
    first = saved(own.send("/edit", id=old, title="A", text=texts["A"]))
    other = saved(own.send("/edit", id=id_of(own, "Prices are cents, never floats"), title="B", text=texts["B"]))
    tagged = saved(own.send("/edit", id=other, title="B", text=texts["B"], keywords="#keys"))
    assert "/search?q=%23keys" in own.ask(f"/memory?id={tagged}").links("/search")
    assert titles(own.ask("/search?q=%23keys")) == ["B"]
    other = tagged
    page = own.ask("/review")
    assert "1 entry to settle they say much the same, or contradict each other" in page.text
    assert page.links() == [f"/memory?id={first}", f"/memory?id={other}"]
    assert own.send("/review").status == 400
    kept = own.send("/review", id=[first, other])
    assert "Kept 2 memories. Nothing to review" in own.ask(kept.headers["location"]).text
    again = own.ask("/review?again=1")
    assert again.links() == [f"/memory?id={first}", f"/memory?id={other}"]
    assert own.send("/purge", id=[other]).status == 303
    assert own.ask("/review?again=1").links() == []
    assert "Nothing was kept" in own.ask(own.send("/review", id=["00000000"]).headers["location"]).text
