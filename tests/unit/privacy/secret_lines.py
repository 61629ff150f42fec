"""Lines of code, configuration and conversation with a secret, `SECRET` in its place, and lines without any."""

from pathlib import Path

CALLS = r"""
requests.get(url, auth=("ada", "SECRET"))
requests.post(url, json=body, auth=('ada', 'SECRET'), timeout=3)
session.auth = ("ada", "SECRET")
client = httpx.Client(auth=(USER, "SECRET"))
auth = HTTPBasicAuth("ada", "SECRET")
async with aiohttp.ClientSession(auth=aiohttp.BasicAuth("ada", "SECRET")) as s:
axios.get(url, { auth: ["ada", "SECRET"] })
es = Elasticsearch(hosts, basic_auth=("elastic", "SECRET"))
es = Elasticsearch(hosts, http_auth=['elastic', 'SECRET'])
const conn = new mysqli("localhost", "root", "SECRET", "shop");
$db = new mysqli('localhost', $user, 'SECRET', 'shop');
$link = mysqli_connect("db", "app", "SECRET", "shop") or die();
$pdo = new PDO("mysql:host=db;dbname=shop", "app", "SECRET");
$pdo = new PDO($dsn, 'app', 'SECRET', [PDO::ATTR_PERSISTENT => true]);
Connection c = DriverManager.getConnection(url, "sa", "SECRET");
Connection c = DriverManager.getConnection("jdbc:h2:mem:x", "sa", "SECRET");
dataSource.getConnection("app", "SECRET")
const token = jwt.sign({ id: user.id }, "SECRET", { expiresIn: "1h" });
const claims = jwt.verify(token, 'SECRET');
payload = jwt.encode({"sub": "ada"}, "SECRET", algorithm="HS256")
data = jwt.decode(token, "SECRET", algorithms=["HS256"])
JWT.encode payload, 'SECRET', 'HS256'
Jwts.builder().signWith(SignatureAlgorithm.HS256, "SECRET").compact();
const mac = crypto.createHmac('sha256', 'SECRET').update(body).digest('hex');
digest = hmac.new(b"SECRET", body, hashlib.sha256).hexdigest()
app.use(cookieParser("SECRET"));
app.use(cookieParser('SECRET', {}));
server.login("ada@example.org", "SECRET")
smtp.login(SENDER, 'SECRET')
ftp.login("ada", "SECRET")
auth := smtp.PlainAuth("", "ada@example.org", "SECRET", "smtp.example.org")
req.SetBasicAuth("ada", "SECRET")
.auth().preemptive().basic("ada", "SECRET")
String cred = Credentials.basic("ada", "SECRET");
client.Credentials = new NetworkCredential("ada", "SECRET");
provider.setCredentials(scope, new UsernamePasswordCredentials("ada", "SECRET"));
return new PasswordAuthentication("ada", "SECRET".toCharArray());
new BasicAWSCredentials("AKIDEXAMPLE", "SECRET")
AwsBasicCredentials.create("AKIDEXAMPLE", "SECRET")
credentials.NewStaticCredentials("AKIDEXAMPLE", "SECRET", "")
creds := credentials.NewStaticV4("minio", "SECRET", "")
driver = GraphDatabase.driver(uri, auth=("neo4j", "SECRET"))
const driver = neo4j.driver(uri, neo4j.auth.basic("neo4j", "SECRET"));
GraphDatabase.driver(uri, AuthTokens.basic("neo4j", "SECRET"));
db = pymysql.connect("localhost", "root", "SECRET", "shop")
db = MySQLdb.connect("localhost", "root", "SECRET", "shop")
con = cx_Oracle.connect("scott", "SECRET", "db/XE")
con = oracledb.connect("scott", "SECRET", dsn)
l.simple_bind_s("cn=admin,dc=x", "SECRET")
ldap_bind($conn, "cn=admin,dc=x", "SECRET");
$redis->auth('SECRET');
redisClient.auth("SECRET")
jedis.auth("SECRET");
db.auth("ada", "SECRET")
db.changeUserPassword("ada", "SECRET")
User.objects.create_user("ada", "ada@example.org", "SECRET")
User.objects.create_superuser('admin', 'a@example.org', 'SECRET')
oci_connect('scott', 'SECRET', 'db/XE')
odbc_connect($dsn, "ada", "SECRET")
ftp_login($conn, 'ada', 'SECRET');
ssh2_auth_password($conn, 'ada', 'SECRET');
imap_open("{mail:993/ssl}INBOX", "ada", "SECRET");
my $dbh = DBI->connect("dbi:Pg:dbname=shop", "app", "SECRET");
request.basic_auth("ada", "SECRET")
http.basic_auth 'ada', 'SECRET'
credentials += Credentials("Realm", "nexus.example", "ada", "SECRET")
const client = twilio(accountSid, 'SECRET');
client = Client(account_sid, "SECRET")
bcrypt.hash("SECRET", 10)
hashed = bcrypt.hashpw(b"SECRET", bcrypt.gensalt())
password_hash('SECRET', PASSWORD_DEFAULT)
hash = generate_password_hash("SECRET")
conn = psycopg2.connect("dbname=shop user=app password=SECRET")
key = scrypt.hash("SECRET", salt)
kdf = PBKDF2("SECRET", salt, 32)
crypto.createCipheriv('aes-256-cbc', 'SECRET', iv)
crypto.pbkdf2Sync("SECRET", salt, 100000, 64, "sha512")
CryptoJS.AES.encrypt(text, 'SECRET')
f = Fernet(b"SECRET")
cipher = AES.new(b"SECRET", AES.MODE_GCM)
session.setAuth("ada", "SECRET")
""".strip().splitlines()
"""Calls that take a secret by its position."""

NAMED = r"""
const secret = process.env.JWT_SECRET || 'SECRET';
const key = process.env.API_KEY ?? "SECRET";
apiKey: process.env.API_KEY || "SECRET",
SECRET_KEY = os.environ.get("SECRET_KEY") or "SECRET"
SECRET_KEY = os.environ.get("SECRET_KEY", "SECRET")
password = os.getenv('DB_PASSWORD', 'SECRET')
config.secret = ENV["SESSION_SECRET"] || "SECRET"
password: ENV.fetch("DB_PASSWORD", "SECRET")
password: ENV.fetch("DB_PASSWORD") { "SECRET" }
'password' => env('DB_PASSWORD', 'SECRET'),
$pw = getenv('DB_PASSWORD') ?: 'SECRET';
val pw = System.getenv("DB_PASSWORD") ?: "SECRET"
let key = std::env::var("API_KEY").unwrap_or("SECRET".to_string());
let key = env::var("API_KEY").unwrap_or_else(|_| "SECRET".into());
System.getenv().getOrDefault("DB_PASSWORD", "SECRET")
sys.env.getOrElse("DB_PASSWORD", "SECRET")
Optional.ofNullable(System.getenv("API_KEY")).orElse("SECRET")
DB_PASSWORD="${DB_PASSWORD:-SECRET}"
      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:-SECRET}
spring.datasource.password=${DB_PASSWORD:SECRET}
@Value("${app.db.password:SECRET}")
: "${API_KEY:=SECRET}"
var apiSecret string = "SECRET"
const apiKey string = "SECRET"
var dbPassword, dbUser string = "SECRET", "ada"
var signingKey = []byte("SECRET")
signingKey := []byte("SECRET")
Password: []byte("SECRET"),
static const char wifi_password[] = "SECRET";
char password[32] = "SECRET";
#define WIFI_PASSWORD "SECRET"
#define API_KEY   "SECRET"
Dim password As String = "SECRET"
Const API_KEY As String = "SECRET"
let apiKey: &str = "SECRET";
param adminPassword string = 'SECRET'
String dbPassword = new String("SECRET");
char[] password = "SECRET".toCharArray();
password := "SECRET"
password = String::from("SECRET")
token: Some("SECRET".to_string()),
password=SecretStr("SECRET")
secret=SecretValue.unsafePlainText("SECRET")
pulumi.secret("SECRET")
private_key = Buffer.from("SECRET", "hex")
props.setProperty("password", "SECRET");
props.put("password", "SECRET");
System.setProperty("javax.net.ssl.keyStorePassword", "SECRET");
Environment.SetEnvironmentVariable("API_KEY", "SECRET");
[Environment]::SetEnvironmentVariable("API_KEY", "SECRET", "User")
[System.Environment]::SetEnvironmentVariable('DB_PASSWORD','SECRET')
os.Setenv("DB_PASSWORD", "SECRET")
t.Setenv("API_KEY", "SECRET")
monkeypatch.setenv("API_KEY", "SECRET")
os.environ.setdefault("SECRET_KEY", "SECRET")
setenv("API_KEY", "SECRET", 1);
putenv("DB_PASSWORD=SECRET");
.option("password", "SECRET")
.config("spark.hadoop.fs.s3a.secret.key", "SECRET")
headers.set("X-Api-Key", "SECRET");
request.addHeader("X-Auth-Token", "SECRET");
xhr.setRequestHeader('X-API-Key', 'SECRET');
.header("api_key", "SECRET")
localStorage.setItem("access_token", "SECRET");
viper.SetDefault("db.password", "SECRET")
flag.String("password", "SECRET", "database password")
parser.add_argument("--password", default="SECRET")
@click.option("--api-key", default="SECRET")
.withPassword("SECRET")
.password("SECRET")
.setPassword("SECRET")
.apiKey("SECRET")
factory.setPassword("SECRET");
option.WithToken("SECRET")
openai.WithAPIKey("SECRET")
zf.setpassword(b"SECRET")
await page.fill("#password", "SECRET");
await page.fill('input[name="password"]', 'SECRET');
await page.getByLabel("Password").fill("SECRET");
cy.get('#password').type('SECRET')
driver.find_element(By.ID, "password").send_keys("SECRET")
fill_in "Password", with: "SECRET"
I.fillField('password', 'SECRET');
storePassword "SECRET"
keyPassword 'SECRET'
  password "SECRET"
{password, "SECRET"}
{default_pass, <<"SECRET">>}.
:password "SECRET"
$ENV{API_KEY} = 'SECRET';
$password = "SECRET"
$env:API_KEY = "SECRET"
$env.API_KEY = "SECRET"
CREATE LOGIN ada WITH PASSWORD = N'SECRET';
<property><name>javax.jdo.option.ConnectionPassword</name><value>SECRET</value></property>
<Pass encoding="base64">SECRET</Pass>
<add key="ApiKey" value="SECRET" />
<property name="hibernate.connection.password" value="SECRET"/>
variable "db_password" { default = "SECRET" }
"adminPassword": { "value": "SECRET" }
"password": {"type": "string", "default": "SECRET"}
API key = SECRET
api key: SECRET
access key: SECRET
secret key = SECRET
wifi password: SECRET
""".strip().splitlines()
"""Values of names that say what they are."""

STATED = r"""
dsn := "ada:SECRET@tcp(db:3306)/shop?parseTime=true"
DATABASE_DSN=ada:SECRET@tcp(127.0.0.1:3306)/shop
db, err := sql.Open("mysql", "root:SECRET@/shop")
db, err := sql.Open("mysql", "root:SECRET@unix(/tmp/mysql.sock)/shop")
proxy = ada:SECRET@proxy.example:3128
CREATE USER 'ada'@'%' IDENTIFIED BY 'SECRET';
ALTER USER ada IDENTIFIED BY "SECRET";
CREATE USER ada IDENTIFIED BY SECRET;
alter user 'root'@'localhost' identified with mysql_native_password by 'SECRET';
GRANT ALL ON shop.* TO 'ada'@'%' IDENTIFIED BY 'SECRET';
CREATE USER ada IDENTIFIED WITH sha256_password BY 'SECRET'
SET PASSWORD FOR 'ada'@'%' = 'SECRET';
SET PASSWORD FOR 'ada'@'localhost' = PASSWORD('SECRET');
SET PASSWORD = 'SECRET';
ALTER USER ada WITH ENCRYPTED PASSWORD 'SECRET';
UPDATE mysql.user SET authentication_string = PASSWORD('SECRET') WHERE User = 'root';
PRAGMA key = 'SECRET';
ATTACH DATABASE 'x.db' AS x KEY 'SECRET';
SELECT pgp_sym_encrypt('text', 'SECRET');
EXEC sp_addlogin 'ada', 'SECRET';
ACL SETUSER ada on >SECRET ~* +@all
user default on >SECRET ~* &* +@all
requirepass SECRET
masterauth SECRET
CONFIG SET requirepass SECRET
AUTH SECRET
db.example:5432:shop:ada:SECRET
*:*:*:ada:SECRET
localhost:5432:*:postgres:SECRET
[smtp.example.org]:587 ada:SECRET
pulumi config set --secret dbPassword SECRET
pulumi config set dbPassword SECRET --secret
set -Ux OPENAI_API_KEY SECRET
set --universal --export OPENAI_API_KEY SECRET
set -gx DB_PASSWORD SECRET
SetEnv DB_PASSWORD SECRET
fastcgi_param DB_PASSWORD SECRET;
netlify env:set API_KEY SECRET
cf set-env app API_KEY SECRET
curl -b "session=SECRET" https://a.example
curl --cookie 'sessionid=SECRET' https://a.example
curl -H 'Cookie: session=SECRET; theme=dark' https://a.example
Cookie: PHPSESSID=SECRET
Cookie: theme=dark; connect.sid=SECRET
Set-Cookie: sid=SECRET; Path=/; HttpOnly
document.cookie = "session=SECRET; path=/";
cookies={"sessionid": "SECRET"}
restic --password-command "echo SECRET" snapshots
borg --password-command 'printf %s SECRET' list
BORG_PASSCOMMAND="echo SECRET"
export RESTIC_PASSWORD_COMMAND='echo SECRET'
passwordeval "echo SECRET"
PassCmd "echo SECRET"
credentials: ada / SECRET
Credentials for staging: ada / SECRET
creds: ada:SECRET
login: ada / SECRET
user/pass: ada / SECRET
username/password: ada/SECRET
log in as ada / SECRET
log in with ada and SECRET as the password
Login with ada:SECRET
the password for ada is SECRET
The root password on db-1 is SECRET.
password for the staging database: SECRET
API key for staging is SECRET
username ada password SECRET
"ada" "SECRET"
: PSK "SECRET"
%any 10.0.0.1 : PSK "SECRET"
ada : EAP "SECRET"
ada * SECRET *
stats auth ada:SECRET
user ada insecure-password SECRET
AuthLDAPBindPassword "SECRET"
enable secret 0 SECRET
username ada privilege 15 password 0 SECRET
snmp-server community SECRET RO
tacacs-server key SECRET
crypto isakmp key SECRET address 10.0.0.1
ada Cleartext-Password := "SECRET"
secret "SECRET";
remotepass = SECRET
poll mail.example user "ada" pass "SECRET"
Authorization: ApiKey SECRET
Authorization: Splunk SECRET
Authorization: Token token=SECRET
Authorization: GenieKey SECRET
proxy_set_header Authorization "Bearer SECRET";
echo -n "SECRET" | gcloud secrets create x --data-file=-
printf 'SECRET' | docker secret create x -
echo "SECRET" | gh secret set API_TOKEN
CURLOPT_USERPWD => "ada:SECRET"
curl_setopt($ch, CURLOPT_USERPWD, "ada:SECRET");
c.setopt(pycurl.USERPWD, "ada:SECRET")
basicAuth: "ada:SECRET"
jdbc:oracle:thin:scott/SECRET@//db:1521/XE
expect "*?assword:*" { send "SECRET\r" }
child.expect('Password:'); child.sendline('SECRET')
define('AUTH_SALT', 'SECRET');
sentinel auth-pass main SECRET
createUser ada SHA "SECRET" AES
/msg NickServ IDENTIFY SECRET
Unseal Key 1: SECRET
wpa-psk SECRET
bindpw SECRET
rootpw SECRET
set the password to SECRET and restart
use token SECRET for staging
SECRET is the password of the staging box
Log in with `ada` / `SECRET` at the console.
Wiki: https://wiki.example (ada / SECRET)
Das Passwort lautet SECRET.
Kennwort: SECRET
Le mot de passe est SECRET
La contraseña es SECRET
kafka.sasl.password=SECRET
Environment="DB_PASSWORD=SECRET"
Environment=DB_PASSWORD=SECRET
TF_VAR_grafana_auth="admin:SECRET"
echo SECRET | docker secret create db_password -
"Jwt": { "Issuer": "x", "Key": "SECRET" }
""".strip().splitlines()
"""Statements, lines of configuration, and what people say."""

TYPED = r"""
$mail->Password = 'SECRET';
quarkus.datasource."users".password=SECRET
vault_password: !unsafe SECRET
private_key: !unsafe SECRET
.usernameAndPassword("ada", "SECRET")
MongoCredential.createCredential("ada", "admin", "SECRET".toCharArray())
KeyStore.getInstance("JKS").load(in, "SECRET".toCharArray());
yag = yagmail.SMTP("ada@x.org", "SECRET")
app.use(cookieSession({ name: 's', keys: ['SECRET', 'b'] }));
fetch(url, { headers: { Authorization: 'Basic ' + btoa('ada:SECRET') } })
headers = {"Authorization": "Basic " + base64.b64encode(b"ada:SECRET").decode()}
token.SignedString([]byte("SECRET"))
EncodingKey::from_secret("SECRET".as_ref())
let credentials = Credentials::new("ada".to_owned(), "SECRET".to_owned());
cryptsetup luksOpen /dev/sda1 x <<< "SECRET"
echo -n 'SECRET' | base64
account: demo@example.org / SECRET
la password è SECRET
snmp: { version: 2c, community: SECRET }
auth.inMemoryAuthentication().withUser("ada").password("{noop}SECRET").roles("ADMIN");
env: { HOST: x, DB_PASSWORD: SECRET }
DB_PASSWORD: SECRET
password:\n  "SECRET"
password: |\n  SECRET
DBPassword:\n  Type: String\n  Default: SECRET
"adminPassword": {\n  "value": "SECRET"\n}
variable "db_password" {\n  type = string\n  default = "SECRET"\n}
AKIAIOSFODNN7EXAMQLE,SECRETSECRETx
rocommunity SECRET
credentials = ["ada", "SECRET"]
'auth' => ['ada', 'SECRET'],
""".strip().splitlines()
"""More of the same; `\\n` is a line break."""

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
export A=${API_TOKEN:-x
password:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\n  e: 5\n  f: 6\n  g: 7
""".strip().splitlines()
"""Lines that look like one of the others, some of them from packages and manuals."""

_DOCUMENTED = [
    line.split("\t")
    for line in Path(__file__).with_name("documented_lines.tsv").read_text("utf-8").splitlines()[1:]
]
"""Lines that somebody wrote after the documentation of tools, without knowledge of the rules.

Tokens of published formats are left out: `secret_corpus` draws them. Of all 286 lines with a secret 72.4 % were
redacted before there were rules for calls, forms and expressions, and 86.0 % when those were first measured. Of
252 lines without a secret 5 and 7 were touched. Then the rules were mended for what the misses had in common.
"""
DOCUMENTED = [(line, secret) for kind, secret, line, _ in _DOCUMENTED if kind == "secret"]
DOCUMENTED_ORDINARY = [line for kind, _, line, _ in _DOCUMENTED if kind == "innocent"]
