"""Hooks judge edits by themselves, and as the use case does."""

import os
import re
from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lamella.application.ledger.check_edit import EditRequest
from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella_adapters.hooks import prompt_reason
from lamella_adapters.hooks.clients import Edit
from lamella_adapters.hooks.context.edit_warning import edited
from tests.end_to_end.hooks.place import AT, CODE, FILE, Place
from tests.unit.support.edits import captured

LINES = [
    *CODE.splitlines(),
    "import os",
    "        value = compute(order.total, order.currency)",
    "        self.audit.write(entry=value, who=self.user)",
    "    }",
    "",
    "        log.info('retrying %s', order.id)",
    f"        connect('postgresql://ada:{'s3cret' * 3}@db.example.org/main', timeout=10)",
]
texts = st.lists(st.sampled_from(LINES), max_size=9).map(lambda lines: "".join(f"{line}\n" for line in lines))


@example(taken=[CODE], put=[], before=FILE, after=FILE + CODE, asked=None, decided=False)
@example(
    taken=[CODE],
    put=[],
    before=FILE,
    after=FILE + CODE.replace("attempt", "turn").replace("answer", "reply"),
    asked=None,
    decided=True,
)
@example(taken=[LINES[-1], "x"], put=[], before=FILE, after=FILE + LINES[-1], asked=None, decided=False)
@example(taken=[CODE], put=[CODE], before=FILE, after=FILE + CODE, asked=None, decided=False)
@example(taken=[CODE], put=[], before=FILE + CODE, after=FILE + CODE * 2, asked=None, decided=False)
@example(
    taken=[CODE],
    put=[],
    before=FILE + CODE.replace(", ", ","),
    after=FILE + CODE.replace(", ", ",") + CODE,
    asked=None,
    decided=True,
)
@example(taken=[CODE], put=[], before=FILE, after=FILE + CODE, asked=-1, decided=True)
@example(taken=[CODE], put=[], before=FILE, after=FILE + CODE, asked=0, decided=False)
@example(taken=["x", CODE], put=[], before=FILE, after=FILE + CODE, asked=-1, decided=True)
@given(
    taken=st.lists(texts, min_size=1, max_size=3),
    put=st.lists(texts, max_size=1),
    before=texts,
    after=texts,
    asked=st.none() | st.integers(-1, 3),
    decided=st.booleans(),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_edits_are_judged_as_by_the_use_case(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    taken: list[str],
    put: list[str],
    before: str,
    after: str,
    asked: int | None,
    decided: bool,
) -> None:
    turn = None if asked is None else AT + timedelta(days=asked)
    folder = tmp_path_factory.mktemp("judged")
    place = Place(folder / "data", folder / "shop")
    place.project.mkdir()
    file = place.project / "pay.py"
    file.write_text(before)
    with running(place.settings) as lamella:
        for number, code in enumerate([*taken, *put]):
            sign = "-" if number < len(taken) else "+"
            hunks = "\n".join(["@@ @@", *(sign + line for line in code.splitlines())])
            more = {"session": f"s{number % 2}", "reason": f"Reason {number}."}
            change = captured(hunks, path="pay.py", at=AT + timedelta(days=number), **more)
            lamella.record_changes(place.call, [change])
        if decided:
            said = SaveRequest(text="Callers retry.", source="decision", paths=("pay.py",))
            lamella.save(evolve(place.call, session="s1"), said)
        request = EditRequest(path="pay.py", before=before, after=after, asked=turn)
        told = lamella.check_edit(evolve(place.call, session="s0"), request)
    if turn is not None:
        prompt_reason.keep(str(place.data), "s0", "")
        os.utime(place.data / "claude-code" / "s0.reason", (turn.timestamp(), turn.timestamp()))
    shown = place.edit("s0", "Write", file_path=str(file), content=after)
    # A hook names the tool of the session's server, which the use case doesn't know.
    shown = shown and re.sub(r'recall\(id="(\w+)", detail="full"\)', r"recall with id \1", shown)
    assert (shown and "\n".join(shown.splitlines()[2:-1])) == told
    edit = Edit(str(file))
    edit.after = after
    assert edited(edit) == (before, after)
