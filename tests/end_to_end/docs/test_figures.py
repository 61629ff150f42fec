"""Figures of the pages are those of `bench/results` and of the tree."""

import re
from pathlib import Path

import pytest

from bench import figures
from tests.unit.support.tables import cases

ROOT = figures.ROOT
# `make tour` writes all of the tour. Decisions (docs/decisions) keep the figures that they were taken by.
BY_HAND = [page for page in [*figures.PAGES, ROOT / "CONTRIBUTING.md"] if page.name != "tour.md"]

GENERATED = re.compile(
    r"<!-- figures: .*?<!-- end -->|<!-- (make \S+): begin -->.*?<!-- \1: end -->|^```.*?^```|`[^`]*`",
    re.DOTALL | re.MULTILINE,
)
UNIT = r"(?:(?:ns|µs|ms|s|(?:milli)?seconds?|minutes?|hours?|[kKMG]i?B|(?:mega|giga)?bytes?|tokens|x)\b|%)"
DECIMALS = r"\| \d+\.\d+ \||\d\.\d+ / \d"
FIGURE = rf"\d[\d,.]* ?{UNIT}|[\w.]+ times as\b|(?<![@p\d])\d[\d,.]* of (?:\d|R@|nDCG@)|{DECIMALS}"
MEASURED = re.compile(FIGURE)
"""Numbers of time, size, tokens, share or ratio, and pairs and cells of decimals."""
BAR = re.compile(rf"(?i:\b(?:at most|at least|up to|every)|[≤≥]) (?:\S+ / )?(?:{FIGURE})")
"""Bars and limits say so directly before the number."""
SETTINGS = [line.split("\t") for line in Path(__file__).with_name("settings.txt").read_text("utf-8").splitlines()]
"""Other limits and settings, made by code or configuration: a page, and the words with the number there."""


def _named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", figures.PAGES, ids=_named)
def test_a_page_has_the_figures_that_were_measured_last(page: Path) -> None:
    text = page.read_text("utf-8")

    assert figures.filled(text) == text, "Run `make figures`."


def _without_generated(page: Path) -> str:
    return " ".join(GENERATED.sub("`", page.read_text("utf-8")).split())


@pytest.mark.parametrize("page", BY_HAND, ids=_named)
def test_no_measured_figure_is_written_by_hand(page: Path) -> None:
    written = _without_generated(page)
    for of, words in SETTINGS:
        if of == _named(page):
            written = written.replace(words, "")
    written = BAR.sub("", written)

    assert [written[max(0, each.start() - 40) : each.end() + 20] for each in MEASURED.finditer(written)] == []


def test_every_setting_with_a_number_is_still_on_its_page() -> None:
    stale = [words for of, words in SETTINGS if words not in _without_generated(ROOT / of)]
    assert (stale, [words for _, words in SETTINGS if not MEASURED.search(words)]) == ([], [])


def test_every_file_that_a_bench_writes_is_there() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "bench").rglob("*.py"))
    written = set(re.findall(r'results / "([\w.-]+)"', code))
    assert len(written) > 20
    assert written <= {path.name for path in figures.RESULTS.iterdir()}


@cases
def test_a_measured_figure_is_recognised(written: str, figure: bool) -> None:
    assert bool(MEASURED.search(BAR.sub("", written))) is figure


TABLES = Path(__file__).with_suffix(".md").read_text("utf-8")


@pytest.fixture
def _pears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "RESULTS", tmp_path)
    (tmp_path / "fruit.md").write_text(TABLES, "utf-8")


@pytest.mark.usefixtures("_pears")
@cases
def test_a_source_names_a_table_or_a_cell(source: str, made: str) -> None:
    page = f"Of <!-- figures: {source} -->3<!-- end --> and\n<!-- figures: {source} -->\n<!-- end -->\n"

    assert figures.filled(page) == (
        f"Of <!-- figures: {source} -->{made}<!-- end --> and\n<!-- figures: {source} -->\n{made}\n<!-- end -->\n"
    )


@pytest.mark.usefixtures("_pears")
@cases
def test_a_source_that_is_missing_or_ambiguous_is_refused(source: str, said: str) -> None:
    with pytest.raises(LookupError, match=f"^{re.escape(said)}$"):
        figures.filled(f"<!-- figures: {source} -->1<!-- end -->")
