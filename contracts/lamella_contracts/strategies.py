"""What Hypothesis draws: texts, stories of saves and purges, and queries about them."""

from collections.abc import Sequence

from attrs import evolve, frozen
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from lamella.domain.observation import CodeChange, Draft
from lamella.domain.query import Hit
from lamella_contracts.notebook import Notebook

PLAIN = (
    "zebra", "horse", "crossing", "server", "connected", "connecting", "timeout", "the", "of", "not",
    "login", "token", "user", "name", "naïve", "Straße", "42", "2024-05-06",
)  # fmt: skip
IDENTIFIERS = (
    "getUserById", "get_user_by_id", "userName", "user_name", "E_CONN_RESET", "src/auth/login.py",
    "Cache::evict", "C++", "HTTPServer2", "--verbose",
)  # fmt: skip
UNSPACED = ("数据库连接超时", "连接", "データベース", "ฐานข้อมูล", "한국어", "\U0001f680", "rocket", "\U0001f41b")
WORDS = PLAIN + IDENTIFIERS + UNSPACED

SESSIONS = (None, "s1", "s2")
PATHS = ("src/auth/login.py", "src/auth", "src/authx/a.py", "src", "100%/a_b", ".")

PHASES = (Phase.explicit, Phase.generate, Phase.shrink)


def bounded(examples: int, steps: int = 25) -> settings:
    """Settings that repeat from run to run, leave nothing behind and wait for a slow disk."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=True,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )


def phrases(longest: int) -> st.SearchStrategy[str]:
    """Some words of the vocabulary that all stories are written in."""
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=longest).map(" ".join)


def any_text() -> st.SearchStrategy[str]:
    """Any string that Python can hold, lone surrogates included, and many signs that query languages know."""
    signs = st.text(
        st.sampled_from("\"'*^()[]{}:+-~%_\\/;,.!? \x00\ud800\u200b\u0301aA1é数\U0001f680"), max_size=30
    )
    return st.one_of(signs, st.text(st.characters(), max_size=60), phrases(4))


def drafts() -> st.SearchStrategy[Draft]:
    """Drafts of few words; one in two says one of three things, so that many say the same."""
    paths = st.lists(st.sampled_from(("src/auth/login.py", "src/authx/a.py", "100%/a_b", "100x/aXb")), max_size=2)
    session = st.sampled_from(SESSIONS)
    request = st.sampled_from((None, None, "call-1", "call-2"))
    return st.one_of(
        st.builds(Draft, content=st.sampled_from(PLAIN[:3]), session=session, request=request),
        st.builds(
            Draft,
            content=phrases(5),
            title=st.one_of(st.just(""), phrases(2)),
            session=session,
            changes=paths.map(lambda some: tuple(CodeChange(path=path) for path in some)),
            request=request,
        ),
    )


@frozen
class Story:
    """Some drafts, and which of them are purged and then restored, by their place."""

    drafts: Sequence[Draft]
    purged: Sequence[int]
    restored: Sequence[int]

    def tell(self, notebook: Notebook) -> None:
        """Writes the story into `notebook`."""
        saved = [notebook.add(draft).observation for draft in self.drafts]
        notebook.purge(*(saved[place % len(saved)] for place in self.purged))
        notebook.restore(*(saved[place % len(saved)] for place in self.restored))


def stories(longest: int) -> st.SearchStrategy[Story]:
    """Stories of up to `longest` drafts."""
    places = st.lists(st.integers(0, longest), max_size=longest // 2)
    return st.builds(Story, st.lists(drafts(), min_size=4, max_size=longest), places, places)


def unscored(hits: Sequence[Hit]) -> list[Hit]:
    """The hits without their scores, which are compared by closeness."""
    return [evolve(hit, score=None, spans=tuple(hit.spans)) for hit in hits]


def scores(hits: Sequence[Hit]) -> list[float]:
    """The scores of hits; 0 where there is none."""
    return [hit.score or 0.0 for hit in hits]
