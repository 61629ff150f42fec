"""Hooks look for themselves, and see what the use cases see; they import little."""

import os
import re
from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lamella.application.ledger.check_edit import EditRequest
from lamella.application.memories.save import SaveRequest
from lamella.application.search.request import SearchRequest
from lamella.container import running
from lamella.domain.memories.query import ById, ByText, RecallQuery
from lamella.domain.text.words import query_words
from lamella_adapters.git.repository.locate import find
from lamella_adapters.hooks import prompt_reason
from lamella_adapters.hooks.clients import Edit
from lamella_adapters.hooks.context import prompt
from lamella_adapters.hooks.context.edit_warning import edited
from lamella_adapters.sqlite.hook_reads.open_project import Deadline, project_at
from lamella_adapters.sqlite.hook_reads.related import related_memories
from tests.end_to_end.hooks.place import AT, CODE, FILE, Place, unmarked
from tests.unit.support.edits import captured
from tests.waiting import HANG_SECONDS

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


@example(taken=[CODE], put=[], before=FILE, after=FILE + CODE, asked=None)
@example(
    taken=[CODE],
    put=[],
    before=FILE,
    after=FILE + CODE.replace("attempt", "turn").replace("answer", "reply"),
    asked=None,
)
@example(taken=[LINES[-1], "x"], put=[], before=FILE, after=FILE + LINES[-1], asked=None)
@example(taken=[CODE], put=[CODE], before=FILE, after=FILE + CODE, asked=None)
@example(taken=[CODE], put=[], before=FILE + CODE, after=FILE + CODE * 2, asked=None)
@example(
    taken=[CODE],
    put=[],
    before=FILE + CODE.replace(", ", ","),
    after=FILE + CODE.replace(", ", ",") + CODE,
    asked=None,
)
@example(taken=[CODE], put=[], before=FILE, after=FILE + CODE, asked=-1)
@example(taken=[CODE], put=[], before=FILE, after=FILE + CODE, asked=0)
@example(taken=["x", CODE], put=[], before=FILE, after=FILE + CODE, asked=-1)
@given(
    taken=st.lists(texts, min_size=1, max_size=3),
    put=st.lists(texts, max_size=1),
    before=texts,
    after=texts,
    asked=st.none() | st.integers(-1, 3),
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
        request = EditRequest(path="pay.py", before=before, after=after, asked=turn)
        told = lamella.check_edit(evolve(place.call, session="s0"), request)
    if turn is not None:
        prompt_reason.keep(str(place.data), "s0", "")
        os.utime(place.data / "claude-code" / "s0.reason", (turn.timestamp(), turn.timestamp()))
    said = place.edit("s0", "Write", file_path=str(file), content=after)
    # A hook names the tool of the session's server, which the use case doesn't know.
    said = said and re.sub(r'recall\(id="(\w+)", detail="full"\)', r"recall with id \1", said)
    assert (said and "\n".join(said.splitlines()[2:-1])) == told
    edit = Edit(str(file))
    edit.after = after
    assert edited(edit) == (before, after)


words = st.sampled_from(
    ["retry_payment", "parquet", "provider", "export", "bill", "payOrder", "src/pay.py", "cache"]
)
notes = st.lists(words, min_size=1, max_size=6).map(" ".join)


@given(
    saved=st.lists(st.tuples(notes, st.sampled_from(["decision", "manual"])), min_size=1, max_size=12), asked=notes
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_glance_agrees_with_the_use_cases(
    tmp_path_factory: pytest.TempPathFactory, saved: list[tuple[str, str]], asked: str
) -> None:
    folder = tmp_path_factory.mktemp("agrees")
    place = Place(folder / "data", folder / "shop")
    place.project.mkdir()
    with running(place.settings) as lamella:
        for number, (text, source) in enumerate(saved):
            lamella.save(place.call, SaveRequest(text=f"{text} {number}", title=f"note {number}", source=source))
        newest = [hit.observation for hit in lamella.search(place.call, SearchRequest(limit=50)).hits]
        expected = [
            f"{each.title}"
            for wanted in (True, False)
            for each in [one for one in newest if (one.source == "decision") is wanted][:10]
        ]
        shown = [line.split(" ", 3) for line in unmarked(place.start()).splitlines() if line.startswith("- ")]
        shown = [[*rest, said.partition(" | ")[0]] for *rest, said in shown]
        assert [title for *_, title in shown] == expected
        for _, _, id, title in shown:
            (hit,) = lamella.search(place.call, SearchRequest(selector=ById(id))).hits
            assert hit.observation.title == title
        search = lamella.storage.search(newest[0].project)
        recalled = {hit.observation.id.hex for hit in search.find(RecallQuery(selector=ByText(asked), limit=20))}
    deadline = Deadline(HANG_SECONDS)
    with project_at(str(place.data), find(str(place.project))[0], "", deadline) as connection:
        found = related_memories(connection, query_words(asked), prompt.LOOKED_AT)
    assert {each.memory.key for each in found} <= recalled
    assert bool(found) == bool(recalled)
