"""Somebody who visits the pages, as sessions tell it.

    $ /search?q=cents                    asks for a page
    $ follow /undo                 asks for its first link that begins so; `/undo 2`: the second one
    $ send /purge id={Blue logo}   sends a form, and goes where the answer leads
    $ submit title=Logo            sends the form of that page to the editor or below a preview, with other values
    $ meanwhile /purge id=4        sends a form, and stays on the page

`{Blue logo}` is the id of the newest memory with this title. Values have escapes such as `\\n`, and `&` between.
A line below a step is something that the page says. `- ` begins what it does not say, `* ` the title of a result,
which are all that it has, `= ` a field of its form to the editor, `< ` markup, and `@ ` the address that a
redirection led to. `[404]` is its status, else it is 200.
"""

import html
import re
from collections.abc import Sequence

from attrs import define, field

from tests.end_to_end.support.sessions import Player, Step
from tests.end_to_end.support.web_pages import Answer, WebPages, id_of, titles
from tests.unit.support.tables import text

_FORM = re.compile(
    r'<form method="post" action="(/(?:edit|new|undo|projects/merge|projects/split))"(.*?)</form>', re.DOTALL
)


def fields(answer: Answer) -> dict[str, str]:
    """Return the fields of a page's form to the editor or below a preview, without its token."""
    ((_, form),) = _FORM.findall(answer.body)
    inputs = re.findall(r'<input[^>]* name="([^"]*)" value="([^"]*)"', form)
    texts = re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', form, re.DOTALL)
    return {name: html.unescape(value) for name, value in (*inputs, *texts) if name != "form_token"}


@define
class Visitor(Player):
    """The visitor of a server that has let us in."""

    site: WebPages
    page: Answer = field(init=False)
    address: str = field(init=False, default="")

    def answer(self, step: Step) -> list[str]:
        """Perform a step. Return the marked lines of the page, then its whole text."""
        typed = re.sub(r"{([^}]+)}", lambda title: id_of(self.site, title[1]), self.filled(step.typed))
        verb, _, rest = typed.partition(" ")
        values: dict[str, list[str]] = {}
        target, _, given = rest.partition(" ") if verb in ("send", "meanwhile") else ("", "", rest)
        for name, _, value in (each.partition("=") for each in given.split("&") if each):
            values.setdefault(name, []).append(text(value))
        match verb:
            case "send":
                self.page = self.site.send(target, **values)
            case "meanwhile":
                assert self.site.send(target, **values).status == 303, typed
            case "submit":
                ((target, _),) = _FORM.findall(self.page.body)
                self.page = self.site.send(target, **{**fields(self.page), **values})
            case "follow":
                begin, _, number = rest.partition(" ")
                self.page = self.site.ask(self.page.links(begin)[int(number or 1) - 1])
            case _:
                self.page = self.site.ask(typed)
        if self.page.status == 303:
            self.address = self.page.headers["location"]
            self.page = self.site.ask(self.address)
        return [*(f"* {title}" for title in titles(self.page)), f"[{self.page.status}]", self.page.text]

    def check(self, step: Step, lines: Sequence[str]) -> None:
        """Compare the page with the expected lines."""
        *marked, said = lines
        written = [each for each in step.output if each]
        status = [each for each in written if re.fullmatch(r"\[\d+\]", each)] or ["[200]"]
        results = [each for each in written if each.startswith("* ")] or marked[:-1]
        assert marked == [*results, *status], (step.typed, said)
        for line in written:
            if line.startswith("= "):
                name, _, value = line[2:].partition(": ")
                assert fields(self.page).get(name, "") == text(value), (step.typed, line)
            elif line.startswith("@ "):
                assert line[2:] == self.address, step.typed
            elif (markup := line.removeprefix("- ")).startswith("< "):
                assert (markup[2:] in self.page.body) is (markup == line), (step.typed, line, self.page.body)
            elif line not in (*results, *status):
                pattern = "".join(self._pattern(line.removeprefix("- ")))
                found = re.search(pattern, said) is not None
                assert found is not line.startswith("- "), (step.typed, line, said)
