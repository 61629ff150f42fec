"""Tests of the workload of benchmarks."""

from collections import Counter

from bench.speed.identifiers import pools, texts
from bench.support.population import shares
from bench.support.workload import Language


def test_the_big_project_has_40_percent_and_the_others_share_the_rest() -> None:
    assert shares(10_000) == [4_000, *[123] * 22, *[122] * 27]
    assert (sum(shares(10_000)), len(shares(10_000))) == (10_000, 50)


def test_identifiers_and_plain_words_stand_in_equally_many_memories() -> None:
    language = Language(1)
    mixed = pools(language)
    plain, identifiers = mixed.values()
    assert len(set(plain)) == len(set(identifiers)) == len(plain)
    assert all(word.isalpha() and word.islower() for word in plain)
    assert not any(each.islower() and each.isalpha() for each in identifiers)
    for text in texts(language, 20, mixed):
        said = Counter(text.split())
        assert sum(said[each] for each in identifiers) == 12
        assert sum(said[each] > 0 for each in plain) in (12, 13, 14)  # other words of the text may include one
