"""Speed of recalling identifiers, compared with plain words, in a project with memories that contain many of both.

Run: `python -m bench.speed.identifiers [--memories 500] [--calls 280]`. Prints a table, and writes it into
`bench/results`. Nothing is asserted. Each identifier occurs in as many memories as each plain word, so the
difference is the cost of looking up the forms and parts of an identifier.

All questions are asked twice: right after the saves, when the index has some twenty segments, and each part of an
identifier is looked up in all segments; and after the index maintenance that a server does in its first idle
second. About half of the answers are weak and have three lines, the other answers have ten. So a median depends on
the share of weak answers, and the table has means as well.
"""

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean

from attrs import evolve

from bench.support.timing import Times, in_turns, percentile
from bench.support.workload import Language
from bench.tables import Table, command, publish
from lamella.application.maintenance.look_after import maintained
from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.domain.memories.query import ByText
from lamella.settings import Settings

_SEED = 13
_POOL, _OF_EACH, _FILLING = 600, 12, 30
"""Number of different identifiers, and of plain words; in each memory, number of each, and of other words."""

_PARTS = 150
"""Number of different words in identifiers. Each identifier has three, and shares them, as in real programs."""

_SESSION, _ASKED, _WARM = 25, 3, 20

_STYLES: Sequence[Callable[[Sequence[str]], str]] = (
    "_".join,
    ".".join,
    "-".join,
    "/".join,
    lambda parts: "".join(part.capitalize() for part in parts),
    lambda parts: parts[0] + "".join(part.capitalize() for part in parts[1:]),
)


def pools(language: Language) -> Mapping[str, Sequence[str]]:
    """Return the identifiers and the plain words for memories and questions."""
    words = language.random.sample(language.words[1_000:], _POOL + _PARTS)
    made = {tuple(language.random.sample(words[_POOL:], 3)) for _ in range(2 * _POOL)}
    identifiers = [_STYLES[number % len(_STYLES)](each) for number, each in enumerate(sorted(made)[:_POOL])]
    return {"three plain words": words[:_POOL], "three identifiers": identifiers}


def texts(language: Language, count: int, mixed: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield `count` texts, each with as many identifiers as plain words."""
    for _ in range(count):
        words = language.text(_FILLING).split()
        words += [word for pool in mixed.values() for word in language.random.sample(pool, _OF_EACH)]
        language.random.shuffle(words)
        yield " ".join(words)


def measured(folder: Path, memories: int, calls: int) -> Mapping[str, Mapping[str, Times]]:
    """Save memories, and ask both kinds of questions in turn, before and after index maintenance."""
    language = Language(_SEED)
    mixed = pools(language)
    dice = random.Random(_SEED)  # noqa: S311 - a workload
    # Search by words only: an installed embedder would load and embed during the measurement.
    with running(Settings(data_directory=folder / "data", embedder="none")) as lamella:
        call = Call(directory=folder)
        for number, text in enumerate(texts(language, memories, mixed)):
            lamella.save(evolve(call, session=f"session {number // _SESSION}"), SaveRequest(text=text))

        def asked() -> Mapping[str, Times]:
            questions = {
                name: [
                    partial(_ask, lamella, call, " ".join(dice.sample(pool, _ASKED))) for _ in range(_WARM + calls)
                ]
                for name, pool in mixed.items()
            }
            # The first questions fill caches for later ones.
            in_turns({name: each[:_WARM] for name, each in questions.items()})
            return in_turns({name: each[_WARM:] for name, each in questions.items()})

        saved = asked()
        maintained(lamella.storage)
        return {"as saved": saved, "maintained": asked()}


def _ask(lamella: Lamella, call: Call, text: str) -> str:
    return lamella.recall(call, RecallRequest(selector=ByText(text)))


def _against(times: Times, plain: Times) -> Sequence[str]:
    """Return the ratios of `times` to `plain`, the times for plain words: of medians, and of means."""
    return f"{times.p50 / plain.p50:.2f}x", f"{mean(times.cpu) / mean(plain.cpu):.2f}x"


def main() -> None:
    """Measure and print the table."""
    parser = command(__doc__)
    parser.add_argument("--memories", type=int, default=500)
    parser.add_argument("--calls", type=int, default=280, help="questions of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measurements = measured(Path(folder), options.memories, options.calls)
    table = Table(
        title=f"recall in {options.memories:,} memories full of identifiers",
        head=["index", "question", "CPU ms, p50", "CPU ms, p95", "against plain words (at most 1.5x)", "by means"],
        rows=[
            [
                state,
                name,
                f"{each.p50:.2f}",
                f"{percentile(each.cpu, 95):.2f}",
                *_against(each, next(iter(times.values()))),
            ]
            for state, times in measurements.items()
            for name, each in times.items()
        ],
    )
    publish(options.results / "identifiers.md", [table])


if __name__ == "__main__":
    main()
