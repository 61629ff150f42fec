r"""Table of the forms of statements, lines of configuration and sentences that hold a secret.

A row has signs, and a regular expression with the group `secret`. Signs are separated by `;`. A text must have one
of them: in any case if it has small letters, else as it stands. Of the forms `GIVEN` any value is a secret except
placeholders and words of a sentence, of `DRAWN` values with digits or signs, and random letters.

To add one, write the form as its reference shows it. Bound each repetition, so that the time rises with the length
of the text. Add lines to `tests/unit/privacy/lines`: secrets of the form, and innocent lookalikes.

`\h` is a blank in the line, which Python's regular expressions have no sign for.
"""

_QUOTED = r"[NEne]?(?P<q>\\?[\"'`])(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)"
_VALUE = r"(?P<q>\\?[\"'`])?(?P<secret>(?(q)(?:(?!(?P=q))[^\n])|[^\s\"'`;,<>\\]){1,200})"
_BARE = r"(?![:?@&])(?P<secret>[^\s\"'`;,<>\\]{3,200})"
_LINE = r"(?:(?m:^)|(?<=\\n)|(?<=[\"'`]))[ \t+\-]{0,12}"
_END = r"\s{0,8}(?=(?m:$)|\\|[\"'`])"
_USER = r"[\"'`]?[\w.@+\\-]{1,60}[\"'`]?"

GIVEN = {
    # SQL: MySQL, Oracle, ClickHouse; SET PASSWORD; roles and logins; SQLite's ciphers; SQL Server
    "identified ": (
        r"(?:\b(?:user|grant|role)\b[^\n;]{1,160}?\hidentified|(?-i:IDENTIFIED))"
        rf"\h{{1,5}}(?:with\h{{1,5}}[\w'\"]{{1,40}}\h{{1,5}})?by\h{{1,5}}{_QUOTED}"
    ),
    "identified by": rf"\buser\h[^\n;]{{1,80}}?\hidentified\h{{1,5}}by\h{{1,5}}{_BARE}",
    "set password": rf"\bset\h{{1,5}}password\b[^\n;=]{{0,80}}(?:=|\bto\b)\h{{0,5}}(?:password\h?\()?{_QUOTED}",
    "create user;alter user;create role;alter role;create login;alter login": (
        r"\b(?:create|alter)\h{1,5}(?:user|role|login)\b[^\n;]{0,120}?"
        rf"\bpassword\h{{0,3}}=?\h{{0,3}}{_QUOTED}"
    ),
    "password(": rf"(?:=|\bvalues\h?\([^\n()]{{0,80}})\h{{0,3}}password\h?\({_QUOTED}",
    "pragma ": rf"\bpragma\h{{1,5}}(?:\w{{1,20}}\.)?(?:re)?key\h{{0,3}}=\h{{0,3}}{_QUOTED}",
    "attach ": rf"\battach\b[^\n;]{{1,120}}?\bkey\h{{1,3}}{_QUOTED}",
    "sp_addlogin;sp_password": rf"\bsp_(?:addlogin|password)\h{{1,5}}N?'[^'\n]{{0,80}}'\h?,\h?{_QUOTED}",
    # Redis: ACL SETUSER, users of redis.conf, AUTH, requirepass
    "setuser ;user default": rf"\b(?:setuser|user)\h{{1,3}}[\w-]{{1,40}}\h[^\n>]{{0,60}}>{_BARE}",
    "requirepass;masterauth;primaryauth": rf"\b(?:requirepass|masterauth|primaryauth)\h{{1,5}}{_VALUE}",
    "auth-pass": rf"\bauth-pass\h{{1,4}}[\w.-]{{1,60}}\h{{1,4}}{_BARE}",
    # Files of passwords: .pgpass, Postfix, PgBouncer, pppd, strongSwan
    ":*:;:5432:;:5433:;:6432:;:6543:;:5439:": (
        rf"{_LINE}[\w.*-]{{1,100}}:(?:\d{{2,5}}|\*):[\w.*-]{{1,80}}:[\w.*-]{{1,80}}:"
        rf"(?P<secret>[^\s:\"']{{3,200}}){_END}"
    ),
    "]:587;]:465;]:25;:587 ;:465 ;:25 ": (
        rf"{_LINE}\[?[\w.-]{{3,80}}\]?:(?:25|465|587|2525)\h{{1,8}}[\w.@+-]{{1,80}}:{_BARE}"
    ),
    "l2tpd;pptpd;pppd": rf"{_LINE}{_USER}\h{{1,8}}(?:l2tpd|pptpd|pppd)\h{{1,8}}{_VALUE}",
    " psk ; eap ; xauth ": rf":\h{{0,3}}(?:psk|eap|xauth|ntlm)\h{{1,4}}{_QUOTED}",
    # HAProxy, and configurations of routers
    "stats auth": rf"\bstats\h{{1,4}}auth\h{{1,4}}[\w.-]{{1,60}}:{_BARE}",
    "insecure-password": rf"\binsecure-password\h{{1,4}}{_BARE}",
    "enable secret;enable password": rf"{_LINE}enable\h(?:secret|password)\h(?:level\h\d+\h)?(?:\d\h)?{_BARE}",
    "username ": rf"\busername\h{_USER}\h[^\n{{]{{0,30}}?\b(?:secret|password)\h(?:\d\h)?{_BARE}",
    "snmp-server": rf"\bsnmp-server\h(?:community|host\h\S{{1,60}}(?:\hversion\h\S{{1,4}})?)\h{_BARE}",
    "-server ;isakmp key;key-string": (
        rf"(?:-server\h(?:[^\n]{{1,80}}\h)?key|isakmp\hkey|\bkey-string)\h(?:\d\h)?{_BARE}"
    ),
    "createuser ": rf"\bcreateuser\h[\w.-]{{1,40}}\h(?:sha|md5)[\w-]{{0,5}}\h{{1,4}}{_VALUE}",
    "nickserv": rf"\bnickserv\h{{0,3}}:?\h{{0,3}}(?:identify|register)\h(?:[\w-]{{1,40}}\h(?=\S{{5}}))?{_BARE}",
    "_salt'": rf"\bdefine\h?\(\h?'\w{{0,40}}_salt',\h{{0,12}}{_QUOTED}",
    # Scripts that type a password: expect, pexpect
    'send ";send \\";send -- ;.sendline(': (
        r"assword[^\n\"'}]{0,20}\\?[\"'}]?\)?\s{0,3}[;{]?\s{0,12}(?:exp_)?(?:\w{1,30}\.sendline\(|send\s(?:--\s)?)[bru]?"
        r"\\?[\"'](?P<secret>[^\"'\\\n]{3,100})"
    ),
    ".tochararray()": rf",\h{{0,3}}{_QUOTED}\.tochararray\(\)",
    "cookiesession(": rf"\bcookiesession\([^\n]{{0,120}}?\bkeys:\h?\[\h?{_QUOTED}",
    # Commands that print a password, in options and settings of restic, Borg, msmtp, isync
    "passcommand;passcmd;passeval;passwordeval;password-c;password_c;passwordc;passphrase-c;secret-c;token-c": (
        r"(?:pass(?:word|wd|phrase)?|secret|token)[_-]?(?:command|cmd|eval)[\s=:\"'\\]{1,5}"
        rf"(?:echo|printf)\h(?:-[neE]{{1,2}}\h|\\?['\"]?%s(?:\\n)?\\?['\"]?\h){{0,2}}{_VALUE}"
    ),
    # Users and passwords that are said together
    "userpwd;basicauth;basic_auth;basic-auth;http_auth;httpauth;proxy_auth": (
        r"(?:userpwd|(?:basic|http|proxy)[_-]?auth)[\"'`\\]{0,3}\h?(?:=>|[=:,])\h?(?P<q>\\?[\"'`])[\w.@-]{1,60}:"
        r"(?P<secret>(?:(?!(?P=q))[^\n]){1,200})(?P=q)"
    ),
    # Numbers of cards and doors; words of wallets; the private part of a JSON web key
    "pin ;pin:;pin=;passcode": (
        r"\b(?:pin|passcode)\b[^\n:=.]{0,60}?(?:\b(?:is|ist|lautet|est|es)\b|[:=])\h{0,3}"
        r"(?P<secret>\d{4,12})(?!\w|[.%-]\w)"
    ),
    "wallet;mnemonic;seed phrase;recovery phrase;seed words": (
        r"(?:mnemonic|seed|recovery)[^\n]{0,60}?\b(?P<q>)(?P<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b"
    ),
}
DRAWN = {
    "AUTH ": rf"{_LINE}(?:[\w.:-]{{1,60}}> ?)?(?-i:AUTH)[ ]{{1,3}}(?:[\w-]{{1,40}}[ ]{{1,3}})?{_VALUE}{_END}",
    '" ";\\" \\"': rf"(?:{_LINE}|(?<=\"))\\?\"[\w.@-]{{1,60}}\\?\" \\?\"(?P<secret>[^\"\s\\]{{4,200}})\\?\"{_END}",
    " * ;\t*\t": rf"{_LINE}{_USER}\h{{1,8}}\*\h{{1,8}}{_VALUE}[\"']?\h{{1,8}}\*{_END}",
    "rocommunity;rwcommunity": rf"{_LINE}r[ow]community6?\h{{1,4}}{_VALUE}",
    "unseal key": rf"\bunseal key \d{{1,2}}: {_BARE}",
    # Users and passwords that are said together
    "credential;creds;user/pass;user / pass;username/pass;username / pass;login/pass": (
        r"\b(?:credentials?|creds|(?:user(?:name)?|login)\h?[/:]\h?pass(?:word|wd)?)\b[^\n:=/]{0,40}"
        rf"(?:[:=]|\bare\b|\bis\b)\h{{0,3}}{_USER}(?:\h?/\h?|:|\h\|\h){_VALUE}"
    ),
    "login;log in;logged in;sign in": (
        r"\b(?:log(?:ged)?[ -]?in|sign[ -]in)(?:\h(?:as|with|is|are|using|for\h[\w.-]{1,40}))?[:=]?\h{1,3}"
        rf"(?:user(?:name)?\h)?{_USER}(?:\h/\h|:|,?\h(?:and|with)\h(?:the\h)?(?:password\h)?){_VALUE}"
    ),
    # Strings that are encoded or given as an array of characters; keys of cookies; here-strings
    "btoa(;b64encode(;base64_encode(;encodetostring(;buffer.from(;getbytes(": (
        r"(?:btoa|b64encode|base64_encode|encodetostring|buffer\.from|getbytes)\(\h?(?:\[\]byte\()?b?"
        r"(?P<q>[\"'`])[\w.@-]{1,60}:(?P<secret>(?:(?!(?P=q))[^\n]){3,200})(?P=q)"
    ),
    "<<<": rf"\b(?:cryptsetup|passwd|sudo\h-S|kinit|su|login|--?password-stdin)\b[^\n]{{0,120}}?<<<\h?{_VALUE}",
    "community": rf"\bsnmp[^\n]{{0,60}}?\bcommunity[\"']?\h?[:=]\h?{_VALUE}",
    "kty": r"\bkty\b[^\n}]{0,400}?\"d\\?\"\h?:\h?\\?\"(?P<secret>[\w-]{30,400})",
}

COOKIES = (
    r"(?:\bcookies?[\"'`\\]{0,3}(?:\s?[:=]\s?[{\"'`\\]{0,3}|\s[{\"'`\\]{1,3})"
    r"|\bcurl\b[^\n|;&]{0,300}?\s-b\s?[\"'\\]{0,2})"
    r"(?P<pairs>[^\n\s={}]{1,80}(?:=|[\"']: ?[\"'])[^\n{}]{3,2000})"
)
PAIR = r"(?P<name>[\w.%@$!-]{1,80})(?:=|[\"']: ?[\"'])(?P<secret>[^;,\s\"'`\\]{6,1500})"
