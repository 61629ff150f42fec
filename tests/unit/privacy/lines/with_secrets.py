"""Lines of code, configuration and conversation with a secret, `SECRET` in its place."""

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
