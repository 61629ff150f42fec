"""Sessions at a shell; see `sessions`.

Usage: python -m tests.end_to_end.support.shell_session FILE ... writes what they print now.

    $ lamella save "Plums."       run without a terminal
    % lamella recall              run on a terminal, which shows no colours here
    % y: lamella erase <plums>    the same, with `y` and Enter typed ahead
    > lamella ...                 run, whatever it prints
    $ hook EVENT SESSION PROMPT   run as a hook of Claude Code's, with what it gives to its user and its model;
                                  `SessionStart:resume` is a session that goes on
    $ git init                    run by /bin/sh, as is all that does not begin with `lamella`

A first word such as `A=b` is an environment variable, `< FILE` or `> FILE` at the end is what is read or written.
`cd` and `export` hold for the steps that follow. In the output, `! ` begins a line of stderr and `[2]` is the exit
code, else both are empty. `/machine` is the folder around `orchard`, `data` and `home`, `/minilm` has the model of
search by meaning. For the shell, `$STORE NAME` makes what another program keeps (`foreign_stores`),
`$PLUGIN` is the folder of the plugin, and `$PYTHON` runs Python.
"""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import define, evolve, field

from lamella_adapters.embedders.minilm import own_folder
from tests.end_to_end.git.git_repository import ENVIRONMENT
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Done
from tests.end_to_end.support.sessions import Player, Step, write_anew
from tests.minilm import FETCHED, minilm

FILES = Path(__file__).parents[1] / "cli" / "sessions"
"""Folder of the sessions, and of files that they use, `$FILES` for the shell."""

_HOME = "/machine"
"""What sessions call the folder around `orchard` and `data`."""

_MODEL = "/minilm"

_VARIABLES = {
    "FILES": str(FILES),
    "PLUGIN": str(Path(__file__).parents[3] / "plugin"),
    "PYTHON": sys.executable,
    "STORE": f"{sys.executable} {Path(__file__).with_name('foreign_stores.py')}",
}
"""Of the shell."""

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@define
class Shell(Player):
    """A user's shell in the folder `orchard`."""

    folder: Path
    settings: dict[str, str] = field(factory=dict)
    line: CommandLine = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.line = CommandLine(self.folder / "data", self.folder / "orchard", {"TZ": "UTC", **self.settings})
        self.line.directory.mkdir()

    def answer(self, step: Step) -> list[str]:
        return self.printed(self.run(step))

    def run(self, step: Step) -> Done:
        """Run the command of a step."""
        typed = self.filled(step.typed).replace(_HOME, str(self.folder))
        if _MODEL in typed:
            typed = typed.replace(_MODEL, str(minilm()))
        ahead, _, rest = typed.partition(": ") if step.prompt == "%" and ": lamella" in typed else ("", "", typed)
        words = shlex.split(rest)
        given = dict(word.split("=", 1) for word in _leading_settings(words))
        if words[len(given)] == "cd":
            self.line = evolve(self.line, directory=(self.line.directory / words[1]).resolve())
            self.line.directory.mkdir(exist_ok=True)
        elif words[len(given)] == "export":
            self.line = evolve(self.line, settings={**self.line.settings, **dict([words[1].split("=", 1)])})
        elif words[len(given)] == "lamella":
            return self._lamella(step.prompt, words[len(given) + 1 :], given, ahead)
        elif words[len(given)] == "hook":
            return self._hook(given, *words[len(given) + 1 :])
        else:
            environment = {**ENVIRONMENT, **self.line.environment, **_VARIABLES}
            done = subprocess.run(
                ["/bin/sh", "-c", rest], cwd=self.line.directory, env=environment, capture_output=True, check=False
            )
            return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
        return Done(0, "")

    def _lamella(self, prompt: str, words: list[str], given: dict[str, str], ahead: str) -> Done:
        if prompt == "%":
            own = evolve(self.line, settings={"COLUMNS": "100", **self.line.settings, **given})
            shown = own.on_terminal(*words, typed=f"{ahead}\n" if ahead else "")
            return Done(shown.code, _COLOURS.sub("", shown.out))
        stdin, file = b"", self.line.directory / words[-1] if words else Path()
        redirected = words[-2:-1]
        if redirected in (["<"], [">"]):
            words = words[:-2]
        if redirected == ["<"]:
            stdin = file.read_bytes()
        done = self.line.run(*words, stdin=stdin, env=given)
        if redirected == [">"]:
            file.write_text(done.out, encoding="utf-8")
            return evolve(done, out="")
        return done

    def _hook(self, given: dict[str, str], event: str, session: str, *prompt: str) -> Done:
        event, _, source = event.partition(":")
        told = {"hook_event_name": event, "session_id": session, "prompt": " ".join(prompt)}
        told["source"] = source or "startup"
        told["cwd"] = str(self.line.directory)
        done = self.line.run("hook", stdin=json.dumps(told).encode() + b"\n", env=given)
        given_back = json.loads(done.out or "{}")
        notice = f"{given_back['systemMessage']}\n" if "systemMessage" in given_back else ""
        return evolve(done, out=notice + given_back.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def printed(self, done: Done) -> list[str]:
        """Return the output of a command as lines of a session."""
        out, err = (
            text.replace(str(self.folder), _HOME).replace(str(own_folder(FETCHED)), _MODEL).rstrip().splitlines()
            for text in (done.out, done.err)
        )
        err = [f"! {line}" for line in err]
        return [*out, *err, *([f"[{done.code}]"] if done.code else [])]


def _leading_settings(words: list[str]) -> Iterator[str]:
    for word in words:
        if not re.match("[A-Z_]+=", word):
            return
        yield word


if __name__ == "__main__":
    write_anew(sys.argv[1:], Shell)
