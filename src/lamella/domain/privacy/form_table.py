r"""Table of the forms of statements, lines of configuration and sentences that hold a secret.

A row has signs, a regular expression with the group `secret`, and which values are secrets. Signs are separated by
`;`. A text must have one of them: in any case if it has small letters, else as it stands.

    GIVEN  any value except placeholders and words of a sentence
    DRAWN  values with digits or signs, and random letters
    STRONG values that are passwords or tokens even in a sentence

To add one, write the form as its reference shows it. Bound each repetition, so that the time rises with the length
of the text. Add lines to `tests/unit/privacy/lines`: secrets of the form, and innocent lookalikes.

`\h` is a blank in the line, which Python's regular expressions have no sign for.
"""

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
            r"(?:\b(?:user|grant|role)\b[^\n;]{1,160}?\hidentified|(?-i:IDENTIFIED))"
            rf"\h{{1,5}}(?:with\h{{1,5}}[\w'\"]{{1,40}}\h{{1,5}})?by\h{{1,5}}{_QUOTED}"
        ),
        GIVEN,
    ),
    ("identified by", rf"\buser\h[^\n;]{{1,80}}?\hidentified\h{{1,5}}by\h{{1,5}}{_BARE}", GIVEN),
    (
        "set password",
        rf"\bset\h{{1,5}}password\b[^\n;=]{{0,80}}(?:=|\bto\b)\h{{0,5}}(?:password\h?\()?{_QUOTED}",
        GIVEN,
    ),
    (
        "create user;alter user;create role;alter role;create login;alter login",
        rf"\b(?:create|alter)\h{{1,5}}(?:user|role|login)\b[^\n;]{{0,120}}?\bpassword\h{{0,3}}=?\h{{0,3}}{_QUOTED}",
        GIVEN,
    ),
    ("password(", rf"(?:=|\bvalues\h?\([^\n()]{{0,80}})\h{{0,3}}password\h?\({_QUOTED}", GIVEN),
    ("pragma ", rf"\bpragma\h{{1,5}}(?:\w{{1,20}}\.)?(?:re)?key\h{{0,3}}=\h{{0,3}}{_QUOTED}", GIVEN),
    ("attach ", rf"\battach\b[^\n;]{{1,120}}?\bkey\h{{1,3}}{_QUOTED}", GIVEN),
    (
        "sp_addlogin;sp_password",
        rf"\bsp_(?:addlogin|password)\h{{1,5}}N?'[^'\n]{{0,80}}'\h?,\h?{_QUOTED}",
        GIVEN,
    ),
    # Redis: ACL SETUSER, users of redis.conf, AUTH, requirepass
    ("setuser ;user default", rf"\b(?:setuser|user)\h{{1,3}}[\w-]{{1,40}}\h[^\n>]{{0,60}}>{_BARE}", GIVEN),
    (
        "requirepass;masterauth;primaryauth",
        rf"\b(?:requirepass|masterauth|primaryauth)\h{{1,5}}{_VALUE}",
        GIVEN,
    ),
    (
        "AUTH ",
        rf"{_LINE}(?:[\w.:-]{{1,60}}> ?)?(?-i:AUTH)[ ]{{1,3}}(?:[\w-]{{1,40}}[ ]{{1,3}})?{_VALUE}{_END}",
        DRAWN,
    ),
    ("auth-pass", rf"\bauth-pass\h{{1,4}}[\w.-]{{1,60}}\h{{1,4}}{_BARE}", GIVEN),
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
        rf"{_LINE}\[?[\w.-]{{3,80}}\]?:(?:25|465|587|2525)\h{{1,8}}[\w.@+-]{{1,80}}:{_BARE}",
        GIVEN,
    ),
    (
        '" ";\\" \\"',
        rf"(?:{_LINE}|(?<=\"))\\?\"[\w.@-]{{1,60}}\\?\" \\?\"(?P<secret>[^\"\n\\]{{4,200}})\\?\"{_END}",
        DRAWN,
    ),
    (" * ;\t*\t", rf"{_LINE}{_USER}\h{{1,8}}\*\h{{1,8}}{_VALUE}[\"']?\h{{1,8}}\*{_END}", DRAWN),
    (" psk ; eap ; xauth ", rf":\h{{0,3}}(?:psk|eap|xauth|ntlm)\h{{1,4}}{_QUOTED}", GIVEN),
    # HAProxy, and configurations of routers
    ("stats auth", rf"\bstats\h{{1,4}}auth\h{{1,4}}[\w.-]{{1,60}}:{_BARE}", GIVEN),
    ("insecure-password", rf"\binsecure-password\h{{1,4}}{_BARE}", GIVEN),
    (
        "enable secret;enable password",
        rf"{_LINE}enable\h(?:secret|password)\h(?:level\h\d+\h)?(?:\d\h)?{_BARE}",
        GIVEN,
    ),
    (
        "username ",
        rf"\busername\h{_USER}\h[^\n]{{0,30}}?\b(?:secret|password)\h(?:\d\h)?{_BARE}",
        GIVEN,
    ),
    (
        "snmp-server",
        rf"\bsnmp-server\h(?:community|host\h\S{{1,60}}(?:\hversion\h\S{{1,4}})?)\h{_BARE}",
        GIVEN,
    ),
    (
        "-server key;isakmp key;key-string",
        rf"(?:-server\hkey|isakmp\hkey|\bkey-string)\h(?:\d\h)?{_BARE}",
        GIVEN,
    ),
    ("rocommunity;rwcommunity", rf"{_LINE}r[ow]community6?\h{{1,4}}{_VALUE}", DRAWN),
    ("createuser ", rf"\bcreateuser\h[\w.-]{{1,40}}\h(?:sha|md5)[\w-]{{0,5}}\h{{1,4}}{_VALUE}", GIVEN),
    ("createuser ", rf"\bcreateuser\h[^\n]{{1,200}}?\h(?:aes|des)[\w-]{{0,5}}\h{{1,4}}{_VALUE}", GIVEN),
    (
        "nickserv",
        rf"\bnickserv\h{{0,3}}:?\h{{0,3}}(?:identify|register)\h(?:[\w-]{{1,40}}\h(?=\S{{5}}))?{_BARE}",
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
    ("_salt'", rf"\bdefine\h?\(\h?'\w{{0,40}}_salt',\h{{0,12}}{_QUOTED}", GIVEN),
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
            r"(?:btoa|b64encode|base64_encode|encodetostring|buffer\.from|getbytes)\(\h?(?:\[\]byte\()?b?"
            r"(?P<q>[\"'`])[\w.@-]{1,60}:(?P<secret>(?:(?!(?P=q))[^\n]){3,200})(?P=q)"
        ),
        DRAWN,
    ),
    (".tochararray()", rf",\h{{0,3}}{_QUOTED}\.tochararray\(\)", GIVEN),
    ("cookiesession(", rf"\bcookiesession\([^\n]{{0,120}}?\bkeys:\h?\[\h?{_QUOTED}", GIVEN),
    (
        "<<<",
        rf"\b(?:cryptsetup|passwd|sudo\h-S|kinit|su|login|--?password-stdin)\b[^\n]{{0,120}}?<<<\h?{_VALUE}",
        DRAWN,
    ),
    ("community", rf"\bsnmp[^\n]{{0,60}}?\bcommunity[\"']?\h?[:=]\h?{_VALUE}", DRAWN),
    # Commands that print a password, in options and settings of restic, Borg, msmtp, isync
    (
        "command;passcmd;passwordeval;passeval;askpass",
        (
            r"(?:pass(?:word|wd|phrase)?|secret|token)[_-]?(?:command|cmd|eval)[\s=:\"'\\]{1,5}"
            rf"(?:echo|printf)\h(?:-[neE]{{1,2}}\h|\\?['\"]?%s(?:\\n)?\\?['\"]?\h){{0,2}}{_VALUE}"
        ),
        GIVEN,
    ),
    # Users and passwords that are said together
    (
        "userpwd;basicauth;basic_auth;basic-auth;http_auth;httpauth;proxy_auth",
        (
            r"(?:userpwd|(?:basic|http|proxy)[_-]?auth)[\"'`\\]{0,3}\h?(?:=>|[=:,])\h?(?P<q>\\?[\"'`])[\w.@-]{1,60}:"
            r"(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)"
        ),
        GIVEN,
    ),
    (
        "credential;creds;user/pass;user / pass;username/pass;username / pass;login/pass",
        (
            r"\b(?:credentials?|creds|(?:user(?:name)?|login)\h?[/:]\h?pass(?:word|wd)?)\b[^\n:=/]{0,40}"
            rf"(?:[:=]|\bare\b|\bis\b)\h{{0,3}}{_USER}(?:\h?/\h?|:|\h\|\h){_VALUE}"
        ),
        DRAWN,
    ),
    (
        "login;log in;logged in;sign in",
        (
            r"\b(?:log(?:ged)?[ -]?in|sign[ -]in)(?:\h(?:as|with|is|are|using|for\h[\w.-]{1,40}))?[:=]?\h{1,3}"
            rf"(?:user(?:name)?\h)?{_USER}(?:\h/\h|:|,?\h(?:and|with)\h(?:the\h)?(?:password\h)?){_VALUE}"
        ),
        DRAWN,
    ),
    (
        "account:;zugang;anmeldedaten;identifiant;compte;konto:;benutzer;acceso",
        (
            r"\b(?:account|zugang(?:sdaten)?|anmeldedaten|identifiants?|compte|konto|benutzer|acceso)\h?[:=]\h?"
            rf"{_USER}\h/\h{_VALUE}"
        ),
        STRONG,
    ),
    (
        "login;log in;logged in",
        rf"\blog(?:ged)?[ -]?in\h(?:as|with|using)\h[\w.@-]{{1,60}}/{_VALUE}",
        STRONG,
    ),
    (
        "is the password;as password;as the password;is my password;is the api key;is the token;as passphrase",
        (
            r"(?<![^\s\"'`(+-])(?P<secret>[^\s\"'`()+-][^\s\"'`()]{5,100})[\"'`]?\h(?:is|as)\h(?:the|my)?\h?"
            r"(?:password|passphrase|api key|token)\b"
        ),
        STRONG,
    ),
    ("` / `", r"`[\w.@+-]{1,60}` / `(?P<secret>[^`\n]{6,100})`", STRONG),
    (" / ", rf"://\S{{1,100}}\h(?:[\u2013\u2014-]\h)?\(?{_USER} / {_VALUE}", STRONG),
    # Sentences in other languages
    (
        ";".join(_WORDS_ELSEWHERE),
        (
            rf"(?:{'|'.join(_WORDS_ELSEWHERE)})"
            r"(?:[^\n:=.]{0,60}?(?:[:=]|\b(?:ist|lautet|war|est|es|era|\u00e9|\u00e8|is)\b|c'est))?"
            r"\h{0,2}[\"'`\u00ab\u00bb\u201e\u201c\u201d]?(?P<secret>[^\s\"'`\u00ab\u00bb\u201c\u201d,;\\\\]{5,200})"
        ),
        STRONG,
    ),
)

COOKIES = (
    r"(?:\bcookies?[\"'`\\]{0,3}(?:\s?[:=]\s?[{\"'`\\]{0,3}|\s[{\"'`\\]{1,3})"
    r"|\bcurl\b[^\n|;&]{0,300}?\s-b\s?[\"'\\]{0,2})"
    r"(?P<pairs>[^\n\s={}]{1,80}(?:=|[\"']: ?[\"'])[^\n{}]{3,2000})"
)
PAIR = r"(?P<name>[\w.%@$!-]{1,80})(?:=|[\"']: ?[\"'])(?P<secret>[^;,\s\"'`\\]{6,1500})"
