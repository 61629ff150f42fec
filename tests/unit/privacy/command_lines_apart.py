"""Command lines with a secret that were written before the table of programs, and held apart until it was done.

`SECRET` stands for the value. Of seven kinds of values 94.9 % were caught when they were first measured.
"""

APART = r"""
mysql -h db.example -u root -pSECRET orders < dump.sql
mysqldump --single-transaction -uroot -p'SECRET' orders | gzip > orders.sql.gz
docker exec -i orders-db mysql -uroot -pSECRET -e 'show databases'
mysqladmin -u root -p"SECRET" ping
mariadb --user=app --password=SECRET --host=127.0.0.1
mariadb-dump -u backup -pSECRET --all-databases > all.sql
mysql --user root --password=SECRET < schema.sql
sshpass -p SECRET ssh -p 2222 ada@host.example uptime
sshpass -p 'SECRET' scp build.tar.gz deploy@host.example:/srv
sshpass -pSECRET rsync -av dist/ deploy@host.example:/srv/www
export RSYNC_RSH="sshpass -p SECRET ssh -o StrictHostKeyChecking=no"
docker login -u ada -p SECRET registry.example
docker login registry.example --username ada --password SECRET
echo logging in && docker login --username=ada --password="SECRET"
podman login -u ada -p SECRET quay.io
buildah login -u ada -p "SECRET" registry.example
skopeo copy --src-creds ada:SECRET docker://a.example/x docker://b.example/x
skopeo login -u ada -p SECRET registry.example
helm registry login registry.example -u ada -p SECRET
helm repo add internal https://charts.example --username ada --password SECRET
az login -u ada@example.org -p SECRET
az login --service-principal -u 5f0c1c1e -p SECRET --tenant example.org
az vm create -n box -g group --admin-username ada --admin-password SECRET
az acr login -n registry -u ada -p SECRET
twine upload -u __token__ -p SECRET dist/*
twine upload --username ada --password SECRET dist/orchard-1.0.tar.gz
python -m twine upload -p SECRET dist/*
mongosh "mongodb://db.example:27017" -u ada -p SECRET
mongosh --username ada --password SECRET --authenticationDatabase admin
mongo admin -u root -p 'SECRET' --eval 'db.stats()'
mongodump --host db.example -u ada -p SECRET -d orders
mongorestore --uri=db.example -u=ada -p=SECRET dump/
redis-cli -a SECRET ping
redis-cli -h cache.example -p 6379 -a 'SECRET' --scan
redis-cli --pass SECRET info memory
redis-server --requirepass SECRET --port 6380
redis-cli config set requirepass SECRET
valkey-cli -a SECRET ping
ldapsearch -x -H ldap://dir.example -D "cn=admin,dc=example" -w SECRET -b "dc=example" "(uid=ada)"
ldapadd -x -D cn=admin,dc=example -w 'SECRET' -f ada.ldif
ldapmodify -wSECRET -D cn=admin,dc=example -f change.ldif
ldappasswd -x -D cn=admin,dc=example -w oldone-1 -s SECRET uid=ada,dc=example
htpasswd -b -c /etc/nginx/.htpasswd ada SECRET
htpasswd -nb ada SECRET
htpasswd -bB users ada "SECRET"
unzip -P SECRET archive.zip -d out
zip -r -P SECRET archive.zip src
7z x archive.7z -pSECRET -oout
7za a -t7z -mhe=on -p'SECRET' archive.7z src
7zz a -pSECRET archive.7z src
unrar x -pSECRET archive.rar
rar a -hpSECRET archive.rar src
smbclient //nas.example/share -U ada%SECRET -c ls
smbclient -U 'WORK\ada%SECRET' -L nas.example
smbclient //nas.example/share SECRET -U ada
rpcclient -U "ada%SECRET" nas.example
net rpc share list -U ada%SECRET -S nas.example
mount -t cifs //nas.example/share /mnt -o username=ada,password=SECRET,uid=1000
keytool -genkeypair -alias app -keystore app.jks -storepass SECRET -dname CN=app
keytool -importkeystore -srckeystore a.p12 -destkeystore b.jks -srcstorepass SECRET
keytool -list -keystore app.jks -keypass "SECRET"
jarsigner -keystore app.jks -storepass SECRET app.jar app
apksigner sign --ks app.jks --ks-pass pass:SECRET app.apk
openssl pkcs12 -export -in cert.pem -inkey key.pem -out a.p12 -passout pass:SECRET
openssl rsa -in key.pem -passin pass:SECRET -out plain.pem
openssl enc -aes-256-cbc -pbkdf2 -k SECRET -in a.tar -out a.enc
openssl enc -d -aes-256-cbc -pass pass:SECRET -in a.enc
openssl passwd -6 SECRET
gpg --batch --yes --passphrase SECRET -c notes.txt
gpg --batch --passphrase 'SECRET' --pinentry-mode loopback -d notes.gpg
ssh-keygen -t ed25519 -N SECRET -f ~/.ssh/deploy
ssh-keygen -p -P SECRET -N '' -f deploy
aws configure set aws_secret_access_key SECRET
aws configure set aws_secret_access_key SECRET --profile staging
aws rds create-db-instance --db-instance-identifier x --master-user-password SECRET
aws cognito-idp admin-set-user-password --username ada --password SECRET --permanent
gcloud sql users set-password root --instance=main --password=SECRET
curl -u ada:SECRET https://api.example/v1/things
curl -sS --user "ada:SECRET" -X POST https://api.example/v1
curl -uada:SECRET https://api.example
curl --proxy-user ada:SECRET -x proxy.example:3128 https://example.org
curl -H "X-Api-Key: SECRET" https://api.example/v1
curl --oauth2-bearer SECRET https://api.example/v1
wget --user=ada --password=SECRET https://files.example/a.tgz
wget --http-password=SECRET --http-user=ada https://files.example/a.tgz
wget --header "Authorization: Bearer SECRET" https://api.example/a
http -a ada:SECRET https://api.example/v1/things
psql "host=db.example user=ada password=SECRET dbname=orders"
PGPASSWORD=SECRET psql -h db.example -U ada orders
PGPASSWORD='SECRET' pg_dump -h db.example -U ada orders > orders.sql
MYSQL_PWD=SECRET mysqldump -u root orders
env VAULT_TOKEN=SECRET vault kv get kv/app
SSHPASS=SECRET sshpass -e ssh ada@host.example
sudo -E SNOWSQL_PWD=SECRET snowsql -a account -u ada
sqlcmd -S db.example -U sa -P SECRET -Q "select 1"
/opt/mssql-tools18/bin/sqlcmd -S localhost -U sa -P 'SECRET' -C -i init.sql
bcp orders.dbo.items out items.csv -S db.example -U sa -PSECRET -c
sqlplus ada/SECRET@//db.example:1521/ORCL @init.sql
sqlplus -s system/"SECRET"@ORCL
impdp system/SECRET directory=dumps dumpfile=a.dmp
isql -U sa -P SECRET -S main
clickhouse-client --host db.example --user ada --password SECRET --query 'select 1'
cqlsh db.example -u cassandra -p SECRET
influx -username ada -password SECRET -execute 'show databases'
rabbitmqctl add_user ada SECRET
rabbitmqctl change_password guest 'SECRET'
rabbitmqadmin -u ada -p SECRET list queues
mosquitto_pub -h broker.example -u ada -P SECRET -t things -m hi
mosquitto_sub -u ada -P 'SECRET' -t '#'
mosquitto_passwd -b passwd ada SECRET
lftp -u ada,SECRET sftp://files.example -e 'mirror; quit'
ncftpput -u ada -p SECRET files.example /pub a.tgz
net use Z: \\nas.example\share /user:ada SECRET
xfreerdp /u:ada /p:SECRET /v:box.example
xfreerdp /v:box.example /u:ada /p:'SECRET'
rdesktop -u ada -p SECRET box.example
vncviewer -passwd ~/.vnc/passwd box:1 && x11vnc -passwd SECRET -display :0
echo 'ada:SECRET' | sudo chpasswd
echo "root:SECRET" | chpasswd
echo SECRET | sudo -S apt-get update
echo 'SECRET' | docker login -u ada --password-stdin registry.example
useradd -m -p SECRET ada
usermod --password SECRET ada
kubectl create secret generic db --from-literal=password=SECRET
kubectl create secret docker-registry pull --docker-username=ada --docker-password=SECRET
kubectl config set-credentials ada --token=SECRET
kubectl --token SECRET get pods
oc login https://api.example:6443 -u ada -p SECRET
oc login --token=SECRET --server=https://api.example:6443
vault login SECRET
vault kv put kv/app password=SECRET
vault login -method=userpass username=ada password=SECRET
npm config set //registry.example/:_authToken SECRET
npm config set //registry.npmjs.org/:_authToken=SECRET
composer config http-basic.repo.example ada SECRET
composer config --global github-oauth.github.com SECRET
pip config set global.index-url https://ada:SECRET@pypi.example/simple
poetry config pypi-token.pypi SECRET
poetry publish -u ada -p SECRET
cargo login SECRET
cargo publish --token SECRET
gem push orchard.gem --key SECRET
nuget push a.nupkg SECRET -Source https://nuget.example
dotnet nuget push a.nupkg --api-key SECRET --source nuget.org
dotnet nuget push a.nupkg -k SECRET -s nuget.org
nuget sources add -Name x -Source https://n.example -UserName ada -Password SECRET
git clone https://SECRET@github.com/example/orchard.git
git clone https://ada:SECRET@git.example/orchard.git
git remote set-url origin https://oauth2:SECRET@gitlab.example/x.git
gh secret set DEPLOY_PASSWORD --body SECRET
gh secret set DEPLOY_PASSWORD -b "SECRET"
heroku config:set STRIPE_SECRET=SECRET --app orchard
fly secrets set SECRET_KEY_BASE=SECRET
wrangler login --api-token SECRET
netlify deploy --auth SECRET --prod
vercel --token SECRET --prod
vercel deploy -t SECRET
doppler configure set token SECRET
sentry-cli --auth-token SECRET releases list
datadog-agent run --api-key=SECRET
ngrok authtoken SECRET
ngrok config add-authtoken SECRET
cloudflared tunnel run --token SECRET
tailscale up --authkey SECRET
tailscale up --auth-key=SECRET
snowsql -a account -u ada --password SECRET
ansible-playbook site.yml -e "ansible_become_pass=SECRET"
ansible all -m ping --extra-vars "ansible_password=SECRET"
terraform apply -var "db_password=SECRET"
terraform plan -var='api_token=SECRET'
restic -r s3:bucket --password-command 'echo SECRET' backup
hydra -l ada -p SECRET ssh://host.example
nmcli device wifi connect home password SECRET
wpa_passphrase home SECRET
ipmitool -I lanplus -H bmc.example -U ada -P SECRET power status
snmpwalk -v3 -u ada -A SECRET -l authNoPriv host.example
snmpget -v3 -l authPriv -u ada -a SHA -A authpw-77 -x AES -X SECRET host.example sysName.0
evil-winrm -i box.example -u ada -p SECRET
crackmapexec smb box.example -u ada -p 'SECRET'
psexec \\box.example -u ada -p SECRET cmd
svn checkout --username ada --password SECRET https://svn.example/trunk
hg clone --config auth.x.password=SECRET https://hg.example/x
jenkins-cli -auth ada:SECRET -s https://ci.example build x
java -jar jenkins-cli.jar -auth ada:SECRET build x
mvn deploy -Dpassword=SECRET -DskipTests
mvn sonar:sonar -Dsonar.login=SECRET
gradle publish -PossrhPassword=SECRET
./gradlew bootRun --args='--spring.datasource.password=SECRET'
rclone config create box webdav user ada pass SECRET
rclone obscure SECRET
cryptsetup luksOpen /dev/sdb1 data <<< SECRET
security add-generic-password -a ada -s orchard -w SECRET
security unlock-keychain -p SECRET login.keychain
security import cert.p12 -k build.keychain -P SECRET -T /usr/bin/codesign
xcrun notarytool submit a.zip --apple-id ada@example.org --password SECRET --team-id A1
xcrun altool --upload-app -f a.ipa -u ada@example.org -p SECRET
signtool sign /f cert.pfx /p SECRET app.exe
pdftk in.pdf output out.pdf user_pw SECRET
qpdf --password=SECRET --decrypt in.pdf out.pdf
pdftotext -upw SECRET in.pdf
borg init --encryption=repokey; BORG_PASSPHRASE=SECRET borg create ::a src
Invoke-Sqlcmd -ServerInstance db -Username sa -Password SECRET
ConvertTo-SecureString "SECRET" -AsPlainText -Force
cmdkey /add:nas.example /user:ada /pass:SECRET
""".strip().splitlines()
"""One command in each line."""

APART_IN_FILES = (
    'FROM mysql:8\nRUN mysql -uroot -pSECRET -e "create database orders"\n',
    'FROM redis:7\nCMD ["redis-server", "--requirepass", "SECRET", "--appendonly", "yes"]\n',
    'FROM alpine\nRUN sshpass -p "SECRET" scp -r host.example:/srv . \\\n    && rm -rf /tmp/*\n',
    'FROM alpine\nENTRYPOINT ["mosquitto_sub", "-u", "ada", "-P", "SECRET", "-t", "things"]\n',
    "services:\n  cache:\n    image: redis\n    command: redis-server --requirepass SECRET\n",
    'services:\n  cache:\n    image: redis\n    command: ["redis-server", "--requirepass", "SECRET"]\n',
    "services:\n  cache:\n    command:\n      - redis-server\n      - --requirepass\n      - SECRET\n",
    '    healthcheck:\n      test: ["CMD", "mysqladmin", "ping", "-uroot", "-pSECRET"]\n      interval: 5s\n',
    "    livenessProbe:\n      exec:\n        command: ['redis-cli', '-a', 'SECRET', 'ping']\n",
    "jobs:\n  publish:\n    steps:\n      - run: twine upload -u ada -p SECRET dist/*\n",
    "    steps:\n      - name: Log in\n        run: |\n          docker login -u ada -p SECRET registry.example\n",
    "script:\n  - mysql -h db -u root -pSECRET < init.sql\n  - make test\n",
    "#!/bin/sh\nset -eu\n\nldapsearch -x \\\n  -D cn=admin,dc=example \\\n  -w SECRET \\\n  -b dc=example\n",
    "backup() {\n  if mysqldump -u root -pSECRET orders > out.sql; then\n    echo ok\n  fi\n}\n",
    "for db in a b; do mysqldump -uroot -p'SECRET' $db; done",
    "tables=$(mysql -N -uroot -pSECRET -e 'show tables')\n",
    "files=`smbclient //nas/share -U ada%SECRET -c ls`\n",
    'subprocess.run(["sshpass", "-p", "SECRET", "ssh", "host.example"], check=True)\n',
    "os.system('mysql -uroot -pSECRET -e \"select 1\"')\n",
    "execSync(`redis-cli -a SECRET flushall`)\n",
    'exec.Command("unzip", "-P", "SECRET", "a.zip").Run()\n',
    '{"scripts": {"dump": "mysqldump -uroot -pSECRET orders > orders.sql"}}',
    '{"command": "docker login -u ada -p \\"SECRET\\" registry.example"}',
    '{"text": "first\\nsqlcmd -S db -U sa -P SECRET -Q x\\nlast"}',
    "deploy:\n\tsshpass -p SECRET rsync -a dist/ host.example:/srv\n",
    "0 3 * * * root mysqldump -uroot -pSECRET orders > /backup/orders.sql\n",
    "ExecStart=/usr/bin/redis-server /etc/redis.conf --requirepass SECRET\n",
    "Run `mysql -uroot -pSECRET` and look at the tables.\n",
    "```sh\n$ mongosh -u ada -p SECRET\n```\n",
    "@@ -1,2 +1,2 @@\n-redis-cli -a SECRET ping\n+redis-cli ping\n",
    "@@ -1,2 +1,2 @@\n #!/bin/sh\n+unzip -P SECRET a.zip\n",
    "+ mysql -uroot -pSECRET -e 'select 1'\n++ date\n",
    "    1  cd orchard\n    2  sshpass -p SECRET ssh ada@host.example\n    3  ls\n",
)
"""The same in scripts, Dockerfiles, YAML, JSON, programs, diffs and logs."""
