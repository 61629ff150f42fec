"""Request for a search."""

from attrs import field, frozen

from lamella.domain.memories.limits import DEFAULT_LIMIT
from lamella.domain.memories.query import Filters, Recent, Selector
from lamella.domain.validation import at_least, instance_of


@frozen(kw_only=True)
class SearchRequest:
    """Request for a search.

    Attributes:
        selector: Selects hits by text, by title, by ids or by recency.
        filters: Conditions on hits, as given by the user.
        limit: Maximum number of hits.
        include_purged: True to include purged memories.
        include_messages: True to add up to `limit` messages of past conversations to a search by text.
        explain: True to add the features of scores to the hits of a search by text.
        all_projects: True to search all projects of the user, except projects with memory off.

    Example:
        >>> saved = memory.save("Staging is reset every night.", title="Staging")
        >>> request = lamella.SearchRequest(selector=lamella.ByTitle("stag"), limit=1)
        >>> [hit.observation.title for hit in memory.search(request)]
        ['Staging']
    """

    selector: Selector = field(factory=Recent, validator=instance_of(Selector))
    filters: Filters = field(factory=Filters, validator=instance_of(Filters))
    limit: int = field(default=DEFAULT_LIMIT, validator=at_least(1))
    include_purged: bool = field(default=False, validator=instance_of(bool))
    include_messages: bool = field(default=False, validator=instance_of(bool))
    explain: bool = field(default=False, validator=instance_of(bool))
    all_projects: bool = field(default=False, validator=instance_of(bool))
