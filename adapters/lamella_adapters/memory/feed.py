"""Feed of changes. Each read compares the observations with the observations at the previous read."""

from collections.abc import Collection, Mapping

from attrs import define

from lamella.ports.storage.feed import Change, Feed, FeedState, Mark
from lamella_adapters.memory.observations import Home, arrival


@define(eq=False)
class InMemoryFeed(Feed):
    """Changes of all projects."""

    storage: Home

    def states(self, projects: Collection[str]) -> Mapping[str, FeedState]:
        """See `Feed.states`."""
        with self.storage.lock:
            known = [id for id in projects if id in self.storage.projects]
            found = {id: self.state(self.storage.home(id)[0]) for id in known}
        return {id: each for id, each in found.items() if each is not None}

    def state(self, home: str) -> FeedState | None:
        """Return the present state of the unmerged project `home`.

        Return None if memory is switched off in the project.
        """
        project, data = self.storage.projects[home], self.storage.data_of[home]
        if project.off_since is not None:
            return None
        data.notice()
        return FeedState(project=home, name=project.name, revision=data.revision, observations=len(data.rows))

    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        """See `Feed.after`."""
        with self.storage.lock:
            _, data = self.storage.home(project)
            data.notice()
            places = {id: Mark(revision, said.sequence) for id, (said, revision) in data.noticed.items()}
            later = sorted((place.revision, place.sequence, id) for id, place in places.items())
            start = (mark.revision, mark.sequence)
            new = [id for *place, id in later if tuple(place) > start]
            return tuple(Change(arrival(data.rows[id]), places[id]) for id in new[:limit])
