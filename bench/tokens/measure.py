"""Measure the errors and the speed of the tokenizer adapters, compared with real tokenizers.

    python -m bench.tokens.measure             # print the tables, from the counts recorded in the corpus
    python -m bench.tokens.measure --record    # first count the corpus again with the real tokenizers

Recording needs three further packages, which have many dependencies, so install them in a separate environment:
`anthropic==0.34.2` (one of the last releases with Claude 2's tokenizer), `litellm` (contains the files of
cl100k_base and o200k_base) and `tiktoken` (reads these files). Nothing is downloaded during the measurement.
"""

import importlib.util
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypedDict

from bench.tables import Table, command, publish
from lamella.ports.tokenizer import Tokenizer
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer

CORPUS = (
    Path(__file__).resolve().parents[2] / "tests" / "unit" / "adapters" / "tokenizers" / "tokens" / "corpus.json"
)
SPEED_CLASSES = ("english", "python", "logs", "json_min", "base64", "chinese")
SPEED_ROUNDS = 5


class Chunk(TypedDict):
    """One text of the corpus, with the counts of the real tokenizers."""

    text: str
    claude: int
    cl100k: int
    o200k: int


Corpus = dict[str, list[Chunk]]

REAL: Mapping[str, Callable[[Chunk], int]] = {
    "Claude 2": lambda chunk: chunk["claude"],
    "cl100k": lambda chunk: chunk["cl100k"],
    "o200k": lambda chunk: chunk["o200k"],
}
"""Functions that return a real count of a chunk, by name of the tokenizer."""


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it, because litellm would use the network."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{name} is not installed; see the top of this file")
    return Path(spec.origin).parent


def real_tokenizers() -> Mapping[str, Callable[[str], int]]:
    """Return the real tokenizers, by their names in the corpus, as functions that count tokens."""
    os.environ["TIKTOKEN_CACHE_DIR"] = str(package_folder("litellm") / "litellm_core_utils" / "tokenizers")
    tiktoken = importlib.import_module("tiktoken")
    claude = importlib.import_module("tokenizers").Tokenizer.from_file(
        str(package_folder("anthropic") / "tokenizer.json")
    )
    cl100k = tiktoken.get_encoding("cl100k_base")
    o200k = tiktoken.get_encoding("o200k_base")
    return {
        "claude": lambda text: len(claude.encode(text, add_special_tokens=False).ids),
        "cl100k": lambda text: len(cl100k.encode_ordinary(text)),
        "o200k": lambda text: len(o200k.encode_ordinary(text)),
    }


def record() -> None:
    """Write the real counts into the corpus."""
    real = real_tokenizers()
    corpus: Corpus = json.loads(CORPUS.read_text("utf-8"))
    recorded = {
        name: [
            {"text": chunk["text"]} | {k: count(chunk["text"]) for k, count in real.items()} for chunk in chunks
        ]
        for name, chunks in corpus.items()
    }
    CORPUS.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", "utf-8")


def largest(chunk: Chunk) -> int:
    """Return the largest real count, which an estimate should reach."""
    return max(count(chunk) for count in REAL.values())


def errors(corpus: Corpus, tokenizers: Mapping[str, Tokenizer]) -> Table:
    """Return the errors of estimates relative to the largest real count of each chunk: total, lowest, highest."""
    rows = []
    for name, chunks in corpus.items():
        row = [name, *(f"{sum(count(chunk) for chunk in chunks):,}" for count in REAL.values())]
        for tokenizer in tokenizers.values():
            counts = [tokenizer.count(chunk["text"]) for chunk in chunks]
            each = [count / largest(chunk) - 1 for count, chunk in zip(counts, chunks, strict=True)]
            total = sum(counts) / sum(map(largest, chunks)) - 1
            row.append(f"{total:+.0%}, {min(each):+.0%} to {max(each):+.0%}")
        rows.append(row)
    head = ["class", *REAL, *(f"{name}: in total, by chunk" for name in tokenizers)]
    return Table(title="Tokens of the corpus, and errors of estimates", head=head, rows=rows)


def speeds(corpus: Corpus, tokenizer: Tokenizer, size: int) -> Table:
    """Return the speed by class of text, in megabytes of UTF-8 per processor second; the best of several rounds.

    The chunks are repeated, which favours tokenizers that cache whole words. The class estimator caches shapes of
    words, which repeat in new text too, except in base64 and hex. chars/4 isn't measured, because it only takes
    the length of the text.

    Args:
        corpus: The chunks.
        tokenizer: The tokenizer.
        size: Bytes of text of each class.
    """
    rows = []
    for name in SPEED_CLASSES:
        text = "\n".join(chunk["text"] for chunk in corpus[name])
        text = text * max(1, size // len(text.encode()))
        seconds = []
        for _ in range(SPEED_ROUNDS):
            start = time.process_time()
            tokenizer.count(text)
            seconds.append(time.process_time() - start)
        rows.append([name, f"{len(text.encode()) / min(seconds) / 1e6:,.1f}"])
    return Table(title="Speed of the default tokenizer", head=["class", "MB a second of processor"], rows=rows)


def main() -> None:
    """Run from the command line."""
    parser = command(__doc__)
    parser.add_argument("--record", action="store_true", help="count the corpus anew with the real tokenizers")
    parser.add_argument("--bytes", type=int, default=4_000_000, help="text of each class for the speeds")
    options = parser.parse_args()
    if options.record:
        record()
    corpus: Corpus = json.loads(CORPUS.read_text("utf-8"))
    classes = ClassTokenizer()
    tables = [
        errors(corpus, {"classes": classes, "chars / 4": Chars4Tokenizer()}),
        speeds(corpus, classes, options.bytes),
    ]
    publish(options.results / "tokens.md", tables)


if __name__ == "__main__":
    main()
