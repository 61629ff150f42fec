"""Lines of code, configuration and conversation that have no secret, and look like those that do."""

ORDINARY = r"""
Pass `verbosity=1` to get a table.
pass `stream=True` for long outputs
"ssl_keyfile_password": self.cfg.ssl_options.get("password"),\n"ssl_version": self.cfg.version,
'OAuth': ('oauth_get_sbs', 'oauth_urlencode'),
cookiejar = cookiejar_from_dict(cookies, cookiejar=cookiejar, overwrite=False)
kpasswd    464/udp
_UNRESERVED_PAT = r"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~"
credentials: init.credentials ?? 'same-origin',
Load and return a dynamic library identified by 'name'.
.replace(/x/g, '$1$2')
resp = self.voidcmd('AUTH TLS')
"hf auth login --add-to-git-credential",\n"hf auth login --force",
https://user:pass@host:port/path?query#fragment
keyring.set_password("system", username, password)
[assembly: AssemblyVersion("1.0.0.0")] // PublicKeyToken=b77a5c561934e089
set -gx NPM_TOKEN (op read op://dev/npm/token)
cargo login --registry internal < ~/.token
# requirepass foobared
-W, --password           force password prompt (should happen automatically)
conn = mysqli_connect($host, $user, $password, $db);
new mysqli($host, $user, getenv("DB_PASSWORD"));
getConnection(url)
getConnection("jdbc:h2:mem:x", props)
jwt.verify(token, publicKey, { algorithms: ["RS256"] })
jwt.sign(payload, process.env.JWT_SECRET)
server.login(user, password)
signal.connect("clicked", self.on_click, 3)
create_user("ada", "ada@example.org")
User.objects.create_user(username, email, password)
process.env.TOKEN || "none"
os.environ.get("API_KEY") or None
const password = process.env.PASSWORD || readPassword();
t("password", "Enter your password")
errors.add("password", "is too short")
Column("password", "VARCHAR")
getPassword("svc-1")
secrets.getSecret("prod/db-1")
password: "Enter your password"
errors.password = "Passwords do not match"
password = "Password must have at least 8 characters"
password: z.string().min(8)
${TOKEN:0:10}
${PASSWORD:?must be set}
${DB_PASSWORD:-$OTHER}
${API_KEY:+-H "x"}
user:ada99@example.org
mailto:ada99@example.org
image: nginx:1.25@sha256:abcdef
import x from "@/components/login"
npm:react2@18/index
The user is identified by the email address.
SET PASSWORD FOR ada = PASSWORD(?)
CREATE USER ada IDENTIFIED BY :password
user default on nopass ~* +@all
2001:0db8:85a3:0000:8a2e
12:30:45:*:x
ada:x:1000:1000:Ada:/home/ada:/bin/sh
width * height * depth
the enable password is set by the operator
credentials: username / password
credentials: read / write
Log in with Google / GitHub.
log in as admin and open the page
login: src/auth.py
account: name / number
Use `make` / `ninja` for the build.
See https://example.org / the manual
This is the token that the parser reads.
Das Passwort wird nicht gespeichert.
mot de passe oublié
"motDePasse": "Mot de passe",
Cookie: theme=dark; lang=en
cookies are small files
curl -b cookies.txt -c cookies.txt https://a.example
curl -b "theme=darkblue" https://a.example
--password-command "pass show restic"
passwordeval "gpg --decrypt ~/.msmtp.gpg"
echo -n "aGVsbG8gd29ybGQh" | base64 -d
The password for the account is required.
password for the server: see the wiki
the token count for page two is: small
var apiSecret string = os.Getenv("X")
type Token string = "kind"
variable "db_password" {\n  type = string\n  sensitive = true\n}
"password": {"type": "string", "minLength": 8}
password:\n  description: see below\n  required: true
password:\n\nother: 1
{password, Password1}.
<password encoding=x
.withPassword(password)
.password(String.valueOf(x))
new PDO($dsn)
login("ada
auth=("ada", password)
auth=basic
setPassword(""
pulumi config set --secret dbPassword
secret: "db-creds-v2"
token: "Step-2"
the password manager of the team
token to refresh
out += f"<tr class='token {'colour' if row.colour else ''}'>"
export A=${API_TOKEN:-x
password:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\n  e: 5\n  f: 6\n  g: 7
""".strip().splitlines()
"""Lines that look like one of the others, some of them from packages and manuals."""
