"""Markdown of memories and conversations on pages."""

from lamella_adapters.web.rendering.markdown import MOST_CHARACTERS, rendered
from tests.unit.support.tables import cases


@cases
def test_text_becomes_html_that_loads_and_runs_nothing(text: str, page: str) -> None:
    assert str(rendered(text)).strip() == page


def test_text_that_is_nested_deeply_is_there() -> None:
    assert "branch" in rendered(
        "".join(f"{'  ' * depth}- {depth}\n" for depth in range(18)) + "  " * 18 + "branch"
    )


def test_text_that_would_take_long_to_parse_is_shown_as_it_is() -> None:
    hostile = "[<b>" * (MOST_CHARACTERS // 4)
    assert str(rendered(hostile)).startswith("<p>")
    assert str(rendered(f"{hostile}[")) == f"<pre>{'[&lt;b&gt;' * (MOST_CHARACTERS // 4)}[</pre>"
