"""The question of a search."""

from attrs import field, frozen

from lamella.domain.memories.query import DEFAULT_LIMIT, Filters, Recent, Selector
from lamella.domain.validation import at_least, instance_of


@frozen(kw_only=True)
class SearchRequest:
    """The question of a search.

    Attributes:
        selector: How hits are chosen.
        filters: Conditions on them, as the user has given them.
        limit: Maximum number of hits.
        include_purged: True if purged memories take part.
        include_messages: True if up to `limit` messages of past conversations follow, where words are searched.
        explain: True if hits bring the features of their score, where words are searched.
        all_projects: True if memories of all other projects of the user take part, where memory is on.
    """

    selector: Selector = field(factory=Recent, validator=instance_of(Selector))
    filters: Filters = field(factory=Filters, validator=instance_of(Filters))
    limit: int = field(default=DEFAULT_LIMIT, validator=at_least(1))
    include_purged: bool = field(default=False, validator=instance_of(bool))
    include_messages: bool = field(default=False, validator=instance_of(bool))
    explain: bool = field(default=False, validator=instance_of(bool))
    all_projects: bool = field(default=False, validator=instance_of(bool))
