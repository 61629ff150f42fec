import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.hooks.read_only_commands import only_reads


@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "ls -la src && cat README.md | head -20",
        "cd /tmp; pwd",
        "git status --short",
        "git log --oneline -5 | cat",
        "git diff HEAD~1 -- src",
        "grep -rn 'a|b; rm x' src",
        r"grep -n 'a\|b' src",
        'rg "two words" | wc -l',
        "find . -name '*.py' -newer setup.py",
        "ls missing 2>/dev/null || echo none",
        "grep x y 2>&1",
        "grep '# x' y#z",
        "(cd src && ls)\nwc -l main.c",
        "echo done",
        "lamella recall 'why no retry'",
        "",
    ],
)
def test_what_plainly_reads_is_passed_over(command: str) -> None:
    assert only_reads(command)


@pytest.mark.parametrize(
    "command",
    [
        "make",
        "rm x",
        "sed -i s/a/b/ main.c",
        "echo x > file",
        "echo x >> file",
        "cat a | tee b",
        "ls && touch b",
        "ls & rm b",
        "ls\nrm b",
        "ls # it's here\nrm b # that's all",
        "git commit -qam x",
        "git checkout -- main.c",
        "git stash",
        "git",
        "git -C elsewhere log",
        "git diff --output=patch",
        "find . -name '*.o' -delete",
        "find . -exec rm {} ;",
        "rg --pre ./script x",
        "echo $(rm b)",
        "echo `rm b`",
        'cat "$(rm b)"',
        "FORCE=1 make",
        "ls 'unfinished",
        "r\\m b",
        r'cat "a\"" ; rm "b"',
        "python3 - <<'END'\nopen('a', 'w')\nEND",
        "echo " + "a" * 5_000,
        "./ls",
    ],
)
def test_what_may_write_is_not(command: str) -> None:
    assert not only_reads(command)


@given(st.text())
def test_any_text_is_a_command(command: str) -> None:
    assert only_reads(command) in {True, False}
    assert not only_reads(f"{command.replace(chr(39), '').replace(chr(34), '')}\nrm file")
