"""Commands, programs and links of README.md, and of the pages it leads to first, exist and work."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from lamella_adapters.cli.commands import lamella
from lamella_adapters.mcp.toolsets.registry import chosen
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.support.command_line import LAMELLA, LISTED_ID, CommandLine
from tests.end_to_end.support.forked import Command, Done
from tests.unit.adapters.peers.databases import claude_mem
from tests.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
READ = [ROOT / "README.md", *(DOCS / f"{each}.md" for each in ("ledger", "settings", "command-line"))]
PAGES = "\n".join(page.read_text("utf-8") for page in READ)
_BLOCK = r"^ *```(\w+)\n(.*?)^ *```"
BLOCKS = re.findall(_BLOCK, PAGES, re.DOTALL | re.MULTILINE)
TYPED = [line.strip() for language, block in BLOCKS if language == "sh" for line in block.splitlines()]
MINE = [line for line in TYPED if line.startswith("lamella ")]
CODES = re.findall(r"(?<![`!])`([^`\n]+)`", re.sub(_BLOCK, "", PAGES, flags=re.DOTALL | re.MULTILINE))


def parsed(line: str) -> click.Command:
    """The command that a line names; the real parser takes its arguments."""
    _, *arguments = shlex.split(line, comments=True)
    command: click.Command = lamella
    context = click.Context(command, info_name="lamella")
    while isinstance(command, click.Group):
        named = command.get_command(context, arguments.pop(0))
        assert named is not None, line
        command = named
    with command.make_context(command.name, arguments):
        return command


def options(command: click.Command) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}


def commands_named(line: str) -> list[click.Command]:
    """The command that a line is, and those that its comment names."""
    _, name, *_ = line.split()
    context = click.Context(lamella)
    words = re.findall(r"\w+", line.partition("#")[2])
    group = lamella.get_command(context, name)
    found = [lamella.get_command(context, word) for word in words if word in lamella.list_commands(context)]
    if isinstance(group, click.Group):
        found += [group.get_command(context, word) for word in words if word in group.list_commands(context)]
    return [parsed(line), *(each for each in found if each is not None)]


def test_every_line_for_lamella_is_one_that_it_takes() -> None:
    others = [f"lamella {rest}" for line in TYPED if (rest := line.partition(" -- lamella ")[2])]
    inline = [code for code in CODES if code.startswith("lamella ") and "COMMAND" not in code]

    assert {parsed(line).name for line in [*MINE, *others, *inline]} >= {
        "save",
        "serve",
        "merge",
        "purge",
        "embed",
    }


def test_every_option_that_a_line_speaks_of_is_one_of_the_commands_that_it_names() -> None:
    spoken = {line: re.findall(r"--[a-z-]+", line.partition("#")[2]) for line in MINE}

    assert {option for each in spoken.values() for option in each} >= {"--messages", "--dry-run", "--repair"}
    for line, named in spoken.items():
        assert set(named) <= set().union(*map(options, commands_named(line))), line


def _tried(line: str, id: str) -> str:
    """Return a line with an id and a file that are there; pages end by themselves at once, and nobody is asked."""
    given = line.replace("9bbde6e1", id).replace("FILE", "src/fetch.py")
    given = re.sub(r"^lamella setup\b", "lamella setup --yes", given)
    return given.replace("lamella web", "lamella web --no-open --idle 0.001")


def _typed(line: str, folder: Path, environment: dict[str, str]) -> Done:
    """Run a line; a shell is needed only for one with more in it than a command."""
    if not set("|<>&;$*") & set(line.partition("#")[0]):
        return Command([LAMELLA, *shlex.split(line, comments=True)[1:]], folder, environment).run()
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=HANG_SECONDS,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_every_line_for_lamella_works(tmp_path: Path) -> None:
    repository = Repository.made(tmp_path / "project")
    (repository.root / "src").mkdir()
    repository.write("src/fetch.py", "def fetch():\n    return retry(3)\n")
    repository.git("add", ".")
    repository.git("commit", "--quiet", "--message", "Fetch")
    command_line = CommandLine(tmp_path / "data", repository.root)
    command_line.saved("We removed the retry loop.", "--source", "decision", "--path", "src/fetch.py")
    command_line.saved("Callers retry now. #release")
    (id, *_) = LISTED_ID.findall(command_line.run("recall", "retry loop").out)
    environment = command_line.environment
    claude = tmp_path / "bin" / "claude"
    claude.parent.mkdir()
    claude.write_text("#!/bin/sh\necho 2.1.197\n")
    claude.chmod(0o755)
    environment["PATH"] = os.pathsep.join([str(LAMELLA.parent), str(claude.parent), environment["PATH"]])
    claude_mem(Path(environment["HOME"]))
    (tmp_path / "orchard").mkdir()
    CommandLine(command_line.data, tmp_path / "orchard").saved("Pears.")
    assert len(MINE) > 12
    for line in MINE:
        # An embedder takes longer to load than most lines to run.
        more = {"EDITOR": "true"} | ({"LAMELLA_EMBEDDER": "auto"} if line.startswith("lamella embed") else {})
        done = _typed(_tried(line, id), repository.root, environment | more)
        # A list that is empty is said on stderr, so that a pipe gets nothing.
        assert done.code == 0, (line, done)
        assert done.out or line.startswith("lamella sessions"), line
    assert command_line.listed() != []


def test_every_make_target_is_there() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = [code.split()[1] for code in [*TYPED, *CODES] if code.startswith("make ")]

    assert {"demo", "test"} <= set(named) <= set(targets)


def test_every_extra_variable_and_toolset_is_there() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    source = "".join(
        path.read_text("utf-8") for folder in ("src", "adapters") for path in sorted((ROOT / folder).rglob("*.py"))
    )
    toolsets = re.findall(r"\[`(\w+)`\]\(\1\.md\)", PAGES)

    assert all(f"{extra} = [" in project for extra in re.findall(r'"\.\[(\w+)\]"', PAGES))
    assert [name for name in set(re.findall(r"LAMELLA_[A-Z_]+", PAGES)) if f'"{name}"' not in source] == []
    assert {"unified", "granular", "conversation", "semantic"} == set(toolsets)
    assert all(chosen(name) for name in toolsets)


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name)
def test_every_page_and_picture_that_it_leads_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_index_leads_to_every_page() -> None:
    named = re.findall(r"\]\(([\w-]+\.md)[)#]", (DOCS / "index.md").read_text("utf-8"))
    assert {*named, "index.md"} == {page.name for page in DOCS.glob("*.md")}


@pytest.mark.parametrize("block", [block for language, block in BLOCKS if language == "python"])
def test_its_programs_run(tmp_path: Path, block: str) -> None:
    lines = block.splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    program = "\n".join(line[indent:] for line in lines)

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "The staging database is reset every night." in done.stdout
