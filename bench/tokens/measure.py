"""Measures the tokenizer adapters against real tokenizers: how far off they are, and how fast.

    python bench/tokens/measure.py             # the table and the speeds, from the counts recorded in the corpus
    python bench/tokens/measure.py --record    # count the corpus anew with the real tokenizers, then the same

Recording needs three packages more than lamella; give them an environment of their own, they bring many others:
`anthropic==0.34.2` (the last line of releases that carried Claude 2's tokenizer), `litellm` (carries the files of
cl100k_base and o200k_base) and `tiktoken` (reads them). Nothing is downloaded while measuring.
"""

import argparse
import importlib.util
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypedDict

from lamella.ports.tokenizer import Tokenizer
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer

CORPUS = (
    Path(__file__).resolve().parents[2] / "tests" / "unit" / "adapters" / "tokenizers" / "tokens" / "corpus.json"
)
SPEED_CLASSES = ("english", "python", "logs", "json_min", "base64", "chinese")
SPEED_BYTES = 4_000_000
SPEED_ROUNDS = 5


class Chunk(TypedDict):
    """One text of the corpus, with what each real tokenizer counts."""

    text: str
    claude: int
    cl100k: int
    o200k: int


Corpus = dict[str, list[Chunk]]


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it, since litellm then looks for a network."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{name} is not installed; see the top of this file")
    return Path(spec.origin).parent


def real_tokenizers() -> Mapping[str, Callable[[str], int]]:
    """The real counts, by the name under which the corpus records them."""
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
    """The count that an estimate must not fall below."""
    return max(chunk["claude"], chunk["cl100k"], chunk["o200k"])


def print_errors(corpus: Corpus, tokenizers: Mapping[str, Tokenizer]) -> None:
    """One row a class: characters, real counts, and each estimate with its error in total and on the worst chunks.

    Errors are against the largest real count of each chunk.
    """
    heads = "".join(f" | {name:>8} {'error':>7} {'lowest':>7} {'highest':>7}" for name in tokenizers)
    print(f"{'class':12} {'chars':>6} {'claude':>6} {'cl100k':>6} {'o200k':>6}{heads}")
    for name, chunks in corpus.items():
        characters = sum(len(chunk["text"]) for chunk in chunks)
        claude, cl100k = sum(chunk["claude"] for chunk in chunks), sum(chunk["cl100k"] for chunk in chunks)
        o200k = sum(chunk["o200k"] for chunk in chunks)
        row = f"{name:12} {characters:6} {claude:6} {cl100k:6} {o200k:6}"
        for tokenizer in tokenizers.values():
            counts = [tokenizer.count(chunk["text"]) for chunk in chunks]
            errors = [count / largest(chunk) - 1 for count, chunk in zip(counts, chunks, strict=True)]
            total = sum(counts) / sum(map(largest, chunks)) - 1
            row += f" | {sum(counts):8} {total:+7.1%} {min(errors):+7.1%} {max(errors):+7.1%}"
        print(row)


def print_speeds(corpus: Corpus, tokenizers: Mapping[str, Tokenizer]) -> None:
    """Megabytes of UTF-8 a second, the best of some rounds, on the chunks of a class repeated to a few megabytes.

    Repetition flatters any cache of whole words; the class estimator caches shapes, which repeat in fresh text
    too, except in base64 and hex. chars/4 isn't among them: it reads the length and never the text.
    """
    print(f"\n{'MB/s':12}" + "".join(f" {name:>10}" for name in tokenizers))
    for name in SPEED_CLASSES:
        text = "\n".join(chunk["text"] for chunk in corpus[name])
        size = len(text.encode())
        text = text * (SPEED_BYTES // size)
        row = f"{name:12}"
        for tokenizer in tokenizers.values():
            seconds = []
            for _ in range(SPEED_ROUNDS):
                start = time.perf_counter()
                tokenizer.count(text)
                seconds.append(time.perf_counter() - start)
            row += f" {len(text.encode()) / min(seconds) / 1e6:10,.1f}"
        print(row)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="count the corpus anew with the real tokenizers")
    if parser.parse_args().record:
        record()
    corpus: Corpus = json.loads(CORPUS.read_text("utf-8"))
    tokenizers: dict[str, Tokenizer] = {"classes": ClassTokenizer(), "chars4": Chars4Tokenizer()}
    print_errors(corpus, tokenizers)
    print_speeds(corpus, {"classes": tokenizers["classes"]})


if __name__ == "__main__":
    main()
