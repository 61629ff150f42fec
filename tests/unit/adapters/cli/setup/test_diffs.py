from lamella_adapters.cli.setup.diffs import difference


def shown(before: str, after: str) -> list[str]:
    return list(difference("f", before, after, ["l", "5"]))


def test_an_insertion_is_shown_without_what_stands_around_it() -> None:
    assert shown('"token": "s3cret"\n}\n', '"token": "s3cret"\n"mine": "l\x1b"\n}\n') == [
        "--- f",
        "+++ f",
        "@@ -1,0 +2 @@",
        '+"mine": "l\\u{001B}"',
    ]


def test_of_a_line_that_changes_in_part_only_the_change_is_shown() -> None:
    assert shown("{a: s3cret}", "{lamella: l, a: s3cret}") == [
        "--- f",
        "+++ f",
        "@@ -1 +1 @@",
        "-{a: …}",
        "+{lamella: l, a: …}",
    ]


def test_json_on_one_line_is_shown_with_a_line_for_each_value() -> None:
    before = '{"token": "s3cret", "hooks": {"End": [{"command": "mine"}]}, /* note */ }'
    after = before.replace('{"End": [', '{"Start": [{"command": "l"}], "End": [{"command": "l"}, ')
    assert shown(before, after) == [
        "--- f (a line for each value)",
        "+++ f (a line for each value)",
        "@@ -3,0 +4,5 @@",
        '+    "Start": [',
        "+      {",
        '+        "command": "l"',
        "+      }",
        "+    ],",
        "@@ -4,0 +10,3 @@",
        "+      {",
        '+        "command": "l"',
        "+      },",
    ]
    assert shown(after, before)[2] == "@@ -4,5 +3,0 @@"
    assert shown('{"command": "gone", "token": "s3cret"}', '{"command": "l", "token": "s3cret"}')[2:] == [
        "@@ -2 +2 @@",
        '-  "command": "gone",',
        '+  "command": "l",',
    ]


def test_of_a_line_that_moves_the_value_is_left_out() -> None:
    assert shown("token: s3cret\nx\n", "mine: l\ny\ntoken: s3cret\n")[2:] == [
        "@@ -0,0 +1,2 @@",
        "+mine: l",
        "+y",
        "@@ -2 +3,0 @@",
        "-x",
    ]
    assert shown("a: s3cret\nb: 2\n", "b: 2\nc: 3\na: s3cret\n")[2:] == [
        "@@ -0,0 +1,2 @@",
        "+b: …",
        "+c: 3",
        "@@ -2 +3,0 @@",
        "-b: …",
    ]


def test_keys_and_what_lamella_writes_are_shown_wherever_they_move() -> None:
    before = '{"hooks": {"End": [{"command": "l", "pin": 42}]}, "b": "s3cret"},'
    after = before.replace('{"End"', '{"Start": [{"command": "l", "timeout": 5}], "End"')
    assert shown(before, after)[3:] == [
        '-{"hooks": {"End": [{"command": "l", "pin": …}]}, "b": "…"},',
        '+{"hooks": {"Start": [{"command": "l", "timeout": 5}], "End": [{"command": "l", "pin": …}]}, "b": "…"},',
    ]
    listed = ["  - s3cret", '  "s3cret",', "  - name: s3cret"]
    moved = shown("\n".join([*listed, *"vwxyz"]), "\n".join([*"vwxyz", *listed]))
    assert [line for line in moved if "cret" in line] == []
    assert {line[1:] for line in moved[2:]} >= {"  - …", '  "…",', "  - name: …"}
