"""Command lines with a secret. `SECRET` stands for the value."""

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
neo4j-admin dbms set-initial-password SECRET
etcdctl --user root:SECRET get / --prefix
vsql -h v1 -U dbadmin -w SECRET -c '\l'
db2 connect to SAMPLE user ada using SECRET
db2 "connect to orders user ada using SECRET"
mc alias set minio http://minio.example:9000 admin SECRET
rclone config create nas sftp host nas.example user ada pass SECRET
swift -A http://auth.example:8080/v1.0 -U account:ada -K SECRET list
knife bootstrap 10.0.0.9 -U ada -P SECRET --sudo
dotnet nuget add source https://n.example/v3/index.json -n x -u ada -p SECRET --store-password-in-clear-text
bundle config set --global gems.example ada:SECRET
conan remote login x ada -p SECRET
doveadm pw -s SHA512-CRYPT -p SECRET
certutil -f -p SECRET -importpfx a.pfx
net use Z: \\srv\share SECRET /user:corp\ada /persistent:no
gitlab-runner register -n -u https://git.example/ -r SECRET --executor shell
mount -t cifs //nas/x /mnt -o username=ada,password=SECRET,vers=3.0
swaks --to a@example.org --auth LOGIN --auth-user ada --auth-password SECRET
sqlldr userid=ada/SECRET control=a.ctl
unzip -oqP SECRET a.zip
echo 'SECRET' | kinit ada
tool login -u ada -p SECRET
tool -p SECRET -u ada
./bin/tool.sh --user=ada -p='SECRET' run
sudo -u root tool -U ada -W "SECRET" --verbose
python3 tool.py --username ada -w SECRET
winrs -r:box -u:ada -p:SECRET ipconfig
tool /user:ada /p:SECRET
tool login -p SECRET
kubectl exec box -- tool -u ada -p SECRET
tool --creds ada:SECRET pull
tool --auth 'ada:SECRET' pull
tool -u ada:"SECRET" https://a.example
tool -a ada:SECRET https://a.example
tool -auth=admin:SECRET list
tool set-admin-password SECRET
tool set-password ada SECRET
tool set-user-password ada SECRET --force
tool create user ada password SECRET
tool -o user=ada -o password=SECRET
tool -H 'Authorization: Bearer SECRET'
tool -X sasl.username=ada -X sasl.password=SECRET
tool --dbpass SECRET
tool auth SECRET
tool login cloud -t SECRET
cf create-user ada SECRET
az keyvault secret set --vault-name v --name db --value SECRET
aws ssm put-parameter --name /x --type SecureString --value SECRET
doctl -t SECRET account get
dotnet user-secrets set "Db:Password" "SECRET"
conan user -p SECRET -r remote ada
hatch publish -u ada -a SECRET
ldapvi -D cn=admin,dc=example -w SECRET
zabbix_sender --tls-psk SECRET -z host
goose postgres "host=db user=ada password=SECRET dbname=orders" up
wmic /node:box /user:ada /password:SECRET os get
kubeseal --raw --from-literal password=SECRET
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
    "deploy:\n  script:\n    - tool login -u ada -p SECRET\n",
    'run(["tool", "-u", "ada", "-p", "SECRET"])\n',
    'exec.Command("tool", "--user", "ada:SECRET").Run()\n',
    "os.system('tool -u ada -p SECRET')\n",
    "sh -c 'cd /srv && tool -u ada -p SECRET'\n",
    '{"command": "cd a\\ntool -u ada -p SECRET\\nls"}',
    '{"command": "tool -u ada -p \\"SECRET\\" ls"}',
    "tool \\\n  -u ada \\\n  -p SECRET \\\n  ls\n",
    "+tool \\\n+  -u ada \\\n+  -p SECRET\n",
    "Run `tool -u ada -p SECRET` and look.\n",
    'Bash {"description":"Run it","command":"tool -u ada -p SECRET ls"}',
    "A=$(tool -u ada -p SECRET | tail -1)\n",
    "publish:\n\t@twine upload -u ada -p SECRET dist/*\n",
)
"""Commands in scripts, Dockerfiles, YAML, JSON, programs, diffs and logs."""
