from datetime import timedelta

import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.application.memories.save_outcome import SaveOutcome
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.ports.storage.observations import Added
from tests.unit.support.doubles import HOME, Desk, titles
from tests.unit.support.stand_ins import DAWN, numbered
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


@cases
def test_what_is_too_long_is_refused_with_what_is_allowed(
    name: str, longest: object, value: object, sentence: str
) -> None:
    SaveRequest(**{"text": "text", name: longest})  # type: ignore[arg-type] # one field at a time
    with pytest.raises(InvalidValueError) as refused:
        SaveRequest(**{"text": "text", name: value})  # type: ignore[arg-type]
    assert str(refused.value) == sentence


def test_secrets_are_taken_out_of_everything_before_it_is_stored() -> None:
    desk = Desk()
    desk.tree.known["a"] = CodeChange(path=f"a/{TOKEN}", additions=1, deletions=0, hunks=f"+{TOKEN}")
    outcome = desk.saving(
        SaveRequest(
            text=f"The token is {TOKEN}.",
            title=f"T {TOKEN}",
            source=TOKEN,
            paths=("a",),
            keywords=f"key {TOKEN}",
            metadata={TOKEN: TOKEN},
        )
    )
    saved = outcome.observation
    assert (saved.content, saved.title, saved.keywords, saved.source, saved.changes, outcome.redacted) == (
        "The token is [redacted].",
        "T [redacted]",
        "key [redacted]",
        "[redacted]",
        (CodeChange(path="a/[redacted]", additions=1, deletions=0, hunks="+[redacted]"),),
        8,
    )
    assert saved.metadata == {"[redacted]": "[redacted]"}


def test_metadata_passes_to_what_takes_a_memorys_place_unless_it_brings_its_own() -> None:
    desk = Desk()
    old = desk.save("old", metadata={"team\n": "a\0"})
    new = desk.save("new", replaces=[old.id])
    assert old.metadata == new.metadata == {"team": "a\ufffd"}
    again = desk.save("new", replaces=[new.id], metadata={})
    assert (again.id == new.id, again.metadata) == (False, {})
    left = desk.saving(SaveRequest(text="new", keywords="words", metadata={"team": "b"}))
    assert (left.observation.id, left.unsaved, left.report()[2:], left.report(by_hand=True)[2:]) == (
        again.id,
        ("keywords", "metadata"),
        ["Its keywords and metadata stay as they were; to change them, save again with replaces."],
        [
            f'Its keywords stay as they were; to change them to "words": lamella edit {again.id}',
            "Its metadata stays as it was; to change it in Python, save again with replaces.",
        ],
    )


def test_what_occurred_earlier_comes_earlier_and_nothing_has_occurred_later() -> None:
    desk = Desk()
    now = desk.save("now")
    before = desk.save("before", occurred_at=DAWN - timedelta(days=9), kind=Kind.SUMMARY)
    assert (before.occurred_at, before.kind) == (DAWN - timedelta(days=9), Kind.SUMMARY)
    assert before.created_at > now.created_at
    assert titles(desk) == ["now", "before"]
    with pytest.raises(InvalidValueError, match=r"^occurred_at must be at most "):
        desk.save("later", occurred_at=desk.clock.moment + timedelta(minutes=2))


def test_a_title_of_200_characters_stays_so_when_it_had_a_password() -> None:
    title = "x" * 180 + " ftp://a:pw1@host .."
    assert Desk().save("text", title=title).title == title.replace("pw1", "***")


def test_keywords_are_one_line_of_at_most_200_characters_whatever_they_hold() -> None:
    assert Desk().save("text", keywords=" ship,\n\0release ").keywords == "ship, \ufffdrelease"
    password = "x" * 150 + " ftp://a:" + "p" * 9 + "@host ftp://b:pw1@host"
    assert len(Desk().save("text", keywords=password).keywords) <= 200


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
    private = desk.saving(SaveRequest(text="Public. <private>x</private>")).report(by_hand=True)
    assert private[-1] == "Left out: parts marked as private."
