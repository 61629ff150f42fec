"""Taking secrets out of a text before it is stored.

Only formats that their issuers publish are recognised, because a memory that mangles ordinary text is useless too.
What is put in place of a secret is never longer than it.
"""

import re

from attrs import frozen

REDACTED = "[redacted]"
"""Stands where a secret stood."""

_REDACTED_SHORT = "***"
"""The same for a password of fewer characters."""

_FORMATS = (
    # Private keys, PEM and PGP, also as JSON strings and in a diff; of one that was cut off, what is there.
    (
        "PRIVATE KEY",
        (
            r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?:(?!-----BEGIN )[\s\S])*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
            r"|(?:(?:\\[nr]|\s)+[+-]?(?:[A-Za-z-]+: [^\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]+\Z))+)"
        ),
    ),
    # JSON web tokens: header and payload are base64url of a JSON object, hence `eyJ`.
    ("eyJ", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    # Passwords inside connection strings; user, host and scheme stay.
    ("://", r"(?<=://)(?P<kept>[^\s:/@?#'\"<>]{0,100}:)(?!\*\*\*@)[^\s/@'\"<>\[{$]{3,200}(?=@[A-Za-z0-9\[])"),
    ("IA", r"\b(?:AKIA|ASIA|ABIA)[A-Z2-7]{16}\b"),  # Amazon access key ids
    ("ACCA", r"\bACCA[A-Z2-7]{16}\b"),
    ("_", r"(?P<kept>(?i:aws_secret_access_key|aws_session_token)[\"']?\s*[=:]\s*[\"']?)[A-Za-z0-9/+=]{40,}"),
    ("gh", r"\bgh[oprsu]_[A-Za-z0-9]{36,255}\b"),  # GitHub
    ("github_pat_", r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
    ("gl", r"\bgl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{20,}"),  # GitLab
    ("xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),  # Slack
    ("xapp-", r"\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}"),
    ("hooks.slack.com", r"(?<=hooks\.slack\.com/services/)T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{20,}"),
    ("sk-ant-", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),  # Anthropic
    ("sk-", r"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}"),  # OpenAI
    ("T3BlbkFJ", r"\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b"),
    ("sk-", r"\bsk-[A-Za-z0-9]{48}\b"),
    ("k_", r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"),  # Stripe
    ("whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("AIza", r"\bAIza[A-Za-z0-9_-]{35}"),  # Google
    ("ya29.", r"\bya29\.[A-Za-z0-9_-]{20,}"),
    ("GOCSPX-", r"\bGOCSPX-[A-Za-z0-9_-]{28}"),
    ("npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),  # npm
    ("pypi-AgE", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),  # PyPI
    ("hf_", r"\bhf_[A-Za-z0-9]{30,}\b"),  # Hugging Face
    ("SG.", r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),  # SendGrid
    ("key-", r"(?<![\w-])key-[a-f0-9]{32}\b"),  # Mailgun
    ("SK", r"\bSK[a-f0-9]{32}\b"),  # Twilio
    ("AC", r"\bAC[a-f0-9]{32}\b"),
    ("_v1_", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),  # DigitalOcean
    ("shp", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),  # Shopify
    ("sq0", r"\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}"),  # Square
    ("dapi", r"\bdapi[a-f0-9]{32}(?:-\d)?\b"),  # Databricks
    ("dckr_pat_", r"\bdckr_pat_[A-Za-z0-9_-]{27}"),  # Docker
    ("hv", r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}"),  # HashiCorp Vault
    ("lin_api_", r"\blin_api_[A-Za-z0-9]{40}\b"),  # Linear
    ("ntn_", r"\bntn_[A-Za-z0-9]{40,}\b"),  # Notion
    ("glsa_", r"\bglsa_[A-Za-z0-9]{32}_[a-f0-9]{8}\b"),  # Grafana
    ("sntry", r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,}"),  # Sentry
    ("PMAK-", r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),  # Postman
    ("AGE-SECRET-KEY-1", r"\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b"),  # age
    (":AA", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),  # Telegram bots
    ("AccountKey=", r"(?<=AccountKey=)[A-Za-z0-9+/]{86}=="),  # Azure storage
    ("earer ", r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*"),
    # Without a capital letter it is no base64 of a name and password, but a long word after "basic".
    ("asic ", r"(?<=[Bb]asic )(?=[a-z0-9+/]*[A-Z])[A-Za-z0-9+/]{20,}={0,2}(?![A-Za-z])"),
)
"""What a text must contain for a format to be looked for, and the format: most texts contain none of them."""


PRIVATE = "[private]"
"""Stands where a user said something that is not to be remembered."""

_PRIVATE_TAG = re.compile(r"<(?P<end>/?)private\b[^<>]*>", re.IGNORECASE)


@frozen
class Redacted:
    """A text without its secrets, and how many it had."""

    text: str
    secrets: int


def redact(text: str) -> Redacted:
    """`text` with each secret of a public format replaced by `[redacted]`, a short password by `***`."""
    secrets = 0
    for sign, secret in _FORMATS:
        if sign in text:
            text, found = re.subn(secret, _replacement, text)
            secrets += found
    return Redacted(text, secrets)


def without_private(text: str) -> str:
    """`text` with everything in `<private>...</private>` replaced by `[private]`.

    Tags may be nested. One that is not closed hides all that follows: what was meant to be secret stays secret.
    """
    if "<" not in text:
        return text
    kept: list[str] = []
    start = depth = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag["end"]:
            if not depth:
                kept += [text[start : tag.start()], PRIVATE]
            depth += 1
        elif depth:
            depth -= 1
            start = tag.end()
    return "".join([*kept, "" if depth else text[start:]])


def _replacement(match: re.Match[str]) -> str:
    """The name of what was assigned, and the user of a connection, stay readable."""
    kept = match["kept"] if "kept" in match.re.groupindex else ""
    short = len(match.group()) - len(kept) < len(REDACTED)
    return kept + (_REDACTED_SHORT if short else REDACTED)
