"""Logging the activity of hooks."""

from collections.abc import Sequence
from datetime import timedelta

from lamella.domain.audit.activity import Activity
from lamella.domain.transactions.look import Facts
from lamella.domain.transactions.plan import LogActivity, Plan

KEPT_FOR = timedelta(days=366)
"""Time that entries are kept: a year is looked back on.

At a hundred entries a day that is some 37,000 rows, of 5 MB.
"""


def decide_log(entries: Sequence[Activity], facts: Facts) -> tuple[Plan, None]:
    """Log entries, and drop those that are too old beside the latest of them; see `ActivityLog.add`."""
    oldest = max(each.at for each in entries) - KEPT_FOR
    return (LogActivity(entries=tuple(entries), oldest=oldest, origin=facts.project),), None
