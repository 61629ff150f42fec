from datetime import timedelta, timezone

import pytest

from lamella.application.check_edit import EditRequest
from lamella.application.record_change import CapturedChange
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.ledger import Likeness
from lamella.domain.observation import CodeChange

from .doubles import DAWN, Desk, FixedClock

FILE = "class Payments:\n    def close(self):\n        self.session.close()\n"
RETRY = """\
    def paid(self, order, attempts=3):
        for attempt in range(attempts):
            answer = self.session.post(order.url, json=order.data)
            if answer.ok:
                return answer.json()["receipt"]
"""
RENAMED = RETRY.replace("attempt", "turn").replace("answer", "reply").replace("def paid", "def pay")
KEY = "AKIA" + "Q" * 16


def removed(code: str) -> str:
    return "\n".join(["@@ @@", *(f"-{line}" for line in code.splitlines())])


def desk_without(code: str = RETRY, *, reason: str = "Drop the retries.", path: str = "src/pay.py") -> Desk:
    """A desk that has seen code being removed."""
    desk = Desk()
    change = CapturedChange(path=path, hunks=removed(code), at=DAWN, request="call 1", session="s", reason=reason)
    desk.record([change])
    return desk


def edit(after: str, *, path: str = "src/pay.py", before: str = FILE, session: str | None = None) -> EditRequest:
    return EditRequest(path=path, before=before, after=after, session=session)


def test_an_edit_that_brings_removed_code_back_is_told() -> None:
    desk = desk_without()
    assert desk.check.told(edit(FILE + RETRY)) == (
        'This edit brings back code that was removed from src/pay.py on 2024-05-06 ("Drop the retries."). '
        "See why before you make it: recall with id 00000001."
    )


def test_code_that_is_much_the_same_is_told_as_such() -> None:
    found = desk_without().check(edit(FILE + RENAMED))
    assert found is not None
    assert (found.likeness, found.short_id) == (Likeness.NEAR, "00000001")
    assert found.told(timezone(timedelta(hours=-8))).startswith(
        "This edit brings back much the same code as that was removed from src/pay.py on 2024-05-05 ("
    )


def test_a_session_is_told_once() -> None:
    desk = desk_without()
    told = [
        desk.check(edit(FILE + RETRY, session=session)) is not None for session in (None, "session-1", "other")
    ]
    assert told == [True, False, True]


@pytest.mark.parametrize(
    "request_",
    [
        edit(FILE),
        edit(FILE + "    def other(self):\n        return self.orders.latest(10)\n"),
        edit(FILE + RETRY, before=FILE + RETRY),
        edit(FILE + RETRY, path="src/other.py"),
        edit("\n".join([FILE, *RETRY.splitlines()[3:4]])),
    ],
)
def test_any_other_edit_is_told_nothing(request_: EditRequest) -> None:
    desk = desk_without()
    assert desk.check(request_) is None
    assert desk.check.told(request_) is None


def test_what_still_stands_in_the_file_in_another_layout_is_not_told() -> None:
    desk = desk_without()
    before = FILE + RETRY.replace("        ", "\t")
    assert desk.check(edit(before + RETRY, before=before)) is None


def test_a_purged_removal_is_not_told_until_it_is_restored() -> None:
    desk = desk_without()
    desk.purge(["00000001"])
    assert desk.check(edit(FILE + RETRY)) is None
    desk.restore(["00000001"])
    assert desk.check(edit(FILE + RETRY)) is not None


def test_a_line_that_held_a_secret_is_known_again() -> None:
    line = f"        self.session.headers.update(authorization='{KEY}', charset=CHARSET)\n"
    assert desk_without(line).check(edit(FILE + line)) is not None


def test_the_former_name_of_a_file_is_told() -> None:
    desk = desk_without(path="src/money.py")
    rename = CapturedChange(
        path="src/pay.py", former="src/money.py", hunks="", at=DAWN + timedelta(days=1), request="call 2"
    )
    desk.record([rename])
    told = desk.check.told(edit(FILE + RETRY))
    assert told is not None
    assert "removed from src/money.py on" in told


def test_a_title_cannot_pose_as_anything_and_is_cut() -> None:
    told = desk_without(reason="Why\u202e not " + "x" * 120).check.told(edit(FILE + RETRY))
    assert told is not None
    assert r"(\"Why\u{202E} not ".replace('\\"', '"') in told
    assert 'x..."). See why' in told


def test_dates_are_those_of_the_machines_zone() -> None:
    desk = desk_without()
    desk.clock = FixedClock(where=timezone(timedelta(hours=-8)))
    told = desk.check.told(edit(FILE + RETRY))
    assert told is not None
    assert "on 2024-05-05 (" in told


def test_where_nothing_was_saved_nothing_is_told_and_nothing_made() -> None:
    desk = Desk()
    assert desk.check(edit(FILE + RETRY)) is None
    assert desk.storage.registry.all() == ()


def test_a_file_of_another_project_is_refused() -> None:
    with pytest.raises(PathOutsideProjectError):
        Desk().check(edit(RETRY, path="../other.py"))


def test_a_long_title_is_cut() -> None:
    desk = Desk()
    desk.tree.known["src/pay.py"] = CodeChange(path="src/pay.py", hunks=removed(RETRY))
    desk.save("A decision.", title="x" * 150, paths=("src/pay.py",))
    told = desk.check.told(edit(FILE + RETRY))
    assert told is not None
    assert f'("{"x" * 100}...")' in told
