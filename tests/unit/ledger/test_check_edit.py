from datetime import datetime, timedelta, timezone

import pytest
from attrs import evolve

from lamella.application.ledger.check_edit import EditRequest
from lamella.domain.call import Call
from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.memories.observation import CodeChange
from lamella.domain.privacy.redaction import cleaned
from lamella.ports.storage.ledger import Recorded
from tests.unit.capture.drains import drained
from tests.unit.support.doubles import CALL, HOME, Desk
from tests.unit.support.edits import captured, removed
from tests.unit.support.stand_ins import DAWN, FolderTree
from tests.unit.support.tables import cases

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


def desk_without(code: str = RETRY, *, reason: str = "Drop the retries.", path: str = "src/pay.py") -> Desk:
    """A desk that has seen code being removed."""
    desk = Desk()
    desk.record(desk.call, [captured(cleaned(removed(code)).text, path=path, reason=reason)])
    return desk


def edit(
    after: str, *, path: str = "src/pay.py", before: str = FILE, asked: datetime | None = None
) -> EditRequest:
    return EditRequest(path=path, before=before, after=after, asked=asked)


BEFORE, AFTER = DAWN - timedelta(seconds=1), DAWN + timedelta(minutes=5)
"""Before the code was removed, and after."""


def test_an_edit_that_brings_removed_code_back_is_told() -> None:
    desk = desk_without()
    assert desk.check(desk.call, edit(FILE + RETRY)) == (
        "This edit brings back code that was removed on 2024-05-06. "
        "See why before you keep it: recall with id 00000001.\n"
        'Data of that removal: path "src/pay.py", title "Drop the retries."'
    )


def test_the_decision_of_the_session_is_named_although_saved_first() -> None:
    desk = desk_without()
    desk.at(session="another").save("Other.", source="decision", paths=["src/pay.py"])
    desk.at(session="s").save("Callers retry.", source="decision", paths=["src/pay.py"])
    told = desk.check(desk.call, edit(FILE + RETRY))
    assert told is not None
    assert told.endswith(
        'recall with id 00000003.\nData of that removal: path "src/pay.py", title "Callers retry."'
    )


def test_a_decision_is_not_that_of_an_edit_without_a_session() -> None:
    desk = Desk()
    desk.record(desk.call, [captured(removed(RETRY), reason="Drop the retries.", session=None)])
    desk.save("Callers retry.", source="decision", paths=["src/pay.py"])
    told = desk.check(desk.call, edit(FILE + RETRY))
    assert told is not None
    assert told.endswith('title "Drop the retries."')


def test_similar_code_is_warned_of_with_the_date_in_the_zone_of_the_call() -> None:
    call = evolve(CALL, zone=timezone(timedelta(hours=-8)))
    told = desk_without().check(call, edit(FILE + RENAMED))
    assert told is not None
    assert told.startswith(
        "This edit brings back much the same code as was removed on 2024-05-05. See why before you keep it: "
        "recall with id 00000001."
    )


@cases
def test_any_other_edit_is_told_nothing(request_: EditRequest) -> None:
    desk = desk_without()
    assert desk.check(desk.call, request_) is None


def test_what_still_stands_in_the_file_in_another_layout_is_not_told() -> None:
    desk = desk_without()
    before = FILE + RETRY.replace("        ", "\t")
    assert desk.check(desk.call, edit(before + RETRY, before=before)) is None


def test_a_line_that_held_a_secret_is_known_again() -> None:
    line = f"        self.session.headers.update(authorization='{KEY}', charset=CHARSET)\n"
    assert desk_without(line).check(CALL, edit(FILE + line)) is not None


def test_the_former_name_of_a_file_is_told() -> None:
    desk = desk_without(path="src/money.py")
    desk.record(desk.call, [captured("", former="src/money.py", at=DAWN + timedelta(days=1))])
    told = desk.check(desk.call, edit(FILE + RETRY))
    assert told is not None
    assert 'path "src/money.py"' in told


def test_a_title_cannot_pose_as_anything_and_is_cut() -> None:
    told = desk_without(reason="Why\u202e not " + "x" * 120).check(CALL, edit(FILE + RETRY))
    assert told is not None
    assert r'title "Why\u{202E} not x' in told
    assert told.endswith('x..."')


def test_where_nothing_was_saved_nothing_is_told_and_nothing_made() -> None:
    desk = Desk()
    assert desk.check(desk.call, edit(FILE + RETRY)) is None
    assert desk.storage.registry.all() == ()


def test_a_file_of_another_project_is_refused() -> None:
    with pytest.raises(PathOutsideProjectError):
        Desk().check(CALL, edit(RETRY, path="../other.py"))


def test_what_the_session_has_just_removed_itself_may_be_moved() -> None:
    desk = desk_without()
    assert desk.check(evolve(desk.call, session="s"), edit(FILE + RETRY, asked=BEFORE)) is None
    # Another session doesn't know of it, nor does the session itself when it is asked for something else.
    assert desk.check(evolve(desk.call, session="another"), edit(FILE + RETRY, asked=BEFORE)) is not None
    assert desk.check(evolve(desk.call, session="s"), edit(FILE + RETRY, asked=AFTER)) is not None


def test_what_the_session_puts_elsewhere_at_the_next_prompt_is_moved() -> None:
    close = "    def close(self):\n        self.session.close()\n"
    reset = "    def reset(self, kept):\n        self.session.reset(kept)\n"
    gone = "".join(f"-{line}\n" for line in RETRY.splitlines())
    context = ["".join(f" {line}\n" for line in code.splitlines()) for code in (close, reset)]
    desk = Desk()
    desk.record(desk.call, [captured(f"@@ -2,9 +2,4 @@\n{context[0]}{gone}{context[1].rstrip()}")])
    before, end = (
        f"class Payments:\n{close}{reset}",
        "    def refund(self, order):\n        self.refunds.add(order)\n",
    )
    call = evolve(desk.call, session="s")

    def told(after: str, call: Call = call) -> bool:
        return desk.check(call, edit(after, before=before + end, asked=AFTER)) is not None

    assert not told(before + end + RETRY)
    assert not told(f"class Payments:\n{RETRY}{close}{reset}{end}".replace("Payments", "OfPayments"))
    # Another session doesn't move it, and under other names it isn't the same code.
    assert told(before + end + RETRY, evolve(call, session="another"))
    assert told(before + end + RENAMED)
    # It comes back to its place, as far as the code beside it is there.
    other = desk_without()
    assert other.check(call, edit(before + end + RETRY, before=before + end, asked=AFTER)) is not None


@pytest.mark.parametrize("beside", ["above", "below", "both"])
def test_what_comes_back_beside_the_same_code_is_told(beside: str) -> None:
    above, below = "        self.session.close()\n", "    def reset(self, kept):\n"
    hunk = f"@@ -2,9 +2,4 @@\n {above}" + "".join(f"-{line}\n" for line in RETRY.splitlines()) + f" {below}"
    desk = Desk()
    desk.record(desk.call, [captured(hunk.rstrip("\n"))])
    before = {
        "above": above + "        other = 'than before'\n",
        "below": "    other = 'thing'\n" + below,
        "both": above + below,
    }[beside]
    after = before.replace(above, above + RETRY) if beside == "above" else before.replace(below, RETRY + below)
    told = desk.check(evolve(desk.call, session="s"), edit(after, before=before, asked=AFTER))
    assert told is not None


def test_an_earlier_turns_edit_stays_one_whatever_is_edited_after_it() -> None:
    desk = desk_without()
    also = "    def refund(self, order):\n        self.session.post(order.refund_url, json=order.data)\n"
    edits = [
        captured(removed(also), at=DAWN + timedelta(minutes=minutes), reason="Drop the retries.", asked=asked)
        # The first doesn't know that it belongs to another turn, and joins what was edited before.
        for minutes, asked in ((6, None), (7, AFTER))
    ]
    assert [*desk.record(desk.call, edits).recorded] == [Recorded.JOINED, Recorded.NEW]
    assert desk.check(evolve(desk.call, session="s"), edit(FILE + RETRY, asked=AFTER)) is not None
    desk.purge(desk.call, ["00000001"])
    assert desk.check(evolve(desk.call, session="s"), edit(FILE + also, asked=AFTER)) is None


def test_code_that_is_brought_to_its_new_place_first_is_never_told() -> None:
    desk = Desk()
    call = evolve(desk.call, session="s")
    there = "class Orders:\n" + RETRY
    assert desk.check(call, edit(there + FILE + RETRY, before=there + FILE, asked=BEFORE)) is None
    both = (removed(RETRY).replace("\n-", "\n+"), removed(RETRY))
    desk.record(desk.call, [captured(hunks, asked=BEFORE) for hunks in both])
    for asked in (BEFORE, AFTER):
        assert desk.check(call, edit(FILE + RETRY, before=FILE + RETRY, asked=asked)) is None


def test_a_move_in_one_edit_is_never_told() -> None:
    desk = desk_without()
    assert desk.check(desk.call, edit(FILE + RETRY, before=RETRY + FILE)) is None
    desk = Desk()
    moved = "\n".join(["@@ @@", *(f"{sign}{line}" for sign in "-+" for line in RETRY.splitlines())])
    desk.record(desk.call, [captured(moved, session="other")])
    assert desk.check(desk.call, edit(FILE + RETRY)) is None


@pytest.mark.parametrize("touched", [DAWN, DAWN - timedelta(minutes=1)])
def test_what_a_command_left_behind_may_have_gone_by_hand_and_is_told(touched: datetime) -> None:
    hunks = removed(RETRY).replace("@@ @@", "@@ -1,5 +1,0 @@")
    change = CodeChange(path="src/pay.py", additions=0, deletions=5, hunks=hunks)
    desk = Desk(tree=FolderTree(differing=(change,), touches={"src/pay.py": touched}))
    desk.spool.put(command="sed", reason="Go on.", at=DAWN, took=timedelta(seconds=2), directory=HOME)
    drained(desk)
    assert desk.check(evolve(desk.call, session="s"), edit(FILE + RETRY, asked=BEFORE)) is not None
