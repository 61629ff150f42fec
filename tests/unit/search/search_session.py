"""Sessions of searches; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.unit.search.search_session FILE ... writes what they print now.

    $ meaning                     from now on with an embedder; `broken`, `missing`, or with `zero` vectors
    $ apart "a car" "a cat"       memories, each of a session of its own; `cars` are those of `meaning_desks`
    $ embed other                 vectors by another program with this model, and how far that has come
    $ fails busy                  the storage of vectors, until `fails`; `finding=yes` when it is searched alone
    $ hits conveyance mode=semantic  what is found: text, reason, score and places of words
    $ similar "a car" limit=2     what a search by meaning answers; also `days_back=1`
    $ review                      what somebody should settle; also `again=yes`
    $ reply "Settle it."          the same as a text
    $ keep 1 5                    memories that stay as they are
    $ text a 1                    a file with a text, or without one if it is gone; `commits b 10` changed it since
    $ branch feat                 what is checked out; `ignores out` are files that git ignores
    $ lacks audit                 from now on with a new storage that can't do this, or that of a `tenant other`

`LONG` are sixty words. All else is as at a desk.
"""

import sys
from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field

from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.embed import EmbedMemories
from lamella.application.search.request import SearchRequest
from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella.domain.errors import CapabilityUnsupportedError, StorageBusyError
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.query import ByText, Filters, Mode
from lamella.ports.embedder import Embedder
from lamella.ports.storage.storage import Capability
from tests.end_to_end.support.sessions import write_anew
from tests.unit.embeddings.meaning_desks import CARS, Broken, Failing, Zero
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import ConceptEmbedder, FolderTree, LackingStorage
from tests.unit.support.telling import ids

LONG = " ".join(f"word{number}" for number in range(60))
ERRORS: dict[str, Exception] = {
    "busy": StorageBusyError(reason="Busy.", advice="Wait."),
    "unsupported": CapabilityUnsupportedError(capability="search by meaning"),
    "bug": ZeroDivisionError(),
}


def _missing() -> Embedder:
    raise EmbedderUnavailableError(reason="The model is missing.", advice="Get it.")


EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "concepts": ConceptEmbedder,
    "broken": Broken,
    "zero": Zero,
    "missing": _missing,
}


@define
class SearchShell(DeskShell):
    """A desk with an embedder, files and things to settle."""

    shorthand = ("LONG", LONG)
    storage: Failing = field(factory=Failing)
    desk: Desk = field()

    @desk.default
    def _desk(self) -> Desk:
        return Desk(storage=self.storage, tree=FolderTree())

    def _meaning(self, kind: str = "concepts") -> list[str]:
        self.desk = evolve(self.desk, embedding=Embedding(EMBEDDERS[kind], patient=True))
        return []

    def _apart(self, *texts: str) -> list[str]:
        for each in texts:
            self._call(session=f"session of {each}")
            self.desk.save(each)
        return []

    def _cars(self) -> list[str]:
        return self._apart(*CARS)

    def _embed(self, model: str) -> list[str]:
        embedding = EmbedMemories(self.desk.projects, lambda: ConceptEmbedder(name=model))(self.desk.call)
        return [f"{each.coverage.embedded} of {each.coverage.total}" for each in embedding]

    def _fails(self, kind: str = "", *, finding: bool = False) -> list[str]:
        error: Any = ERRORS[kind] if kind else None
        self.storage.error, self.storage.failing = (None, error) if finding else (error, None)
        return []

    def _hits(self, question: str, mode: str = "auto") -> list[str]:
        request = SearchRequest(selector=ByText(question, Mode(mode)))
        answer = self.desk.searching(self.desk.call, request)
        told = ((each, [f"{span.start}..{span.end}" for span in each.spans]) for each in answer.hits)
        return [
            " | ".join([each.observation.content, each.match.value, f"{each.score:.2f}", *spans])
            for each, spans in told
        ] + [*answer.notices]

    def _similar(self, question: str, limit: str = "5", days_back: str = "") -> list[str]:
        filters = Filters(days_back=int(days_back) if days_back else None)
        return self.desk.search_by_meaning(self.desk.call, question, limit=int(limit), filters=filters).split("\n")

    def _review(self, *, again: bool = False) -> list[str]:
        tasks = self.desk.review(self.desk.call, again=again)
        return [": ".join([task.reason, *(each.observation.content for each in task.hits)]) for task in tasks]

    def _reply(self, advice: str) -> list[str]:
        return self.desk.review.reply(self.desk.call, advice).split("\n")

    def _keep(self, *words: str) -> list[str]:
        return self.desk.review.keep(self.desk.call, ids(words)).report("Kept")

    def _text(self, path: str, text: str = "") -> list[str]:
        others = {each: content for each, content in self.desk.tree.texts.items() if each != path}
        self.desk.tree.texts = {**others, **({path: text} if text else {})}
        return []

    def _commits(self, path: str, count: str) -> list[str]:
        self.desk.tree.commits[path] = int(count)
        return []

    def _branch(self, name: str) -> list[str]:
        self.desk.tree.present = Checkout(name, "1" * 40)
        return []

    def _ignores(self, *paths: str) -> list[str]:
        self.desk.tree.ignoring = frozenset(paths)
        return []

    def _lacks(self, capability: str) -> list[str]:
        self.desk = evolve(self.desk, storage=LackingStorage({Capability[capability.upper()]}))
        return []

    def _tenant(self, name: str) -> list[str]:
        self.desk = evolve(self.desk, storage=self.desk.storage.of_tenant(name))
        return []


if __name__ == "__main__":
    write_anew(sys.argv[1:], lambda _: SearchShell())
