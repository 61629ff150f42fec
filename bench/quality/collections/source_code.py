"""Collections from the standard library of the running Python.

The questions are first sentences of docstrings (which ask for the function), identifiers in another case style,
and paths and names of files.
"""

import ast
import random
import re
import sys
import sysconfig
import textwrap
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from attrs import frozen

from bench.quality.collection import Collection, Memory, Question

_SEED = 1
_SESSION = 25
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
_NOT_ITS_OWN = {"site-packages", "dist-packages", "test", "tests", "idlelib", "lib2to3", "ensurepip", "turtledemo"}

_LEAST_BODY_LINES, _MOST_CHARACTERS = 3, 9_000
_LEAST_SENTENCE_WORDS, _MOST_SENTENCE_CHARACTERS = 4, 300
_LEAST_IDENTIFIER_CHARACTERS = 6
_MOST_ANSWERS = 5
"""Maximum number of memories that contain a word used as a question. More answers would fill the results."""

_SENTENCE = re.compile(r".*?(?:[.!?](?=\s|$)|\n\s*\n|$)", re.DOTALL)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_COMPOUND = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*")

_STYLES: Mapping[str, Callable[[Sequence[str]], str]] = {
    "snake": "_".join,
    "kebab": "-".join,
    "camel": lambda parts: parts[0] + "".join(part.capitalize() for part in parts[1:]),
}


@frozen(kw_only=True)
class Function:
    """A function without its docstring, and the docstring's first sentence."""

    path: str
    name: str
    source: str
    sentence: str


def collections(functions: int, questions: int) -> Iterator[Collection]:
    """Return four collections over a sample of `functions` functions, each with at most `questions` questions."""
    sample = sampled(standard_library(), functions)
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    sources = memories(sample, [each.source for each in sample])
    located = memories(sample, [f"{each.path}\n{each.source}" for each in sample])
    yield Collection(
        name=f"docstring to function, {python}",
        memories=sources,
        questions=[_question(each.sentence, {memory.key}) for each, memory in zip(sample, sources, strict=True)],
    )
    yield Collection(
        name=f"identifiers in another case, {python}",
        memories=sources,
        questions=_some(in_other_styles(sources), questions),
        sentences=False,
    )
    yield Collection(
        name=f"whole paths, {python}",
        memories=located,
        questions=_some(_by(located, str), questions),
        sentences=False,
    )
    yield Collection(
        name=f"base names, {python}",
        memories=located,
        questions=_some(_by(located, lambda path: path.name), questions),
        sentences=False,
    )


def standard_library() -> Iterator[Function]:
    """Yield every function with a docstring, sorted by path and line."""
    folder = Path(sysconfig.get_path("stdlib"))
    for file in sorted(folder.rglob("*.py")):
        path = PurePosixPath("Lib", file.relative_to(folder).as_posix())
        if not _NOT_ITS_OWN.intersection(path.parts):
            yield from functions_of(str(path), file.read_text("utf-8", errors="replace"))


def functions_of(path: str, text: str) -> Iterator[Function]:
    """Return the functions of a file that are long enough and have an informative docstring."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring, sentence = node.body[0], first_sentence(ast.get_docstring(node) or "")
        says_something = (
            len(sentence.split()) >= _LEAST_SENTENCE_WORDS and len(sentence) <= _MOST_SENTENCE_CHARACTERS
        )
        if not says_something or len(node.body) == 1 or docstring.lineno == node.lineno:
            continue
        end = docstring.end_lineno or docstring.lineno
        kept = [*lines[node.lineno - 1 : docstring.lineno - 1], *lines[end : node.end_lineno]]
        source = textwrap.dedent("\n".join(kept)).strip()
        body_lines = (node.end_lineno or end) - end
        if body_lines >= _LEAST_BODY_LINES and len(source) <= _MOST_CHARACTERS:
            yield Function(path=path, name=node.name, source=source, sentence=sentence)


def first_sentence(docstring: str) -> str:
    """Return the first sentence, or the first paragraph if the paragraph ends earlier, on one line."""
    found = _SENTENCE.match(docstring.strip())
    return " ".join(found.group().split()) if found else ""


def sampled(functions: Iterable[Function], count: int) -> list[Function]:
    """Return a random sample of functions, in order, without duplicates of sentences or sources."""
    known = list(functions)
    for said in (lambda each: each.sentence, lambda each: each.source):
        known = [each for each, others in _grouped(known, said) if others == 1]
    chosen = random.Random(_SEED).sample(range(len(known)), min(count, len(known)))  # noqa: S311 - a sample
    return [known[place] for place in sorted(chosen)]


def memories(functions: Sequence[Function], texts: Sequence[str]) -> list[Memory]:
    """Return one memory for each function, a minute apart."""
    return [
        Memory(
            key=f"{number} {function.path}"[:100],
            text=text,
            project="code",
            session=f"session {number // _SESSION}",
            created_at=_BEGINNING + timedelta(minutes=number),
        )
        for number, (function, text) in enumerate(zip(functions, texts, strict=True))
    ]


def in_other_styles(sources: Sequence[Memory]) -> list[Question]:
    """Return questions made of identifiers of several parts, each in all case styles that no memory uses."""
    written: dict[str, set[str]] = defaultdict(set)
    holders: dict[str, set[str]] = defaultdict(set)
    for memory in sources:
        for compound in _COMPOUND.findall(memory.text):
            for each in {compound, *compound.split("-")}:
                name = _STYLES["snake"](parts(each))
                written[name].add(each.strip("_"))
                holders[name].add(memory.key)
    return [
        _question(other, keys)
        for name, keys in sorted(holders.items())
        if "_" in name and len(name) >= _LEAST_IDENTIFIER_CHARACTERS and len(keys) <= _MOST_ANSWERS
        for other in (style(name.split("_")) for style in _STYLES.values())
        if other not in written[name]
    ]


def parts(identifier: str) -> list[str]:
    """Return the words of an identifier in any case style, in lower case."""
    return [part.lower() for part in _PARTS.findall(identifier)]


def _by(located: Sequence[Memory], asked: Callable[[PurePosixPath], str]) -> list[Question]:
    """Return questions that `asked` makes from the paths of memories. Skip questions made from many paths."""
    holders: dict[str, set[str]] = defaultdict(set)
    for memory in located:
        holders[asked(PurePosixPath(memory.text.partition("\n")[0]))].add(memory.key)
    return [_question(text, keys) for text, keys in sorted(holders.items()) if len(keys) <= _MOST_ANSWERS]


def _grouped(functions: Sequence[Function], by: Callable[[Function], Hashable]) -> Iterator[tuple[Function, int]]:
    """Return each function with the number of functions for which `by` gives the same question."""
    counts: dict[Hashable, int] = defaultdict(int)
    for function in functions:
        counts[by(function)] += 1
    return ((function, counts[by(function)]) for function in functions)


def _some(questions: Sequence[Question], count: int) -> list[Question]:
    return random.Random(_SEED).sample(questions, min(count, len(questions)))  # noqa: S311 - a sample


def _question(text: str, keys: Iterable[str]) -> Question:
    return Question(text=text, project="code", relevant=frozenset(keys))
