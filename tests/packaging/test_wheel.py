"""The published wheel: built from the repository, installed into an empty environment, used from outside of it."""

import email
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from functools import partial
from importlib.metadata import Distribution, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.end_to_end.clients.desk import Desk
from tests.end_to_end.clients.node_clients import NodeClients, bare_environment, installed
from tests.end_to_end.clients.plugged import install
from tests.end_to_end.clients.scripted_messages import Calls
from tests.end_to_end.support import unhurried
from tests.end_to_end.support.raw_client import RawClient
from tests.once import made_once
from tests.packaging.theirs import CONTRACTS, THEIR_ADAPTERS, THEIR_ENTRY_POINTS, THEIR_METADATA, THEIR_TESTS
from tests.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[2]

VERSION = version("lamella")

PACKAGES = {
    "lamella": ROOT / "src" / "lamella",
    "lamella_adapters": ROOT / "adapters" / "lamella_adapters",
    "lamella_contracts": ROOT / "contracts" / "lamella_contracts",
}

EXTRA = "contracts"


def run(
    *command: str | Path, folder: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done


def built(kind: str, source: Path, folder: Path) -> Path:
    """A wheel or source archive of a source tree, built in an empty folder as `make release` builds it."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder, folder=source)
    (package,) = folder.iterdir()
    return package


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive."""
    return built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The wheel."""
    (package,) = made_once(tmp_path_factory, worker_id, "wheel", partial(built, "wheel", ROOT)).iterdir()
    return package


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The commands of an environment with the wheel."""
    return made_once(tmp_path_factory, worker_id, "environment", partial(install_wheel, wheel)) / "venv" / "bin"


def install_wheel(wheel: Path, folder: Path) -> None:
    """Make an environment with nothing in it but the wheel and what it says that it depends on.

    What it depends on is linked from where it is installed, so that no package index is asked.
    """
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", folder=folder)
    commands = folder / "venv" / "bin"
    python = ("--python", commands / "python")
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check", *python]
    run(*pip, "install", "--quiet", "--no-compile", "--no-index", "--no-deps", wheel, folder=folder)
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        said = email.message_from_bytes(archive.read(f"lamella-{VERSION}.dist-info/METADATA"))
    for each in needed_by(said.get_all("Requires-Dist") or []):
        for top in {file.parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(str(each.locate_file(top)))
    assert run(*pip, "check", folder=folder).stdout == "No broken requirements found.\n"


def needed_by(requirements: list[str]) -> Iterator[Distribution]:
    """The distributions that requirements lead to."""
    asked = [(Requirement(each), EXTRA) for each in requirements]
    known: set[tuple[str, str]] = set()
    while asked:
        requirement, extra = asked.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        for wanted in (requirement.extras or {""}) - {each for name, each in known if name == requirement.name}:
            found = distribution(requirement.name)
            known.add((requirement.name, wanted))
            asked += [(Requirement(each), wanted) for each in found.requires or []]
            yield found


@pytest.fixture(scope="module")
def node_clients() -> NodeClients:
    """Claude Code."""
    return installed()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of someone who wrote adapters, registered them, and tests them with the contracts."""
    shutil.copy(ROOT / "examples" / "list_storage.py", tmp_path)
    (tmp_path / "their_adapters.py").write_text(THEIR_ADAPTERS, encoding="utf-8")
    (tmp_path / "test_theirs.py").write_text(THEIR_TESTS, encoding="utf-8")
    info = tmp_path / "their_adapters-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(THEIR_METADATA, encoding="utf-8")
    (info / "entry_points.txt").write_text(THEIR_ENTRY_POINTS, encoding="utf-8")
    return tmp_path


def saved_and_recalled(command: Path, folder: Path, environment: dict[str, str], text: str) -> tuple[str, str]:
    """Serve `command`. Return the replies to a save and to a recall."""
    with RawClient([command, "serve"], env=environment, cwd=folder) as client:
        return client.text(1, "save_memory", text=text), client.text(2, "recall")


def test_the_wheel_holds_the_three_packages_the_plugin_and_nothing_else(wheel: Path) -> None:
    expected = {
        f"{name}/{file.relative_to(folder)}"
        for name, folder in PACKAGES.items()
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert {f"{name}/py.typed" for name in PACKAGES} < expected
    marketplace = {
        f"lamella_adapters/marketplace/{file.relative_to(ROOT)}"
        for folder in (ROOT / ".claude-plugin", ROOT / "plugin")
        for file in folder.rglob("*")
        if file.is_file()
    }
    info = f"lamella-{VERSION}.dist-info"
    words = "licenses/src/lamella/domain/text/languages/english_synonyms.license.txt"
    names = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", words)
    about = {f"{info}/{name}" for name in names}
    with zipfile.ZipFile(wheel) as archive:
        assert set(archive.namelist()) == expected | about | marketplace
        assert archive.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        said = email.message_from_bytes(archive.read(f"lamella-{VERSION}.dist-info/METADATA"))
    assert (said["Name"], said["Version"]) == ("lamella", VERSION)
    assert (said["License-Expression"], said["License-File"]) == ("MIT", "LICENSE")
    assert (said["Requires-Python"], said.get_all("Provides-Extra")) == (
        ">=3.11",
        ["contracts", "http", "langchain", "postgresql", "pydantic-ai", "semantic", "web"],
    )
    assert wheel.name == f"lamella-{VERSION}-py3-none-any.whl"


def test_the_description_is_for_readers_without_a_checkout(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"lamella-{VERSION}.dist-info/METADATA").decode()
    assert f"](https://github.com/lamella-memory/lamella/blob/v{VERSION}/docs/index.md)" in text
    assert f"](https://github.com/lamella-memory/lamella/raw/v{VERSION}/docs/web/comeback.png)" in text
    assert re.findall(r"\]\((?!https?://|#)", text) == []
    assert re.findall(r"install.* \"?\.", text) == []
    assert '\npipx install "lamella[web]"  ' in text
    assert ("make demo" in text, "only in a checkout" in text) == (False, False)


@pytest.mark.release
def test_the_source_archive_builds_the_same_wheel(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    assert tree.name == f"lamella-{VERSION}"
    tops = {each.name for each in tree.iterdir()}
    assert {"LICENSE", "README.md", "pyproject.toml", "src", "adapters", "contracts", "tests"} <= tops
    assert not tops & {".ci", ".git", ".venv", "dist", "node_modules"}
    with zipfile.ZipFile(wheel) as direct, zipfile.ZipFile(built("wheel", tree, tmp_path / "wheel")) as rebuilt:
        contents = [{name: each.read(name) for name in each.namelist()} for each in (direct, rebuilt)]
    assert contents[0] == contents[1]


def test_what_is_installed_serves(environment: Path, tmp_path: Path) -> None:
    lamella = environment / "lamella"
    saved, recalled = saved_and_recalled(lamella, tmp_path, bare_environment(tmp_path), "Wheels are round.")
    assert saved.startswith("Memory saved (id: ")
    assert saved.endswith(")\nTitle: Wheels are round.")
    assert " | Wheels are round. | - | - | " in recalled


def test_what_is_installed_finds_by_words_and_says_what_else_there_is(environment: Path, tmp_path: Path) -> None:
    unset = bare_environment(tmp_path, LAMELLA_EMBEDDER="")
    said = run(environment / "lamella", "status", folder=tmp_path, environment=unset).stdout
    assert "embedder    none; memories are found by their words\n" in said
    # The environment has no pip of its own.
    assert f"            uv pip install --python {environment / 'python'} 'lamella[semantic] @ file:///" in said


@pytest.mark.release
def test_the_plugin_of_what_is_installed_works_in_claude_code(
    environment: Path, tmp_path: Path, node_clients: NodeClients
) -> None:
    desk = Desk(tmp_path, node_clients)
    said = run(environment / "lamella", "plugin", folder=tmp_path, environment=bare_environment(desk.home)).stdout
    marketplace = Path(said.removesuffix("\n"))
    assert environment.parent in marketplace.parents
    unhurried.plugin(marketplace / "plugin")
    install(desk, marketplace)
    place = desk.repository("project")
    # The environment is not on PATH: the plugin finds the lamella that it came with.
    session = desk.session(
        place,
        Calls("Write", {"file_path": str(place / "notes.txt"), "content": "Wheels are round.\n"}),
        Calls("mcp__plugin_lamella_lamella__save_memory", {"text": "Wheels are round."}),
        prompt="Write down what wheels are.",
        tools="Write,mcp__plugin_lamella_lamella__*",
    )
    assert session.replies[-1].endswith("\nTitle: Wheels are round.")
    kept = run(
        environment / "lamella", "ledger", "notes.txt", folder=place, environment=bare_environment(desk.home)
    ).stdout
    assert re.fullmatch(r"\S+ \S+\t\+1\t-0\tnotes\.txt\tWrite down what wheels are\.\tedit\t[0-9a-f]{8}\n", kept)


def test_the_line_that_other_clients_run_captures(environment: Path, tmp_path: Path) -> None:
    asking = "from lamella_adapters.hooks.launch.command import hook_command; print(hook_command('codex'))"
    line = run(
        environment / "python", "-c", asking, folder=tmp_path, environment=bare_environment(tmp_path)
    ).stdout
    (script,) = [word for word in shlex.split(line) if word.endswith("hook.py")]
    assert environment.parent in Path(script).parents
    done = subprocess.run(
        ["sh", "-c", line.replace(script, str(unhurried.script(tmp_path / "script.py", script)))],
        input=(ROOT / "tests/fixtures/hooks/codex/PostToolUse-shell.json").read_bytes(),
        env=bare_environment(tmp_path, LAMELLA_DATA_DIR=str(tmp_path / "data")),
        capture_output=True,
        timeout=HANG_SECONDS,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert len(list((tmp_path / "data" / "spool").iterdir())) == 1


@pytest.mark.release
def test_adapters_from_outside_prove_themselves_by_the_contracts(environment: Path, outside: Path) -> None:
    options = ["-q", "-W", "error", "-p", "no:cacheprovider", "--rootdir", str(outside)]
    command = [str(environment / "python"), "-m", "pytest", *options, str(outside)]
    done = run(*command, folder=outside, environment=bare_environment(outside))
    assert f"\n{sum(len(contract.clauses()) for contract in CONTRACTS)} passed in " in done.stdout


def test_adapters_from_outside_are_chosen_by_their_names(environment: Path, outside: Path) -> None:
    chosen = bare_environment(
        outside,
        PYTHONPATH=str(outside),
        LAMELLA_STORAGE="theirs:",
        LAMELLA_TOKENIZER="bytes",
        LAMELLA_DATA_DIR=str(outside / "data"),
    )
    saved, recalled = saved_and_recalled(environment / "lamella", outside, chosen, "Kept in a list.")
    assert saved.endswith("\nTitle: Kept in a list.")
    assert " | Kept in a list. | " in recalled
    assert f" | ~{len(recalled.encode())} tokens | " in recalled
    assert not (outside / "data").exists()
