"""Follow the links of a memory."""

from lamella.application.memories.resolve_ids import resolve_in_places
from lamella.application.projects.context import ProjectContext
from lamella.domain.memories.links import Links, linked_ids, linked_titles, links_to
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Mode, RecallQuery

LINKS = 10
"""Maximum number of links of each kind to follow."""

MENTIONS = 50
"""Maximum number of memories to search for links to a memory."""


def links(here: ProjectContext, hit: Hit) -> Links:
    """Return the links from and to a memory."""
    if hit.project is not None and hit.project.id != here.id:
        return Links()
    place, said = (here.everywhere if hit.everywhere else None) or here, hit.observation
    ids, titles = linked_ids(said.content)[:LINKS], linked_titles(said.content)[:LINKS]
    linked = [*resolve_in_places(ids, here).found.values()] if ids else []
    for title in titles:
        linked += place.search.find(RecallQuery(selector=ByTitle(title), limit=LINKS)) or place.search.find(
            RecallQuery(selector=ByText(title, Mode.KEYWORD), limit=LINKS)
        )
    replaced = place.search.find(
        RecallQuery(filters=Filters(replaced_by=said.id), include_purged=True, limit=LINKS)
    )
    mention = ByText(f"{hit.short_id} {said.title} {said.keywords}", Mode.KEYWORD)
    mentioning = place.search.find(RecallQuery(selector=mention, limit=MENTIONS))
    others = {each.observation.id: each for each in linked if links_to(said.content, each.observation)}
    others.pop(said.id, None)
    linking = [each for each in mentioning if links_to(each.observation.content, said)]
    return Links(replaced, [*others.values()], [each for each in linking if each.observation.id != said.id])
