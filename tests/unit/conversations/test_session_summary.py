from datetime import timedelta
from uuid import UUID

from lamella.domain.conversations.message import Message, Role
from lamella.domain.conversations.session_summary import SessionSummary, session_summary
from lamella.domain.conversations.session_summary_format import ASKED, part, where_it_stood
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


FAILED = (Role.TOOL_RESULT, "Error: no such table")
PASSED = (Role.TOOL_RESULT, "9 passed")
OTHER = (Role.TOOL, 'Bash {"command":"ls"}')
AGAIN = (Role.TOOL, 'Bash {"command":"pytest","description":"Test once more"}')
EDIT = (Role.TOOL, 'Edit {"file_path":"a.py"}')
DONE = (Role.ASSISTANT, "Done. And more.")


@cases
def test_an_error_is_fixed_if_the_same_command_passed_later(happened: list[tuple[Role, str]], told: str) -> None:
    changes = [changed("schema.sql", minutes=3)]
    summary = session_summary(said((Role.HUMAN, "Mend the database"), *happened), changes)
    lines = content(summary)
    assert lines[lines.index("Went wrong:") + 1] == f"- Error: no such table{told}"


def test_a_part_without_items_is_not_written() -> None:
    assert part(ASKED, []) == ""
    assert part(ASKED, ["One.", "Two."]) == "Asked:\n- One.\n- Two."


@cases
def test_a_session_is_summed_up(happened: list[tuple[Role, str]], known: list[Observation], told: str) -> None:
    summary = session_summary(said(*happened), known)
    assert (f"{summary.title}\n{summary.content}" if summary else "none") == told


@cases
def test_where_a_session_stood_is_told_by_what_came_last(content: str, told: str) -> None:
    assert "\n".join(where_it_stood(content)) == told
