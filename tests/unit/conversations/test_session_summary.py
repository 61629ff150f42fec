from datetime import timedelta
from uuid import UUID

from lamella.domain.conversations.message import Message, Role
from lamella.domain.conversations.session_summary import SessionSummary, session_summary
from lamella.domain.conversations.session_summary_format import (
    ASKED,
    CHANGED,
    DECIDED,
    SAID_LAST,
    WENT_WRONG,
    part,
    where_it_stood,
)
from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases

CALL = (Role.TOOL, 'Bash {"command":"pytest"}')


def said(*texts: tuple[Role, str]) -> list[Message]:
    return [
        Message(number=number, session="s", role=role, text=text, at=DAWN + timedelta(minutes=number))
        for number, (role, text) in enumerate(texts)
    ]


def made(
    kind: Kind, *changes: CodeChange, title: str = "", source: str = "manual", minutes: int = 0
) -> Observation:
    draft = Draft(
        content="Said so. And more.", title=title, kind=kind, source=source, changes=changes, session="s"
    )
    return draft.observed(id=UUID(int=minutes), project="p", sequence=1, now=DAWN + timedelta(minutes=minutes))


def changed(path: str, additions: int | None = 1, deletions: int | None = 2, minutes: int = 0) -> Observation:
    return made(Kind.CHANGE, CodeChange(path=path, additions=additions, deletions=deletions), minutes=minutes)


def content(summary: SessionSummary | None) -> list[str]:
    assert summary is not None
    return summary.content.split("\n")


def test_a_session_is_summed_up() -> None:
    messages = said(
        (Role.HUMAN, "Drop the retries in pay.py. They double payments."),
        (Role.ASSISTANT, "I look at it."),
        CALL,
        (Role.TOOL_RESULT, "Exit code 1\nE   ImportError: cannot import name x\n1 failed"),
        (Role.ASSISTANT, "The import was missing. I add it."),
        CALL,
        (Role.TOOL_RESULT, "9 passed"),
        (Role.HUMAN, "Now write a test for it"),
        (Role.ASSISTANT, "Done: all tests pass. Anything else?"),
    )
    observations = [
        changed("src/pay.py", 3, 9),
        made(Kind.NOTE, title="Payments are idempotent"),
        made(Kind.NOTE, title="No retries", source="decision"),
        changed("tests/pay.py", 20, 0),
        changed("src/pay.py", None, None),
        made(Kind.SUMMARY, title="Session: before"),
    ]
    assert session_summary(messages, observations) == SessionSummary(
        title="Session: Drop the retries in pay.py.",
        content=(
            "Asked:\n- Drop the retries in pay.py.\n- Now write a test for it\n"
            "Changed:\n- tests/pay.py +20 -0\n- src/pay.py +3 -9\n"
            "Went wrong:\n- E ImportError: cannot import name x | fixed: The import was missing.\n"
            "Said last:\n- Done: all tests pass."
        ),
    )


def test_a_session_in_which_nothing_was_done_has_none() -> None:
    assert session_summary(said((Role.HUMAN, "hi"), (Role.ASSISTANT, "Hello! How can I help?")), []) is None
    assert session_summary([], []) is None


def test_a_session_in_which_nothing_was_asked_has_none() -> None:
    assert session_summary(said((Role.HUMAN, "/clear"), (Role.HUMAN, "! ls"), CALL), [changed("a.py")]) is None


def test_work_without_changes_is_work() -> None:
    assert content(session_summary(said((Role.HUMAN, "Find out why it fails"), CALL), [])) == [
        "Asked:",
        "- Find out why it fails",
    ]


def test_a_word_of_assent_is_no_request_unless_there_is_no_other() -> None:
    assert content(session_summary(said((Role.HUMAN, "ok"), (Role.HUMAN, "Write the docs, please"), CALL), []))[
        1:
    ] == ["- Write the docs, please"]
    assert content(session_summary(said((Role.HUMAN, "continue"), CALL), []))[1:] == ["- continue"]


def test_what_was_saved_is_work_and_is_not_repeated() -> None:
    summary = session_summary(said((Role.HUMAN, "Remember what I say")), [made(Kind.NOTE)])
    assert content(summary) == ["Asked:", "- Remember what I say"]


def test_long_sessions_have_short_summaries() -> None:
    messages = said(
        *((Role.HUMAN, f"Request number {number} is {'very ' * 90}long") for number in range(40)),
        *((Role.TOOL_RESULT, f"Exit code 1\nfatal: number {number} {'x' * 500}") for number in range(40)),
        (Role.ASSISTANT, "word " * 400),
    )
    observations = [changed(f"src/{number:02}{'x' * 300}.py") for number in range(40)]
    observations += [made(Kind.NOTE, title=f"Note {number} {'y' * 190}") for number in range(40)]
    summary = session_summary(messages, observations)
    assert len("\n".join(content(summary))) < 6_000
    lines = [line[:20] for line in content(summary)]
    assert [line for line in lines if "more" in line] == ["- [...32 more]", "- [...28 more files]"]
    assert [line for line in lines if "Request" in line][3:5] == ["- Request number 3 i", "- Request number 36 "]
    assert [line[:18] for line in lines if "fatal" in line] == [
        f"- fatal: number {number}" for number in range(36, 40)
    ]


def test_one_file_is_not_told_as_several() -> None:
    summary = session_summary(
        said((Role.HUMAN, "Rename it all")), [changed(f"{number:02}.py") for number in range(13)]
    )
    assert content(summary)[-1] == "- [...1 more file]"


FAILED = (Role.TOOL_RESULT, "Error: no such table")
PASSED = (Role.TOOL_RESULT, "9 passed")
OTHER = (Role.TOOL, 'Bash {"command":"ls"}')
AGAIN = (Role.TOOL, 'Bash {"command":"pytest","description":"Test once more"}')
EDIT = (Role.TOOL, 'Edit {"file_path":"a.py"}')
DONE = (Role.ASSISTANT, "Done. And more.")


@cases
def test_an_error_is_fixed_only_if_the_same_command_passed_later(
    happened: list[tuple[Role, str]], told: str
) -> None:
    changes = [changed("schema.sql", minutes=3)]
    summary = session_summary(said((Role.HUMAN, "Mend the database"), *happened), changes)
    lines = content(summary)
    assert lines[lines.index("Went wrong:") + 1] == f"- Error: no such table{told}"


def test_a_fix_of_which_nothing_is_known_is_told_by_its_command() -> None:
    summary = session_summary(said((Role.HUMAN, "Mend the database"), CALL, FAILED, CALL, PASSED), [])
    assert content(summary)[-1] == "- Error: no such table | fixed: the same command passed later"


def test_an_error_is_told_once() -> None:
    messages = said(
        (Role.HUMAN, "Mend the database"), FAILED, FAILED, (Role.TOOL_RESULT, "Exit code 2\n\n  3 errors\n")
    )
    told = content(session_summary(messages, [changed("a.py")]))
    assert told[told.index("Went wrong:") + 1 :] == ["- Error: no such table", "- 3 errors"]


def test_sentences_that_decide_or_say_why_are_kept() -> None:
    messages = said(
        (Role.HUMAN, "Which cache should we take? Look at both."),
        CALL,
        (Role.ASSISTANT, "I measured both. We decided on Redis: it survives restarts. Next I write it."),
        (Role.HUMAN, "Wir haben entschieden, dass Beträge Cent sind. Weiter!"),
        (Role.ASSISTANT, "All done. The tests pass. Keys expire after an hour, because prices change. Bye."),
    )
    assert content(session_summary(messages, []))[3:] == [
        "Decided:",
        "- We decided on Redis: it survives restarts.",
        "- Wir haben entschieden, dass Beträge Cent sind.",
        "Said last:",
        "- All done.",
        "- Keys expire after an hour, because prices change.",
    ]


def test_a_first_sentence_that_says_why_is_said_last_once() -> None:
    why = f"It stays, {'very ' * 20}because prices change."
    summary = session_summary(said((Role.HUMAN, "Mend the database"), CALL, (Role.ASSISTANT, why)), [])
    assert content(summary)[2:] == ["Said last:", f"- {why}"]


def test_output_that_speaks_of_errors_is_none() -> None:
    messages = said((Role.HUMAN, "Read the logs"), CALL, (Role.TOOL_RESULT, "log: Error: nothing"))
    assert "Went wrong:" not in content(session_summary(messages, []))


def summary(**items: list[str]) -> str:
    titles = {
        "asked": ASKED,
        "changed": CHANGED,
        "decided": DECIDED,
        "wrong": WENT_WRONG,
        "last": SAID_LAST,
    }
    return "\n".join(filter(None, (part(title, items.get(name, [])) for name, title in titles.items())))


def test_a_part_without_items_is_not_written() -> None:
    assert part(ASKED, []) == ""
    assert part(ASKED, ["One.", "Two."]) == "Asked:\n- One.\n- Two."


def test_where_a_session_stood_is_told_by_what_came_last() -> None:
    content = summary(
        asked=["Mend it.", "Test it.", "Document it.", "Release it.", "Announce it."],
        changed=["a.py +1 -2"],
        decided=["No retries"],
        wrong=["E one", "E two", "E three | fixed: I mend it."],
        last=["The docs are left.", "They wait, because the names may change."],
    )
    assert where_it_stood(content) == [
        "Asked: Document it.",
        "Asked: Release it.",
        "Asked: Announce it.",
        "Went wrong: E two",
        "Went wrong: E three | fixed: I mend it.",
        "Said last: The docs are left.",
        "Said last: They wait, because the names may change.",
    ]


def test_the_first_request_is_left_to_the_title() -> None:
    assert where_it_stood(summary(asked=["Mend it."], last=["Done."])) == ["Said last: Done."]
    assert where_it_stood(summary(asked=["Mend it.", "Test it."])) == ["Asked: Test it."]


def test_a_title_without_items_is_not_told() -> None:
    assert where_it_stood("Asked:\nDecided:\nSaid last:") == []


def test_an_item_that_reads_like_a_title_is_none() -> None:
    assert where_it_stood(summary(asked=["Why?", "Said last:"], last=["Asked:"])) == [
        "Asked: Said last:",
        "Said last: Asked:",
    ]


def test_what_is_no_summary_of_ours_tells_nothing() -> None:
    assert where_it_stood("") == []
    assert where_it_stood("Asked: mend the build.\n\n- The docs are left.") == []
