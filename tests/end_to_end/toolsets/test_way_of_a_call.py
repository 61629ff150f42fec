"""A call takes a short way through the code."""

from pathlib import Path

from bench.speed.calls import ways

MOST = {"recall": (700, 45), "recall, 1 hit": (350, 45), "save": (180, 35), "drained edit": (450, 50)}
"""Maximum numbers of called functions and of entered modules."""


def test_a_call_enters_few_functions_and_modules(tmp_path: Path) -> None:
    traced = {name: (way.calls.total(), len(way.modules)) for name, way in ways(tmp_path, 1_000).items()}

    assert traced.keys() == MOST.keys()
    longer = {name: each for name, each in traced.items() if any(map(int.__gt__, each, MOST[name]))}
    assert longer == {}
