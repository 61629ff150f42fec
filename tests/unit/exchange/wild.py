"""Records of exports, as wild as their types allow."""

from datetime import UTC, datetime

from attrs import evolve
from hypothesis import strategies as st

from lamella.domain.audit.entry import AuditEntry, Signature
from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import EXPORTED_ACTIONS, Audited, Record, Said, SessionName
from lamella.domain.memories.observation import CodeChange, Kind, Observation, stored_keywords, stored_metadata
from lamella.domain.projects.project import Project
from lamella.domain.text.marks import Erased
from lamella.domain.text.printing import well_formed

_HOSTILE = st.sampled_from((
    "---", "---\n", "\n\n<!-- changes -->\n", "<!-- changes 2 -->", "~~~", "\n~~~~diff {}\n", "# title", "\r\n",
    "\x85", "\u2028", "\x1b[31m", "key: value", "- item", '"', "'", "\\", "[a]", "{", "\U0001f680", "\u0301", " ",
    "\n", "zebra", "<!-- {} -->",
))  # fmt: skip
TEXTS = st.one_of(st.text(max_size=20), st.lists(_HOSTILE, max_size=6).map("".join)).map(well_formed)
SAID = TEXTS.filter(str.strip)
IDS = st.uuids()
TIMES = st.datetimes(datetime(1970, 1, 1), datetime(2024, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - see `timezones`
COUNTS = st.none() | st.integers(0, 9)
PROJECT_IDS = st.sampled_from(("app-0123456789", "other-0"))
CHANGES = st.builds(
    CodeChange,
    path=SAID,
    additions=COUNTS,
    deletions=COUNTS,
    hunks=TEXTS,
    former=st.none() | TEXTS,
    version=st.none() | TEXTS,
)
LIVE = st.builds(
    Observation,
    id=IDS,
    project=PROJECT_IDS,
    origin=st.sampled_from(("app-0123456789", "elsewhere-0")),
    sequence=st.just(0),
    session=st.none() | TEXTS,
    kind=st.sampled_from(Kind),
    actor=TEXTS,
    author=st.none() | TEXTS,
    title=TEXTS,
    content=SAID,
    keywords=TEXTS.map(stored_keywords),
    metadata=st.dictionaries(st.from_regex(r"[a-z][^=\s]*", fullmatch=True), TEXTS, max_size=3).map(
        stored_metadata
    ),
    source=TEXTS,
    created_at=TIMES,
    updated_at=TIMES,
    occurred_at=TIMES,
    changes=st.lists(CHANGES, max_size=3).map(tuple),
)
PURGED = st.builds(lambda live, at, by: evolve(live, purged_at=at, replaced_by=by), LIVE, TIMES, st.none() | IDS)
ARRIVALS = st.builds(Arrival, observation=LIVE | PURGED, request=st.none() | TEXTS)
PROJECTS = st.builds(
    Project,
    id=PROJECT_IDS,
    name=TEXTS,
    aliases=st.lists(TEXTS, max_size=3, unique=True).map(lambda each: tuple(sorted(each))),
    created_at=TIMES,
    moved_to=st.none() | PROJECT_IDS,
)
MESSAGES = st.builds(MessageDraft, key=SAID, session=SAID, role=st.sampled_from(Role), text=SAID, at=TIMES)
SIGNATURES = st.builds(
    Signature, at=TIMES, actor=TEXTS, author=st.none() | TEXTS, session=st.none() | TEXTS, undoes=st.none() | IDS
)
_SOME_IDS = st.lists(IDS, max_size=3).map(tuple)
ENTRIES = st.builds(
    AuditEntry,
    id=IDS,
    action=st.sampled_from(EXPORTED_ACTIONS),
    by=SIGNATURES,
    added=_SOME_IDS,
    purged=_SOME_IDS,
    restored=_SOME_IDS,
    count=st.integers(0, 9),
)
RECORDS: st.SearchStrategy[Record] = st.one_of(
    ARRIVALS,
    PROJECTS,
    st.builds(Audited, PROJECT_IDS, ENTRIES),
    st.builds(Said, PROJECT_IDS, MESSAGES),
    st.builds(SessionName, PROJECT_IDS, SAID, TEXTS),
    st.builds(Erased, PROJECT_IDS, st.frozensets(st.binary(min_size=16, max_size=16))),
)
