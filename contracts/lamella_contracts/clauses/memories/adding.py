"""Clauses on saving: fields, sequence numbers, times, duplicates and retries."""

from datetime import timedelta

from lamella.domain.memories.observation import CodeChange, Draft, Kind, Observation
from lamella.ports.storage.observations import Added, Saved
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture

CHANGES = (
    CodeChange(path="src/b.py", additions=3, deletions=0, hunks="@@ -1 +1 @@\r\n-old\n+new\n"),
    CodeChange(path="src/a.py", additions=0, deletions=None, version="3 1732300000000000001 e69de29b"),
    CodeChange(path="logo.png"),
)


class AddingClauses:
    """Drafts come back unchanged as observations."""

    def test_every_field_comes_back(self, project: ProjectFixture) -> None:
        """A field has no column, is converted on its way, or `add` and `get` disagree."""
        now = START + timedelta(microseconds=1)
        saved = project.save(
            "What was observed.\nOn two lines.",
            now=now,
            title="A title",
            source="decision",
            kind=Kind.SUMMARY,
            actor="reviewer",
            author="Ada",
            session="session-1",
            changes=CHANGES,
            request="call-1",
        )
        assert saved == Observation(
            id=saved.id,
            project=project.id,
            origin=project.id,
            sequence=saved.sequence,
            session="session-1",
            kind=Kind.SUMMARY,
            actor="reviewer",
            author="Ada",
            title="A title",
            content="What was observed.\nOn two lines.",
            source="decision",
            created_at=now,
            updated_at=now,
            occurred_at=now,
            changes=CHANGES,
        )
        assert project.get(saved) == saved

    def test_what_is_not_given_stays_absent(self, project: ProjectFixture) -> None:
        """None and the empty string, or None and 0, became one on their way through storage."""
        saved = project.get(project.save("only content"))
        assert (saved.title, saved.session, saved.author, saved.purged_at, saved.changes) == (
            *("", None, None, None),
            (),
        )
        assert project.get(project.save("empty session", session="")).session == ""

    def test_code_changes_keep_order_and_unknown_counts(self, project: ProjectFixture) -> None:
        """Code changes are sorted, an unknown count became 0, or `changes` is not a tuple."""
        saved = project.save("code", changes=CHANGES)
        assert project.get(saved).changes == CHANGES

    def test_times_are_aware_and_in_utc(self, project: ProjectFixture) -> None:
        """Times come back naive or in the machine's own zone."""
        saved = project.get(project.save("now"))
        times = (saved.created_at, saved.updated_at, saved.occurred_at)
        assert [time.utcoffset() for time in times] == [timedelta(0)] * 3

    def test_sequence_rises_with_each_save(self, project: ProjectFixture) -> None:
        """Sequence numbers go by time, are random, or those of two saves are equal."""
        drafts = ["one", "two", "two", "three"]
        numbers = [project.save(content, now=START - at * MINUTE).sequence for at, content in enumerate(drafts)]
        assert numbers[1] == numbers[2]
        assert 0 < numbers[0] < numbers[1] < numbers[3]

    @needs(Capability.ERASE)
    def test_sequence_numbers_are_never_reused(self, project: ProjectFixture) -> None:
        """The next number is the highest one present plus one, which an erase gives away again."""
        project.save("one")
        last = project.save("two")
        project.erase(last)
        assert project.save("three").sequence > last.sequence

    def test_moment_never_falls_behind(self, project: ProjectFixture) -> None:
        """`occurred_at` is the clock, which can be set back, or of a session; or `created_at` was bent."""
        first = project.save("first", now=START + MINUTE, session="s1")
        second = project.save("second", now=START, session="s2")
        third = project.save("third", now=START + 2 * MINUTE)
        assert (second.created_at, second.updated_at) == (START, START)
        assert [each.occurred_at for each in (first, second, third)] == [
            START + MINUTE,
            START + MINUTE,
            START + 2 * MINUTE,
        ]

    def test_purged_ones_count_for_the_moment(self, project: ProjectFixture) -> None:
        """The last moment is looked for among live observations only; a restore would then break the order."""
        project.purge(project.save("first", now=START + MINUTE))
        assert project.save("second", now=START).occurred_at == START + MINUTE


class DuplicateClauses:
    """Duplicates are not stored again."""

    def test_a_duplicate_stores_nothing(self, project: ProjectFixture) -> None:
        """A draft that says what a live observation says was stored, or the reply is not that observation."""
        first = project.save("said", title="t", session="s1")
        again = project.add(Draft(content="said", title="t", session="s2"))
        assert again == Saved(first, Added.DUPLICATE)
        assert project.search.count(include_purged=True) == 1

    def test_a_new_one_is_called_new(self, project: ProjectFixture) -> None:
        """`Saved.added` of an observation that was stored is not `NEW`."""
        saved = project.add(Draft(content="said"))
        assert saved == Saved(project.get(saved.observation), Added.NEW)

    def test_other_words_are_no_duplicate(self, project: ProjectFixture) -> None:
        """Duplicates are found by something else than `Draft.fingerprint`: title, content, source and paths."""
        drafts = (
            Draft(content="said"),
            Draft(content="Said"),
            Draft(content="said "),
            Draft(content="said", title="t"),
            Draft(content="said", source="decision"),
            Draft(content="said", changes=(CodeChange(path="a.py"),)),
        )
        assert [project.add(draft).added for draft in drafts] == [Added.NEW] * len(drafts)

    def test_who_and_when_make_no_difference(self, project: ProjectFixture) -> None:
        """Duplicates are found by more than `Draft.fingerprint`: kind, author, session or counts took part."""
        project.save("said", changes=(CodeChange(path="a.py"),))
        drafts = (
            Draft(content="said", changes=(CodeChange(path="a.py", additions=1, hunks="+x"),)),
            Draft(
                content="said", changes=(CodeChange(path="a.py"),), kind=Kind.CHANGE, actor="user", author="Ada"
            ),
            Draft(content="said", changes=(CodeChange(path="a.py"),), session="s", request="call"),
        )
        assert [project.add(draft).added for draft in drafts] == [Added.DUPLICATE] * len(drafts)

    def test_the_order_of_paths_makes_no_difference(self, project: ProjectFixture) -> None:
        """Duplicates are found by more than `Draft.fingerprint`: the order in which paths were given took part."""
        one, other = CodeChange(path="a.py"), CodeChange(path="b.py")
        first = project.save("said", changes=(other, one))
        assert project.add(Draft(content="said", changes=(one, other))) == Saved(first, Added.DUPLICATE)

    def test_a_duplicate_of_a_purged_one_is_new(self, project: ProjectFixture) -> None:
        """Purged observations are asked for duplicates, so that what was purged can never be saved again."""
        first = project.save("said")
        project.purge(first)
        assert project.add(Draft(content="said")).added is Added.NEW
        assert project.search.count(include_purged=True) == 2

    def test_the_first_of_several_is_the_duplicate(self, project: ProjectFixture) -> None:
        """Restoring made two live ones that say the same, and a third draft is told of the later one."""
        first = project.save("said")
        project.purge(first)
        project.save("said")
        project.restore(first)
        assert project.save("said").id == first.id


class RetryClauses:
    """A repeated call returns the memory that the first call saved."""

    def test_a_retry_gives_the_first_save(self, project: ProjectFixture) -> None:
        """The request is not stored, or is looked at after the duplicates."""
        draft = Draft(content="said", request="call-1")
        first = project.save("said", request="call-1")
        assert project.add(draft) == Saved(first, Added.RETRY)
        assert project.search.count() == 1

    def test_a_retry_is_known_after_a_thousand_saves(self, project: ProjectFixture) -> None:
        """Only so many of the latest requests are remembered, or for so long."""
        first = project.save("said", request="call-1")
        for number in range(1_000):
            project.save(f"memory {number}", request=f"another {number}")
        project.purge(first)
        assert project.add(Draft(content="said", request="call-1")).added is Added.RETRY

    def test_a_retry_after_a_purge_stays_purged(self, project: ProjectFixture) -> None:
        """Requests are looked up among live observations only: a late retry undoes a purge."""
        first = project.save("said", request="call-1")
        project.purge(first)
        purged = project.get(first)
        assert project.add(Draft(content="said", request="call-1")) == Saved(purged, Added.RETRY)
        assert project.search.count() == 0

    def test_the_same_request_with_other_words_is_new(self, project: ProjectFixture) -> None:
        """The request alone decides: clients number their calls anew, and a new memory was dropped."""
        project.save("said", request="call-1")
        assert project.add(Draft(content="something else", request="call-1")).added is Added.NEW

    def test_no_request_is_no_retry(self, project: ProjectFixture) -> None:
        """Two drafts without a request count as the same call, or an empty request counts as none."""
        first = project.save("said")
        empty = project.save("said with an empty request", request="")
        project.purge(first, empty)
        assert project.add(Draft(content="said")).added is Added.NEW
        assert project.add(Draft(content=empty.content, request="")).added is Added.RETRY

    def test_a_retry_is_told_before_a_duplicate(self, project: ProjectFixture) -> None:
        """Another live one says the same, and the retry is answered with that instead of its own first save."""
        first = project.save("said", request="call-1")
        project.purge(first)
        second = project.save("said", request="call-2")
        project.restore(first)
        assert project.add(Draft(content="said", request="call-2")) == Saved(second, Added.RETRY)
