from uuid import UUID

from lamella.domain.memories.observation import Draft, Kind
from tests.unit.exchange.sharing.team import OTHER, TEXT, Member, done
from tests.unit.support.tables import cases


def test_a_copy_of_a_file_is_left_alone_and_a_copy_that_was_edited_is_another_memory(ada: Member) -> None:
    ada.save(TEXT)
    name, text = ada.only.name, ada.only.read_text("utf-8")
    (ada.folder / "copy.md").write_text(text, "utf-8")
    (ada.folder / "edited.md").write_text(text.replace(TEXT, OTHER), "utf-8")
    account = ada.sync()
    assert (account.files, account.new, account.left) == (2, 1, {"copy.md": f"{name} is the same memory"})
    assert ada.live == {TEXT, OTHER}


def test_a_file_that_is_only_touched_changes_nothing_and_goes_if_its_memory_was_purged(ada: Member) -> None:
    saved = ada.save(TEXT)
    ada.only.write_bytes(ada.only.read_bytes().replace(b"\n", b"\r\n"))
    assert ada.sync() == done(files=1)
    ada.only.write_bytes(ada.only.read_bytes().replace(b"\r\n", b"\n"))
    ada.desk.purge(ada.desk.call, [str(saved.id)])
    assert ada.sync() == done(removed=1)


def test_a_secret_in_a_file_is_not_stored_and_is_not_taken_for_an_edit(ada: Member, bob: Member) -> None:
    ada.save(TEXT)
    ada.only.write_text(ada.only.read_text("utf-8") + "\nThe key is AKIAIOSFODNN7EXAMPLQ.\n", "utf-8")
    assert bob.pull(ada) == done(files=1, new=1, redacted=1)
    assert bob.live == {f"{TEXT}\n\nThe key is [redacted]."}
    bob.only.touch()
    assert bob.sync() == done(files=1, redacted=1)


def test_a_memory_from_elsewhere_with_a_secret_is_written_without_it(ada: Member) -> None:
    draft = Draft(content="The key is AKIAIOSFODNN7EXAMPLQ. <private>Ssh.</private>", title="The key")
    ada.desk.observations.add(draft, id=ada.desk.ids.new(), now=ada.desk.clock.now())
    ada.sync()
    assert ada.only.read_text("utf-8").endswith("\n\nThe key is [redacted]. [private]\n")
    ada.only.touch()
    assert ada.sync() == done(files=1)


def test_a_memory_that_no_one_could_take_over_has_no_file(ada: Member) -> None:
    ada.desk.observations.add(Draft(content="x" * 10_001), id=ada.desk.ids.new(), now=ada.desk.clock.now())
    assert ada.sync() == done()


ID = "00000007-0000-4000-8000-000000000000"
HEAD = f"lamella: 1\ntype: memory\ntitle: T\nid: {ID}\nkind: note\nsource: manual\nactor: agent\n"
TIME = "created_at: 2024-05-06T07:08:09Z\n"
BODY = "---\n\nText.\n"
SPACE = " " * 200_000
MANY = '["a"' + ', "a"' * 50 + "]"


@cases
def test_a_file_that_cannot_be_used_is_named_and_left_alone(ada: Member, text: str, reason: str) -> None:
    file = ada.folder / "odd.md"
    file.write_text(text, "utf-8")
    assert ada.sync().left == {"odd.md": reason}
    assert ada.sync().left == {"odd.md": reason}
    assert (ada.live, file.read_text("utf-8")) == (set(), text)
    file.unlink()
    assert ada.sync().left == {}


def test_a_file_of_ones_own_is_passed_over(ada: Member) -> None:
    others = {"spoken.md": "# Notes\n\nlamella: a memory\n"}
    for name, text in {
        **others,
        "README.md": "# Memories\n",
        "notes.md": "---\ntags: [a]\n---\n",
        "a.txt": "x",
    }.items():
        (ada.folder / name).write_text(text, "utf-8")
    assert ada.sync() == done()


def test_a_file_that_has_lost_its_front_matter_is_named(ada: Member) -> None:
    ada.save(TEXT)
    ada.only.write_text(TEXT, "utf-8")
    assert ada.sync().left == {ada.only.name: "it has lost its front matter"}
    assert ada.live == {TEXT}


def test_a_file_by_hand_without_author_and_title_gets_both(ada: Member) -> None:
    head = HEAD.replace("title: T", 'title: ""')
    (ada.folder / "a.md").write_text(f"---\n{head}{TIME}{BODY}", "utf-8")
    ada.sync()
    (taken,) = ada.desk.everything
    assert (taken.title, taken.author) == ("Text.", "shared file")


def test_a_file_with_the_id_of_a_captured_change_does_not_touch_it(ada: Member) -> None:
    draft = Draft(content="An edit.", kind=Kind.CHANGE)
    ada.desk.observations.add(draft, id=UUID(ID), now=ada.desk.clock.now())
    (ada.folder / "a.md").write_text(f"---\n{HEAD}{TIME}{BODY}", "utf-8")
    assert ada.sync().left == {"a.md": "its id is that of another kind of memory"}
    assert ada.live == {"An edit."}
