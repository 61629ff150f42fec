"""Groups of collections, to run only some of them."""

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from attrs import define

from bench.quality.collection import Collection, single_facts
from bench.quality.collections import facts, source_code
from bench.quality.collections.bags import bags
from bench.quality.collections.captured import captured
from bench.quality.collections.corrections import corrections
from bench.quality.collections.history import history
from bench.quality.collections.locomo import locomo
from bench.quality.collections.traces import traces
from bench.quality.collections.typos import typos

ROOT = Path(__file__).resolve().parents[3]


@define
class Groups:
    """Groups by name. A group's collections are created at its first use."""

    options: Namespace

    @property
    def names(self) -> Mapping[str, Callable[[], Iterator[Collection]]]:
        """Functions that create the collections of each group."""
        return {
            "locomo": lambda: iter(self._locomo),
            "facts": self._facts_twice,
            "corrections": corrections,
            "languages": facts.languages,
            "code": self._code_twice,
            "history": self._history,
            "typos": self._typos,
            "bags": self._bags,
            "traces": self._traces,
            "captured": self._captured,
        }

    @cached_property
    def _locomo(self) -> list[Collection]:
        if self.options.locomo is None:
            print("LoCoMo: skipped, no file given (--locomo)")
            return []
        return list(locomo(self.options.locomo))

    @cached_property
    def _code(self) -> list[Collection]:
        return list(source_code.collections(self.options.functions, self.options.questions))

    @cached_property
    def _facts(self) -> Collection:
        return facts.facts()

    def _facts_twice(self) -> Iterator[Collection]:
        yield self._facts
        yield single_facts(self._facts)
        yield facts.with_keywords(self._facts)
        yield facts.asked_by_agents(self._facts)

    def _code_twice(self) -> Iterator[Collection]:
        docstrings, *others = self._code
        yield docstrings
        yield single_facts(docstrings)
        yield from others

    def _history(self) -> Iterator[Collection]:
        repository: Path = self.options.repository
        commits = history(repository, "this repository" if repository == ROOT else repository.resolve().name)
        if commits is None:
            print(f"history: skipped, {repository} has none")
            return
        yield commits
        yield single_facts(commits)

    def _typos(self) -> Iterator[Collection]:
        for collection in (self._code[0], *self._locomo[:1], self._facts):
            yield from typos(collection, self.options.questions)

    def _bags(self) -> Iterator[Collection]:
        return (bags(each, self.options.questions) for each in (self._code[0], *self._locomo[:1], self._facts))

    def _captured(self) -> Iterator[Collection]:
        functions = source_code.sampled(source_code.standard_library(), self.options.functions)
        yield from captured(self._facts, functions)

    def _traces(self) -> Iterator[Collection]:
        yield traces([self._code[0], self._facts])
