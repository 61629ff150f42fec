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
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:(?!-----BEGIN )[\s\S])*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:(?:\\[nr]|\s)+[+-]?(?:[A-Za-z-]+: [^\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]+\Z))+)"
    ),
    # JSON web tokens: header and payload are base64url of a JSON object, hence `eyJ`.
    r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    # Passwords inside connection strings; user, host and scheme stay.
    r"(?<=://)(?P<user>[^\s:/@?#'\"<>]{0,100}:)(?!\*\*\*@)[^\s/@'\"<>\[{$]{3,200}(?=@[A-Za-z0-9\[])",
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",  # Amazon access key ids
    r"(?i:aws_secret_access_key|aws_session_token)(?P<assigned>[\"']?\s*[=:]\s*[\"']?)[A-Za-z0-9/+=]{40,}",
    r"\bgh[oprsu]_[A-Za-z0-9]{36,255}\b",  # GitHub
    r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b",
    r"\bgl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{20,}",  # GitLab
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}",
    r"(?<=hooks\.slack\.com/services/)T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{20,}",
    r"\bsk-ant-[A-Za-z0-9_-]{20,}",  # Anthropic
    r"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}",  # OpenAI
    r"\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b",
    r"\bsk-[A-Za-z0-9]{48}\b",
    r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"\bwhsec_[A-Za-z0-9+/=]{24,}",
    r"\bAIza[A-Za-z0-9_-]{35}",  # Google
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{28}",
    r"\bnpm_[A-Za-z0-9]{36}\b",  # npm
    r"\bpypi-AgE[A-Za-z0-9_-]{50,}",  # PyPI
    r"\bhf_[A-Za-z0-9]{30,}\b",  # Hugging Face
    r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",  # SendGrid
    r"(?<![\w-])key-[a-f0-9]{32}\b",  # Mailgun
    r"\b(?:SK|AC)[a-f0-9]{32}\b",  # Twilio
    r"\bdo[opr]_v1_[a-f0-9]{64}\b",  # DigitalOcean
    r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b",  # Shopify
    r"\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}",  # Square
    r"\bdapi[a-f0-9]{32}(?:-\d)?\b",  # Databricks
    r"\bdckr_pat_[A-Za-z0-9_-]{27}",  # Docker
    r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}",  # HashiCorp Vault
    r"\blin_api_[A-Za-z0-9]{40}\b",  # Linear
    r"\bntn_[A-Za-z0-9]{40,}\b",  # Notion
    r"\bglsa_[A-Za-z0-9]{32}_[a-f0-9]{8}\b",  # Grafana
    r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,}",  # Sentry
    r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b",  # Postman
    r"\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b",  # age
    r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])",  # Telegram bots
    r"(?<=AccountKey=)[A-Za-z0-9+/]{86}==",  # Azure storage
    r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*",
    # Without a capital letter it is no base64 of a name and password, but a long word after "basic".
    r"(?<=[Bb]asic )(?=[a-z0-9+/]*[A-Z])[A-Za-z0-9+/]{20,}={0,2}(?![A-Za-z])",
)
_SECRET = re.compile("|".join(f"(?:{each})" for each in _FORMATS))


@frozen
class Redacted:
    """A text without its secrets, and how many it had."""

    text: str
    secrets: int


def redact(text: str) -> Redacted:
    """`text` with each secret of a public format replaced by `[redacted]`, a short password by `***`."""
    return Redacted(*_SECRET.subn(_replacement, text))


def _replacement(match: re.Match[str]) -> str:
    """The name of what was assigned, and the user of a connection, stay readable."""
    if match["user"] is not None:
        password = match.group().removeprefix(match["user"])
        return match["user"] + (REDACTED if len(password) >= len(REDACTED) else _REDACTED_SHORT)
    if match["assigned"] is not None:
        return match.group()[: match.end("assigned") - match.start()] + REDACTED
    return REDACTED
