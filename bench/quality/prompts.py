"""Quality of a hook's answers to prompts: relevant memories if there are any, otherwise nothing.

Run: `python -m bench.quality.prompts [--locomo FILE] [--repository FOLDER ...] [--functions N]`. For each
collection, half of the memories are saved. Questions answered by this half make prompts with relevant memories,
and questions answered by the other half make prompts without relevant memories. Words around a question turn it
into a prompt. Further prompts are about no memory, or are pasted logs.

`data/prompts.txt` has prompts about the facts of `data/facts.txt`, all of which are saved, and prompts for which
no fact is relevant. All prompts are tried three times: before and after an edit with each prompt as its reason was
captured, and in a project that also has newer notes on other subjects.
"""

import random
import re
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
from attrs import evolve, frozen

from bench.quality.collection import Collection, Memory
from bench.quality.collections import source_code
from bench.quality.collections.corrections import corrections
from bench.quality.collections.facts import everyday, facts
from bench.quality.collections.history import history
from bench.quality.collections.locomo import locomo
from bench.quality.collections.records import prompts
from bench.quality.engines.lamella import Lamella
from bench.tables import Table, command, publish
from lamella.container import running
from lamella.domain.call import Call
from lamella.domain.hook_context import Related
from lamella.domain.text.words import query_words
from lamella.entry_points import adapter
from lamella.ports.spool import EditCaptured
from lamella.settings import Settings
from lamella_adapters.hooks.context import prompt
from lamella_adapters.sqlite.hook_reads.related import related_memories

_SEED = 20240506
_EDITED = datetime(2026, 5, 1, 9, tzinfo=UTC)
_ROOT = Path(__file__).resolve().parents[2]

KNOWN, UNKNOWN, CHAT, LOGS = "something is known of it", "nothing is known of it", "about nothing", "pasted logs"

_STANDS_OUT = (3.5, 4.0, 4.5, 5.0)
"""Minimum similarities of a note to be shown, in standard deviations above the mean similarity of all notes."""

_WORD = re.compile(r"\w+")

_AROUND = (
    "{} Is that right?",
    "I think we had this before: {} Can you have a look?",
    "Please change this. {} And run the tests afterwards.",
    "ok, now the next thing. {} What would be the best way to do that? Don't write code yet.",
)
_CHAT = """
yes|no|ok|go on|continue|looks good|run the tests|run the tests again|commit this|fix the typo in README
thanks, that works|what does this do?|why?|can you explain that again?|undo the last change|make it shorter
add a test for that|try again|please continue where you left off|now do the same for the other file
the tests fail, please fix them|write the docs|what is the next step?|let's move on to the next issue
rename the variable|format the code and run the linter|is there a better way to do this?|show me the diff
push it|create a new branch for this|update the dependencies
I don't understand this error message, what is wrong?
please review the whole file and tell me what you would change|remove the debug output
add type hints to this function|make this function faster|the build is broken on main
write a commit message for these changes|clean up the code a little before we go on
check that all the tests pass|can you split this into two functions?|stop, that is not what I meant
do you remember what we did yesterday?|how long will that take?|add a docstring|please use fewer comments
start the server and check whether it answers|the output is still wrong, it should be sorted by name
which files did you change?|add error handling here|open the file and have a look at the top
use the newer syntax|keep the old behaviour as the default for now
"""
_LOG_LINES = (
    "2026-03-{d:02} 1{n}:2{n}:0{n} INFO request {h} served in {n}{n} ms status=200 path=/items/{h}",
    "2026-03-{d:02} 1{n}:2{n}:0{n} WARNING connection pool is full, discarding connection to host-{n}",
    'Traceback (most recent call last):\n  File "/srv/app/views.py", line {d}{n}, in get_items\n    return items',
    "ValueError: invalid literal for int() with base 10: '{h}'",
    "FAILED tests/test_views.py::test_items_{n} - AssertionError: assert {d} == {n}",
    "=================== {n} failed, {d} passed, 1 warning in {n}.{d}s ===================",
    "npm ERR! code E{h}\nnpm ERR! command failed with exit code {n}",
    "warning: unused variable `x{n}` in src/main.rs:{d}:{n}",
)


@frozen
class Judged:
    """Memories shown for one prompt, best first, each with True if it is relevant to the prompt."""

    kind: str
    found: Sequence[tuple[Related, bool]]


def chat() -> list[str]:
    """Return prompts that are about no memory."""
    return [each.strip() for line in _CHAT.strip().split("\n") for each in line.split("|")]


def logs(count: int, rng: random.Random) -> Iterator[str]:
    """Return logs and error messages unrelated to the project, some of them after a question."""
    for number in range(count):
        lines = [
            rng.choice(_LOG_LINES).format(
                d=rng.randint(1, 28), n=rng.randint(1, 9), h=f"{rng.randrange(16**6):06x}"
            )
            for _ in range(rng.randint(5, 200))
        ]
        asked = "What is going on here?\n" if number % 2 else ""
        yield asked + "\n".join(lines)


def around(question: str, rng: random.Random) -> str:
    """Surround a question with words, as in a real prompt."""
    return rng.choice(_AROUND).format(question)


def judged(collection: Collection) -> Iterator[Judged]:
    """Return the results for the prompts of a collection, after half of the collection's memories were saved."""
    rng = random.Random(_SEED)  # noqa: S311 - a sample
    for memories, questions in collection.projects.values():
        saved = [each for each in memories if rng.random() < 0.5]
        keys = {each.key for each in saved}
        with tempfile.TemporaryDirectory() as folder:
            connection, ids = _filled(Path(folder), saved)
            for question in questions:
                here = question.relevant & keys
                if not here or here == question.relevant:
                    said = around(question.text, rng)
                    yield Judged(KNOWN if here else UNKNOWN, _found(connection, ids, said, here))
            for said in chat():
                yield Judged(CHAT, _found(connection, ids, said, frozenset()))
            for said in logs(100, rng):
                yield Judged(LOGS, _found(connection, ids, said, frozenset()))
            connection.close()


def about_facts() -> Iterator[tuple[str, list[Judged]]]:
    """Yield each set of prompts about the facts with its results.

    The prompts are tried before and after the capture of edits, and with newer notes on other subjects.
    """
    collection = facts()
    about, others = prompts()
    sets = {
        "prompts about facts": (about, others),
        "reworded questions about facts": ([each.text for each in collection.questions], everyday()),
    }
    newer = next(corrections()).memories
    later = collection.memories[-1].created_at - newer[0].created_at + timedelta(days=1)
    project = collection.memories[0].project
    notes = [evolve(each, project=project, created_at=each.created_at + later) for each in newer]
    for more in ([], notes):
        with tempfile.TemporaryDirectory() as folder:
            connection, ids = _filled(Path(folder), [*collection.memories, *more])
            for captured in [0] if more else (0, len(about) + len(others)):
                if captured:
                    _capture(Path(folder), [*about, *others])
                for name, (known, unknown) in sets.items():
                    asked = zip(known, [each.relevant for each in collection.questions], strict=True)
                    cases = [Judged(KNOWN, _found(connection, ids, said, relevant)) for said, relevant in asked]
                    cases += [Judged(UNKNOWN, _found(connection, ids, said, frozenset())) for said in unknown]
                    yield f"{name}, {f'{len(more)} newer notes' if more else f'{captured} edits'}", cases
            connection.close()


def _capture(folder: Path, reasons: Sequence[str]) -> None:
    """Record an edit of a separate file for each reason, in the project of a folder."""
    with running(Settings(data_directory=folder / "data")) as lamella:
        for number, reason in enumerate(reasons):
            edit = EditCaptured(
                name=f"edit {number}",
                at=_EDITED + number * timedelta(minutes=7),
                directory=folder,
                session="edits",
                reason=reason,
                path=f"src/{number}.py",
                hunks=f"@@ -0,0 +1 @@\n+x = {number}\n",
            )
            lamella.record_changes(Call(directory=folder), [edit])


def _filled(folder: Path, memories: Sequence[Memory]) -> tuple[apsw.Connection, dict[str, str]]:
    """Save memories in a new project. Return the project's file, and the keys of the memories by id."""
    ids = Lamella().saved(folder, memories)
    (path,) = (folder / "data" / "projects").glob("*.db")
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY), ids


def _found(
    connection: apsw.Connection, ids: dict[str, str], said: str, relevant: frozenset[str]
) -> list[tuple[Related, bool]]:
    asked = prompt.asked(said)
    if asked is None:
        return []
    found = related_memories(connection, query_words(asked), prompt.LOOKED_AT)
    return [(each, ids[each.memory.key] in relevant) for each in found]


def _row(name: str, cases: Sequence[Judged]) -> list[str]:
    """Return a row of the table for a set of prompts.

    It has the share of prompts with shown memories for each kind of prompt, and the share of relevant memories
    among the shown memories.
    """
    told = {kind: [_told(each) for each in cases if each.kind == kind] for kind in (KNOWN, UNKNOWN, CHAT, LOGS)}
    known = [right for answer in told[KNOWN] for right in answer]
    everything = [right for answers in told.values() for answer in answers for right in answer]
    shares = [f"{100 * sum(map(bool, answers)) / max(1, len(answers)):.1f} %" for answers in told.values()]
    precision = [f"{100 * sum(each) / max(1, len(each)):.1f} % of {len(each)}" for each in (known, everything)]
    return [name, *shares, *precision]


def by_meaning(embedder: str, told: Mapping[str, Sequence[Judged]]) -> Iterator[list[str]]:
    """Yield results for prompts about facts, for each limit: memories found by words, or else by meaning.

    Args:
        embedder: Name of the embedder.
        told: Results of `about_facts`.
    """
    collection, model = facts(), adapter("embedder", embedder.partition(":")[0])(embedder)
    texts = [each.text for each in collection.memories]
    notes = model.embed(texts)
    questions = ([each.text for each in collection.questions], everyday())
    for (name, cases), said in zip(list(told.items())[:2], (prompts(), questions), strict=True):
        known, found = len(texts), []
        for place, text in enumerate([*said[0], *said[1]]):
            vector = model.embed_query(text)
            near = [vector.cosine(note) for note in notes]
            best = max(near)
            out = (best - statistics.fmean(near)) / statistics.pstdev(near)
            found.append((_told(cases[place]), out, near.index(best) == place))
        for limit in _STANDS_OUT:
            right = sum(any(words) or (out >= limit and nearest) for words, out, nearest in found[:known])
            wrong = sum(bool(words) or out >= limit for words, out, _ in found[known:])
            shares = [f"{100 * count / most:.1f} %" for count, most in ((right, known), (wrong, len(said[1])))]
            yield [name, f"{limit:.1f}", *shares]


def _told(each: Judged) -> list[bool]:
    """Return a value for each memory shown for a prompt: True if the memory is relevant."""
    chosen = prompt.relevant([related for related, _ in each.found])
    return [right for related, right in each.found if related in chosen]


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--locomo", type=Path, help="locomo10.json, or a part of it; not in this repository")
    parser.add_argument("--repository", type=Path, action="append", default=[], help="may be repeated")
    parser.add_argument("--functions", type=int, default=1_000, help="memories of the collections of code")
    parser.add_argument("--questions", type=int, default=500, help="questions of each collection of code, at most")
    parser.add_argument("--embedder", help="also measure what meaning would add: onnx:FOLDER")
    options = parser.parse_args()
    if options.embedder:
        head = ["collection", "stands out by", "right where known", "told where unknown"]
        rows = list(by_meaning(options.embedder, dict(about_facts())))
        Table(title=f"Words or else {options.embedder}", head=head, rows=rows).printed()
        return
    collections = list(source_code.collections(options.functions, options.questions))
    collections += [next(locomo(options.locomo))] if options.locomo else []
    for repository in options.repository or [_ROOT]:
        name = "this repository" if repository.resolve() == _ROOT else repository.resolve().name
        found = history(repository, name)
        collections += [found] if found else []
    cases = {**dict(about_facts()), **{collection.name: list(judged(collection)) for collection in collections}}
    table = Table(
        title="What prompts are told of",
        head=[
            "collection",
            *(f"told: {kind}" for kind in (KNOWN, UNKNOWN, CHAT, LOGS)),
            "right where known",
            "right of all",
        ],
        rows=[
            *(_row(name, each) for name, each in cases.items()),
            _row("all", [each for every in cases.values() for each in every]),
        ],
    )
    publish(options.results / "prompts.md", [table])


if __name__ == "__main__":
    main()
