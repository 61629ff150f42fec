"""What CONTRIBUTING.md says about commands and settings is true."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_every_make_target_that_it_names_is_there() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = set(re.findall(r"`make ([a-z-]+)", PAGE))

    assert {"test", "bench-test", "figures"} <= named <= set(targets)


def test_every_setting_of_the_tests_is_explained() -> None:
    read = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"[\"'](LAMELLA_TEST_\w+)[\"']", path.read_text("utf-8"))
    }

    assert read == set(re.findall(r"LAMELLA_TEST_\w+", PAGE)) == {"LAMELLA_TEST_POSTGRESQL"}
