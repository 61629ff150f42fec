"""Measure how easy docstrings, comments and pages are to read, compared with those of well-known packages.

    python -m bench.prose [--beside attr click cattrs pytest]

Counts relative pronouns, everyday words used instead of a technical term, and words in a sentence, because readers
mark these most when they mark difficult sentences. Code, tables and names in backticks count as one word. Prints a
table, and writes it into `bench/results`.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from statistics import median

from bench.tables import Table, command, publish

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = [ROOT / "src", ROOT / "adapters", ROOT / "contracts"]
PAGES = [page for each in (".", "contracts", "bench") for page in (ROOT / each).glob("*.md")]
PAGES += (ROOT / "docs").rglob("*.md")
BARS = "at most 2.0", "at most 1.5", "at most 14 (pages: 18)"

_PRONOUNS = re.compile(r"\b(?:that|which|what|who|whose|those|whoever|where)\b", re.IGNORECASE)
_EVERYDAY = re.compile(
    r"\b(?:(?:is|are|was|were) (?:none|one|told)|so many|goes? on|stands?|brings?|at once|tells? apart"
    r"|takes? \S+ apart|told apart)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_](?:[\w'\u2019-]*\w)?")
_CODE = re.compile(r"(?s:```.*?```|<!--.*?-->)|^\|.*$|^(?: {4,}|>>>).*$", re.MULTILINE)
_NAME = re.compile(r"`[^`\n]+`|\]\([^)]*\)|https?://\S+")
_HEADING = re.compile(r"^\s*(?:#+ .*|(?:Args|Attributes|Returns|Raises|Yields|Type Args):)\s*$", re.MULTILINE)
_END = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n\s*[-*\d][.)]?\s|\|")


def docstrings(files: Iterable[Path]) -> Iterator[str]:
    """Yield the docstrings of modules, classes and functions, and the strings below attributes."""
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield cleandoc(node.value.value)


def comments(files: Iterable[Path]) -> Iterator[str]:
    """Yield comments, with the lines of each block joined. Skip directives for tools, such as `noqa`."""
    for file in files:
        block, last = list[str](), 0
        for token in tokenize.generate_tokens(io.StringIO(file.read_text("utf-8")).readline):
            if token.type == tokenize.COMMENT and not re.match(r"# ?(?:noqa|type:|ruff:|pragma|!)", token.string):
                if block and token.start[0] != last + 1:
                    yield " ".join(block)
                    block = []
                block.append(token.string.lstrip("# ").partition("# noqa")[0])
                last = token.start[0]
        yield " ".join(block)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, without code."""
    prose = _HEADING.sub("\n\n", _NAME.sub("Name", _CODE.sub("\n\n", text)))
    yield from (each for each in _END.split(prose) if _WORD.search(each))


def row(name: str, texts: Iterable[str]) -> Sequence[str]:
    """Return a row of the table: the name, and the figures measured for the texts."""
    told = list(texts)
    read = [each for text in told for each in sentences(text)]
    whole = "\n".join(read)
    lengths = [len(_WORD.findall(each)) for each in read]
    words = sum(lengths)
    return [
        name,
        f"{words:,}",
        f"{100 * len(_PRONOUNS.findall(whole)) / words:.1f}",
        f"{1000 * len(_EVERYDAY.findall(whole)) / words:.1f}",
        f"{median(lengths):.0f}",
        str(sum(text.count(">>> ") for text in told)),
    ]


def modules(package: str) -> list[Path]:
    """Return the modules of an installed package.

    Raises:
        LookupError: The package is not installed.
    """
    found = find_spec(package)
    if found is None or found.origin is None:
        raise LookupError(f"{package} is not installed. Name other packages with --beside.")
    return sorted(Path(found.origin).parent.rglob("*.py"))


def main() -> None:
    """Run from the command line."""
    parser = command(__doc__)
    parser.add_argument("--beside", nargs="*", default=["attr", "cattrs", "click", "_pytest"], help="packages")
    options = parser.parse_args()
    ours = [file for folder in SHIPPED for file in sorted(folder.rglob("*.py"))]
    rows = [
        row("docstrings", docstrings(ours)),
        *(row(f"docstrings of {each.strip('_')}", docstrings(modules(each))) for each in options.beside),
        row("comments", comments(ours)),
        *(row(f"comments of {each.strip('_')}", comments(modules(each))) for each in options.beside),
        row("pages", (page.read_text("utf-8") for page in sorted(PAGES))),
        ["bar", "", *BARS, ""],
    ]
    head = ["texts", "words", "pronouns in 100 words", "everyday in 1,000", "words in a sentence", "examples"]
    publish(options.results / "prose.md", [Table(title="How easily texts read", head=head, rows=rows)])


if __name__ == "__main__":
    main()
