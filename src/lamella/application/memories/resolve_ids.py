"""Resolve ids given by a caller."""

from collections.abc import Sequence

from lamella.application.projects.context import ProjectContext
from lamella.domain.memories.given_ids import CANDIDATES, Resolved, prefixes_of, resolved
from lamella.ports.storage.observations import ObservationStorage


def resolve(given: Sequence[str], observations: ObservationStorage) -> Resolved:
    """Look up observations by ids. Purged observations are found, too.

    Args:
        given: Full ids, with or without hyphens, or prefixes of at least four characters.
        observations: The observations of the project.

    Raises:
        InvalidValueError: `given` is not a list of strings.
    """
    prefixes = prefixes_of(given)
    asked = list(filter(None, prefixes.values()))
    return resolved(prefixes, observations.starting_with(asked, limit=CANDIDATES) if asked else {})


def resolve_in_places(
    given: Sequence[str], here: ProjectContext, others: Sequence[ProjectContext] = ()
) -> Resolved:
    """Look up ids in a project, then among global memories, then in other projects.

    Args:
        given: Full ids, or prefixes of at least four characters.
        here: Project to begin with.
        others: Projects in which to look up the ids that are still missing.

    Raises:
        InvalidValueError: `given` is not a list of texts.
    """
    local = resolve(given, here.observations)
    if not local.missing:
        return local
    found, ambiguous, missing = dict(local.found), dict(local.ambiguous), local.missing
    for place in filter(None, (here.everywhere, *others)):
        more = resolve(missing, place.observations)
        found |= {each: place.marked(hit) for each, hit in more.found.items()}
        ambiguous |= more.ambiguous
        missing = more.missing
    return Resolved(
        # Keep the order of the given ids.
        found={each: found[each] for each in dict.fromkeys(map(str.strip, given)) if each in found},
        missing=missing,
        ambiguous=ambiguous,
    )
