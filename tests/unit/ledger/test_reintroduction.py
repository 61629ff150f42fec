from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.ledger.file_change import FileChange, Removal, TimelinePosition
from lamella.domain.ledger.fingerprints import fingerprints
from lamella.domain.ledger.reintroduction import Likeness, NewCode, Turn, names_over_time, returning
from lamella.domain.memories.kind import DECISION, EDITED, FOUND, LEARNED
from lamella.domain.memories.observation import CodeChange, Kind
from tests.unit.support.tables import cases

NOW = datetime(2024, 5, 6, tzinfo=UTC)
FILE = """\
class Client:
    def close(self):
        self.session.close()
"""
FETCH = """\
    def fetched(self, url, attempts=3):
        for attempt in range(attempts):
            answer = self.session.get(url, timeout=TIMEOUT)
            if answer.ok:
                return answer.json()["items"]
        raise FetchError(f"no answer from {url}")
"""
RENAMED = """\
    def loaded(self, address, tries=4):
        for turn in range(tries):
            reply = self.session.get(address, timeout=TIMEOUT)
            if reply.ok:
                return reply.json()["items"]
        raise LoadError(f"{address} gave no answer")
"""
OTHER = """\
    def stored(self, items, path):
        with path.open("w", encoding="utf-8") as file:
            for number, item in enumerate(items):
                file.write(f"{number}: {item.title}\\n")
"""
LINE = "timeout = settings.number('http.timeout', default=30, least=1, most=600)"


def removal(
    code: str, number: int = 1, kind: Kind = Kind.CHANGE, days: int = 0, *, source: str = EDITED
) -> Removal:
    return Removal(
        observation=UUID(int=number),
        short_id=UUID(int=number).hex[:8],
        at=NOW + timedelta(days=days),
        kind=kind,
        source=source,
        session="s",
        title="Why.",
        change=CodeChange(path="a.py"),
        fingerprints=fingerprints(code.split("\n")),
    )


ANOTHER = Turn("another", NOW - timedelta(days=9))


def likeness(before: str, after: str, removed: str = FETCH) -> Likeness | None:
    return NewCode.of(before, after).unlike(before).likeness(fingerprints(removed.split("\n")))


@cases
def test_removed_code_is_told_by_most_of_its_lines_or_statements(
    before: str, after: str, removed: str, like: Likeness | None
) -> None:
    assert likeness(before, after, removed) == like


def test_many_lines_or_statements_in_a_row_are_told_among_whatever_else() -> None:
    code = "".join(f"        total += self.weight_of({number}, kinds)\n" for number in range(10))
    else_ = "".join(f"        print('something else', {number})\n" for number in range(40))
    assert likeness(FILE, FILE + else_ + code, code) is Likeness.EXACT
    assert likeness(FILE, FILE + else_ + "\n".join(code.split("\n")[:9]), code) is None
    renamed = code.replace("total", "sum_").replace("kinds", "types")
    assert likeness(FILE, FILE + else_ + renamed, code) is Likeness.NEAR


@cases
def test_what_is_in_the_file_does_not_come_back(before: str) -> None:
    assert likeness(before, f"{before}\n# moved\n{FETCH}") is None


def test_an_edit_that_adds_nothing_has_no_marks() -> None:
    assert NewCode.of(FILE + FETCH, FILE).fingerprints == frozenset()


def test_new_code_is_told_from_what_stands_around_it() -> None:
    code = NewCode.of(FILE, FILE.replace("self.session", "self.pool") + OTHER)
    assert code.fingerprints == fingerprints(["        self.pool.close()", *OTHER.split("\n")])


def test_short_lines_that_are_there_break_no_statement() -> None:
    code = NewCode.of("call(\n    a,\n)\n", "call(\n    a,\n)\nparser.read(\n    document,\n)\n")
    assert [unit.fingerprint for unit in code.statements] == [
        *(mark for mark in fingerprints(["parser.read(document)"]) if mark in code.fingerprints)
    ]


MOST, NEWER, NOTE = removal(FETCH), removal(FETCH, 3, days=1), removal(FETCH, 2, Kind.NOTE)
DECIDED = removal(FETCH, 4, Kind.NOTE, days=-1, source=DECISION)
REASON = removal("\n".join(FETCH.split("\n")[:5]))
BARE = evolve(removal(FETCH, 2, days=1), title="Changed a.py")


@cases
def test_it_walks_back_into_what_it_has_most_of_or_what_says_why(
    removed: list[Removal], into: Removal | None
) -> None:
    told = NewCode.of(FILE, FILE + FETCH).reintroduction(removed, ANOTHER)
    assert told == (into and (into, Likeness.EXACT))


@cases
def test_what_a_session_has_just_removed_itself_may_be_moved(turn: Turn, moved: bool) -> None:
    code, gone = NewCode.of(FILE, FILE + FETCH), removal(FETCH)
    assert code.reintroduction([gone], turn) == (None if moved else (gone, Likeness.EXACT))
    # What was removed once before stood there again when the turn began.
    before = removal(FETCH, 2, days=-1)
    assert code.reintroduction([gone, before], turn) == (None if moved else (gone, Likeness.EXACT))
    # Of a note, or of what a command left behind, nobody knows when it went, nor by whom.
    note, found = removal(FETCH, 3, Kind.NOTE, days=1), removal(FETCH, 4, days=1, source=FOUND)
    assert code.reintroduction([gone, note], turn) == (note, Likeness.EXACT)
    # What was committed after the edit is the edit.
    committed = removal(FETCH, 5, days=1, source=LEARNED)
    told = code.reintroduction([gone, committed], turn)
    assert told == (None if moved else (gone, Likeness.EXACT))
    # An edit was asked for; that tells more than what a command left.
    assert code.reintroduction([gone, found], turn) == (found if moved else gone, Likeness.EXACT)


def entry(number: int) -> FileChange:
    return FileChange(
        observation=UUID(int=number),
        short_id=UUID(int=number).hex[:8],
        at=NOW + timedelta(days=number),
        kind=Kind.CHANGE,
        session="s",
        title="Why.",
        source=EDITED,
        change=CodeChange(path="a.py"),
    )


def test_a_file_is_followed_back_through_its_names() -> None:
    renames = {
        ("c.py", None): ("b.py", TimelinePosition(NOW, 9)),
        ("b.py", TimelinePosition(NOW, 9)): ("c.py", TimelinePosition(NOW, 4)),
    }
    assert names_over_time("c.py", lambda name, before: renames.get((name, before))) == (
        ("c.py", None),
        ("b.py", TimelinePosition(NOW, 9)),
        ("c.py", TimelinePosition(NOW, 4)),
    )


def test_moments_without_a_zone_are_refused() -> None:
    for value in (entry(1), removal("")):
        with pytest.raises(ValueError, match="aware"):
            evolve(value, at=datetime(2024, 5, 6))  # noqa: DTZ001 - that is what is refused


@cases
def test_lines_that_come_back_are_noted_without_what_is_private(after: str, lines: str) -> None:
    removed = fingerprints(FETCH.split("\n"))
    hunks = "\n".join(f"+{line}" for line in lines.splitlines())
    assert returning("src/client.py", FILE, after, removed) == f"src/client.py\n{hunks}"
