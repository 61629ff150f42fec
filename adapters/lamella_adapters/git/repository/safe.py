"""Settings and variables that prevent git from running programs of a repository. Hooks import this module."""

import os

# Git runs programs named by the repository's configuration. These settings turn off the file-system monitor,
# hooks, checks of signatures, and fetching of missing objects in a partial clone (no transport is allowed).
# Comparing files also runs filters; `process` turns these off by name. `safe.directory` keeps its default: git
# refuses to work in another user's repository, so changed lines aren't counted there. `safe.bareRepository` keeps
# git from using a bare repository that is hidden among the files of another repository.
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "log.showSignature=false",  # otherwise, git runs a program that verifies signatures
    "diff.autoRefreshIndex=false",  # otherwise, `diff` takes the lock that a running commit may need
    "safe.bareRepository=explicit",
)
_VARIABLES = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


def command(program: str, folder: str, *arguments: str) -> list[str]:
    """Return the command line to run git in a folder."""
    fixed = (part for setting in _SETTINGS for part in ("-c", setting))
    return [program, "-C", folder, "--no-pager", "--literal-pathspecs", *fixed, *arguments]


def environment(tree: str) -> dict[str, str]:
    """Return the environment for git in a working tree.

    Inherited `GIT_…` variables are dropped; `locate` explains why.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    # Set the working tree. Otherwise, `core.worktree` could name a folder outside of the project.
    return {**inherited, **_VARIABLES, "GIT_WORK_TREE": tree}
