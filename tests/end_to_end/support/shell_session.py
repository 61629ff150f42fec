"""Sessions at a shell as text: what is typed, and what is printed.

A file has sessions, each below a heading `## what it shows`. Steps above the first heading begin each of them.
`# ` begins a comment. A step is one of these, and the lines up to the next step are its output:

    $ lamella save "Plums."       run without a terminal
    % lamella recall              run on a terminal, which shows no colours here
    % y: lamella erase <plums>    the same, with `y` and Enter typed ahead
    > lamella ...                 run, whatever it prints
    $ git init                    run by /bin/sh, as is all that does not begin with `lamella`

A first word such as `A=b` is an environment variable, `< FILE` or `> FILE` at the end is what is read or written.
`cd` and `export` hold for the steps that follow. In the output, `! ` begins a line of stderr and `[2]` is the exit
code, else both are empty. A blank line at its end stands for nothing. `/machine` is the folder around `orchard`,
`data` and `home`. `<plums>` is an id that is remembered under this name, short or whole. `<~...>` is a regular
expression, `<day>`, `<time>`, `<id>`, `<uuid>` and `<any>` are kinds of text.
"""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

from attrs import define, evolve, field, frozen

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Done
from tests.unit.adapters.git.git_repository import ENVIRONMENT

FILES = Path(__file__).parents[1] / "cli" / "sessions"
"""Folder of the sessions, and of files that they use, `$FILES` for the shell."""

_ID = "[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?"
_HOLE = re.compile(r"<(?:~(?P<pattern>[^<>]+)|(?P<name>[a-z]+))>")
_KINDS = {
    "day": r"\d{4}-\d\d-\d\d",
    "time": r"\d\d:\d\d(?::\d\d)?",
    "id": "[0-9a-f]{7,}",
    "uuid": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "any": ".*",
}
_HOME = "/machine"
"""What sessions call the folder around `orchard` and `data`."""

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@define
class Step:
    """Something that is typed at a prompt, and its output."""

    prompt: str
    typed: str
    output: list[str] = field(factory=list)


@frozen
class Session:
    """Steps, one after the other."""

    name: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return self.name


def sessions(file: Path) -> Iterator[Session]:
    """Yield the sessions of a file."""
    beginning, *parts = re.split(r"^## (.*)\n", file.read_text("utf-8"), flags=re.MULTILINE)
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        yield Session(f"{file.stem}: {name}", (*_steps(beginning), *_steps(text)))


def _steps(text: str) -> Iterator[Step]:
    step = None
    for line in text.splitlines():
        if line[:2] in ("$ ", "% ", "> "):
            if step:
                yield step
            step = Step(line[0], line[2:])
        elif step and not line.startswith("# "):
            step.output.append(line)
    if step:
        yield step


@define
class Shell:
    """Somebody at a shell in the folder `orchard`."""

    folder: Path
    settings: dict[str, str] = field(factory=dict)
    ids: dict[str, str] = field(factory=dict)
    """Ids by the names that a session gives them."""

    line: CommandLine = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.line = CommandLine(self.folder / "data", self.folder / "orchard", {"TZ": "UTC", **self.settings})
        self.line.directory.mkdir()

    def play(self, session: Session) -> None:
        """Type all steps of a session. Check what is printed."""
        for step in session.steps:
            self.check(step, self.run(step))

    def run(self, step: Step) -> Done:
        """Run the command of a step."""
        typed = _HOLE.sub(lambda hole: self.ids[hole["name"]], step.typed).replace(_HOME, str(self.folder))
        ahead, _, rest = typed.partition(": ") if step.prompt == "%" and ": lamella" in typed else ("", "", typed)
        words = shlex.split(rest)
        given = dict(word.split("=", 1) for word in _leading_settings(words))
        if words[len(given)] == "cd":
            self.line = evolve(self.line, directory=(self.line.directory / words[1]).resolve())
            self.line.directory.mkdir(exist_ok=True)
        elif words[len(given)] == "export":
            self.line = evolve(self.line, settings={**self.line.settings, **dict([words[1].split("=", 1)])})
        elif words[len(given)] == "lamella":
            return self._lamella(step.prompt, words[len(given) + 1 :], given, ahead)
        else:
            environment = {**ENVIRONMENT, **self.line.environment, "FILES": str(FILES)}
            done = subprocess.run(
                ["/bin/sh", "-c", rest], cwd=self.line.directory, env=environment, capture_output=True, check=False
            )
            return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
        return Done(0, "")

    def _lamella(self, prompt: str, words: list[str], given: dict[str, str], ahead: str) -> Done:
        if prompt == "%":
            own = evolve(self.line, settings={"COLUMNS": "100", **self.line.settings, **given})
            shown = own.on_terminal(*words, typed=f"{ahead}\n" if ahead else "")
            return Done(shown.code, _COLOURS.sub("", shown.out))
        stdin, file = b"", self.line.directory / words[-1] if words else Path()
        redirected = words[-2:-1]
        if redirected in (["<"], [">"]):
            words = words[:-2]
        if redirected == ["<"]:
            stdin = file.read_bytes()
        done = self.line.run(*words, stdin=stdin, env=given)
        if redirected == [">"]:
            file.write_text(done.out, encoding="utf-8")
            return evolve(done, out="")
        return done

    def check(self, step: Step, done: Done) -> None:
        """Compare what a command has printed. Remember ids that are new."""
        if step.prompt == ">":
            return
        printed = "\n".join(self.printed(done))
        expected = "\n".join(step.output).rstrip()
        found = re.fullmatch("".join(self._pattern(expected)), printed)
        assert found is not None, f"{step.typed}\n--- expected\n{expected}\n--- printed\n{printed}"
        self.ids |= {name: value for name, value in found.groupdict().items() if name not in _KINDS}

    def printed(self, done: Done) -> list[str]:
        """Return what a command has printed as lines of a session."""
        out = done.out.replace(str(self.folder), _HOME).rstrip().splitlines()
        err = [f"! {line}" for line in done.err.replace(str(self.folder), _HOME).splitlines()]
        return [*out, *err, *([f"[{done.code}]"] if done.code else [])]

    def _pattern(self, expected: str) -> Iterator[str]:
        at, named = 0, set[str]()
        for hole in _HOLE.finditer(expected):
            yield re.escape(expected[at : hole.start()])
            at, name = hole.end(), hole["name"]
            if hole["pattern"] or name in _KINDS:
                yield hole["pattern"] or _KINDS[name]
            elif name in self.ids:
                id = re.escape(self.ids[name])
                yield f"(?:{id}|{id[:8]})"
            elif name in named:
                yield f"(?P={name})"
            else:
                named.add(name)
                yield f"(?P<{name}>{_ID})"
        yield re.escape(expected[at:])


def _leading_settings(words: list[str]) -> Iterator[str]:
    for word in words:
        if not re.match("[A-Z_]+=", word):
            return
        yield word
