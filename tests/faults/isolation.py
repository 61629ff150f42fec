"""Projects whose texts hold words of their own: none may turn up in another project."""

import re
from pathlib import Path
from random import Random

from attrs import define, field

from lamella import Memory, open_memory
from lamella.application.memories.save import SaveRequest
from lamella.application.memories.timeline import TimelineRequest
from lamella.application.search.recall import RecallRequest
from lamella.domain.errors import LamellaError
from lamella.domain.memories.query import ById, ByText, ByTitle, Recent
from tests.faults.fault import Injections

PROJECTS = 20
CANARY = re.compile(r"canary(\d+)x")
UNKNOWN = "00000000"


@define
class Shop:
    """One of many projects of the same name; its operations return all that they say."""

    number: int
    memory: Memory
    noise: Random
    ids: list[str] = field(factory=list)
    shops: list["Shop"] = field(factory=list, repr=False)
    """All of them."""

    def any_id(self) -> str:
        """Return an id of this project or of another."""
        shop = self.noise.choice((self, self.noise.choice(self.shops)))
        return self.noise.choice(shop.ids or [UNKNOWN])

    def save(self) -> str:
        text = f"zebra canary{self.number}x{len(self.ids)} eats {self.noise.choice(('hay', 'grass', 'leaves'))}"
        title = f"title canary{self.number}x{len(self.ids)}"
        saved = self.memory.save(SaveRequest(text=text, title=title))
        self.ids.append(str(saved.observation.id))
        told = repr(saved)
        assert CANARY.findall(told)
        return told

    def change(self) -> str:
        return repr(self.noise.choice((self.memory.purge, self.memory.restore))([self.any_id()]))

    def timeline(self) -> str:
        return repr(self.memory.timeline(TimelineRequest(anchor=self.any_id())))

    def recall(self) -> str:
        word = self.noise.choice(("zebra", "hay", f"canary{self.noise.randrange(PROJECTS)}x1", "shop"))
        selector = self.noise.choice((ByText(word), ByTitle("canary"), Recent(), ById(self.any_id())))
        purged = self.noise.random() < 0.3
        return self.memory.recall(RecallRequest(selector=selector, limit=50, include_purged=purged)).text

    def get(self) -> str:
        return repr(self.memory.get([self.any_id(), self.any_id()])) + repr(self.memory.status())

    def work(self) -> str:
        """Do something, and return what was said."""
        try:
            return self.noise.choice((self.save, self.change, self.timeline, self.recall, self.recall, self.get))()
        except LamellaError as refusal:
            # The words of a question are repeated where nothing is found.
            return re.sub(r"No memor[^\n]*", "", str(refusal))


def operations(folder: Path, noise: Random) -> Injections:
    """Work in projects of the same name, through one open storage: no reply holds a word of another project."""
    places = [folder / f"place-{number}" / "shop" for number in range(PROJECTS)]
    for place in places:
        place.mkdir(parents=True)
    with open_memory(places[0], data_directory=folder / "data", embedder="none") as opened:
        shops = [Shop(number, opened.at(place, session="s"), noise) for number, place in enumerate(places)]
        for shop in shops:
            shop.shops = shops
        while True:
            shop = noise.choice(shops)
            said = shop.work()
            assert set(CANARY.findall(said)) <= {str(shop.number)}, said
            yield "no word of another project"
