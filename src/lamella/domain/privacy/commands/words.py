"""Read the words of a command line: in a shell, in a string of code, in a list of JSON or YAML."""

from lamella.domain.privacy.signs import after

Span = tuple[int, int]
"""Start and end of a part of a text."""

_QUOTES = ('\\"', "\\'", '"', "'")
_LONGEST_LINE = 120
_LONGEST_QUOTED = 300
_ENDS_WORD = frozenset(" \t\r\n\v\f<>;|&()`")
_BLANKS = frozenset(" \t\r")


def words_from(text: str, start: int, length: int) -> list[Span]:
    """Return the spans of a command's words after the program's name. The name has `length` characters at `start`.

    Quotes around a whole word aren't part of its span. Quotes inside a word are.
    """
    at = start + length
    around = next((each for each in _QUOTES if text.startswith(each, at) and text.endswith(each, 0, start)), "")
    if around:
        return _listed(text, at + len(around))
    # The program's name is a whole item of a YAML list.
    if text[at : at + 1] == "\n" and text[max(0, start - 2) : start] == "- ":
        return _items(text, at)
    quote = _enclosing_quote(text, start)
    words: list[Span] = []
    while (word := next_word(text, at, quote)) is not None:
        begin, end, at = word
        words.append((begin, end))
    return words


def _enclosing_quote(text: str, start: int) -> str:
    """Return the quote, plain or escaped, of the string around the offset `start`; empty outside of strings.

    Only the line of `start` is read.
    """
    line = text[max(0, start - _LONGEST_LINE) : start].rpartition("\n")[2]
    begin = start - len(line)
    quote = ""
    for at, sign in enumerate(line) if any(each in line for each in "\"'`") else ():
        if sign not in "\"'`":
            continue
        if sign == "'" and line[at - 1 : at].isalnum() and text[begin + at + 1 : begin + at + 2].isalnum():
            continue  # between two letters, it is an apostrophe, not a quote
        other = f"\\{sign}" if line[at - 1 : at] == "\\" else sign
        quote = "" if quote == other else quote or other
    return quote


def next_word(text: str, at: int, enclosing: str) -> tuple[int, int, int] | None:
    """Return the start and end of the next word, and the offset to continue from; None after the last word."""
    at = _after_blanks(text, at)
    if text[at : at + 2] in {'["', "['"}:
        return None  # a list of words in brackets is read separately
    begin = at
    at += text[at : at + 1] == "<"  # `<` begins a placeholder, or stands before an input file
    while at < len(text) and text[at] not in _ENDS_WORD:
        if enclosing and text.startswith(enclosing, at):
            break
        quote = next((each for each in _QUOTES if text.startswith(each, at)), "")
        if quote:
            inside = at + len(quote)
            end = _closing(text, inside, quote)
            if end < 0:
                break
            if at == begin:
                return inside, end, end + len(quote)
            at = end + len(quote)
        elif text[at] == "\\":
            if enclosing and text[at + 1 : at + 2] in {"n", "r", "t"}:
                break
            at += 2
        else:
            at += 1
    at = min(at, len(text))
    is_number_of_file = text[at : at + 1] == ">" and text[begin:at].isdigit()
    return (begin, at, at) if at > begin and not is_number_of_file else None


def _after_blanks(text: str, at: int) -> int:
    """Return the earliest start of the next word, after blanks and line continuations."""
    while at < len(text):
        if text[at] in _BLANKS:
            at += 1
        elif text.startswith("\\\n", at) or text.startswith("\\\r\n", at):
            at = text.index("\n", at) + 1
            at += text[at : at + 1] in {"+", "-"} and text[at + 1 : at + 2].isspace()
        else:
            break
    return at


def _closing(text: str, start: int, quote: str) -> int:
    """Return the offset of the closing quote in this line, or -1."""
    last = start + _LONGEST_QUOTED
    end = text.find(quote, start, last)
    while end > 0 and quote == '"' and text[end - 1] == "\\":
        end = text.find(quote, end + 1, last)
    return -1 if end < 0 or "\n" in text[start:end] else end


def _listed(text: str, at: int) -> list[Span]:
    """Return the items of a list in code from `at` on: the spans of strings, and empty spans for other items."""
    words: list[Span] = []
    while True:
        at = after(text, at, " \t\r\n+", most=_LONGEST_QUOTED)
        if text[at : at + 1] != ",":
            return words
        at = after(text, at + 1, " \t\r\n+", most=_LONGEST_QUOTED)
        quote = next((each for each in (*_QUOTES, "`") if text.startswith(each, at)), "")
        if quote:
            begin = at + len(quote)
            end = _closing(text, begin, quote)
            if end < 0:
                return words
            words.append((begin, end))
            at = end + len(quote)
        else:
            end = min(
                (place for each in ",])\n" if (place := text.find(each, at, at + _LONGEST_LINE)) >= 0), default=at
            )
            words.append((at, at))
            at = end


def _items(text: str, at: int) -> list[Span]:
    """Return the items of a YAML list continued at `at`, without quotes."""
    words: list[Span] = []
    while text[at : at + 1] == "\n":
        begin = after(text, at, " \n+", most=_LONGEST_QUOTED)
        if not text.startswith("- ", begin):
            break
        begin += 2
        end = text.find("\n", begin, begin + _LONGEST_QUOTED)
        at = end = min(len(text), begin + _LONGEST_QUOTED) if end < 0 else end
        if end - begin > 1 and text[begin] in "\"'" and text[end - 1] == text[begin]:
            begin, end = begin + 1, end - 1
        words.append((begin, end))
    return words
