"""The worklist of a review has as many expected pairs, and as many other entries, as `bench/README.md` says."""

import pytest

from bench.quality.review import Seeded, listed, stores
from lamella.entry_points import NO_EMBEDDER
from tests.minilm import minilm

_STORES = {store.name: store for store in stores()}
_BY_WORDS = {
    "similar words": (38, 4, 2, 15),
    "other words": (5, 0, 21, 17),
    "other words, with keywords of older notes": (19, 2, 19, 14),
    "other words, with keywords": (36, 2, 4, 16),
}


@pytest.mark.parametrize("store", _STORES.values(), ids=_STORES)
def test_pairs_and_other_tasks_are_listed_by_words_as_measured(store: Seeded) -> None:
    assert len(store.pairs) == 40
    assert listed(store, NO_EMBEDDER) == _BY_WORDS[store.name]


def test_a_model_lists_more_pairs_in_other_words() -> None:
    assert listed(_STORES["other words"], f"onnx:{minilm()}") == (14, 0, 15, 17)
