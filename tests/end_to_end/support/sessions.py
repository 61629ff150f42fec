"""Sessions as text files: what is typed, and the expected output.

Each session of a file has a heading `## what it shows`. Steps above the first heading precede every session.
`# ` begins a comment. `$`, `%` or `>` begins a step, and the lines up to the next step are its output; that of `>`
is not compared. A blank line at the end of the output doesn't count. `<plums>` is an id that is remembered under
this name, short or whole. `<~...>` is a regular expression, and `<day>`, `<time>`, `<id>`, `<uuid>` or `<any>` are
others.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import define, evolve, field, frozen

_ID = "[0-9a-f]{7,12}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?"
_HOLE = re.compile(r"<(?:~(?P<pattern>[^<>]+)|(?P<name>[a-z]+))>")
_KINDS = {
    "day": r"\d{4}-\d\d-\d\d",
    "time": r"\d\d:\d\d(?::\d\d)?",
    "id": "[0-9a-f]{7,}",
    "uuid": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "any": ".*",
}


@define
class Step:
    """Input at a prompt, and its expected output."""

    prompt: str
    typed: str
    output: list[str] = field(factory=list)

    def __str__(self) -> str:
        return "\n".join([f"{self.prompt} {self.typed}", *self.output]).rstrip()


@frozen
class Session:
    """Successive steps."""

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


@define(kw_only=True)
class Player(ABC):
    """Plays sessions. Ids are remembered under the names that sessions give them."""

    ids: dict[str, str] = field(init=False, factory=dict)

    @abstractmethod
    def answer(self, step: Step) -> list[str]:
        """Execute the input, and return the printed lines."""

    def play(self, session: Session) -> None:
        """Play all steps of a session, and check the output."""
        for step in session.steps:
            self.check(step, self.answer(step))

    def rewrite(self, session: Session, text: str) -> str:
        """Return the text of a file with the present output of a session, for reviewing the difference."""
        start = text.index(f"## {session.name.partition(': ')[2]}\n")
        # Steps above the first heading precede every session.
        common = len([*_steps(text[: text.index("## ")])])
        for number, step in enumerate(session.steps):
            lines = self.answer(step)
            at = text.index(f"{step}\n", 0 if number < common else start)
            written = step
            try:
                self.check(step, lines)
            except AssertionError:
                printed = "\n".join(lines)
                names = [hole["name"] for hole in _HOLE.finditer(str(step)) if hole["name"] not in (None, *_KINDS)]
                fresh = [id for id in re.findall(rf"\b{_ID}\b", printed) if id not in self.ids.values()]
                self.ids |= dict(zip([name for name in names if name not in self.ids], fresh, strict=False))
                for name, id in self.ids.items():
                    printed = printed.replace(id, f"<{name}>").replace(id[:8], f"<{name}>")
                for kind in ("uuid", "day", "time"):
                    printed = re.sub(rf"\b{_KINDS[kind]}\b", f"<{kind}>", printed)
                written = evolve(step, output=printed.split("\n"))
                text = f"{text[:at]}{written}{text[at + len(str(step)) :]}"
                self.check(written, lines)
            start = at + len(str(written)) if number >= common else start + len(str(written)) - len(str(step))
        return text

    def filled(self, typed: str) -> str:
        """Return the input with ids in place of their names."""
        return _HOLE.sub(lambda hole: self.ids[hole["name"]], typed)

    def check(self, step: Step, lines: Sequence[str]) -> None:
        """Compare the output, and remember new ids."""
        if step.prompt == ">":
            return
        printed, expected = "\n".join(lines), "\n".join(step.output).rstrip()
        found = re.fullmatch("".join(self._pattern(expected)), printed)
        assert found is not None, f"{step.typed}\n--- expected\n{expected}\n--- printed\n{printed}"
        self.ids |= {name: value for name, value in found.groupdict().items() if name not in _KINDS}

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


def write_anew(files: Iterable[str], made: Callable[[Path], Player]) -> None:
    """Rewrite the sessions of some files with their present output. Each has its own player and folder."""
    for file in map(Path, files):
        for each in sessions(file):
            with TemporaryDirectory() as folder:
                text = made(Path(folder).resolve()).rewrite(each, file.read_text("utf-8"))
            file.write_text(text, encoding="utf-8")
