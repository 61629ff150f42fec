from datetime import timedelta

import pytest
from attrs import evolve

from lamella.application.memories.save import SaveOutcome, SaveRequest
from lamella.domain.errors import InvalidValueError, PathOutsideProjectError, UnknownProjectError
from lamella.domain.memories.errors import AmbiguousIdError, NotReplaceableError
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.memories.query import Hit, Match, Recent
from lamella.ports.storage.observations import Added
from tests.unit.support.doubles import HOME, NOTHING_SAVED, Desk, desk_with
from tests.unit.support.stand_ins import DAWN, FolderTree, numbered
from tests.unit.support.tables import cases

LATER = DAWN + timedelta(minutes=1)
TOKEN = "ghp" + "_" + "a1B2" * 9


def test_a_text_is_saved_trimmed_with_everything_that_is_known_of_it() -> None:
    desk = Desk().at(request="call-1")
    outcome = desk.saving(SaveRequest(text=" Use WAL mode. It is faster.\n"))
    project = desk.tree.locate(HOME).project_id
    draft = Draft(title="Use WAL mode.", content="Use WAL mode. It is faster.", session="session-1")
    observation = draft.observed(id=numbered(1), project=project, sequence=1, now=LATER)
    assert outcome == SaveOutcome(observation=observation, added=Added.NEW, redacted=0)
    assert desk.kept(numbered(1)) == observation


@pytest.mark.parametrize(
    ("title", "source", "kept"),
    [(" Title ", " decision ", ("Title", "decision")), (" ", " ", ("text", "manual"))],
)
def test_a_blank_title_is_generated_and_a_blank_source_is_manual(
    title: str, source: str, kept: tuple[str, str]
) -> None:
    saved = Desk().save("text", title=title, source=source)
    assert (saved.title, saved.source) == kept


@cases
def test_what_is_too_long_is_refused_with_what_is_allowed(
    name: str, longest: object, value: object, sentence: str
) -> None:
    SaveRequest(**{"text": "text", name: longest})  # type: ignore[arg-type] # one field at a time
    with pytest.raises(InvalidValueError) as refused:
        SaveRequest(**{"text": "text", name: value})  # type: ignore[arg-type]
    assert str(refused.value) == sentence


def test_code_changes_of_the_paths_are_attached() -> None:
    desk = Desk()
    desk.tree.known["src/a.py"] = CodeChange(
        path="src/a.py", additions=2, deletions=0, hunks="@@ -1 +1,3 @@\n+a\n+b"
    )
    saved = desk.save("text", paths=["src/a.py", str(HOME / "b.py"), "src/a.py"])
    assert saved.changes == (desk.tree.known["src/a.py"], CodeChange(path="b.py"))


@pytest.mark.parametrize("path", ["../x", "/etc/passwd"])
def test_a_path_outside_of_the_project_saves_nothing(path: str) -> None:
    desk = Desk()
    with pytest.raises(PathOutsideProjectError):
        desk.save("text", paths=[path])
    assert desk.storage.registry.all() == ()
    assert desk.recall(Recent()) == NOTHING_SAVED


def test_paths_at_which_there_is_nothing_are_named_in_the_last_line() -> None:
    desk = Desk()
    desk.tree.known["was.py"] = CodeChange(path="was.py", additions=0, deletions=9)
    desk.tree.absent = frozenset({"was.py", "a/[redacted]", *(f"{number}.py\n" for number in range(5))})
    there = desk.saving(SaveRequest(text="text", paths=("was.py", "logo.png")))
    assert there.report() == [f"Memory saved (id: {there.observation.id})", "Title: text"]
    paths = ("src", f"a/{TOKEN}", *(f"{number}.py\n" for number in range(5)))
    assert desk.saving(SaveRequest(text="text", paths=paths)).report()[2:] == [
        "Redacted: 1 secret(s).",
        "Paths not found: a/[redacted], 0.py, 1.py, 2.py, 3.py, and 1 more",
    ]


def test_secrets_are_taken_out_of_everything_before_it_is_stored() -> None:
    desk = Desk()
    desk.tree.known["a"] = CodeChange(path=f"a/{TOKEN}", additions=1, deletions=0, hunks=f"+{TOKEN}")
    outcome = desk.saving(
        SaveRequest(
            text=f"The token is {TOKEN}.", title=f"T {TOKEN}", source=TOKEN, paths=("a",), keywords=f"key {TOKEN}"
        )
    )
    saved = outcome.observation
    assert (saved.content, saved.title, saved.keywords, saved.source, saved.changes, outcome.redacted) == (
        "The token is [redacted].",
        "T [redacted]",
        "key [redacted]",
        "[redacted]",
        (CodeChange(path="a/[redacted]", additions=1, deletions=0, hunks="+[redacted]"),),
        6,
    )


@pytest.mark.parametrize(
    "path", ["https://ada:x7Kq2mP9vB@git.example/a.git", f"{HOME}/ftp://ada:x7Kq2mP9vB@host/a"]
)
def test_a_password_in_an_address_given_as_a_path_is_taken_out_before_the_path_is_normalised(path: str) -> None:
    outcome = Desk().saving(SaveRequest(text="text", paths=(path,)))
    (change,) = outcome.observation.changes
    assert ("x7Kq2mP9vB" in change.path, "ada:[redacted]@" in change.path, outcome.redacted) == (False, True, 1)


def test_what_is_marked_as_private_is_never_kept() -> None:
    desk = Desk()
    request = SaveRequest(text="The door code is <private>4711</private>.", title="Door <private>4711</private>")
    saved = desk.saving(request).observation
    assert (saved.title, saved.content) == ("Door [private]", "The door code is [private].")


def test_a_title_of_200_characters_stays_so_when_it_had_a_password() -> None:
    title = "x" * 180 + " ftp://a:pw1@host .."
    assert Desk().save("text", title=title).title == title.replace("pw1", "***")


def test_keywords_are_one_line_of_at_most_200_characters_whatever_they_hold() -> None:
    assert Desk().save("text", keywords=" ship,\n\0release ").keywords == "ship, \ufffdrelease"
    password = "x" * 150 + " ftp://a:" + "p" * 9 + "@host ftp://b:pw1@host"
    assert len(Desk().save("text", keywords=password).keywords) <= 200


def test_a_correction_has_the_keywords_of_what_it_replaces_unless_it_brings_some() -> None:
    desk = Desk()
    old = [desk.save("Ship on Friday.", keywords="release"), desk.save("Ship at noon.", keywords="deploy, hour")]
    first = desk.save("Ship on Friday at noon.", replaces=[str(each.id) for each in old])
    second = desk.save("Ship at noon.", replaces=[str(first.id)], keywords="when")
    assert (first.keywords, second.keywords) == ("release deploy, hour", "when")
    assert desk.save("Ship at one.", replaces=[str(second.id)], keywords="").keywords == ""


def test_other_keywords_are_no_other_memory_unless_they_replace_it() -> None:
    desk = Desk()
    first = desk.save("Ship on Friday.", keywords="release")
    again = desk.saving(SaveRequest(text="Ship on Friday.", keywords="deploy"))
    assert (again.observation, again.added) == (first, Added.DUPLICATE)
    second = desk.save("Ship on Friday.", keywords="deploy", replaces=[str(first.id)])
    assert (second.keywords, desk.kept(first.id).replaced_by) == ("deploy", second.id)


def test_a_retry_of_the_same_call_is_the_same_memory_even_after_a_purge() -> None:
    desk = Desk().at(request="call-1")
    request = SaveRequest(text="text")
    first = desk.saving(request).observation
    assert desk.saving(request) == SaveOutcome(observation=first, added=Added.RETRY, redacted=0)
    desk.purge(desk.call, ["00000001"])
    assert desk.saving(request).added is Added.RETRY


def test_a_save_is_of_the_project_that_is_named_and_of_the_session_of_the_call() -> None:
    desk = Desk()
    elsewhere = desk.storage.registry.at(desk.tree.locate(HOME / "elsewhere"), now=DAWN)
    desk.call = evolve(desk.call, session="session-2")
    saved = desk.at(project=elsewhere.id).saving(SaveRequest(text="text")).observation
    assert (saved.project, saved.origin, saved.session) == (elsewhere.id, elsewhere.id, "session-2")
    with pytest.raises(UnknownProjectError):
        desk.at(project="nowhere").saving(SaveRequest(text="text"))


def test_paths_are_those_of_the_project_of_the_working_directory_only() -> None:
    desk = Desk()
    here = desk.save("text", paths=["a.py"]).project
    elsewhere = desk.storage.registry.at(desk.tree.locate(HOME / "elsewhere"), now=DAWN)
    with pytest.raises(InvalidValueError) as refused:
        desk.at(project=elsewhere.id).saving(SaveRequest(text="other", paths=("a.py",)))
    assert str(refused.value) == (
        "paths must be given for the project of the working directory only, not for another one."
    )
    assert desk.storage.search(elsewhere.id).count() == 0
    for explicit in (here, "lovelace"):
        saved = desk.at(project=explicit).saving(SaveRequest(text=explicit, paths=("a.py",))).observation
        assert (saved.project, saved.changes) == (here, (CodeChange(path="a.py"),))
    shared = desk.at(default_project="shared").save("text", paths=["a.py"])
    assert shared.changes == (CodeChange(path="a.py"),)


def test_the_report_says_the_id_the_title_and_the_secrets_that_were_taken_out() -> None:
    desk = Desk()
    request = SaveRequest(text=f"Deploys use {TOKEN}.", title="De\nploys")
    assert desk.saving(request).report() == [
        f"Memory saved (id: {numbered(1)})",
        "Title: De ploys",
        "Redacted: 1 secret(s).",
    ]
    again = evolve(request, source="manual")
    assert desk.saving(again).report()[0] == f"Memory saved (id: {numbered(1)}) (already saved)"
    assert desk.saving(SaveRequest(text=f"Another {TOKEN}.")).report() == [
        f"Memory saved (id: {numbered(3)})",
        "Title: Another [redacted].",
        "Redacted: 1 secret(s).",
    ]


def test_a_memory_takes_the_place_of_others() -> None:
    desk = desk_with("Ship on Friday.", "Ship at noon.")
    request = SaveRequest(text="Ship on Monday.", replaces=("00000001", str(numbered(2)), "00000001"))
    assert desk.saving(request).report() == [
        f"Memory saved (id: {numbered(3)})",
        "Title: Ship on Monday.",
        "Replaced: 00000001, 00000002",
    ]
    assert [desk.kept(numbered(number)).replaced_by for number in (1, 2, 3)] == [numbered(3), numbered(3), None]
    assert desk.saving(request).added is Added.DUPLICATE


@pytest.mark.parametrize(
    ("replaces", "refused", "sentence"),
    [
        ("ffff", NotReplaceableError, "Nothing was saved, because ffff can't be replaced: not found."),
        ("00000002", NotReplaceableError, f"{numbered(2)} can't be replaced: already purged."),
        ("0000", AmbiguousIdError, "The id '0000' is ambiguous"),
    ],
)
def test_what_cannot_be_replaced_is_named_and_nothing_is_saved(
    replaces: str, refused: type[Exception], sentence: str
) -> None:
    desk = desk_with("one", "two")
    desk.purge(desk.call, ["00000002"])
    with pytest.raises(refused) as error:
        desk.saving(SaveRequest(text="new", replaces=("00000001", replaces)))
    assert sentence in str(error.value)
    assert [each.content for each in desk.everything if not each.purged] == ["one"]


def test_a_replacement_in_a_project_without_memories_makes_no_project() -> None:
    desk = Desk()
    with pytest.raises(NotReplaceableError):
        desk.saving(SaveRequest(text="new", replaces=("00000001",)))
    assert desk.storage.registry.all() == ()


def test_the_lines_of_a_file_for_secrets_are_not_kept() -> None:
    known = {path: CodeChange(path=path, additions=1, deletions=0, hunks="+a=b") for path in (".env", "a.py")}
    desk = Desk(tree=FolderTree(known=known))
    saved = desk.save("settings", paths=(".env", "a.py"))
    assert [(each.path, each.additions, each.hunks) for each in saved.changes] == [
        (".env", 1, ""),
        ("a.py", 1, "+a=b"),
    ]


def test_a_save_names_the_memory_that_it_seems_to_correct() -> None:
    desk = Desk()
    older = desk.save("Deploys happen on Fridays.")
    outcome = desk.saving(SaveRequest(text="Deploys happen on Tuesdays."))
    assert outcome.corrected == Hit(observation=older, short_id=older.id.hex[:8], match=Match.ID)
    assert outcome.report() == [
        f"Memory saved (id: {outcome.observation.id})",
        "Title: Deploys happen on Tuesdays.",
        f"Corrects {older.id.hex[:8]}? Then save again with replaces: Deploys happen on Fridays.",
    ]


def test_nothing_is_named_by_a_duplicate_or_beside_what_is_replaced_or_purged() -> None:
    desk = Desk()
    older = desk.save("Deploys happen on Fridays.")
    newer = SaveRequest(text="Deploys happen on Tuesdays.", replaces=(str(older.id),))
    assert desk.saving(newer).corrected is None
    again = desk.saving(SaveRequest(text="Deploys happen on Tuesdays."))
    assert (again.added, again.corrected) == (Added.DUPLICATE, None)
    assert desk.saving(SaveRequest(text="Coffee is in the kitchen.")).corrected is None
