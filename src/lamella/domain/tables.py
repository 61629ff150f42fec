"""Tables of words in text files beside the code. Hooks use this module, so it imports nothing."""


def read_table(folder: str, name: str) -> dict[str, str]:
    """Return the entries of a table: lines `name: text`, continued by indented lines.

    Args:
        folder: Path of any file in the folder of the table.
        name: File name of the table.
    """
    table, entry = dict[str, str](), ""
    with open(f"{folder.rpartition('/')[0]}/{name}", encoding="utf-8") as lines:  # noqa: PTH123 - see above
        for line in lines:
            if line[0] == " ":
                table[entry] += f" {line.strip()}"
            else:
                entry, _, text = line.partition(": ")
                table[entry] = text.rstrip()
    return table


def read_rows(folder: str, name: str) -> list[list[str]]:
    """Return the rows of a table: lines with tabs between fields. Lines beginning with `#` are comments.

    Args:
        folder: Path of any file in the folder of the table.
        name: File name of the table.
    """
    with open(f"{folder.rpartition('/')[0]}/{name}", encoding="utf-8") as lines:  # noqa: PTH123 - see above
        return [line.rstrip("\n").split("\t") for line in lines if line[0] not in "#\n"]


def read_patterns(folder: str, name: str) -> dict[str, list[tuple[str, str]]]:
    """Return the signs and patterns of each section of a table. A line such as `[words]` begins a section.

    The section `parts` comes first: `<uuid>` in a pattern is replaced by the part `uuid`.

    Args:
        folder: Path of any file in the folder of the table.
        name: File name of the table.
    """
    sections = dict[str, list[tuple[str, str]]]()
    for sign, *rest in read_rows(folder, name):
        if not rest:
            section = sections.setdefault(sign.strip("[]"), [])
            continue
        pattern = rest[0]
        for part, meaning in sections.get("parts", ()):
            pattern = pattern.replace(f"<{part}>", meaning)
        section.append((sign, pattern))
    return sections


def phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of an entry, separated by `;`."""
    return tuple(each.strip() for each in text.split(";"))
