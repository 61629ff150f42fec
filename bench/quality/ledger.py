"""Precision and recall of the ledger's warnings of code that was removed earlier and comes back.

Run: `python -m bench.quality.ledger [--files N] [--repository FOLDER ...]`. Prints two tables and writes them into
`bench/results/ledger.md`. Random choices are seeded. Functions come from the standard library of this Python.

Edits that need a warning: a function that was removed from its file comes back, unchanged or disguised; or a hunk
of a commit is undone. Edits that need no warning: a function that was never removed is added to a file from which
another function was removed; or a hunk of a commit is applied, with all earlier commits in the ledger.
"""

import ast
import difflib
import io
import random
import re
import subprocess
import sysconfig
import textwrap
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import frozen

from bench.tables import Table, command, publish
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import LineFingerprints, fingerprints, line_units
from lamella.domain.ledger.reintroduction import Likeness, NewCode
from lamella.domain.memories.observation import CodeChange

_SEED = 20240506
_ROOT = Path(__file__).resolve().parents[2]
_LEAST_LINES, _MOST_LINES = 6, 60
_LEAST_NEW = 4
"""Minimum number of restored lines that the file no longer has. With fewer, undoing a hunk restores too little."""
_EDITED = 6
"""The disguise "edited" changes one line in this number of lines."""
_WIDTH = 45
"""Maximum length of a line. Calls on longer lines are wrapped."""

Variant = Callable[[str, random.Random], str]


UNDONE = "a hunk of a commit, undone"


@frozen
class Function:
    """The lines from `start` to `end` of a file."""

    start: int
    end: int


def functions(source: str) -> list[Function]:
    """Return functions of moderate length, not nested in other functions."""
    found: list[Function] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            start = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
            inside = any(each.start <= start < each.end for each in found)
            fair = _LEAST_LINES <= node.end_lineno - start <= _MOST_LINES and not inside
            if fair and _stands_alone(source.split("\n")[start : node.end_lineno]):
                found.append(Function(start, node.end_lineno))
    return found


def _stands_alone(lines: Sequence[str]) -> bool:
    """Return True if the dedented function can be parsed alone. A string with less indentation prevents this."""
    try:
        ast.parse(textwrap.dedent("\n".join(lines)))
    except SyntaxError:
        return False
    return True


def unchanged(text: str, rng: random.Random) -> str:
    """Leave the code unchanged."""
    del rng
    return text


def renamed(text: str, rng: random.Random) -> str:
    """Rename all parameters and variables, but no attributes or keywords of calls."""
    tree = ast.parse(textwrap.dedent(text))
    own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names = {name: f"{name}_{rng.choice(('value', 'item', 'x', 'new'))}" for name in sorted(own - {"self", "cls"})}
    tokens = list(tokenize.generate_tokens(io.StringIO(textwrap.dedent(text) + "\n").readline))
    lines = textwrap.dedent(text).split("\n")
    depth = 0
    swaps = []
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
        keyword = depth > 0 and after.string == "=" and not lines[token.start[0] - 1].lstrip().startswith("def ")
        if token.type == tokenize.NAME and token.string in names and before.string != "." and not keyword:
            swaps.append(token)
    for token in reversed(swaps):
        row, column = token.start[0] - 1, token.start[1]
        line = lines[row]
        lines[row] = line[:column] + names[token.string] + line[column + len(token.string) :]
    return textwrap.indent("\n".join(lines), _indentation(text))


def unparsed(text: str, rng: random.Random) -> str:
    """Format the code with `ast.unparse`: without comments, each statement on one line."""
    del rng
    return textwrap.indent(ast.unparse(ast.parse(textwrap.dedent(text))), _indentation(text))


def wrapped(text: str, rng: random.Random) -> str:
    """Put each argument on its own line, with a trailing comma."""
    del rng
    return "\n".join(line for each in text.split("\n") for line in _wrapped(each))


def edited(text: str, rng: random.Random) -> str:
    """Replace words in some lines of the code."""
    lines = text.split("\n")
    for number in rng.sample(range(1, len(lines)), max(1, len(lines) // _EDITED)):
        lines[number] = re.sub(r"\w+", lambda word: f"{word[0]}2", lines[number], count=2)
    return "\n".join(lines)


def disguised(text: str, rng: random.Random) -> str:
    """Rename variables and wrap arguments."""
    return wrapped(renamed(text, rng), rng)


VARIANTS: dict[str, Variant] = {
    "as it was": unchanged,
    "variables renamed": renamed,
    "formatted by ast.unparse": unparsed,
    "calls wrapped": wrapped,
    "one line in six changed": edited,
    "variables renamed, calls wrapped": disguised,
}


def removal(before: str, after: str) -> LineFingerprints:
    """Return the ledger's record of a change from `before` to `after`."""
    hunks = "\n".join(list(difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm=""))[2:])
    (found,) = line_fingerprints([CodeChange(path="file", hunks=hunks)])
    return found


def verdict(before: str, after: str, removed: Sequence[frozenset[int]]) -> Likeness | None:
    """Return the ledger's verdict on an edit from `before` to `after`; None without a warning."""
    code = NewCode.of(before, after)
    if not any(code.fingerprints & each for each in removed):
        return None
    code = code.unlike(before)
    told = {likeness for each in removed if (likeness := code.likeness(each))}
    return min(told, default=None)


def came_back(files: int) -> Iterator[tuple[str, Likeness | None]]:
    """Return the name of each case, with the verdict of the ledger on the case."""
    rng = random.Random(_SEED)  # noqa: S311 - a sample
    for source in _sources(files, rng):
        lines = source.split("\n")
        known = functions(source)
        if len(known) < 3:
            continue
        gone, *others = rng.sample(known, len(known))
        text = "\n".join(lines[gone.start : gone.end])
        without = "\n".join(lines[: gone.start] + lines[gone.end :])
        removed = removal(source, without)
        left = fingerprints(without.split("\n"))
        if sum(unit.fingerprint not in left for unit in line_units(lines[gone.start : gone.end])) >= _LEAST_NEW:
            for name, variant in VARIANTS.items():
                disguise = variant(text, rng)
                if name == "as it was" or disguise != text:
                    rest = without.split("\n")
                    after = [*rest[: gone.start], *disguise.split("\n"), *rest[gone.start :]]
                    yield name, verdict(without, "\n".join(after), [removed.removed])
        for other in others[:6]:
            new = "\n".join(lines[other.start : other.end])
            base = "\n".join(
                line
                for number, line in enumerate(lines)
                if not any(each.start <= number < each.end for each in (gone, other))
            )
            yield "another function", verdict(base, f"{base}\n{new}", [removed.removed])


def in_history(repository: Path) -> Iterator[tuple[str, Likeness | None]]:
    """Judge each hunk of every commit twice: applied to the old file, and undone in the new file.

    Hunks of added and deleted files are judged only when undone.

    Yields:
        Name of the case, and the ledger's verdict: None without a warning.
    """
    name = f"hunks of {'this repository' if repository.resolve() == _ROOT else repository.resolve().name}"
    removed: dict[str, list[frozenset[int]]] = {}
    for commit in _git(repository, "log", "--reverse", "--no-merges", "--format=%H").split():
        changed = _git(repository, "diff-tree", "-r", "--root", "--no-commit-id", "--name-status", commit)
        for status, path in (line.split("\t") for line in changed.splitlines()):
            if not path.endswith((".py", ".md", ".toml", ".js", ".c", ".h", ".go", ".rs")):
                continue
            old = "" if status == "A" else _git(repository, "show", f"{commit}^:{path}")
            new = "" if status == "D" else _git(repository, "show", f"{commit}:{path}")
            before, after = old.split("\n"), new.split("\n")
            for group in difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(0):
                first, last = group[0], group[-1]
                edit = [*before[: first[1]], *after[first[3] : last[4]], *before[last[2] :]]
                code = "\n".join(edit)
                if status == "M" and NewCode.of(old, code).lines:
                    yield name, verdict(old, code, removed.get(path, []))
            removed.setdefault(path, []).append(removal(old, new).removed)
            yield from _taken_back(before, after, removed[path])


def _taken_back(
    before: Sequence[str], after: Sequence[str], removed: Sequence[frozenset[int]]
) -> Iterator[tuple[str, Likeness | None]]:
    """Undo each hunk of a commit separately. Skip hunks that restore too few lines missing in the file."""
    there = fingerprints(after)
    for group in difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(0):
        first, last = group[0], group[-1]
        back = before[first[1] : last[2]]
        if sum(unit.fingerprint not in there for unit in line_units(back)) >= _LEAST_NEW:
            undone = [*after[: first[3]], *back, *after[last[4] :]]
            yield UNDONE, verdict("\n".join(after), "\n".join(undone), removed)


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--files", type=int, default=400, help="files of the standard library, at most")
    parser.add_argument("--repository", type=Path, action="append", default=[], help="may be repeated")
    options = parser.parse_args()
    cases = list(came_back(options.files))
    for repository in options.repository or [_ROOT]:
        cases += in_history(repository)
    walks_back = {UNDONE, *VARIANTS}
    tables = [
        _table("Removed code that comes back", [case for case in cases if case[0] in walks_back]),
        _table("Ordinary edits", [case for case in cases if case[0] not in walks_back]),
    ]
    publish(options.results / "ledger.md", tables)


def _table(title: str, cases: Sequence[tuple[str, Likeness | None]]) -> Table:
    told = Counter(cases)
    counts = Counter(name for name, _ in cases)
    rows = []
    for name, count in counts.items():
        exact, near = told[name, Likeness.EXACT], told[name, Likeness.NEAR]
        shares = (f"{100 * each / count:.1f} %" for each in (exact + near, exact, near))
        rows.append([name, f"{count:,}", *shares])
    return Table(title=title, head=["case", "edits", "told of", "as exact", "as near"], rows=rows)


def _sources(files: int, rng: random.Random) -> Iterator[str]:
    library = Path(sysconfig.get_paths()["stdlib"])
    paths = [
        path
        for path in sorted([*library.glob("*.py"), *library.glob("*/*.py")])
        if not {"test", "site-packages", "idlelib", "lib2to3"} & set(path.parts)
    ]
    for path in rng.sample(paths, min(files, len(paths))):
        yield path.read_text("utf-8", errors="replace")


def _indentation(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" "))]


def _wrapped(line: str) -> list[str]:
    call = re.fullmatch(r"(\s*)(.*?\w)\(([^'\"]+)\)(:?)", line)
    if call is None or len(line) <= _WIDTH or call[3].count("(") != call[3].count(")"):
        return [line]
    arguments, depth = [""], 0
    for character in call[3]:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += character
    inner = [f"{call[1]}    {argument.strip()}," for argument in arguments if argument.strip()]
    return [f"{call[1]}{call[2]}(", *inner, f"{call[1]}){call[4]}"]


def _git(repository: Path, *arguments: str) -> str:
    answer = subprocess.run(
        ["git", "-c", "core.quotePath=false", *arguments], cwd=repository, capture_output=True, check=True
    )
    return answer.stdout.decode("utf-8", errors="replace")


if __name__ == "__main__":
    main()
