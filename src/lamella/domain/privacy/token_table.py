"""Table of the formats of keys and tokens that their issuers publish.

Each row is named after its issuer, whose documentation says how its tokens begin, of which characters they are
and how long. Lists that gather such formats: "Supported secret scanning patterns" in GitHub's documentation,
"Detected secrets" in GitLab's, the rules of gitleaks (`config/gitleaks.toml`), and the detectors of
TruffleHog (`pkg/detectors`).

To renew the table, go through those lists, and check what is new against its issuer's documentation. Then add a
row here, and a family of made-up tokens to `tests/unit/privacy/secret_corpus.py`, drawn after what the issuer says
and not after the row. A row goes only if no token of its format can be valid any more.
"""

# Where a format begins: not inside a word; after the sign of a line in a diff, or an escaped line break, it may.
BEGINS = r"(?:(?<![\w-])|(?<=[^\w-]-)|(?<=\A-)|(?<=\\[nrt]))"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

# Header and payload of a JSON web token are base64url of a JSON object; an encrypted one has five parts.
_JWT = (
    r"eyJ[A-Za-z0-9_-]{10,}\.(?:eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    r"|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"
)
TOKENS = (
    # Clouds and hosting
    ("AKIA ASIA ABIA ACCA", r"A(?:KI|SI|BI|CC)A[A-Z2-7]{16}\b"),  # Amazon access key ids
    ("ABSK", r"ABSK[A-Za-z0-9+/]{100,400}={0,2}"),  # Amazon Bedrock
    ("amzn.mws.", rf"amzn\.mws\.{_UUID}"),
    ("AIza", r"AIza[A-Za-z0-9_-]{35}"),  # Google
    ("AQ.Ab", r"AQ\.Ab[A-Za-z0-9_-]{40,}"),
    ("ya29.", r"ya29\.[A-Za-z0-9_-]{20,}"),
    ("GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    ("LTAI", r"LTAI[A-Za-z0-9]{16,24}\b"),  # Alibaba
    ("AKID", r"AKID[A-Za-z0-9]{32}\b"),  # Tencent
    ("AQVN", r"AQVN[A-Za-z0-9_-]{35,38}"),  # Yandex
    ("dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}\b"),  # DigitalOcean
    ("HRKU-", r"HRKU-[A-Za-z0-9_-]{36,}"),  # Heroku
    ("nfp_ nfc_ nfu_ nfb_ nfo_", r"nf[pcubo]_[A-Za-z0-9]{36,40}\b"),  # Netlify
    ("vcp_ vck_ vci_ vca_ vcr_", r"vc[pkiar]_[A-Za-z0-9]{24,}\b"),  # Vercel
    ("vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{30,}"),
    ("v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b"),  # Cloudflare
    ("cfut_ cfat_ cfk_", r"cf(?:ut|at|k)_[A-Za-z0-9]{40,}\b"),
    ("fo1_", r"fo1_[A-Za-z0-9_-]{43}"),  # Fly.io
    ("rnd_", r"rnd_[A-Za-z0-9]{28,}\b"),  # Render
    ("tskey-", r"tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{20,}"),  # Tailscale
    ("lamella_token_", r"lamella_token_[0-9a-f]{64}\b"),  # our own: domain/access/token
    # Databases
    ("sbp_", r"sbp_[a-f0-9]{40}\b"),  # Supabase
    ("sb_secret_", r"sb_secret_[A-Za-z0-9_-]{20,}"),
    ("pscale_tkn_ pscale_oauth_ pscale_pw_", r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,64}"),  # PlanetScale
    ("napi_", r"napi_[a-z0-9]{60,}\b"),  # Neon
    ("npg_", r"npg_[A-Za-z0-9]{16,}\b"),
    ("mdb_sa_sk_", r"mdb_sa_sk_[A-Za-z0-9_-]{40}"),  # MongoDB Atlas
    ("AVNS_", r"AVNS_[A-Za-z0-9_-]{15,20}"),  # Aiven
    ("4b1d", r"4b1d[A-Za-z0-9]{38}\b"),  # ClickHouse
    ("dapi", r"dapi[a-f0-9]{32}(?:-\d)?\b"),  # Databricks
    ("dbtu_ dbtc_", r"dbt[uc]_[A-Za-z0-9_-]{30,}"),  # dbt
    # Keepers of secrets, infrastructure as code
    ("hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),  # HashiCorp Vault
    ("pul-", r"pul-[a-f0-9]{40}\b"),  # Pulumi
    ("dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b"),  # Doppler
    ("ops_eyJ", r"ops_eyJ[A-Za-z0-9+/_-]{100,}={0,3}"),  # 1Password
    ("A3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b"),
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}\b"),  # age
    # Version control, builds, packages
    ("ghp_ gho_ ghu_ ghs_ ghr_", r"gh[oprsu]_[A-Za-z0-9]{36,255}\b"),  # GitHub
    ("github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
    (
        "glpat- glptt- gldt- glrt- glrtr- glcbt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",  # GitLab
        r"gl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2,9}){0,2}",
    ),
    ("GR1348941", r"GR1348941[A-Za-z0-9_-]{20}"),
    ("ATATT3 ATCTT3 ATSTT3", r"AT[ACS]TT3[A-Za-z0-9_=-]{50,}"),  # Atlassian
    ("ATBB", r"ATBB[A-Za-z0-9_=-]{28,}"),  # Bitbucket
    ("ATTA", r"ATTA[a-f0-9]{60,}\b"),  # Trello
    ("npm_", r"npm_[A-Za-z0-9]{36}\b"),  # npm
    ("pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,}"),  # PyPI
    ("rubygems_", r"rubygems_[a-f0-9]{48}\b"),  # RubyGems
    ("cio", r"cio[A-Za-z0-9]{32}\b"),  # crates.io
    ("ac-", rf"ac-{_UUID}"),  # Anaconda
    ("oy2", r"oy2[a-z0-9]{43}\b"),  # NuGet
    ("CLOJARS_", r"CLOJARS_[a-z0-9]{60}\b"),  # Clojars
    ("dckr_pat_ dckr_oat_", r"dckr_[po]at_[A-Za-z0-9_-]{27,}"),  # Docker
    ("AKCp", r"AKCp[A-Za-z0-9]{69,}\b"),  # JFrog
    ("cmVmd", r"cmVmd[A-Za-z0-9]{59}\b"),
    ("bkua_ bkaj_ bkct_ bkpt_", r"bk(?:ua|aj|ct|pt)_[a-z0-9]{40}\b"),  # Buildkite
    ("CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}\b"),  # CircleCI
    ("pat. sat.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}\b"),  # Harness
    ("API-", r"API-[A-Z0-9]{26,}\b"),  # Octopus
    ("squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}\b"),  # Sonar
    ("pnu_ pnb_", r"pn[ub]_[A-Za-z0-9]{36}\b"),  # Prefect
    ("ddp_ ddw_", r"dd[pw]_[A-Za-z0-9]{36}\b"),  # Deno
    ("sgp_", r"sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}\b"),  # Sourcegraph
    # What is watched
    ("dt0", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b"),  # Dynatrace
    ("NRAK- NRII- NRIQ- NRRA-", r"NR(?:AK|II|IQ|RA)-[A-Za-z0-9_-]{27,32}"),  # New Relic
    ("glsa_", r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}\b"),  # Grafana
    ("glc_", r"glc_[A-Za-z0-9+/]{32,}={0,3}"),
    ("sdk- api-", rf"(?:sdk|api)-{_UUID}"),  # LaunchDarkly
    ("phx_", r"phx_[A-Za-z0-9]{40,}\b"),  # PostHog
    # Models
    ("sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,}"),  # Anthropic
    ("sk-proj- sk-svcacct- sk-admin- sk-None-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}"),  # OpenAI
    ("sk-or- sk-lf-", r"sk-(?:or|lf)-[A-Za-z0-9-]{36,}"),  # OpenRouter, Langfuse
    ("sk-", r"sk-[A-Za-z0-9]{32,64}\b"),  # OpenAI before, DeepSeek and others
    ("sk_", r"sk_[a-f0-9]{48}\b"),  # ElevenLabs
    ("gsk_", r"gsk_[A-Za-z0-9]{48,}\b"),  # Groq
    ("xai-", r"xai-[A-Za-z0-9]{60,}\b"),  # xAI
    ("r8_", r"r8_[A-Za-z0-9]{37}\b"),  # Replicate
    ("hf_", r"hf_[A-Za-z0-9]{30,}\b"),  # Hugging Face
    ("api_org_", r"api_org_[A-Za-z0-9]{34}\b"),
    ("pplx-", r"pplx-[A-Za-z0-9]{40,}\b"),  # Perplexity
    ("tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{40,}"),  # Together
    ("fw_", r"fw_[A-Za-z0-9]{22,}\b"),  # Fireworks
    ("csk-", r"csk-[a-z0-9]{40,}\b"),  # Cerebras
    ("nvapi-", r"nvapi-[A-Za-z0-9_-]{60,}"),  # NVIDIA
    ("jina_", r"jina_[A-Za-z0-9_-]{50,}"),  # Jina
    ("tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{30,}"),  # Tavily
    ("fc-", r"fc-[a-f0-9]{32}\b"),  # Firecrawl
    ("pcsk_", r"pcsk_[A-Za-z0-9_]{50,}"),  # Pinecone
    ("esecret_", r"esecret_[A-Za-z0-9]{20,}\b"),  # Anyscale
    ("lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b"),  # LangSmith
    ("e2b_", r"e2b_[a-f0-9]{40}\b"),  # E2B
    # Messages
    ("xoxe.xox", r"xoxe\.xox[bp]-\d-[A-Za-z0-9-]{10,}"),  # Slack
    ("xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-", r"xox[abcdeoprs]-[A-Za-z0-9%-]{10,}"),
    ("xapp-", r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}"),
    ("mfa.", r"mfa\.[A-Za-z0-9_-]{84}"),  # Discord
    ("SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),  # SendGrid
    ("key-", r"key-[a-f0-9]{32}\b"),  # Mailgun
    ("xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b"),  # Brevo
    ("re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}\b"),  # Resend
    ("md-", r"md-[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])"),  # Mandrill
    ("SK AC", r"(?:SK|AC)[a-f0-9]{32}\b"),  # Twilio
    # Money and shops
    (
        "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_",
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}",
    ),  # Stripe
    ("sq0atp- sq0csp- sq0idp-", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}"),  # Square
    # Base64 of zeros begins like the tokens of Square and Facebook.
    ("EAAA", r"EAAA(?!AAA)[A-Za-z0-9_-]{60}(?![A-Za-z0-9+=_-])"),
    ("EAA", r"EAA[B-Z](?![A-Za-z0-9]*AAAA)[A-Za-z0-9]{60,}\b(?![+=])"),
    ("shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),  # Shopify
    ("access-", rf"access-(?:sandbox|development|production)-{_UUID}"),  # Plaid
    ("pdl_live_ pdl_sdbx_", r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}\b"),  # Paddle
    ("FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}-?X?\b"),  # Flutterwave
    ("EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}\b"),  # EasyPost
    ("shippo_live_ shippo_test_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}\b"),  # Shippo
    # Work
    ("lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{40,64}\b"),  # Linear
    ("ntn_", r"ntn_[A-Za-z0-9]{40,}\b"),  # Notion
    ("secret_", r"secret_[A-Za-z0-9]{43}\b"),
    ("figd_ figu_ figo_ figor_", r"fig(?:d|u|or?)_[A-Za-z0-9_-]{38,}"),  # Figma
    ("pat-na pat-eu", rf"pat-(?:na|eu)\d-{_UUID}"),  # HubSpot
    ("CFPAT-", r"CFPAT-[A-Za-z0-9_-]{43}"),  # Contentful
    ("tfp_", r"tfp_[A-Za-z0-9_]{40,}"),  # Typeform
    ("PMAK- PMAT-", r"PMA[KT]-[A-Za-z0-9]{24,26}(?:-[a-f0-9]{34})?\b"),  # Postman
    ("rdme_", r"rdme_[a-z0-9]{70}\b"),  # ReadMe
    ("ico-", r"ico-[A-Za-z0-9]{32}\b"),  # Infracost
    ("pk_", r"pk_\d{5,10}_[A-Z0-9]{32}\b"),  # ClickUp
    ("sk.eyJ", r"sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}"),  # Mapbox
    ("sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),  # Dropbox
    ("p8e-", r"p8e-[a-z0-9]{32}\b"),  # Adobe
    ("eyJhIjoi", r"eyJhIjoi[A-Za-z0-9+/_-]{100,}={0,2}"),  # Cloudflare tunnels
    ("eyJ", _JWT),
    ("eyJhdXRocyI6", r"eyJhdXRocyI6[A-Za-z0-9+/]{20,}={0,2}"),  # Docker's config.json in base64
    (
        "LS0tLS1CRUdJTiB",  # private keys in base64: PKCS #8, encrypted, RSA, EC, OpenSSH
        r"LS0tLS1CRUdJTiB(?:QUklWQVRF|FTkNSWVBU|SU0EgUFJJ|FQyBQUklW|PUEVOU1NI)[A-Za-z0-9+/]{40,}={0,2}",
    ),
)
"""Beginnings of words that may be tokens of a format, and the format without `BEGINS`."""

INSIDE = (
    ("T3BlbkFJ", BEGINS + r"sk-[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}"),  # OpenAI
    (".atlasv1.", BEGINS + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),  # HashiCorp Terraform
    ("AZDO", BEGINS + r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b"),  # Azure DevOps
    ("FFFFNRAL", BEGINS + r"[a-f0-9]{32,36}FFFFNRAL\b"),  # New Relic
    ("-us", BEGINS + r"[a-f0-9]{32}-us\d{1,2}\b"),  # Mailchimp
    ("_mmk", BEGINS + r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),  # MaxMind
)
"""Parts of words anywhere in a token, and the format."""

WITH_TWO_DOTS = BEGINS + r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![\w-])"  # Discord
WITH_ONE_DOT = BEGINS + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"  # Airtable

# Private keys, PEM and PGP, also as JSON strings and in a diff; of one that was cut off, what is there.
_PRIVATE_KEY = (
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN )[\s\S])*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\\[nr]|\s)+[+-]?(?:[A-Za-z-]+: [^\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]+\Z))+)"
)
_PUTTY_KEY = r"(?P<kept>Private-Lines: \d+)(?:(?:\\[nr]|\s)+[+-]?[A-Za-z0-9+/=]{4,}(?![\w+/=:-]))+"
_CRYPT = (
    r"\$(?:(?:apr1|1|5|6|y)\$(?:[A-Za-z0-9=./]{1,40}\$){1,3}[./A-Za-z0-9]{22,90}|2[aby]\$\d\d\$[./A-Za-z0-9]{53}"
    r"|argon2id?\$v=\d{1,3}\$[a-z0-9,=]{1,60}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{22,90})"
)
MARKED = (
    ("PRIVATE KEY-----", _PRIVATE_KEY),
    ("PRIVATE KEY BLOCK-----", _PRIVATE_KEY),
    ("Private-Lines: ", _PUTTY_KEY),
    ("hooks.slack.com/", r"(?<=hooks\.slack\.com/)(?P<kept>(?:services|workflows|triggers)/)[A-Za-z0-9/]{30,}"),
    ("/api/webhooks/", r"(?<=/api/webhooks/)(?P<kept>\d{8,22}/)[A-Za-z0-9_-]{50,}"),  # Discord
    ("webhook.office.com/", r"(?<=webhook\.office\.com/)[A-Za-z0-9@/-]{80,}"),  # Teams
    ("AccountKey=", r"(?<=AccountKey=)[A-Za-z0-9+/]{86}=="),  # Azure storage
    ("SharedAccessKey=", r"(?<=SharedAccessKey=)[A-Za-z0-9+/]{43}="),  # Azure queues
    ("sig=", r"(?<=[?&;]sig=)[A-Za-z0-9%+/_-]{40,}={0,2}"),  # Azure shared access signatures
    ("X-Amz-Signature=", r"(?<=X-Amz-Signature=)[a-f0-9]{64}"),  # Amazon, links that were signed
    ("WIFI:", r"(?<=[:;]P:)[^;\s]{8,63}(?=;)"),  # codes of Wi-Fi
    ("access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),  # Braintree
    (":AA", rf"(?:(?<=/bot)|{BEGINS})" + r"\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),  # Telegram bots
    ("1//0", BEGINS + r"1//0[A-Za-z0-9_-]{40,}"),  # Google refresh tokens
    ("Q~", BEGINS + r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),  # Azure Active Directory
    ("sha256~", r"sha256~[A-Za-z0-9_-]{43}"),  # OpenShift
    # Base64 after a short beginning need not be a long word.
    ("whsec_", BEGINS + r"whsec_[A-Za-z0-9+/=]{24,}"),  # Stripe, Svix
    ("sntrys_", BEGINS + r"sntrys_[A-Za-z0-9+/=_-]{40,}"),  # Sentry
    ("sntryu_", BEGINS + r"sntryu_[A-Za-z0-9+/=_-]{40,}"),
    # Hashes of passwords, as files of users have them
    *((sign, _CRYPT) for sign in ("$apr1$", "$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$argon2i")),
    ("fm1a_", BEGINS + r"fm1a_[A-Za-z0-9+/]{50,}={0,3}"),  # Fly.io
    ("fm1r_", BEGINS + r"fm1r_[A-Za-z0-9+/]{50,}={0,3}"),
    ("fm2_", BEGINS + r"fm2_[A-Za-z0-9+/]{50,}={0,3}"),
)
"""Parts of a text that may hold a secret, and its format."""
# Passwords inside connection strings; user, host and scheme stay.
CREDENTIALS_IN_URL = r"(?<=://)(?P<kept>[^\s:/?#'\"<>]{0,100}:)(?!\*\*\*@|(?i:password|passwd|pass|pwd|pw|secret|token|x{3,9}|!change_?me!|\.\.\.)@)[^\s/@'\"<>\[{$]{3,200}(?=@[A-Za-z0-9\[{$%])"

HEADERS = (
    ("earer ", r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*"),
    # Without a capital letter it is no base64 of a name and password, but a long word after "basic".
    ("asic ", r"(?<=[Bb]asic )(?=[a-z0-9+/]*[A-Z])[A-Za-z0-9+/]{20,}={0,2}(?![A-Za-z])"),
)
"""Text before a long word, and the format."""
