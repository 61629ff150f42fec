"""Statements, lines of configuration and sentences with a secret, `SECRET` in its place."""

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
