"""Command lines with a secret, and ordinary ones. `SECRET` stands for the value."""

KNOWN = r"""
mysql -uroot -pSECRET
mysql -h127.0.0.1 -P3306 -uroot -p'SECRET' orders -e "select 1"
mysql -u root --password='SECRET' orders
mysqldump -uroot -p"SECRET" --databases a b > dump.sql
mysqlimport -u root -pSECRET orders items.csv
mysqladmin -u root password SECRET
time mariadb -uroot -pSECRET orders < a.sql
kubectl exec -it db-0 -- mysql -uroot -pSECRET -e "show tables"
docker compose exec -T db sh -c "mysqldump -uroot -pSECRET orders" > dump.sql
mongosh mongodb://db.example --username ada -p SECRET
mongoexport -h db.example -u ada -pSECRET -c items
mongo --host db.example -u ada -p "SECRET" admin
redis-cli -a SECRET -n 2 keys '*'
redis-cli -p 6380 AUTH SECRET
redis-cli CONFIG SET requirepass "SECRET"
redis-server /etc/redis.conf --requirepass SECRET --masterauth SECRET
sqlcmd -S tcp:db.example,1433 -U sa -PSECRET -i a.sql
bcp dbo.items in items.csv -U sa -P 'SECRET' -S db.example
sqlplus -S ada/SECRET@orders
expdp system/SECRET@orders schemas=a
cqlsh -u ada -p SECRET db.example 9042
PGPASSWORD=SECRET psql -U ada -h db.example -c 'select 1'
PGPASSWORD="SECRET" createdb -U ada orders
sudo -u postgres psql -c "ALTER USER ada WITH PASSWORD 'SECRET'"
db2 connect to orders user ada using SECRET
couchbase-cli bucket-list -c localhost -u ada -p SECRET
sonar-scanner -Dsonar.projectKey=orders -Dsonar.login=SECRET
net user ada SECRET /add
docker login --username ada -p SECRET
docker login -p SECRET -u ada ghcr.io && docker push ghcr.io/x/y
echo "SECRET" | docker login ghcr.io -u ada --password-stdin
podman login --creds=ada:SECRET quay.io
skopeo inspect --creds ada:"SECRET" docker://quay.io/x/y
helm registry login -u ada -p "SECRET" ghcr.io
az login --service-principal --username abc -p SECRET --tenant t
oc login -u ada -p SECRET https://api.example:6443
cf auth ada SECRET
vault login SECRET
vault login token=SECRET
vault operator unseal SECRET
ngrok authtoken SECRET
vercel deploy --prod -t SECRET
netlify deploy --prod --auth SECRET
gh secret set TOKEN_OF_DEPLOY -b SECRET
gh auth login --with-token <<< "x" ; printf '%s' SECRET | gh auth login --with-token
snyk auth SECRET
twine upload -u ada -p SECRET dist/a.whl
twine upload -r internal --password 'SECRET' dist/a.whl
poetry config http-basic.internal ada SECRET
poetry config pypi-token.pypi SECRET
composer config github-oauth.github.com SECRET
cargo login SECRET
gem push a.gem -k SECRET
nuget push a.nupkg -ApiKey SECRET -Source x
nuget setapikey SECRET -source x
dotnet nuget push a.nupkg -k SECRET -s x
npm config set //npm.example/:_authToken SECRET
npm publish --//npm.example/:_authToken=SECRET
curl -u "ada:SECRET" https://a.example
curl -su ada:SECRET https://a.example
curl --user ada:SECRET https://a.example
curl -x p.example:80 -U ada:SECRET https://a.example
wget --user ada --password 'SECRET' https://a.example
http -a ada:SECRET GET https://a.example
https --auth=ada:SECRET a.example
docker run ["mysql", "-pSECRET"]
lftp -u ada,SECRET ftp://a.example
swaks --to a@example.org --server m.example -au ada -ap SECRET
mosquitto_pub -t a -m b -u ada -P SECRET
mosquitto_passwd -b /etc/mosquitto/passwd ada SECRET
rabbitmqctl add_user ada 'SECRET'
rabbitmqadmin --username=ada -p SECRET list exchanges
ldapsearch -H ldaps://d.example -D cn=a -w 'SECRET' uid=ada
ldappasswd -D cn=a -s SECRET uid=ada
slappasswd -s SECRET
smbclient -U ada%SECRET //nas.example/x
smbclient //nas.example/x -U "EXAMPLE/ada%SECRET" -c 'put a'
smbmap -u ada -p SECRET -H nas.example
mount -t cifs -o username=ada,password=SECRET //nas/x /mnt
net use \\nas\x /user:ada SECRET
cmdkey /add:x /user:ada /pass:SECRET
xfreerdp /v:a.example /u:ada /p:SECRET
rdesktop -u ada -p SECRET a.example
ipmitool -I lan -H a -U ada -P SECRET sol activate
snmpwalk -v 3 -u ada -l authPriv -A SECRET -X SECRET a.example
hydra -l ada -p SECRET ftp://a.example
sshpass -p SECRET ssh-copy-id -p 22 ada@a.example
sshpass -p "SECRET" ssh -tt ada@a.example "sudo systemctl restart x"
ssh-keygen -q -t rsa -b 4096 -N 'SECRET' -f key
plink -batch -pw SECRET ada@a.example ls
htpasswd -cb users ada SECRET
htpasswd -bnBC 10 ada SECRET
useradd -m -s /bin/sh -p SECRET ada
echo "ada:SECRET" | sudo chpasswd
echo 'SECRET' | sudo -S systemctl restart nginx
openssl passwd -1 -salt xy SECRET
openssl genrsa -aes256 -passout pass:SECRET 4096
openssl pkcs12 -in a.p12 -passin 'pass:SECRET' -nodes
keytool -import -keystore a.jks -storepass SECRET -file a.crt
keytool -genkey -keypass SECRET -storepass SECRET -alias a
jarsigner -storepass "SECRET" -keystore a.jks a.jar a
apksigner sign --ks a.jks --ks-pass pass:SECRET --key-pass pass:SECRET a.apk
gpg --pinentry-mode loopback --passphrase SECRET --decrypt a.gpg
gpg --passphrase="SECRET" --batch -c a
security create-keychain -p SECRET build.keychain
security import a.p12 -P SECRET -k build.keychain
xcrun notarytool store-credentials x --apple-id a --team-id b --password SECRET
unzip -o -P SECRET a.zip
zip -e -P "SECRET" a.zip b
7z a -pSECRET -mhe a.7z b
unrar x -pSECRET a.rar
rar a -hpSECRET a.rar b
qpdf --encrypt SECRET SECRET 256 -- a.pdf b.pdf
pdftk a.pdf output b.pdf owner_pw SECRET
pdftotext -opw SECRET a.pdf
nmcli dev wifi connect home password SECRET
wpa_passphrase home SECRET
rclone obscure SECRET
jenkins-cli -s https://ci.example -auth ada:SECRET who-am-i
aws configure set aws_secret_access_key SECRET
aws iam create-login-profile --user-name ada --password SECRET
aws secretsmanager create-secret --name x --secret-string SECRET
git -c user.name=a push https://ada:SECRET@git.example/x.git
git config --global user.password SECRET
svn up --username ada --password SECRET
tool --api-key SECRET run
tool run --token SECRET --verbose
tool --auth-token="SECRET" x
tool --client-secret 'SECRET' x
tool --admin-password=SECRET x
tool -Password SECRET -Force
tool --access-token=SECRET
tool login --passphrase SECRET
ACME_API_KEY=SECRET tool run
DB_PASSWORD='SECRET' REGION=eu tool run
env DB_PASSWORD=SECRET tool run
set -x ACME_API_KEY SECRET
set -gx ACME_API_KEY 'SECRET'
setx ACME_API_KEY SECRET
export ACME_PASSWORD=SECRET
""".strip().splitlines()
"""One command in each line; nothing but the secret may be taken out."""

KNOWN_IN_FILES = (
    "FROM alpine\nRUN apk add mysql-client && mysql -h db -uroot -pSECRET < /init.sql\n",
    'CMD ["redis-server", "--requirepass", "SECRET"]\n',
    'ENTRYPOINT ["mongosh", "-u", "ada", "-p", "SECRET"]\n',
    "ENV ACME_TOKEN SECRET\nRUN make\n",
    "steps:\n  - run: docker login -u ada -p SECRET ghcr.io\n  - run: make push\n",
    "steps:\n  - run: |\n      unzip -P SECRET a.zip\n      make\n",
    "    command: mysqld --init && mysql -uroot -pSECRET\n",
    "    command: ['ldapsearch', '-D', 'cn=a', '-w', 'SECRET', '-b', 'dc=a']\n",
    "    args:\n    - redis-cli\n    - -a\n    - SECRET\n    - ping\n",
    "    args:\n      - --port=80\n      - --token\n      - SECRET\n",
    "    args:\n      - '--admin-password=SECRET'\n",
    '    test: ["CMD-SHELL", "redis-cli -a SECRET ping | grep PONG"]\n',
    "mysql \\\n  -h db.example \\\n  -u root \\\n  -pSECRET \\\n  orders\n",
    "+mysql \\\n+  -u root \\\n+  -pSECRET\n",
    "-sshpass -p SECRET ssh a.example\n+ssh a.example\n",
    "+unzip -P SECRET a.zip\n",
    "if ! mysqladmin -uroot -pSECRET ping; then exit 1; fi\n",
    "count=\"$(mysql -N -uroot -pSECRET -e 'select 1')\"\n",
    "run(['unzip', '-P', 'SECRET', name])\n",
    'run(["tool", "--token", "SECRET"])\n',
    'subprocess.check_call(["mysql", "-h", host, "-uroot", "-pSECRET"])\n',
    "os.system(\"sshpass -p 'SECRET' ssh a.example\")\n",
    "`docker login -u ada -p SECRET`\n",
    '"dump": "mysqldump -uroot -pSECRET a > a.sql",\n',
    '{"command": "sshpass -p \\"SECRET\\" ssh a", "timeout": 3}',
    '{"command": "cd a\\nmysql -uroot -pSECRET\\nls"}',
    "$ redis-cli -a SECRET\nOK\n",
    "+ redis-cli -a SECRET ping\n",
    "* * * * * curl -u ada:SECRET https://a.example/hook\n",
    "ExecStart=/usr/bin/mosquitto_sub -u ada -P SECRET -t a\n",
    "publish:\n\t@twine upload -u ada -p SECRET dist/*\n",
)
"""Commands in scripts, Dockerfiles, YAML, JSON, programs, diffs and logs."""

ORDINARY = r"""
net user ada /delete
net user ada * /add
net user
mvn sonar:sonar -Dsonar.login=$SONAR_TOKEN
mysql -u root -p orders < dump.sql
mysql -uroot -p$MYSQL_ROOT_PASSWORD -e "select 1"
mysqldump -uroot -p"${PASSWORD}" orders
mysql -P 3306 -p
docker run -p 8080:80 -d nginx
docker run --name mysql -p 3306:3306 mysql:8
docker login -u ada -p $TOKEN ghcr.io
echo $TOKEN | docker login -u ada --password-stdin
echo "Logging in" && docker login -u ada --password-stdin < token.txt
docker login --help
ssh -p 2222 ada@host.example
scp -P 2222 a.txt host.example:
sshpass -e ssh ada@host.example
sshpass -f password.txt ssh -p 2222 ada@host.example
mkdir -p build/cache && cp -a src build
redis-cli -p 6379 ping
redis-cli -h cache.example --scan --pattern 'user:*'
az vm create -n box -g group --generate-ssh-keys
curl -u ada https://a.example
curl -u "$USER:$TOKEN" https://a.example
curl -u ${USER}:${TOKEN} -X POST https://a.example
curl -o a.tgz -L https://a.example/a.tgz
zip -r a.zip src
unzip -p a.zip manifest.json | jq .
7z x a.7z -oout
openssl x509 -in a.pem -noout -text
openssl req -new -key key.pem -out a.csr -keyout b.pem
openssl passwd -6
keytool -list -keystore a.jks
gpg --passphrase-file phrase.txt -c a
gpg --passphrase-fd 0 -c a
htpasswd -c users ada
ldapsearch -x -W -D cn=a uid=ada
ldapsearch -x -y file uid=ada
vault login -method=oidc
vault kv get -field=password kv/app
npm config set registry https://npm.example
npm login --auth-type=web
aws configure set region eu-west-1
aws ecr get-login-password | docker login -u AWS --password-stdin x
git config user.name ada
git push --set-upstream origin main
git -C orchard log -p --stat
ssh-keygen -t ed25519 -f key -N ''
ssh-keygen -t ed25519 -N "" -C ada@example.org
tool --token-file token.txt --password-file p
tool --token $TOKEN --password "$PASSWORD"
tool --token=<token> --password=<password>
tool --token TOKEN --password PASSWORD
tool --password --verbose
tool --max-tokens 4096 --token-budget 300
Use --token to authenticate, and --password instead of the prompt.
The option --api-key is required; with --password the server asks.
Pass the password with `mysql -p` or the key with `redis-cli -a`.
Run docker login and vault login before you push with twine.
The mysql option -p asks for a password, sshpass -p option takes one.
cargo login reads the token from standard input.
  --token TOKEN        The token of the server
  --password text      password of the user
  -p, --password       ask for the password
parser.add_argument("--token", help="the token", default=None)
@click.option("--password", prompt=True, hide_input=True)
net use is slow; smbclient -U ada -L nas
rsync -avz -e 'ssh -p 2222' a host.example:
sudo -S true
set -x
set -euo pipefail
""".strip().splitlines()
"""Command lines, and sentences about them, that have no secret."""
