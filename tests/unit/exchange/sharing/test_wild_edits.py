"""Whatever people do to shared files, each file is in effect or named, and no memory is lost."""

from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.audit.undo import Undo
from lamella.application.memories.save import SaveRequest
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.memories.errors import NotReplaceableError
from tests.unit.exchange.sharing.team import Member, joined

TEXTS = ("One thing.", "Another.", "A third.")
FILE_ACTS = ("edit", "copy_text", "copy", "rename", "swap", "delete")
ACTS = (*FILE_ACTS, "save", "replace", "purge", "restore", "undo")
DONE = ("new", "edited", "purged", "restored", "written", "removed")
STEPS = st.lists(st.tuples(st.sampled_from(ACTS), *[st.integers(0, 5)] * 2, st.sampled_from(TEXTS)), max_size=4)


def text_of(file: Path) -> str:
    return file.read_text("utf-8").rpartition("---\n\n")[2].strip()


@define
class Day:
    """All that can happen to one of a member's memories or files, and to a second file."""

    member: Member
    file: Path
    other: Path
    id: str
    text: str

    def edit(self) -> None:
        self.file.write_text(self.file.read_text("utf-8").replace(text_of(self.file), self.text), "utf-8")

    def copy_text(self) -> None:
        self.text = text_of(self.other)
        self.edit()

    def copy(self) -> None:
        self.other.with_name(f"{self.text}md").write_text(self.file.read_text("utf-8"), "utf-8")

    def rename(self) -> None:
        self.file.rename(self.other)

    def swap(self) -> None:
        self.file.rename(self.file.with_name("x"))
        if self.other.exists():
            self.other.rename(self.file)
        self.file.with_name("x").rename(self.other)

    def delete(self) -> None:
        self.file.unlink()

    def save(self) -> None:
        self.member.desk.save(self.text)

    def replace(self) -> None:
        self.member.desk.saving(SaveRequest(text=f"{self.text} Really.", replaces=(self.id,)))

    def purge(self) -> None:
        self.member.desk.purge(self.member.desk.call, [self.id])

    def restore(self) -> None:
        self.member.desk.restore(self.member.desk.call, [self.id])

    def undo(self) -> None:
        Undo(storage=self.member.desk.storage, projects=self.member.desk.projects)(self.member.desk.call)


def settle(member: Member) -> None:
    """Sync until nothing changes, and check that files and memories agree."""
    for _ in range(4):
        account = member.sync(sure=True)
    assert [name for name in DONE if getattr(account, name)] == []
    texts = {name: text_of(member.folder / name) for name in member.files if name not in account.left}
    share = member.folders.of(member.desk.project.id)
    assert share is not None
    # The memory of a file that got another text, and is named because of it, stays.
    named = {each.id for each in share.memories.values() if each.name in account.left}
    live = [each for each in member.desk.everything if not each.purged and each.id not in named]
    assert Counter(texts.values()) == Counter(each.content for each in live)


@given(st.lists(STEPS, min_size=1, max_size=6))
def test_each_file_is_in_effect_or_named(days: list[list[tuple[str, int, int, str]]]) -> None:
    with TemporaryDirectory() as folder:
        member = joined(Path(folder).resolve() / "ada")
        for text in TEXTS[:2]:
            member.desk.save(text)
        settle(member)
        for day in days:
            for act, first, second, text in day:
                files, ids = sorted(member.folder.iterdir()), [str(each.id) for each in member.desk.everything]
                if files:
                    file, other = files[first % len(files)], files[second % len(files)]
                    with suppress(NotUndoableError, NotReplaceableError):
                        getattr(Day(member, file, other, ids[first % len(ids)], text), act)()
            settle(member)
