"""Programs that a repository names are not run: all of them are planted, and each would leave a file."""

from datetime import UTC, datetime
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.history import GitHistory
from lamella_adapters.git.repository.asking import asking
from lamella_adapters.git.repository.identity import VARIABLES, KnownAliases
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import Repository, executable
from tests.end_to_end.git.uncommitted_changes import EVER, TREE
from tests.waiting import HANG_SECONDS

HOOKS = ("post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction", "pre-commit")
KEYS = Path(__file__).with_name("programs.txt").read_text("utf-8").split()
"""Settings that name a program; `*` is the name of a driver."""
NAMES = ("trap", "t=r.ap", "lfs")
ALIASES = ("diff", "log", "ls-files", "rev-parse", "rev-list", "check-ignore", "config", "remote", "worktree")


class Traps:
    """Programs that write a file with their name when they are run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.sprung_folder = folder / "traps", folder / "sprung"
        self.folder.mkdir()
        self.sprung_folder.mkdir()

    def made(self, name: str) -> str:
        script = f"touch '{self.sprung_folder}/{name}'\ncat"
        return str(executable(self.folder / name, script))

    @property
    def sprung(self) -> list[str]:
        return sorted(each.name for each in self.sprung_folder.iterdir())


@pytest.fixture
def traps(tmp_path: Path) -> Traps:
    return Traps(tmp_path)


@pytest.fixture
def planted(repository: Repository, traps: Traps) -> Repository:
    """Return a repository with a trap wherever git's configuration can name a program."""
    (repository.root / "d.py").write_text("4\n" * 30)
    sub = _with_submodule(repository)
    repository.commit(c="".join(f"line {number}\n" for number in range(30)))
    # A name with `=` can't be given to git with the option -c.
    keys = dict.fromkeys(key.replace("*", name) for key in KEYS for name in NAMES)
    settings = [(key, traps.made(key)) for key in keys]
    settings += [(f"alias.{name}", f"!{traps.made(f'alias.{name}')}") for name in ALIASES]
    settings += [(f"filter.{name}.required", "true") for name in NAMES]
    settings += [("hook.trap.event", hook) for hook in HOOKS]
    settings += [
        ("core.hooksPath", str(traps.folder)),
        ("log.showSignature", "true"),
        ("diff.submodule", "diff"),
        ("diff.ignoreSubmodules", "none"),
        ("submodule.shared/sub.ignore", "none"),
        ("submodule.recurse", "true"),
        ("status.submoduleSummary", "true"),
        ("remote.trap.url", f"ext::{traps.made('ext')} %S"),
        ("remote.trap.promisor", "true"),
        ("remote.trap.partialCloneFilter", "blob:none"),
        ("extensions.partialClone", "trap"),
        ("include.path", "more"),
    ]
    (repository.root / ".git" / "more").write_text(f'[filter "more"]\n\tclean = {traps.made("included")}\n')
    drivers = {"a.py": "trap", "b.py": "t=r.ap", "d.py": "lfs", "z.py": "more"}
    attributes = [f"{path} filter={name} diff={name} merge={name}\n" for path, name in drivers.items()]
    repository.write(".gitattributes", "".join(attributes))
    repository.git("add", "--all")
    sub.commit(s="ss\n")
    repository.commit(d="4\n" * 30, z="z\n")
    _sign_head(repository)
    with (repository.root / ".git" / "config").open("a") as config:
        config.writelines(f"{_header(key)}{key.rpartition('.')[2]} = {value}\n" for key, value in settings)
    _plant_in_submodule(sub, traps)
    for hook in HOOKS:
        (repository.root / ".git" / "hooks" / hook).symlink_to(traps.made(hook))
    repository.write("a.py", "1\n")
    repository.write("b.py", "two\n")
    repository.write("d.py", "5\n")
    repository.write("z.py", "zz\n")
    (repository.root / "c.py").rename(repository.root / "moved.py")
    return repository


def _with_submodule(repository: Repository) -> Repository:
    """Commit a submodule, and return its working tree."""
    origin = Repository.made(repository.root.parent / "sub-origin")
    origin.write(".gitattributes", "*.py filter=sub diff=sub merge=sub\n")
    origin.commit(s="s\n")
    repository.git("submodule", "--quiet", "add", str(origin.root), "shared/sub")
    return Repository(repository.root / "shared" / "sub")


def _plant_in_submodule(sub: Repository, traps: Traps) -> None:
    """Name programs in a submodule's own configuration, and change one of its files."""
    keys = ("filter.sub.clean", "filter.sub.process", "diff.sub.textconv", "diff.external", "core.fsmonitor")
    for key in keys:
        sub.git("config", key, traps.made(f"submodule.{key}"))
    (sub.root / "s.py").write_text("tt\n")


def _sign_head(repository: Repository) -> None:
    """Give the latest commit a signature, which git would check with a program."""
    raw = repository.git("cat-file", "commit", "HEAD")
    head, _, message = raw.partition("\n\n")
    signature = "-----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----"
    file = repository.root.parent / "signed"
    file.write_text(f"{head}\ngpgsig {signature}\n\n{message}\n")
    id = repository.git("hash-object", "-t", "commit", "-w", str(file))
    (repository.root / ".git" / "refs" / "heads" / "main").write_text(f"{id}\n")


def _header(key: str) -> str:
    section, _, name = key.rpartition(".")[0].partition(".")
    return f'[{section} "{name}"]\n' if name else f"[{section}]\n"


def read_all(root: Path) -> None:
    """Read everything that lamella reads with git."""
    names = ["a.py", "b.py", "c.py", "d.py", "z.py", "moved.py"]
    assert {each.path: each.deletions for each in TREE.changes(root, names)} == {
        "a.py": 2, "b.py": 1, "c.py": 30, "d.py": 30, "z.py": 1, "moved.py": 0,
    }  # fmt: skip
    assert TREE.ignored(root, names) == frozenset()
    found = TREE.uncommitted(root, since=EVER[0], until=EVER[1])
    assert found is not None
    assert {(each.path, each.former) for each in found.changes} >= {("a.py", None), ("moved.py", "c.py")}
    history = GitHistory(patience=HANG_SECONDS)
    ids = history.commits(root, limit=10)
    assert len(list(history.read(root, ids))) == len(ids)
    history.latest(root, during=[EVER], limit=10)
    history.committed(root)
    assert TREE.past(root, "shared") is not None
    assert TREE.past(root, ".") is not None
    assert TREE.files(root, "")
    assert [each.additions for each in TREE.changes(root, ["shared/sub", "shared/sub/s.py"])] == [None, None]
    TREE.author(root, ids[0])
    TREE.commits_since(root, [("a.py", EVER[0])])
    TREE.missing(root, [*names, "never.py"])
    TREE.versions(root, names)
    KnownAliases().of(asking(str(root), HANG_SECONDS, variables=VARIABLES), str(root / ".git"))


def test_no_program_that_a_repository_names_is_run(planted: Repository, traps: Traps) -> None:
    read_all(planted.root)
    assert traps.sprung == []


def test_an_unguarded_git_springs_the_traps(planted: Repository, traps: Traps) -> None:
    planted.git("diff", "HEAD^", "HEAD")
    with pytest.raises(CalledProcessError):
        planted.git("diff", "HEAD")
    sprung = {name.partition(".")[0] for name in traps.sprung}
    assert sprung >= {"core", "diff", "filter"}


def test_objects_that_were_not_fetched_are_not_fetched(planted: Repository, traps: Traps) -> None:
    blob = planted.git("rev-parse", "HEAD:a.py")
    (planted.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert TREE.changes(planted.root, ["a.py"]) == (CodeChange(path="a.py"),)
    assert traps.sprung == []


def test_a_configuration_of_one_worktree_is_trusted_no_more(planted: Repository, traps: Traps) -> None:
    planted.git("config", "extensions.worktreeConfig", "true")
    clean = traps.made("of-a-worktree")
    planted.git("config", "--worktree", "filter.trap.clean", clean)
    assert TREE.changes(planted.root, ["a.py"])[0].deletions == 2
    assert traps.sprung == []


def test_the_users_own_git_lfs_is_run_and_no_other_filter(
    repository: Repository, traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = executable(tmp_path / "git-lfs", "cat >/dev/null\necho pointer")
    (tmp_path / ".gitconfig").write_text(
        f'[filter "lfs"]\n\tclean = {own}\n\trequired = true\n'
        f'[filter "users"]\n\tclean = {traps.made("of-the-user")}\n'
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    repository.write(".gitattributes", "a.py filter=lfs\nb.py filter=users\n")
    repository.git("config", "filter.lfs.clean", traps.made("of-the-repository"))
    repository.write("a.py", "1\n2\n")
    repository.write("b.py", "two\n")
    assert [each.hunks for each in TREE.changes(repository.root, ["a.py", "b.py"])] == [
        "@@ -1,3 +1 @@\n-1\n-2\n-3\n+pointer",
        "@@ -1 +1 @@\n-one\n+two",
    ]
    assert traps.sprung == []


def test_a_working_tree_elsewhere_is_not_read(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "a.py").write_text("secret\n")
    repository.git("config", "core.worktree", str(tmp_path / "private"))
    repository.root.joinpath("a.py").write_text("1\n2\n")
    assert TREE.changes(repository.root, ["a.py"])[0].hunks == "@@ -1,3 +1,2 @@\n 1\n 2\n-3"
    found = TREE.uncommitted(repository.root, since=EVER[0], until=datetime.now(UTC))
    assert found is None or "secret" not in str(found)


def test_a_git_that_is_too_old_to_be_told_compares_nothing(repository: Repository, tmp_path: Path) -> None:
    old = executable(tmp_path / "git", 'unset GIT_CONFIG_COUNT\nexec git "$@"')
    tree = GitWorkingTree(program=str(old), patience=HANG_SECONDS)
    repository.write("a.py", "1\n")
    assert tree.changes(repository.root, ["a.py"]) == (CodeChange(path="a.py"),)
