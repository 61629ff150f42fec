"""Clauses on backups and restores."""

import pytest

from lamella.domain.errors import BackupUnusableError, StorageError
from lamella.ports.storage.backups import Copy, Difference, Held, Label
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.project import ProjectFixture


@every_clause_needs(Capability.BACKUP)
class BackupClauses:
    """Backups hold the state at their creation, and restore it."""

    def test_a_copy_comes_back(self, project: ProjectFixture) -> None:
        """Fails if a backup changes with its project, or if the preview doesn't match the restored state.

        Also fails if a restore reuses sequence numbers of later memories.
        """
        first, second = project.save("first", title="First"), project.save("second", title="Second")
        copy = _copied(project)
        assert (copy.project, copy.label) == (project.id, Label.MANUAL)
        assert copy in project.storage.backups.copies()
        assert project.storage.backups.held(copy) == Held(memories=2)
        project.purge(first)
        third = project.save("third", title="Third")
        with project.storage.backups.opened(copy) as backup:
            (preview,) = backup.previews
            assert (preview.project, preview.now, preview.then) == (project.id, 2, 2)
            assert preview.gone == Difference(count=1, titles=("Third",))
            assert preview.back == Difference(count=1, titles=("First",))
            assert [(each.project, each.memories) for each in backup.restore()] == [(project.id, 2)]
        assert {hit.observation.id for hit in project.find("first second third")} == {first.id, second.id}
        assert project.save("fourth").sequence > third.sequence

    def test_what_a_restore_replaces_is_kept(self, project: ProjectFixture) -> None:
        """Fails if a restore doesn't back up the replaced state first, so that later memories are lost."""
        project.save("first")
        copy = _copied(project)
        saved = project.save("second")
        with project.storage.backups.opened(copy) as backup:
            backup.restore()
        (aside,) = (each for each in project.storage.backups.copies() if each.label is Label.REPLACED)
        with project.storage.backups.opened(aside) as backup:
            backup.restore()
        assert project.get(saved) == saved

    def test_what_has_not_changed_is_not_copied(self, project: ProjectFixture) -> None:
        """Fails if an unchanged project is backed up again, or if a change such as a purge is not noticed."""
        backups = project.storage.backups
        saved = project.save("first")
        made = [backups.copy(project.id, Label.DAILY) is not None for _ in range(2)]
        project.purge(saved)
        made += [backups.copy(project.id, Label.DAILY) is not None for _ in range(2)]
        assert made == [True, False, True, False]
        assert backups.trouble() is None

    def test_dropped_copies_are_gone(self, project: ProjectFixture) -> None:
        """Fails if a dropped backup is still listed, if other backups are dropped, or if a second drop raises."""
        project.save("first")
        first = _copied(project)
        project.save("second")
        second = _copied(project)
        for _ in range(2):
            project.storage.backups.drop([first])
        assert project.storage.backups.copies() == (second,)

    def test_a_file_holds_all_projects(self, project: ProjectFixture) -> None:
        """Fails if a project is missing from the backup file.

        Also fails if a restore changes projects that are not in the file.
        """
        other = project.other("other")
        first, second = project.save("first"), other.save("second")
        place = project.folder / "all.backup"
        written = project.storage.backups.write(place)
        assert {(each.project, each.held.memories) for each in written} == {(project.id, 1), (other.id, 1)}
        project.save("later")
        other.purge(second)
        late = project.other("late")
        kept = late.save("kept")
        with project.storage.backups.opened(place) as backup:
            assert [each.project for each in backup.restore()] == sorted((project.id, other.id))
        assert (project.search.count(), project.get(first), other.get(second)) == (1, first, second)
        assert late.get(kept) == kept

    def test_what_is_no_backup_is_refused(self, project: ProjectFixture) -> None:
        """Fails if an invalid or truncated file is accepted, or if the file system's own error is raised."""
        saved = project.save("first")
        place = project.folder / "all.backup"
        project.storage.backups.write(place)
        whole = place.read_bytes()
        for content in (b"", b"garbage", whole[: len(whole) // 2]):
            place.write_bytes(content)
            with pytest.raises(BackupUnusableError), project.storage.backups.opened(place):
                pass
        nowhere = project.folder / "missing" / "all.backup"
        with pytest.raises(StorageError), project.storage.backups.opened(nowhere):
            pass
        with pytest.raises(StorageError):
            project.storage.backups.write(nowhere)
        assert project.get(saved) == saved

    @needs(Capability.ERASE)
    def test_an_erase_reaches_copies(self, project: ProjectFixture) -> None:
        """Fails if erased text can still be restored from a backup."""
        gone, kept = project.save("gone"), project.save("kept")
        _copied(project)
        project.erase(gone)
        for copy in project.storage.backups.copies():
            with project.storage.backups.opened(copy) as backup:
                backup.restore()
            assert (project.search.count(include_purged=True), project.get(kept)) == (1, kept)


def _copied(project: ProjectFixture) -> Copy:
    copy = project.storage.backups.copy(project.id, Label.MANUAL)
    assert copy is not None
    return copy
