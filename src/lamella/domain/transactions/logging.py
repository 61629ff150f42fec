"""Logging the activity of hooks."""

from collections.abc import Sequence
from datetime import timedelta

from lamella.domain.audit.activity import Activity
from lamella.domain.transactions.look import Facts
from lamella.domain.transactions.other_writes import LogActivity
from lamella.domain.transactions.plan import Plan

KEPT_FOR = timedelta(days=366)
"""Retention time of entries: a year.

At a hundred entries a day, this is some 37,000 rows, or 5 MB.
"""


def decide_log(entries: Sequence[Activity], facts: Facts) -> tuple[Plan, None]:
    """Plan to store entries, and to delete entries that are `KEPT_FOR` older than the latest entry."""
    oldest = max(each.at for each in entries) - KEPT_FOR
    return (LogActivity(entries=tuple(entries), oldest=oldest, origin=facts.project),), None
