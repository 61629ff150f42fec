"""Made-up tokens, drawn when the tests run.

Each family is written after what its issuer says of it (beginning, alphabet, length), not after our patterns. No
secret stands in this file: whatever a scanner knows a token by is put together here.
"""

import base64
import json
import random
import string
import uuid
from collections.abc import Callable, Mapping

DIGITS = string.digits
LOWER = string.ascii_lowercase + DIGITS
UPPER = string.ascii_uppercase + DIGITS
ALNUM = string.ascii_letters + DIGITS
HEX = DIGITS + "abcdef"
BASE32 = string.ascii_uppercase + "234567"
BASE64 = f"{ALNUM}+/"
URL = f"{ALNUM}-_"
SPECIAL = "!@#%^*-_+=?"

Draw = Callable[[random.Random], str]


def drawn(chance: random.Random, length: int, alphabet: str = ALNUM) -> str:
    """As many characters of an alphabet, the first and the last one a letter or digit."""
    ends = [each for each in alphabet if each.isalnum()]
    return chance.choice(ends) + "".join(chance.choices(alphabet, k=length - 2)) + chance.choice(ends)


def of(beginnings: str, lengths: int | tuple[int, int], alphabet: str = ALNUM, end: str = "") -> Draw:
    """Secrets of one of the beginnings, as many characters of the alphabet, and an end."""
    least, most = lengths if isinstance(lengths, tuple) else (lengths, lengths)
    return lambda chance: (
        chance.choice(beginnings.split() or [""]) + drawn(chance, chance.randint(least, most), alphabet) + end
    )


def joined(separator: str, *parts: Draw | str) -> Draw:
    """Secrets of several parts."""
    return lambda chance: separator.join(part if isinstance(part, str) else part(chance) for part in parts)


def some(length: int, alphabet: str = ALNUM) -> Draw:
    """A part of as many characters."""
    return lambda chance: drawn(chance, length, alphabet)


def some_uuid(chance: random.Random) -> str:
    """A part that is one."""
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def _base64url(value: Mapping[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _json_web_token(chance: random.Random) -> str:
    header = {"alg": chance.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"}
    payload = {"sub": drawn(chance, 10), "iat": chance.randrange(1_600_000_000, 1_900_000_000), "role": "admin"}
    return f"{_base64url(header)}.{_base64url(payload)}.{drawn(chance, chance.choice([43, 86, 342]), URL)}"


def _discord(chance: random.Random) -> str:
    user = base64.b64encode(str(chance.randrange(10**17, 10**18)).encode()).decode().rstrip("=")
    return f"{user}.{drawn(chance, 6, URL)}.{drawn(chance, chance.choice([27, 38]), URL)}"


TOKENS: dict[str, Draw] = {
    "Adobe client secret": of("p8e-", 32, LOWER),
    "age": of("AGE-SECRET-" + "KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "Airtable": joined(".", of("pat", 14), some(64, HEX)),
    "Aiven": of("AVNS_", (17, 20), URL),
    "Alibaba key id": of("LTAI", 20),
    "Amazon key id": of("AKIA ASIA ABIA ACCA", 16, BASE32),
    "Amazon Bedrock": of("ABSK" + "QmVkcm9ja0FQSUtleS", (110, 130), BASE64, "="),
    "Anthropic": of("sk-ant-" + "api03- sk-ant-" + "admin01-", 93, URL, "AA"),
    "Anthropic OAuth": of("sk-ant-" + "oat01- sk-ant-" + "ort01-", 93, URL, "AA"),
    "Anyscale": of("esecret_", (24, 40)),
    "Atlassian": of("ATATT3" + "xFfGF0", (170, 180), URL, "=A1B2C3D4"),
    "Bitbucket": of("ATBB", 32),
    "Azure AD": lambda c: f"{drawn(c, 3)}{c.randrange(10)}Q~{drawn(c, 34, f'{URL}.~')}",
    "Azure DevOps": of("", 76, ALNUM, "AZDO" + "ab12"),
    "Braintree": joined("$", "access_token", "production", some(16, LOWER), some(32, HEX)),
    "Brevo": joined("-", "xkeysib", some(64, HEX), some(16)),
    "Buildkite": of("bkua_", 40, LOWER),
    "Cerebras": of("csk-", 48, LOWER),
    "CircleCI": joined("_", "CCIPAT", some(22), some(40, HEX)),
    "ClickHouse": of("4b1d", 38),
    "ClickUp": joined("_", "pk", some(8, DIGITS), some(32, UPPER)),
    "Clojars": of("CLOJARS_", 60, LOWER),
    "Cloudflare origin": joined("-", "v1.0", some(24, HEX), some(146, HEX)),
    "Contentful": of("CFPAT-", 43, URL),
    "crates.io": of("cio", 32),
    "Databricks": of("dapi", 32, HEX),
    "dbt": of("dbtu_ dbtc_", 43, URL),
    "Deno": of("ddp_ ddw_", 36),
    "DigitalOcean": of("dop_v1_ doo_v1_ dor_v1_", 64, HEX),
    "Discord": _discord,
    "Docker": of("dckr_pat_", 27, URL),
    "Docker organisation": of("dckr_oat_", 32, URL),
    "Doppler": joined(".", "dp", lambda chance: chance.choice(["pt", "ct", "sa", "scim", "audit"]), some(43)),
    "Doppler service": joined(".", "dp.st", lambda chance: chance.choice(["prd", "dev_ada", "stg"]), some(43)),
    "Dropbox": of("sl.u. sl.", 135, URL),
    "Dynatrace": joined(".", "dt0c01", some(24, UPPER), some(64, UPPER)),
    "E2B": of("e2b_", 40, HEX),
    "EasyPost": of("EZAK EZTK", 54),
    "ElevenLabs": of("sk_", 48, HEX),
    "Facebook": of("EAAC EAAM", (120, 180)),
    "Figma": of("figd_ figu_", 40, URL),
    "Firecrawl": of("fc-", 32, HEX),
    "Fireworks": of("fw_", (22, 24)),
    "Fly.io": of("fm2_" + "lJPECAAA", (300, 500), BASE64),
    "Fly.io before": of("fo1_", 43, URL),
    "GitHub": of("ghp_ gho_ ghu_ ghs_ ghr_", 36),
    "GitHub fine-grained": joined("_", "github_pat", some(22), some(59)),
    "GitLab": of("glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-", 20, URL),
    "GitLab routable": lambda c: f"glpat-{drawn(c, 27, URL)}.{drawn(c, 2, LOWER)}.{drawn(c, 9, LOWER)}",
    "GitLab registration": of("GR13" + "48941", 20, URL),
    "Google key": of("AIza" + "Sy", 33, URL),
    "Google access": of("ya29" + ".a0", (120, 200), URL),
    "Google refresh": of("1//0", (60, 100), URL),
    "Google client secret": of("GOCSPX-", 28, URL),
    "Grafana": joined("_", "glsa", some(32), some(8, HEX)),
    "Grafana Cloud": of("glc_eyJvIjoi", (80, 140), ALNUM, "=="),
    "Groq": of("gsk_", 52),
    "Harness": joined(".", "pat", some(22, URL), some(24, HEX), some(20)),
    "Heroku": of("HRKU-AA", 58, URL),
    "HubSpot": joined("-", lambda chance: chance.choice(["pat-na1", "pat-eu1"]), some_uuid),
    "Hugging Face": of("hf_", 34, string.ascii_letters),
    "Hugging Face organisation": of("api_org_", 34, string.ascii_letters),
    "Infracost": of("ico-", 32),
    "JFrog key": of("AKCp", 69),
    "JFrog reference": of("cmVmd", 59),
    "Jina": of("jina_", 60, URL),
    "JSON web token": _json_web_token,
    "lamella": of("lamella_token_", 64, HEX),
    "LangSmith": joined("_", "lsv2", lambda chance: chance.choice(["pt", "sk"]), some(32, HEX), some(10, HEX)),
    "Langfuse": joined("-", "sk-lf", some_uuid),
    "LaunchDarkly": joined("-", lambda chance: chance.choice(["sdk", "api"]), some_uuid),
    "Linear": of("lin_api_", 40),
    "Linear OAuth": of("lin_oauth_", 64, HEX),
    "Mailchimp": lambda chance: f"{drawn(chance, 32, HEX)}-us{chance.randint(1, 21)}",
    "Mailgun": of("key-", 32, HEX),
    "Mapbox": joined(".", of("sk.eyJ1", (60, 80)), some(22, URL)),
    "MaxMind": joined("_", some(6), some(29), "mmk"),
    "MongoDB Atlas": of("mdb_sa_sk_", 40, URL),
    "Neon": of("napi_", 64, LOWER),
    "Netlify": of("nfp_ nfc_ nfu_ nfb_", 36),
    "New Relic user": of("NRAK-", 27, UPPER),
    "New Relic licence": of("", 36, HEX, "FFFF" + "NRAL"),
    "Notion": lambda chance: f"ntn_{drawn(chance, 11, DIGITS)}{drawn(chance, 35)}",
    "Notion before": of("secret_", 43),
    "npm": of("npm_", 36),
    "NuGet": of("oy2", 43, LOWER),
    "NVIDIA": of("nvapi-", 64, URL),
    "Octopus": of("API-", 26, UPPER),
    "1Password service": of("ops_eyJ", (300, 600)),
    "1Password key": lambda c: "A3-" + "-".join(drawn(c, n, UPPER) for n in (6, 6, 5, 5, 5, 5)),
    "OpenAI before": joined("T3Blbk" + "FJ", of("sk-", 20), some(20)),
    "OpenAI project": joined("T3Blbk" + "FJ", of("sk-proj- sk-svcacct- sk-admin-", 74, URL), some(74, URL)),
    "DeepSeek": of("sk-", 32, HEX),
    "OpenRouter": of("sk-or-v1-", 64, HEX),
    "OpenShift": of("sha256~", 43, URL),
    "Paddle": lambda c: f"pdl_live_apikey_{drawn(c, 26, LOWER)}_{drawn(c, 22)}_{drawn(c, 3)}",
    "Perplexity": of("pplx-", 48),
    "Pinecone": joined("_", of("pcsk_", 6), some(60)),
    "Plaid": joined("-", "access", lambda c: c.choice(["sandbox", "development", "production"]), some_uuid),
    "PlanetScale": of("pscale_tkn_ pscale_oauth_ pscale_pw_", 43, f"{URL}."),
    "PostHog": of("phx_", 43),
    "Postman": joined("-", "PMAK", some(24, HEX), some(34, HEX)),
    "Prefect": of("pnu_ pnb_", 36),
    "Pulumi": of("pul-", 40, HEX),
    "PyPI": of("pypi-" + "AgEIcHlwaS5vcmc", (130, 180), URL),
    "ReadMe": of("rdme_", 70, LOWER),
    "Render": of("rnd_", 32),
    "Replicate": of("r8_", 37),
    "Resend": joined("_", "re", some(8), some(24)),
    "RubyGems": of("rubygems_", 48, HEX),
    "SendGrid": joined(".", "SG", some(22, URL), some(43, URL)),
    "Sentry user": of("sntryu_", 64, HEX),
    "Sentry organisation": joined("_", of("sntrys_eyJ", (120, 200)), some(43, BASE64)),
    "Shippo": of("shippo_live_ shippo_test_", 40, HEX),
    "Shopify": of("shpat_ shpca_ shppa_ shpss_", 32, HEX),
    "Slack bot": joined("-", "xoxb", some(12, DIGITS), some(13, DIGITS), some(24)),
    "Slack user": joined("-", "xoxp", some(12, DIGITS), some(12, DIGITS), some(13, DIGITS), some(32, HEX)),
    "Slack app": joined("-", "xapp-1", some(11, UPPER), some(13, DIGITS), some(64, HEX)),
    "Slack configuration": of("xoxe." + "xoxp-1-", 163, UPPER),
    "Sonar": of("squ_ sqp_ sqa_", 40, HEX),
    "Sourcegraph": of("sgp_ sgp_local_", 40, HEX),
    "Square": of("sq0atp-", 22, URL),
    "Square access": of("EAAA", 60, URL),
    "Stripe": of("sk_live_ sk_test_ rk_live_ rk_test_", (24, 99)),
    "Stripe webhook": of("whsec_", 32),
    "Svix webhook": of("whsec_", 43, BASE64, "="),
    "Supabase management": of("sbp_", 40, HEX),
    "Supabase secret": of("sb_secret_", 31, URL),
    "Tailscale": joined("-", "tskey-auth", some(16), some(32)),
    "Tavily": of("tvly-dev- tvly-", 32),
    "Telegram": lambda c: f"{drawn(c, 10, '123456789')}:AA{drawn(c, 33, URL)}",
    "Tencent key id": of("AKID", 32),
    "Terraform": joined(".", some(14), "atlasv1", some(67, URL)),
    "Together": of("tgp_v1_", 43, URL),
    "Trello": of("ATTA", 64, HEX),
    "Twilio": of("SK", 32, HEX),
    "Typeform": joined("_", of("tfp_", 44), some(14)),
    "Vault": of("hvs.CAESI hvb.AAAA", (90, 120), URL),
    "Vault before": of("hvs.", 24),
    "Vercel": of("vcp_ vck_", (56, 60)),
    "Vercel Blob": joined("_", "vercel_blob_rw", some(16), some(30)),
    "xAI": of("xai-", 80),
    "Yandex": of("AQVN", 36, URL),
}
"""Secrets that say themselves what they are."""


def is_left(secret: str, text: str, length: int = 8) -> bool:
    """Return True if as many characters of the secret in a row are in the text, or all of it if it is short."""
    length = min(length, len(secret))
    return any(secret[start : start + length] in text for start in range(len(secret) - length + 1))
