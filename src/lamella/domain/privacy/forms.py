"""Find secrets by the form of a statement, a line of configuration or a sentence.

A row has signs, a regular expression with the group `secret`, and which values are secrets. Signs are separated by
`;`. A text must have one of them: in any case if it has small letters, else as it stands.

    GIVEN  any that is no placeholder, and no word of a sentence
    DRAWN  those with digits or signs, and drawn letters
    STRONG those that would be a password in a sentence, or a token

To add one, write the form as its reference shows it. Bound each repetition, so that the time rises with the length
of the text. Add lines to `tests/unit/privacy/secret_lines.py`, of those that only look like it as well.

Hooks check every text: regular expressions are imported only for a text that has a sign.
"""

from lamella.domain.privacy.secret_likelihood import in_prose, is_given_value, is_secret_literal, is_secret_word
from lamella.domain.privacy.token_formats import words_in

Place = tuple[int, int]
"""Start and end of a part of a text."""

GIVEN, DRAWN, STRONG = "given", "drawn", "strong"
_WORDS_ELSEWHERE = (
    "kennwort", "passwort", "mot de passe", "code secret", "contrase\u00f1a", "clave", "senha", "wachtwoord",
    "l\u00f6senord", "has\u0142o", "parola d'ordine", "\u043f\u0430\u0440\u043e\u043b\u044c",
    "api-schl\u00fcssel", "geheimschl\u00fcssel", "cl\u00e9 d'api", "cl\u00e9 api", "cl\u00e9 secr\u00e8te",
)  # fmt: skip

_QUOTED = r"[NEne]?(?P<q>\\?[\"'`])(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)"
_VALUE = r"(?P<q>\\?[\"'`])?(?P<secret>(?(q)(?:(?!(?P=q))[^\n])|[^\s\"'`;,<>\\]){1,200})"
_BARE = r"(?![:?@&])(?P<secret>[^\s\"'`;,<>\\]{3,200})"
_LINE = r"(?:(?m:^)|(?<=\\n)|(?<=[\"'`]))[ \t+\-]{0,12}"
_END = r"\s{0,8}(?=(?m:$)|\\|[\"'`])"
_USER = r"[\"'`]?[\w.@+\\-]{1,60}[\"'`]?"

ROWS = (
    # SQL: MySQL, Oracle, ClickHouse; SET PASSWORD; roles and logins; SQLite's ciphers; SQL Server
    (
        "identified ",
        (
            r"(?:\b(?:user|grant|role)\b[^\n;]{1,160}?\sidentified|(?-i:IDENTIFIED))"
            rf"\s{{1,5}}(?:with\s{{1,5}}[\w'\"]{{1,40}}\s{{1,5}})?by\s{{1,5}}{_QUOTED}"
        ),
        GIVEN,
    ),
    ("identified by", rf"\buser\s[^\n;]{{1,80}}?\sidentified\s{{1,5}}by\s{{1,5}}{_BARE}", GIVEN),
    (
        "set password",
        rf"\bset\s{{1,5}}password\b[^\n;=]{{0,80}}(?:=|\bto\b)\s{{0,5}}(?:password\s?\()?{_QUOTED}",
        GIVEN,
    ),
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
    (
        "AUTH ",
        rf"{_LINE}(?:[\w.:-]{{1,60}}> ?)?(?-i:AUTH)[ ]{{1,3}}(?:[\w-]{{1,40}}[ ]{{1,3}})?{_VALUE}{_END}",
        DRAWN,
    ),
    ("auth-pass", rf"\bauth-pass\s{{1,4}}[\w.-]{{1,60}}\s{{1,4}}{_BARE}", GIVEN),
    # Files of passwords: .pgpass, Postfix, PgBouncer, pppd, strongSwan
    (
        ":*:;:5432:;:5433:;:6432:;:6543:;:5439:",
        (
            rf"{_LINE}[\w.*-]{{1,100}}:(?:\d{{2,5}}|\*):[\w.*-]{{1,80}}:[\w.*-]{{1,80}}:"
            rf"(?P<secret>[^\s:\"']{{3,200}}){_END}"
        ),
        GIVEN,
    ),
    (
        "]:587;]:465;]:25;:587 ;:465 ;:25 ",
        rf"{_LINE}\[?[\w.-]{{3,80}}\]?:(?:25|465|587|2525)[ \t]{{1,8}}[\w.@+-]{{1,80}}:{_BARE}",
        GIVEN,
    ),
    (
        '" ";\\" \\"',
        rf"(?:{_LINE}|(?<=\"))\\?\"[\w.@-]{{1,60}}\\?\" \\?\"(?P<secret>[^\"\n\\]{{4,200}})\\?\"{_END}",
        DRAWN,
    ),
    (" * ;\t*\t", rf"{_LINE}{_USER}[ \t]{{1,8}}\*[ \t]{{1,8}}{_VALUE}[\"']?[ \t]{{1,8}}\*{_END}", DRAWN),
    (" psk ; eap ; xauth ", rf":\s{{0,3}}(?:psk|eap|xauth|ntlm)\s{{1,4}}{_QUOTED}", GIVEN),
    # HAProxy, and configurations of routers
    ("stats auth", rf"\bstats\s{{1,4}}auth\s{{1,4}}[\w.-]{{1,60}}:{_BARE}", GIVEN),
    ("insecure-password", rf"\binsecure-password\s{{1,4}}{_BARE}", GIVEN),
    (
        "enable secret;enable password",
        rf"{_LINE}enable\s(?:secret|password)\s(?:level\s\d+\s)?(?:\d\s)?{_BARE}",
        GIVEN,
    ),
    ("username ", rf"\busername\s{_USER}\s[^\n]{{0,30}}?\b(?:secret|password)\s(?:\d\s)?{_BARE}", GIVEN),
    ("snmp-server", rf"\bsnmp-server\s(?:community|host\s\S{{1,60}}(?:\sversion\s\S{{1,4}})?)\s{_BARE}", GIVEN),
    ("-server key;isakmp key;key-string", rf"(?:-server\skey|isakmp\skey|\bkey-string)\s(?:\d\s)?{_BARE}", GIVEN),
    ("rocommunity;rwcommunity", rf"{_LINE}r[ow]community6?\s{{1,4}}{_VALUE}", DRAWN),
    ("createuser ", rf"\bcreateuser\s[\w.-]{{1,40}}\s(?:sha|md5)[\w-]{{0,5}}\s{{1,4}}{_VALUE}", GIVEN),
    ("createuser ", rf"\bcreateuser\s[^\n]{{1,200}}?\s(?:aes|des)[\w-]{{0,5}}\s{{1,4}}{_VALUE}", GIVEN),
    (
        "nickserv",
        rf"\bnickserv\s{{0,3}}:?\s{{0,3}}(?:identify|register)\s(?:[\w-]{{1,40}}\s(?=\S{{5}}))?{_BARE}",
        GIVEN,
    ),
    # JDBC of Oracle; keys of Amazon beside their redacted ids; Vault's keys; salts of WordPress
    ("oracle:thin:", r"oracle:thin:[\w$#.]{1,60}/(?P<secret>[^\s@\"'`]{1,100})(?=@)", GIVEN),
    (
        "[redacted]",
        r"\[redacted\][\"']?[,:;|\s]{1,4}[\"']?(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        STRONG,
    ),
    ("unseal key", rf"\bunseal key \d{{1,2}}: {_BARE}", DRAWN),
    ("_salt'", rf"\bdefine\s?\(\s?'\w{{0,40}}_salt',\s{{0,12}}{_QUOTED}", GIVEN),
    # Scripts that type a password: expect, pexpect
    (
        'send ";send -- ;.sendline(',
        (
            r"assword[^\n\"'}]{0,20}[\"'}]?\)?\s{0,3}[;{]?\s{0,12}(?:exp_)?(?:\w{1,30}\.sendline\(|send\s(?:--\s)?)[bru]?"
            r"[\"'](?P<secret>[^\"'\\\n]{3,100})"
        ),
        GIVEN,
    ),
    # Strings that are encoded or given as an array of characters; keys of cookies; here-strings
    (
        "btoa(;b64encode(;base64_encode(;encodetostring(;buffer.from(;getbytes(",
        (
            r"(?:btoa|b64encode|base64_encode|encodetostring|buffer\.from|getbytes)\(\s?(?:\[\]byte\()?b?"
            r"(?P<q>[\"'`])[\w.@-]{1,60}:(?P<secret>(?:(?!(?P=q))[^\n]){3,200})(?P=q)"
        ),
        DRAWN,
    ),
    (".tochararray()", rf",\s{{0,3}}{_QUOTED}\.tochararray\(\)", GIVEN),
    ("cookiesession(", rf"\bcookiesession\([^\n]{{0,120}}?\bkeys:\s?\[\s?{_QUOTED}", GIVEN),
    (
        "<<<",
        rf"\b(?:cryptsetup|passwd|sudo\s-S|kinit|su|login|--?password-stdin)\b[^\n]{{0,120}}?<<<\s?{_VALUE}",
        DRAWN,
    ),
    ("community", rf"\bsnmp[^\n]{{0,60}}?\bcommunity[\"']?\s?[:=]\s?{_VALUE}", DRAWN),
    # Commands that print a password, in options and settings of restic, Borg, msmtp, isync
    (
        "command;passcmd;passwordeval;passeval;askpass",
        (
            r"(?:pass(?:word|wd|phrase)?|secret|token)[_-]?(?:command|cmd|eval)[\s=:\"'\\]{1,5}"
            rf"(?:echo|printf)\s(?:-[neE]{{1,2}}\s|\\?['\"]?%s(?:\\n)?\\?['\"]?\s){{0,2}}{_VALUE}"
        ),
        GIVEN,
    ),
    # Users and passwords that are said together
    (
        "userpwd;basicauth;basic_auth;basic-auth;http_auth;httpauth;proxy_auth",
        (
            r"(?:userpwd|(?:basic|http|proxy)[_-]?auth)[\"'`\\]{0,3}\s?(?:=>|[=:,])\s?(?P<q>\\?[\"'`])[\w.@-]{1,60}:"
            r"(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)"
        ),
        GIVEN,
    ),
    (
        "credential;creds;user/pass;user / pass;username/pass;username / pass;login/pass",
        (
            r"\b(?:credentials?|creds|(?:user(?:name)?|login)\s?[/:]\s?pass(?:word|wd)?)\b[^\n:=/]{0,40}"
            rf"(?:[:=]|\bare\b|\bis\b)\s{{0,3}}{_USER}(?:\s?/\s?|:|\s\|\s){_VALUE}"
        ),
        DRAWN,
    ),
    (
        "login;log in;logged in;sign in",
        (
            r"\b(?:log(?:ged)?[ -]?in|sign[ -]in)(?:\s(?:as|with|is|are|using|for\s[\w.-]{1,40}))?[:=]?\s{1,3}"
            rf"(?:user(?:name)?\s)?{_USER}(?:\s/\s|:|,?\s(?:and|with)\s(?:the\s)?(?:password\s)?){_VALUE}"
        ),
        DRAWN,
    ),
    (
        "account:;zugang;anmeldedaten;identifiant;compte;konto:;benutzer;acceso",
        (
            r"\b(?:account|zugang(?:sdaten)?|anmeldedaten|identifiants?|compte|konto|benutzer|acceso)\s?[:=]\s?"
            rf"{_USER}\s/\s{_VALUE}"
        ),
        STRONG,
    ),
    ("login;log in;logged in", rf"\blog(?:ged)?[ -]?in\s(?:as|with|using)\s[\w.@-]{{1,60}}/{_VALUE}", STRONG),
    (
        "is the password;as password;as the password;is my password;is the api key;is the token;as passphrase",
        (
            r"(?<![^\s\"'`(])(?P<secret>[^\s\"'`()]{6,100})[\"'`]?\s(?:is|as)\s(?:the|my)?\s?"
            r"(?:password|passphrase|api key|token)\b"
        ),
        STRONG,
    ),
    ("` / `", r"`[\w.@+-]{1,60}` / `(?P<secret>[^`\n]{6,100})`", STRONG),
    (" / ", rf"://\S{{1,100}}\s(?:[\u2013\u2014-]\s)?\(?{_USER} / {_VALUE}", STRONG),
    # Sentences in other languages
    (
        ";".join(_WORDS_ELSEWHERE),
        (
            rf"(?:{'|'.join(_WORDS_ELSEWHERE)})"
            r"(?:[^\n:=.]{0,60}?(?:[:=]|\b(?:ist|lautet|war|est|es|era|\u00e9|\u00e8|is)\b|c'est))?"
            r"\s{0,2}[\"'`\u00ab\u00bb\u201e\u201c\u201d]?(?P<secret>[^\s\"'`\u00ab\u00bb\u201c\u201d,;\\\\]{5,200})"
        ),
        STRONG,
    ),
)

_COOKIES = (
    r"(?:\bcookies?[\"'`\\]{0,3}(?:\s?[:=]\s?[{\"'`\\]{0,3}|\s[{\"'`\\]{1,3})"
    r"|\bcurl\b[^\n|;&]{0,300}?\s-b\s?[\"'\\]{0,2})"
    r"(?P<pairs>[^\n\s={}]{1,80}(?:=|[\"']: ?[\"'])[^\n{}]{3,2000})"
)
_PAIR = r"(?P<name>[\w.%@$!-]{1,80})(?:=|[\"']: ?[\"'])(?P<secret>[^;,\s\"'`\\]{6,1500})"
_OF_A_SESSION = tuple("sess sid auth token jwt csrf xsrf remember login identity secure key".split())  # noqa: SIM905
_NO_COOKIES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version"})
_LONGEST_LINE = 200


def _word_of(sign: str) -> str:
    """Return the longest word that a text of a sign must have as one of its own; empty if it need not."""
    words = words_in(sign.translate({ord("_"): " ", ord("-"): " ", ord("."): " "}))
    longest = max(words, key=len, default="").lower()
    return longest if not sign.lower().endswith(longest) and sign.isascii() else ""


_SIGNS = tuple(
    (tuple((_word_of(sign), sign) for sign in signs.split(";")), pattern, which) for signs, pattern, which in ROWS
)


def stated_secrets(text: str, parts: frozenset[str]) -> list[Place]:
    """Return the start and end of each secret that a text of these parts of words states in one of the forms.

    They may overlap.
    """
    lower = text.lower()
    rows = [
        (pattern, which)
        for signs, pattern, which in _SIGNS
        for word, sign in signs
        if (not word or word in parts) and sign in (text if sign.isupper() else lower)
    ]
    has_cookies = "cookie" in lower or "curl" in lower
    if not rows and not has_cookies:
        return []
    found: set[Place] = set()
    for pattern, which in rows:
        found.update(_matches(pattern, text, which))
    if has_cookies:
        found.update(_cookies(text))
    return list(found)


def _matches(pattern: str, text: str, which: str) -> list[Place]:
    import re  # noqa: PLC0415 - most texts have no such form

    found = []
    for match in re.finditer(pattern, text, re.IGNORECASE):
        begin, end = match.span("secret")
        is_quoted = "q" in match.re.groupindex and match["q"] is not None
        value = match["secret"] if is_quoted else match["secret"].rstrip(".,;:)")
        line = text[match.start() : begin]
        plain = which == GIVEN and (
            is_quoted or not in_prose(line + text[end : end + _LONGEST_LINE].partition("\n")[0])
        )
        believed = is_password_or_token(value) if which == STRONG else is_given_value(value, plain=plain)
        if value and believed:
            found.append((begin, begin + len(value)))
    return found


def is_password_or_token(value: str) -> bool:
    """Return True if a word in a sentence looks like a password or a token."""
    return value != "" and any(is_secret_word(value, "", password=each, alone=False) for each in (True, False))


def _cookies(text: str) -> list[Place]:
    import re  # noqa: PLC0415 - most texts have none

    found = []
    for cookies in re.finditer(_COOKIES, text, re.IGNORECASE):
        for pair in re.finditer(_PAIR, cookies["pairs"]):
            name, value = pair["name"].lower(), pair["secret"]
            is_secret = name not in _NO_COOKIES and (
                (is_secret_literal(value, password=False) and any(map(str.isdigit, value)))
                or (any(each in name for each in _OF_A_SESSION) and is_given_value(value, plain=False))
            )
            if is_secret:
                begin = cookies.start("pairs")
                found.append((begin + pair.start("secret"), begin + pair.end("secret")))
    return found
