"""Pages that change memories, conversations and projects."""

import re

from tests.end_to_end.support.web_pages import WebPages, id_of, titles


def test_purge_and_its_undo(own: WebPages) -> None:
    ids = [id_of(own, title) for title in ("Prices in cents", "Prices are cents, never floats")]
    done = own.send("/purge", id=ids)
    assert done.status == 303
    page = own.ask(done.headers["location"])
    assert "Purged 2 memories." in page.text
    assert titles(own.ask("/?q=cents")) == []
    again = own.send("/purge", id=ids)
    assert "Nothing was changed" in own.ask(again.headers["location"]).text
    back = own.send("/restore", id=ids)
    assert "Restored 2 memories." in own.ask(back.headers["location"]).text
    assert len(titles(own.ask("/?q=cents"))) == 2
    assert own.send("/purge").status == 400
    assert own.send("/purge", id=["x"] * 51).status == 400


def test_erase_asks_first(own: WebPages) -> None:
    ids = [id_of(own, title) for title in ("Blue logo", "Prices in cents")]
    asked = own.send("/erase", id=ids)
    assert (asked.status, "Erase 2 memories" in asked.text) == (200, True)
    assert len(titles(own.ask("/?q=logo+cents&purged=with"))) == 3
    done = own.send("/erase", id=ids, sure="yes")
    assert "2 memories erased for good." in own.ask(done.headers["location"]).text
    assert len(titles(own.ask("/?q=logo+cents&purged=with"))) == 1
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
    assert "Line one.\nLine two." in page.body
    assert "source decision" in page.text
    assert "Replaced by" in own.ask(f"/memory?id={old}").text
    assert own.ask(f"/edit?id={old}").status == 400
    new = done.headers["location"].partition("id=")[2].partition("&")[0]
    same = own.send("/edit", id=new, title="Tickets are checked offline", text="Line one.\r\nLine two.")
    assert "Unchanged" in own.ask(same.headers["location"]).text
    change = id_of(own, "Prices in cents")
    assert own.send("/edit", id=change, title="x", text="x").status == 400


def test_a_corrected_memory_comes_from_the_conversation_of_the_first_one(own: WebPages) -> None:
    old = id_of(own, "Payments are never repeated by us")
    done = own.send("/edit", id=old, title="Payments", text="The bank repeats payments, we never do.")
    page = own.ask(done.headers["location"])
    assert re.search(r"Conversation Cards are charged twice , at .*, and corrected at ", page.text)
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
    assert "Till, first sketch" in own.ask(f"/?project={new}").text
    foreseen = own.ask(f"/projects/split?old={old}").text
    assert "moved 1 memory, purged ones included. It returns" in foreseen
    assert "which has 2 memories" in foreseen
    back = own.send("/projects/split", old=old)
    assert "Taken back: 1 memory moved." in own.ask(back.headers["location"]).text
    assert own.send("/projects/split", old=old).status == 400


def test_another_project_is_shown_corrected_and_kept_apart(own: WebPages) -> None:
    (museum,) = re.findall(r'href="/\?project=(museum-[0-9a-f]+)"', own.ask("/projects").body)
    page = own.ask(f"/?project={museum}")
    assert titles(page) == ["Members walk in"]
    links = [link for link in page.links("/memory") if f"project={museum}" in link]
    id = links[0].partition("id=")[2]
    done = own.send("/edit", project=museum, id=id, title="Members walk in", text="Guests too.")
    assert "Guests too." in own.ask(done.headers["location"]).text
    assert "Guests too." not in own.ask("/?purged=with").text


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
