"""Measure the tokens of a compact line of a reply, and the share of the matched words that the line shows.

    python -m bench.tokens.lines [--functions 1000] [--questions 200]

The lines come from answers to three kinds of questions: questions and prompts about the made-up facts of
`bench/quality`, subjects of this repository's commits, and docstrings of functions. For comparison, the lines are
also measured with snippets of the maximum length, and without snippets. Tokens are counted by the default
tokenizer. Prints a table, and writes it into `bench/results`.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path
from statistics import mean

from bench.quality.collection import Collection
from bench.quality.collections import source_code
from bench.quality.collections.facts import facts
from bench.quality.collections.history import history
from bench.quality.collections.records import prompts
from bench.quality.engines.lamella import Lamella
from bench.tables import Table, command, publish
from lamella.domain.memories.query import Hit
from lamella.domain.replies.answer import Answer
from lamella.domain.replies.snippets import COMPACT_CHARACTERS, COMPACT_LEAST, NOTHING_MORE, beyond_title
from lamella.domain.replies.views import CompactView
from lamella_adapters.tokenizers.character_classes import ClassTokenizer

ROOT = Path(__file__).resolve().parents[2]

Snippet = Callable[[Hit], str]


def of_length(hit: Hit, *, least: int) -> str:
    """Return a snippet of a hit. It has at least `least` characters if the text is long enough."""
    told = hit.observation
    return beyond_title(told.title, told.content, hit.spans, COMPACT_CHARACTERS, least=least)


SNIPPETS: dict[str, Snippet] = {
    "now": partial(of_length, least=COMPACT_LEAST),
    f"{COMPACT_CHARACTERS} characters": partial(of_length, least=COMPACT_CHARACTERS),
    "no snippet": lambda _hit: NOTHING_MORE,
}


def shown(hit: Hit, snippet: str) -> float | None:
    """Return the share of a hit's matched words that title and snippet show; None without matched words."""
    said = f"{hit.observation.title} {snippet}".casefold()
    found = {span.word for span in hit.spans}
    seen = {each.word for each in hit.spans if hit.observation.content[each.start : each.end].casefold() in said}
    return len(seen) / len(found) if found else None


def answers(most_functions: int, most_questions: int) -> Iterator[tuple[str, Collection, Sequence[str]]]:
    """Yield collections with their questions."""
    made_up = facts()
    yield "facts", made_up, [*(each.text for each in made_up.questions), *prompts()[0]][:most_questions]
    commits = history(ROOT, "this repository")
    functions = next(source_code.collections(most_functions, most_questions))
    for each in filter(None, (commits, functions)):
        yield each.name, each, [question.text for question in each.questions][:most_questions]


def row(name: str, found: Sequence[Sequence[Hit]]) -> list[str]:
    """Return a row of the table: the name, and the figures of the answers."""
    count = ClassTokenizer().count
    cells = [f"{sum(map(len, found))} of {name}"]
    for snippet in SNIPPETS.values():
        costs, shares = [], []
        for hits in found:
            view = CompactView(Answer(hits=tuple(hits)), UTC)
            for number, hit in enumerate(hits):
                now, said = f" | {SNIPPETS['now'](hit)} | ", snippet(hit)
                costs.append(count(f"{view.item(number).text.replace(now, f' | {said} | ', 1)}\n"))
                shares.append(shown(hit, said))
        cells.append(f"{mean(costs):.1f}, {100 * mean(each for each in shares if each is not None):.1f} %")
    return cells


def main() -> None:
    """Run from the command line."""
    parser = command(__doc__)
    parser.add_argument("--functions", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=200, help="of each collection, at most")
    options = parser.parse_args()
    rows = [
        row(name, list(Lamella().hits(collection.memories, asked)))
        for name, collection, asked in answers(options.functions, options.questions)
    ]
    head = ["lines", *SNIPPETS]
    table = Table(title="Tokens of a compact line, and words found that it shows", head=head, rows=rows)
    publish(options.results / "lines.md", [table])


if __name__ == "__main__":
    main()
