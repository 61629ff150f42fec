"""Tables of words in text files beside the code. Hooks use this module, so it imports nothing."""


def read_table(folder: str, name: str) -> dict[str, str]:
    """Return the entries of a table: lines `name: text`, whose texts go on in indented lines.

    Args:
        folder: Path of a file beside the table.
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


def phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of an entry, between which `;` stands."""
    return tuple(each.strip() for each in text.split(";"))
