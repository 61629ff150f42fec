"""Looks the locked packages up in an index of advisories, with pip-audit.

make audit

Ends with 1 if a package has a known vulnerability. Where the index can't be reached, or knows none of the
packages, nothing was audited: one line says so, and the process ends with 0.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

_UNREACHED = re.compile(r"^(requests|urllib3)\.exceptions\.|ServiceError\b|network may be blocking", re.MULTILINE)
"""What pip-audit writes where its index can't be reached, or answers with something else."""


def main(program: str, locks: Sequence[str]) -> int:
    """Audit locks with a pip-audit, and return the exit code."""
    options = ("--disable-pip", "--require-hashes", "--progress-spinner=off", "--format=json", "--desc=off")
    files = [f"--requirement={each}" for each in locks]
    done = subprocess.run([program, *options, *files], capture_output=True, check=False, text=True)
    if not done.stdout.strip():
        if _UNREACHED.search(done.stderr):
            return _say("Not audited: the index of advisories can't be reached.")
        return _say(done.stderr.strip(), code=done.returncode or 1)
    return _say(*verdict(json.loads(done.stdout)["dependencies"]), code=done.returncode)


def verdict(packages: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """Return what to say of packages as pip-audit describes them.

    Args:
        packages: The name of each, its version and vulnerabilities, or the reason why it was skipped.
    """
    skipped = [each["name"] for each in packages if "skip_reason" in each]
    audited = len(packages) - len(skipped)
    if not audited:
        return [f"Not audited: the index of advisories knows none of the {len(packages)} packages."]
    found = [
        f"{each['name']} {each['version']}: {vulnerability['id']}, fixed in {_versions(vulnerability)}"
        for each in packages
        for vulnerability in each.get("vulns", ())
    ]
    unknown = [f"Not audited, as the index doesn't know them: {', '.join(skipped)}."] if skipped else []
    return [f"Audited {audited} packages; known vulnerabilities: {len(found)}.", *found, *unknown]


def _versions(vulnerability: Mapping[str, Any]) -> str:
    return ", ".join(vulnerability["fix_versions"]) or "no version yet"


def _say(*lines: str, code: int = 0) -> int:
    print(*lines, sep="\n")  # noqa: T201
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
