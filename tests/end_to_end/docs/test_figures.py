"""Figures of the pages are those of `bench/results` and of the tree."""

import re
from pathlib import Path

import pytest

from bench import figures
from tests.unit.support.tables import cases

GENERATED = re.compile(r"<!-- figures: .*?<!-- end -->|^```.*?^```|`[^`]*`", re.DOTALL | re.MULTILINE)
MEASURED = re.compile(r"\d ?(?:ms|s|MB|KB|x)\b")
BAR = re.compile(r"at most|at least|\bbar\b|≤|≥", re.IGNORECASE)


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: str(page.relative_to(figures.ROOT)))
def test_a_page_has_the_figures_that_were_measured_last(page: Path) -> None:
    text = page.read_text("utf-8")

    assert figures.filled(text) == text, "Run `make figures`."


@pytest.mark.parametrize("page", ["README.md", "bench/README.md"])
def test_no_measured_figure_is_written_by_hand(page: str) -> None:
    written = GENERATED.sub("", (figures.ROOT / page).read_text("utf-8"))

    assert [each for each in written.split("\n\n") if MEASURED.search(each) and not BAR.search(each)] == []


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
