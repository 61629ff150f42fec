from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.git.uncommitted_changes import TREE


def test_an_untracked_file_looks_as_git_would_show_it_once_added(repository: Repository) -> None:
    for number, content in enumerate([b"1\n", b"1", b"1\n2\r\n", b"\n", b"\xff\n", b"a\0b", b""]):
        repository.write(f"new{number}", content)
    paths = [f"new{number}" for number in range(7)]
    before = TREE.changes(repository.root, paths)
    repository.git("add", ".")
    assert TREE.changes(repository.root, paths) == before


def test_what_was_in_a_deleted_folder_takes_no_room_from_files(repository: Repository) -> None:
    for number in range(10):
        repository.write(f"old/{number}", "word\n" * 1_000)
    repository.commit()
    repository.git("rm", "--quiet", "-r", "old")
    repository.write("new", "1234567\n" * 350)
    assert [len(each.hunks) for each in TREE.changes(repository.root, ["old", "new"])] == [0, 3_167]
