"""Forms of statements, lines of configuration and sentences that hold a secret, other than names and values.

A row has signs, one of which a text must have (in small letters, unless the sign has capitals), a regular expression
with the group `secret`, and which values of it are secrets:

    GIVEN  any that is no placeholder, and no word of a sentence
    DRAWN  those with digits or signs, and drawn letters

To add one, write the form as its reference shows it, and bound each repetition: the time has to rise with the length
of the text only. Add lines to `tests/unit/privacy/secret_lines.py`, of those that only look like it as well.

Hooks check every text: regular expressions are imported only for a text that has a sign.
"""

from lamella.domain.privacy.secret_likelihood import in_prose, is_given_value, is_secret_literal

Place = tuple[int, int]
"""Start and end of a part of a text."""

GIVEN, DRAWN = "given", "drawn"

_QUOTED = r"[NEne]?(?P<q>\\?[\"'`])(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)"
_VALUE = r"(?P<q>\\?[\"'`])?(?P<secret>(?(q)(?:(?!(?P=q))[^\n])|[^\s\"'`;,<>\\]){1,200})"
_BARE = r"(?P<secret>[^\s\"'`;,<>\\]{3,200})"
_LINE = r"(?m:^)[ \t+\-]{0,12}"
_USER = r"[\"'`]?[\w.@+\\-]{1,60}[\"'`]?"

ROWS = (
    # SQL: MySQL, Oracle, ClickHouse; SET PASSWORD; roles and logins; SQLite's ciphers; SQL Server
    ("identified ", rf"\bidentified\s{{1,5}}(?:with\s{{1,5}}[\w'\"]{{1,40}}\s{{1,5}})?by\s{{1,5}}{_QUOTED}", GIVEN),
    ("identified by", rf"\buser\s[^\n;]{{1,80}}?\sidentified\s{{1,5}}by\s{{1,5}}{_BARE}", GIVEN),
    ("set password", rf"\bset\s{{1,5}}password\b[^\n;=]{{0,80}}(?:=|\bto\b)\s{{0,5}}(?:password\s?\()?{_QUOTED}", GIVEN),
    (
        "create user;alter user;create role;alter role;create login;alter login",
        rf"\b(?:create|alter)\s{{1,5}}(?:user|role|login)\b[^\n;]{{0,120}}?\bpassword\s{{0,3}}=?\s{{0,3}}{_QUOTED}",
        GIVEN,
    ),
    ("password(", rf"(?:=|\bvalues\s?\([^\n()]{{0,80}})\s{{0,3}}password\s?\({_QUOTED}", GIVEN),
    ("pragma ", rf"\bpragma\s{{1,5}}(?:\w{{1,20}}\.)?(?:re)?key\s{{0,3}}=\s{{0,3}}{_QUOTED}", GIVEN),
    ("attach ", rf"\battach\b[^\n;]{{1,120}}?\bkey\s{{1,3}}{_QUOTED}", GIVEN),
    ("sp_addlogin;sp_password", rf"\bsp_(?:addlogin|password)\s{{1,5}}N?'[^'\n]{{0,80}}'\s?,\s?{_QUOTED}", GIVEN),
    # Redis: ACL SETUSER, users of redis.conf, AUTH, requirepass
    ("setuser ;user default", rf"\b(?:setuser|user)\s{{1,3}}[\w-]{{1,40}}\s[^\n>]{{0,60}}>{_BARE}", GIVEN),
    ("requirepass;masterauth;primaryauth", rf"\b(?:requirepass|masterauth|primaryauth)\s{{1,5}}{_VALUE}", GIVEN),
    ("AUTH ", rf"{_LINE}(?:[\w.:-]{{1,60}}> ?)?(?-i:AUTH)[ ]{{1,3}}(?:[\w-]{{1,40}}[ ]{{1,3}})?{_VALUE}\s*(?m:$)", GIVEN),
    # Files of passwords: .pgpass, Postfix, PgBouncer, pppd, strongSwan
    (
        ":*:;:5432:;:5433:;:6432:;:6543:;:5439:",
        rf"{_LINE}[\w.*-]{{1,100}}:(?:\d{{2,5}}|\*):[\w.*-]{{1,80}}:[\w.*-]{{1,80}}:(?P<secret>[^\s:\"']{{3,200}})\s*(?m:$)",
        GIVEN,
    ),
    (
        "]:587;]:465;]:25;:587 ;:465 ;:25 ",
        rf"{_LINE}\[?[\w.-]{{3,80}}\]?:(?:25|465|587|2525)[ \t]{{1,8}}[\w.@+-]{{1,80}}:{_BARE}",
        GIVEN,
    ),
    ('" "', rf"{_LINE}\"[\w.@-]{{1,60}}\" \"(?P<secret>[^\"\n]{{4,200}})\"\s*(?m:$)", DRAWN),
    (" * ;\t*\t", rf"{_LINE}{_USER}[ \t]{{1,8}}\*[ \t]{{1,8}}{_VALUE}[\"']?[ \t]{{1,8}}\*\s*(?m:$)", DRAWN),
    (' psk ; eap ; xauth ', rf":\s{{0,3}}(?:psk|eap|xauth|ntlm)\s{{1,4}}{_QUOTED}", GIVEN),
    # HAProxy, and configurations of routers
    ("stats auth", rf"\bstats\s{{1,4}}auth\s{{1,4}}[\w.-]{{1,60}}:{_BARE}", GIVEN),
    ("insecure-password", rf"\binsecure-password\s{{1,4}}{_BARE}", GIVEN),
    ("enable secret;enable password", rf"{_LINE}enable\s(?:secret|password)\s(?:level\s\d+\s)?(?:\d\s)?{_BARE}", GIVEN),
    ("username ", rf"\busername\s{_USER}\s[^\n]{{0,30}}?\b(?:secret|password)\s(?:\d\s)?{_BARE}", GIVEN),
    ("snmp-server", rf"\bsnmp-server\s(?:community|host\s\S{{1,60}}(?:\sversion\s\S{{1,4}})?)\s{_BARE}", GIVEN),
    ("-server key;isakmp key;key-string", rf"(?:-server\skey|isakmp\skey|\bkey-string)\s(?:\d\s)?{_BARE}", GIVEN),
    # Commands that print a password, in options and settings of restic, Borg, msmtp, isync
    (
        "command;passcmd;passwordeval;passeval;askpass",
        r"(?:pass(?:word|wd|phrase)?|secret|token)[_-]?(?:command|cmd|eval)[\s=:\"'\\]{1,5}"
        rf"(?:echo|printf)\s(?:-[neE]{{1,2}}\s|\\?['\"]?%s(?:\\n)?\\?['\"]?\s){{0,2}}{_VALUE}",
        GIVEN,
    ),
    # Users and passwords that are said together
    (
        "userpwd;basicauth;basic_auth;basic-auth;http_auth;httpauth;proxy_auth",
        r"(?:userpwd|(?:basic|http|proxy)[_-]?auth)[\"'`\\]{0,3}\s?(?:=>|[=:,])\s?(?P<q>\\?[\"'`])[\w.@-]{1,60}:"
        r"(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)",
        GIVEN,
    ),
    (
        "credential;creds;user/pass;user / pass;username/pass;username / pass;login/pass;user:pass",
        r"\b(?:credentials?|creds|(?:user(?:name)?|login)\s?[/:]\s?pass(?:word|wd)?)\b[^\n:=/]{0,40}(?:[:=]|\bare\b|\bis\b)"
        rf"\s{{0,3}}{_USER}(?:\s?/\s?|:|\s\|\s){_VALUE}",
        DRAWN,
    ),
    (
        "login;log in;logged in;sign in",
        r"\b(?:log(?:ged)?[ -]?in|sign[ -]in)(?:\s(?:as|with|is|are|using|for\s[\w.-]{1,40}))?[:=]?\s{1,3}"
        rf"(?:user(?:name)?\s)?{_USER}(?:\s/\s|:|,?\s(?:and|with)\s(?:the\s)?(?:password\s)?){_VALUE}",
        DRAWN,
    ),
)

_COOKIES = (
    r"(?:\bcookies?[\"'`\\]{0,3}(?:\s?[:=,]|\s)\s?[{\"'`\\]{0,3}|\bcurl\b[^\n|;&]{0,300}?\s-b\s?[\"'\\]{0,2})"
    r"(?P<pairs>[^\n\s={}]{1,80}(?:=|[\"']: ?[\"'])[^\n{}]{3,2000})"
)
_PAIR = r"(?P<name>[\w.%@$!-]{1,80})(?:=|[\"']: ?[\"'])(?P<secret>[^;,\s\"'`\\]{6,1500})"
_OF_A_SESSION = ("sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "remember", "login", "identity", "secure", "key")
_NO_COOKIES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version"})
_LONGEST_LINE = 200


def stated_secrets(text: str) -> list[Place]:
    """Return the start and end of each secret that `text` states in one of the forms: in order, without overlaps."""
    lower = text.lower()
    rows = [
        (pattern, which)
        for signs, pattern, which in ROWS
        if any(sign in (lower if sign.islower() or not sign.isupper() else text) for sign in signs.split(";"))
    ]
    has_cookies = "cookie" in lower or "curl" in lower
    if not rows and not has_cookies:
        return []
    found: set[Place] = set()
    for pattern, which in rows:
        found.update(_matches(pattern, text, which))
    if has_cookies:
        found.update(_cookies(text))
    return _apart(found)


def _apart(found: set[Place]) -> list[Place]:
    places: list[Place] = []
    for begin, end in sorted(found):
        if not places or begin >= places[-1][1]:
            places.append((begin, end))
    return places


def _matches(pattern: str, text: str, which: str) -> list[Place]:
    import re  # noqa: PLC0415 - most texts have no such form

    found = []
    for match in re.finditer(pattern, text, re.IGNORECASE):
        begin, end = match.span("secret")
        is_quoted = "q" in match.re.groupindex and match["q"] is not None
        value = match["secret"] if is_quoted else match["secret"].rstrip(".,;:)")
        line = text[match.start() : begin]
        plain = which == GIVEN and (is_quoted or not in_prose(line + text[end : end + _LONGEST_LINE].partition("\n")[0]))
        if value and is_given_value(value, plain=plain):
            found.append((begin, begin + len(value)))
    return found


def _cookies(text: str) -> list[Place]:
    import re  # noqa: PLC0415 - most texts have none

    found = []
    for cookies in re.finditer(_COOKIES, text, re.IGNORECASE):
        for pair in re.finditer(_PAIR, cookies["pairs"]):
            name, value = pair["name"].lower(), pair["secret"]
            is_secret = name not in _NO_COOKIES and (
                is_secret_literal(value, password=False)
                or (any(each in name for each in _OF_A_SESSION) and is_given_value(value, plain=False))
            )
            if is_secret:
                begin = cookies.start("pairs")
                found.append((begin + pair.start("secret"), begin + pair.end("secret")))
    return found
