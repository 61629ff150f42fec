"""Clauses on reads by hooks."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.hook_context import ChangedFile, Index, MemoryExcerpt, Overview, Surroundings
from lamella.domain.ledger.removed_code import RemovedCode
from lamella.domain.memories.kind import DECISION, LEARNED
from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Location
from lamella.domain.text.words import query_words
from lamella.ports.storage.storage import Capability
from lamella_contracts.fixtures.hook_reads import HookReadsFixture
from lamella_contracts.fixtures.ledger import PARSE, RETRY, LedgerFixture, all_fingerprints, change
from lamella_contracts.fixtures.project import START, location_named, signed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LINES = "\n".join(["@@ -0,0 +1,20 @@", *(f"+line {number} of a file" for number in range(20))])
"""Hunks long enough to be compressed."""


def excerpt(observation: Observation) -> MemoryExcerpt:
    """Return the excerpt of a short memory with a unique prefix of its id."""
    at = _microseconds(observation)
    short, paths = observation.id.hex[:8], tuple(change.path for change in observation.changes)
    said, session = (observation.title, observation.content), observation.session or ""
    decision = observation.kind is Kind.NOTE and observation.source == DECISION
    return MemoryExcerpt(observation.id.hex, short, at, *said, (), "", paths, session, decision)


def _microseconds(observation: Observation) -> int:
    return (observation.occurred_at - _EPOCH) // timedelta(microseconds=1)


class HookReadsClauses:
    """Hooks read the current contents of the storage.

    An index lists the latest memories of each kind, to show at the start of a session.
    """

    def test_an_index_has_the_latest_of_each_kind(self, hooks: HookReadsFixture) -> None:
        """Fails if an index mixes kinds, begins with the oldest memory, exceeds a limit, or lists a file twice."""
        project = hooks.project
        decisions = [project.save(f"decision {n}", source="decision") for n in range(3)]
        notes = [project.save(f"note {n}", title=f"Title {n}") for n in range(3)]
        summaries = [project.save(f"summary {n}", kind=Kind.SUMMARY) for n in range(3)]
        files = [
            project.save(
                f"change {n}", kind=Kind.CHANGE, changes=(CodeChange(path=path, additions=n, deletions=None),)
            )
            for n, path in enumerate(("a.py", "b.py", "c.py", "b.py"))
        ]
        with hooks.reading() as reads:
            index = reads.index(decisions=2, notes=2, summaries=2, files=2)
        assert index == Index(
            overview=Overview("project", 13, _microseconds(files[3])),
            decisions=[excerpt(each) for each in decisions[:0:-1]],
            notes=[excerpt(each) for each in notes[:0:-1]],
            summaries=[excerpt(each) for each in summaries[:0:-1]],
            changes=[
                ChangedFile(*excerpt(each)[:4], path, number, None)
                for each, path, number in ((files[3], "b.py", 3), (files[2], "c.py", 2))
            ],
        )

    def test_an_index_has_files_and_branches(self, hooks: HookReadsFixture) -> None:
        """Fails if file versions, changed lines or branches are missing, or belong to another memory."""
        known, other = (
            CodeChange(path="b.py", version="3 1 e69de29b"),
            CodeChange(path="a.py", version="4 2", hunks=LINES),
        )
        hooks.project.save("about two", changes=(known, other), branch="feat", head="1" * 40)
        hooks.project.save("about one", changes=(evolve(known, version="5 3"),))
        with hooks.reading() as reads:
            notes = reads.index(decisions=0, notes=2, summaries=0, files=0).notes
        said = [[(path, version, lines()) for path, version, lines in each.files] for each in notes]
        assert said == [[("b.py", "5 3", "")], [("b.py", "3 1 e69de29b", ""), ("a.py", "4 2", LINES)]]
        assert [(each.branch, each.head) for each in notes] == [(None, None), ("feat", "1" * 40)]

    def test_related_memories_have_files_and_branches(self, hooks: HookReadsFixture) -> None:
        """Fails if related memories lack branches or files, for example because only `index` reads them."""
        change = CodeChange(path="a.py", version="4 2", hunks=LINES)
        text = f"retry_payment was removed {'since it failed ' * 500}"
        hooks.project.save(text, branch="feat", head="1" * 40, changes=(change,))
        with hooks.reading() as reads:
            (found,) = reads.related(query_words("What of retry_payment?"), 5)
        assert (found.memory.branch, found.memory.head, found.memory.paths) == ("feat", "1" * 40, ("a.py",))
        assert [(path, version, lines()) for path, version, lines in found.memory.files] == [
            ("a.py", "4 2", LINES)
        ]

    def test_an_index_has_older_notes_about_the_place(self, hooks: HookReadsFixture) -> None:
        """Fails if older notes about the current folder or the changed files are missing.

        Also fails if notes about other files, or captured edits, are included. Also fails if `elsewhere` of the
        index doesn't have exactly the sessions whose files are all in other folders.
        """
        project = hooks.project

        def about(*paths: str, kind: Kind = Kind.NOTE, source: str = "manual") -> Observation:
            changes = tuple(CodeChange(path=path) for path in paths)
            return project.save(f"about {paths}", kind=kind, source=source, changes=changes, session="s-1")

        whole = project.save("whole", source="decision")
        inside, changed = about("pay/a.py", "z.py", source="decision"), about("b/é.py")
        naming = project.save("the pay folder", title="Naming")
        for path in ("pay", "payments/a.py", "a/pay/b.py", "b.py"):
            about(path, kind=Kind.CHANGE)
            about(f"{path}2")
        here = Surroundings("pay", "pay", frozenset({"b/é.py", 'a"b.py'}))
        with hooks.reading() as reads:
            index = reads.index(decisions=0, notes=0, summaries=0, files=0, near=9, here=here)
            first = reads.index(decisions=0, notes=0, summaries=0, files=0, near=1, here=here)
            branch = reads.index(
                decisions=0, notes=0, summaries=0, files=0, near=9, here=Surroundings(branch=here.branch)
            )
        assert index.near[:2] == [excerpt(each) for each in (changed, inside)]
        assert {each.key for each in index.near[2:]} >= {naming.id.hex, whole.id.hex}
        assert first.near[:1] == index.near[:1]
        assert len(first.near) <= 3
        assert [each.key for each in branch.near] == [changed.id.hex, whole.id.hex]
        for session, path in (("s-1", "b/a.py"), ("s-2", "pay2/a.py"), ("s-3", "a.py")):
            project.save("done", kind=Kind.CHANGE, changes=(CodeChange(path=path),), session=session)
            project.save(f"in {session}", source="decision", session=session)
        project.save("without files", source="decision", session="s-4")
        with hooks.reading() as reads:
            index = reads.index(decisions=0, notes=0, summaries=0, files=0, near=9, here=here)
        assert index.elsewhere == {"s-2"}

    def test_hooks_read_no_purged_memory(self, hooks: HookReadsFixture) -> None:
        """Fails if hooks read or count purged memories, or don't find restored memories, as with a stale copy.

        Also fails if hooks count commits learned from history.
        """
        hooks.project.save("zebra learned", kind=Kind.CHANGE, source=LEARNED)
        kept, gone = hooks.project.save("zebra kept"), hooks.project.save("zebra gone")
        for change_of, expected in ((hooks.project.purge, [kept]), (hooks.project.restore, [gone, kept])):
            change_of(gone)
            assert hooks.notes() == [each.content for each in expected]
            with hooks.reading() as reads:
                found = reads.related(query_words("zebra gone"), 5)
                index = reads.index(decisions=0, notes=0, summaries=0, files=0)
            assert {each.memory.key for each in found} == {each.id.hex for each in expected}
            assert index.overview.memories == len(expected)

    def test_related_memories_hold_most_of_the_words(self, hooks: HookReadsFixture) -> None:
        """Fails if memories without the words are returned, or if the worst come first.

        Also fails if the limit is exceeded.
        """
        best = hooks.project.save("retry_payment was dropped: the provider bills each attempt")
        second = hooks.project.save("The provider has a sandbox.")
        hooks.project.save("Parquet files are written in groups of rows.")
        words = query_words("why did the provider bill each retry_payment attempt")
        with hooks.reading() as reads:
            found, first = reads.related(words, 5), reads.related(words, 1)
            nothing = reads.related(query_words("xylophone"), 5)
        assert [each.memory for each in found] == [excerpt(best), excerpt(second)]
        assert (first, nothing) == (found[:1], [])
        assert found[0].evidence > found[1].evidence > 0
        assert 1 >= found[0].share > found[1].share > 0
        assert (found[0].names, found[1].names) == (1, 0)

    def test_captures_are_not_related_and_make_no_word_frequent(self, hooks: HookReadsFixture) -> None:
        """Fails if captured edits are returned because they repeat the words of a prompt.

        Also fails if their words count in document frequencies, so that the relevant note ranks lower.
        """
        note = hooks.project.save("retry_payment was dropped: the provider bills each attempt")
        words = query_words("why did the provider bill each retry_payment attempt")
        with hooks.reading() as reads:
            before = reads.related(words, 5)
        for number in range(5):
            said = f"why did the provider bill each retry_payment attempt {number}"
            hooks.project.save(said, title=said, kind=(Kind.CHANGE, Kind.SUMMARY)[number % 2])
        with hooks.reading() as reads:
            after = reads.related(words, 5)
        assert [each.memory for each in before] == [excerpt(note)]
        assert after == before

    def test_removed_code_is_that_of_the_ledger(self, hooks: HookReadsFixture) -> None:
        """Fails if hooks read other removals than `CodeLedger.removals` returns, or removals from another file."""
        if Capability.LEDGER not in hooks.project.storage.capabilities:
            with hooks.reading() as reads:
                assert not reads.knows_file("a.py")
            return
        ledger = LedgerFixture(hooks.project)
        ledger.record(change("a.py", removed=RETRY))
        other = ledger.record(change("b.py", removed=PARSE))
        asked = all_fingerprints(RETRY, PARSE)
        with hooks.reading() as reads:
            assert [reads.knows_file(path) for path in ("a.py", "b.py", "c.py")] == [True, True, False]
            for path in ("a.py", "b.py", "c.py"):
                assert reads.removals(path, frozenset(asked)) == [
                    RemovedCode(
                        key=each.observation.hex,
                        at=(each.at - _EPOCH) // timedelta(microseconds=1),
                        kind=each.kind,
                        source=each.source,
                        session=each.session,
                        title=each.title,
                        path=each.path,
                        fingerprints=frozenset(each.fingerprints),
                    )
                    for each in ledger.port.removals(path, asked)
                ]
            assert reads.hunks(other.id.hex, "b.py") == other.changes[0].hunks
            assert reads.hunks(other.id.hex, "a.py") == ""

    def test_a_decision_about_a_file_is_the_latest_of_its_session(self, hooks: HookReadsFixture) -> None:
        """Fails if hooks read an older or purged decision, or a note that isn't a decision.

        Also fails if hooks read a decision about another file, or from another session.
        """
        about, other = (CodeChange(path="a.py"),), (CodeChange(path="b.py"),)
        hooks.project.save("older", source="decision", session="s", changes=about)
        latest = hooks.project.save("latest", source="decision", session="s", changes=about)
        purged = hooks.project.save("purged", source="decision", session="s", changes=about)
        hooks.project.purge(purged)
        hooks.project.save("plain", session="s", changes=about)
        hooks.project.save("of another file", source="decision", session="s", changes=other)
        hooks.project.save("of another session", source="decision", session="t", changes=about)
        with hooks.reading() as reads:
            assert reads.decision("s", "a.py") == (latest.id.hex, latest.title)
            assert reads.decision("u", "a.py") is None

    def test_hooks_read_ids_that_are_unique(self, hooks: HookReadsFixture) -> None:
        """Fails if short ids always have eight digits, so that `recall` finds two memories by one id."""
        one, two = (hooks.project.save(f"note {n}", id=UUID(f"0123456789ab{n}".ljust(32, "0"))) for n in "ef")
        with hooks.reading() as reads:
            shown = [each.id for each in reads.index(decisions=0, notes=2, summaries=0, files=0).notes]
            assert (
                shown == [reads.short_id(each.id.hex) for each in (two, one)] == ["0123456789abf", "0123456789abe"]
            )

    def test_a_project_that_is_set_comes_before_the_place(self, hooks: HookReadsFixture) -> None:
        """Fails if the configured project isn't found by id, alias or name, or if the location's project wins."""
        hooks.project.save("here")
        other = hooks.project.other("other")
        other.save("there")
        asked = (other.id, other.location.key, "other")
        assert [hooks.notes(name=name) for name in asked] == [["there"]] * 3
        named = Location(key=key_of_name("new"), name="unlike", root=hooks.project.folder)
        id = hooks.project.storage.registry.at(named, now=START).id
        observations = hooks.project.storage.observations(id)
        observations.add(Draft(content="of the name"), id=hooks.project.new_id(), now=START)
        assert hooks.notes(name="new") == ["of the name"]

    def test_hooks_know_all_places_of_a_project(self, hooks: HookReadsFixture) -> None:
        """Fails if a project or one of its locations is missing.

        Also fails if a merged project is listed separately.
        """
        hooks.project.save("here")
        other = hooks.project.other("other")
        other.save("there")
        places = hooks.project.location.key, other.location.key
        assert hooks.living_at(*places) == [hooks.project.id, other.id]
        if Capability.MERGE in hooks.project.storage.capabilities:
            hooks.project.storage.registry.merge(other.id, hooks.project.id, by=signed())
            assert hooks.living_at(*places) == [hooks.project.id, hooks.project.id]

    def test_hooks_make_no_project(self, hooks: HookReadsFixture) -> None:
        """Fails if reading at a location without a project creates a project, or reads another project."""
        hooks.project.save("here")
        hooks.project.other("twin")
        hooks.project.storage.registry.at(location_named("twin", key="/another/.git"), now=START)
        before = hooks.project.storage.registry.all()
        for location, name in ((location_named("nowhere"), ""), (None, "unheard of"), (None, "twin")):
            with pytest.raises(Exception):  # noqa: B017, PT011 - hooks ignore exceptions of any class
                hooks.notes(location, name)
        assert hooks.project.storage.registry.all() == before
