"""Write the table of English synonyms that lamella ships, from WordNet and the model of `lamella model get`.

    python -m bench.quality.synonyms WORDNET MODEL

A line of the table is a word in its base form, followed by its synonyms, best first. The synonyms of the groups in
`data/synonyms.txt`, which were written by hand, come first. The others are words with a high cosine to the word.
If WordNet relates the two words, a lower cosine suffices. No question of a collection was used to write the groups
or to choose the words.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from tokenizers import Tokenizer

from bench.quality.collections.records import DATA
from lamella.domain.embeddings.vector import Vector
from lamella.domain.text.languages import synonyms
from lamella.domain.text.languages.latin import ENGLISH
from lamella.domain.text.languages.synonyms import bases
from lamella.domain.text.words import STOP_WORDS
from lamella_adapters.embedders.onnx import TOKENIZER, OnnxEmbedder
from lamella_adapters.fts5 import bm25

TABLE: Final = Path(synonyms.__file__).with_name(ENGLISH.synonyms)
GROUPS: Final = DATA / "synonyms.txt"

_ALIKE: Final = 0.65
"""Minimum cosine of two words."""

_RELATED: Final = 0.5
"""Minimum cosine of two words that WordNet relates."""

_MOST: Final = 12
"""Maximum number of synonyms from the model for each word."""

_FILES: Final = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
_POINTERS: Final = frozenset("@&*>^$")
"""Pointers between synsets: hypernym, similar to, entailment, cause, also see, verb group."""

_DERIVED: Final = "+"
_SYNSET: Final = re.compile(r"(\d{8}) \d\d (\w) (\w\w) (.*?) (\d{3}) ?(.*) \| ")
_POINTER: Final = re.compile(r"(\S+) (\d{8}) (\w) (\w\w)(\w\w)")


def groups(text: str) -> dict[str, dict[str, None]]:
    """Return for each word the other words of all its groups. A line of `text` is a group."""
    made: dict[str, dict[str, None]] = {}
    for group in map(str.split, text.splitlines()):
        for word in group:
            made.setdefault(word, {}).update((each, None) for each in group if each != word)
    return made


def related(wordnet: Path) -> Mapping[str, set[str]]:
    """Return the related words of each lower-case word of WordNet: of its synsets, and of those they point to."""
    synsets, pointers = dict[tuple[str, str], list[str]](), list[tuple[tuple[str, str], str]]()
    for file in sorted(set(_FILES.values())):
        for line in (wordnet / f"data.{file}").read_text("utf-8").splitlines():
            if match := _SYNSET.match(line):
                offset, _, count, rest, _, others = match.groups()
                words = [re.sub(r"\(\w+\)", "", each) for each in rest.split(" ")[: 2 * int(count, 16) : 2]]
                synsets[file, offset] = words
                pointers.append(((file, offset), others))
    made = defaultdict[str, set[str]](set)
    for here, others in pointers:
        pairs = [*product(synsets[here], repeat=2)]
        for kind, offset, part, source, target in _POINTER.findall(others):
            there = synsets[_FILES[part], offset]
            if kind == _DERIVED:
                pairs.append((synsets[here][int(source, 16) - 1], there[int(target, 16) - 1]))
            elif kind in _POINTERS:
                pairs += product(synsets[here], there)
        for one, other in pairs:
            made[one].add(other)
            made[other].add(one)
    return {word: others for word, others in made.items() if word.islower()}


def nearest(words: Sequence[str], vectors: Sequence[Vector], kin: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Yield the synonyms of each word, best first. `kin` are the related words of each word."""
    matrix = np.array([np.frombuffer(each.components, np.int8) for each in vectors], np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    for number, word in enumerate(words):
        cosines = matrix @ matrix[number]
        near = [at for at in np.argsort(-cosines, kind="stable") if cosines[at] >= _RELATED and at != number]
        mine = kin.get(word, ())
        yield [words[at] for at in near if cosines[at] >= _ALIKE or words[at] in mine][:_MOST]


def distinct(words: Iterable[str]) -> list[str]:
    """Return the words without later words of the same stem, which a search would find anyway."""
    made: dict[str, str] = {}
    for word in words:
        made.setdefault(bm25.tokens(word)[0], word)
    return [*made.values()]


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path, help="folder with data.noun, as of Debian's package wordnet-base")
    parser.add_argument("model", type=Path, help="folder of all-MiniLM-L6-v2")
    options = parser.parse_args()
    by_hand, kin = groups(GROUPS.read_text("utf-8")), related(options.wordnet)
    known = Tokenizer.from_file(f"{options.model / TOKENIZER}").get_vocab()
    common = {word for word in known if re.fullmatch("[a-z]{3,}", word) and word in kin}
    words = sorted(common - STOP_WORDS | by_hand.keys())
    vectors = [vector for vector in OnnxEmbedder(options.model).embed(words) if vector]
    lines = (
        distinct([word, *next(filter(None, map(by_hand.get, bases(word))), ()), *near])
        for word, near in zip(words, nearest(words, vectors, kin), strict=True)
    )
    TABLE.write_text("".join(f"{' '.join(line)}\n" for line in lines if len(line) > 1), "utf-8")


if __name__ == "__main__":
    main()
