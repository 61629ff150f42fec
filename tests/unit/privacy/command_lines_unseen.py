"""Command lines with a secret that were written before what finds them, and held apart until it was done.

`SECRET` stands for the value. Of seven kinds of values 95.9 % were caught in `KNOWN` when they were first
measured, and 70.6 % in `OTHERS`; some programs of these are in the table since.
"""

KNOWN = r"""
mysql --host=db2 --port=3307 -u report --password=SECRET -N -B orders
mysql -e 'show processlist' -u root -pSECRET
sudo mysqldump -h 10.1.2.3 -u backup -p"SECRET" --routines orders > /tmp/o.sql
mysqlcheck -u root -pSECRET --all-databases --auto-repair
docker exec mysql1 mysqladmin -uroot -pSECRET shutdown
mysqladmin -uroot -poldone-1 password 'SECRET'
mongosh orders --host rs0/db1,db2 -u ada -p 'SECRET' --quiet
mongostat -u admin -p SECRET --authenticationDatabase=admin 5
redis-cli -u redis://ada:SECRET@cache:6379/0 ping
redis-cli -n 3 -a "SECRET" --no-auth-warning dbsize
redis-benchmark -a SECRET -q -n 1000
sqlcmd -S db -d orders -U app -P "SECRET" -Q "select count(*) from items" -h -1
bcp "select 1" queryout a.csv -S db -U sa -PSECRET -c
tsql -H db -p 1433 -U sa -P SECRET
sqlplus -L app/SECRET@db1/ORCL @migrate.sql
sqlldr userid=app/SECRET control=a.ctl
db2 "connect to orders user ada using SECRET"
cqlsh -u ada -p 'SECRET' -e "describe keyspaces" db1
influx -host db1 -username ada -password SECRET -database metrics
docker login -p SECRET -u ada
docker login ghcr.io --username ada -p SECRET && docker push ghcr.io/ada/x:1
podman push --creds ada:SECRET localhost/x quay.io/ada/x
skopeo copy --dest-creds=ada:SECRET oci:x docker://reg.example/x
helm repo add x https://charts.example --username ada --password 'SECRET' --force-update
helm install db ./chart --set auth.password=SECRET --set auth.user=ada
az login -u ada@example.org -p "SECRET" --allow-no-subscriptions
az sql db export -g rg -s s1 -n db -u ada -p SECRET --storage-key x
oc login --username=ada --password=SECRET --insecure-skip-tls-verify
cf login -a https://api.example -u ada -p SECRET -o org -s dev
vault login -address=https://v1:8200 SECRET
vault operator unseal -address=https://v1:8200 SECRET
VAULT_TOKEN=SECRET vault kv get -field=x kv/app
gh secret set API_TOKEN --repo ada/orders --body 'SECRET'
tailscale up --auth-key SECRET --ssh
twine upload --repository-url https://pypi.example/legacy/ -u ada -p 'SECRET' dist/*.whl
poetry config http-basic.internal ada 'SECRET'
composer config --auth http-basic.repo.example ada SECRET
cargo publish --token 'SECRET' --registry internal
dotnet nuget push out/*.nupkg --source https://n.example --api-key SECRET --skip-duplicate
nuget sources add -name x -source https://n.example -username ada -password SECRET
mvn -B sonar:sonar -Dsonar.host.url=https://s.example -Dsonar.token=SECRET
curl --silent --fail -u 'ada:SECRET' -o /dev/null https://a.example/health
curl -X PUT -uada:SECRET https://a.example/x -d @a.json
curl -k --proxy-user 'ada:SECRET' --proxy p:3128 https://a.example
wget --http-user=ada --http-password='SECRET' -q https://a.example/x
http --auth ada:SECRET POST a.example/items name=x
lftp -e 'mirror -R out /' -u ada,SECRET ftp.example
swaks -f a@x -t b@x -s mx.example:587 -tls -a LOGIN -au ada -ap 'SECRET'
mosquitto_sub -h broker -p 8883 -u ada -P SECRET -t '#' -v
mosquitto_passwd -c -b /etc/mosquitto/pw ada SECRET
sudo rabbitmqctl add_user ada SECRET
rabbitmqctl -n rabbit@n1 change_password ada "SECRET"
ldapsearch -LLL -x -D cn=admin,dc=x -w "SECRET" -H ldap://d -b dc=x mail
ldapadd -H ldap:// -D cn=admin -wSECRET -f x.ldif
smbclient '//nas/x' -U ada%'SECRET' -c 'get a'
sudo mount -t cifs -o user=ada,pass=SECRET,ro //nas/x /mnt
net user ada SECRET /add /domain
psexec \\box -u ada -p SECRET -h cmd /c dir
xfreerdp +clipboard /u:ada /p:'SECRET' /v:box
ipmitool -H bmc -U root -P "SECRET" chassis status
snmpget -v3 -l authPriv -u ada -a SHA -A SECRET -x AES -X SECRET h sysUpTime.0
sshpass -p"SECRET" ssh -o StrictHostKeyChecking=no root@h hostname
sshpass -p SECRET sftp ada@h
ssh-keygen -t rsa -b 4096 -P "SECRET" -f id
plink.exe -pw SECRET ada@h uptime
htpasswd -B -b users ada SECRET
useradd -p "SECRET" -m ada
echo "SECRET" | sudo -S apt install -y x
echo -e "ada:SECRET" | chpasswd
openssl rsa -aes256 -in a.pem -out b.pem -passout pass:"SECRET"
openssl s_client -connect h:443 -cert a.pem -pass pass:SECRET
openssl aes-256-cbc -d -k SECRET -in a -out b
keytool -genkeypair -keystore a.p12 -storetype PKCS12 -storepass "SECRET" -keypass "SECRET" -alias x
jarsigner -keystore a.jks -storepass SECRET -keypass SECRET a.jar x
security add-internet-password -a ada -s git.example -w "SECRET"
xcrun notarytool submit a.zip --apple-id a@x --team-id T --password SECRET --wait
unzip -oqP SECRET a.zip
7z a -tzip -p"SECRET" a.zip b
7za x -y -pSECRET a.7z
rar x -p"SECRET" a.rar
qpdf --encrypt SECRET SECRET 128 -- a.pdf b.pdf
nmcli d wifi connect home password "SECRET" ifname wlan0
rclone config create x webdav url https://d user ada pass "SECRET"
gpg --batch --yes --passphrase "SECRET" --symmetric a.tar
kubectl create secret generic x --from-literal user=ada --from-literal password=SECRET
terraform plan -var "db_password=SECRET" -out p
ansible-playbook a.yml -e 'db_password=SECRET env=prod'
psql "postgresql://ada:SECRET@db/orders" -c 'select 1'
PGPASSWORD='SECRET' pg_restore -h db -U ada -d orders a.dump
aws rds modify-db-instance --db-instance-identifier x --master-user-password 'SECRET'
gcloud sql users create ada -i main --password SECRET
git clone https://ada:SECRET@git.example/a/b.git
heroku config:set DB_PASSWORD=SECRET -a x
snowsql -a acc -u ada -p SECRET
p4 -u ada -P SECRET sync
signtool sign /f a.pfx /p "SECRET" /fd sha256 a.exe
etcdctl --endpoints=e1:2379 --user=root:SECRET member list
mc alias set s3 https://s3.example AKIDEXAMPLE SECRET --api S3v4
gitlab-runner register --non-interactive --url https://g.example --registration-token SECRET
bundle config gems.example.com ada:SECRET
""".strip().splitlines()
"""Lines of programs that were in the table."""

OTHERS = r"""
pt-table-checksum h=db.example,u=root,p=SECRET --databases orders
pt-query-digest --user root --password SECRET --review h=db slow.log
innobackupex --user=bkp --password=SECRET /backup
usql pg://ada:SECRET@db.example/orders
flyway -url=jdbc:postgresql://db/orders -user=ada -password=SECRET migrate
liquibase --changelog-file=a.xml --username=ada --password=SECRET update
migrate -path db -database "postgres://ada:SECRET@db:5432/orders?sslmode=disable" up
sqoop import --connect jdbc:mysql://db/orders --username ada --password SECRET --table items
beeline -u jdbc:hive2://hive:10000/default -n ada -p SECRET -e 'show tables'
gbak -b -user SYSDBA -pas SECRET orders.fdb orders.fbk
gsec -user sysdba -password SECRET -display
nzsql -host nz1 -u admin -pw SECRET -d system
exaplus -c exa1:8563 -u sys -p SECRET -f load.sql
hdbsql -n hana:30015 -u SYSTEM -p SECRET "select 1 from dummy"
hdbuserstore SET BACKUP hana:30015 ada SECRET
dbisql -c "uid=dba;pwd=SECRET;eng=demo" init.sql
atlas dbusers create readWriteAnyDatabase --username ada --password SECRET
surreal sql --conn http://localhost:8000 -u root -p SECRET --ns a --db b
kafka-configs.sh --bootstrap-server k:9092 --alter --add-config 'SCRAM-SHA-256=[password=SECRET]'
kcat -b k:9093 -X security.protocol=SASL_SSL -X sasl.username=ada -X sasl.password=SECRET -L
nats pub orders hi --user ada --password SECRET
amqp-publish -s mq.example --username=ada --password=SECRET -r orders -b hi
GOVC_PASSWORD=SECRET govc ls /dc1/vm
ovftool box.ova vi://root:SECRET@esx1.example/
esxcli -s esx1.example -u root -p SECRET system version get
vmware-cmd -H esx1.example -U root -P SECRET -l
vmrun -gu ada -gp SECRET runProgramInGuest box.vmx /bin/ls
VBoxManage guestcontrol box --username ada --password SECRET run --exe /bin/ls
prlctl set box --userpasswd ada:SECRET
glab auth login --hostname git.example --token SECRET
tea login add --name work --url https://git.example --token SECRET
drone -t SECRET -s https://ci.example build ls ada/orders
buildkite-agent start --token SECRET --tags queue=deploy
jfrog config add art --url https://art.example --user ada --password SECRET
./config.sh --unattended --url https://github.com/ada/orders --token SECRET
k6 login cloud -t SECRET
logcli --addr=https://loki.example --username=ada --password=SECRET query '{app="a"}'
grafana-cli admin reset-admin-password SECRET
bin/elasticsearch-users useradd ada -p SECRET -r superuser
elasticdump --input=http://ada:SECRET@es:9200/orders --output=orders.json
filebeat -e -E output.elasticsearch.username=ada -E output.elasticsearch.password=SECRET
/opt/splunk/bin/splunk add forward-server idx1:9997 -auth admin:SECRET
check_http -H www.example -u /status -a ada:SECRET
check_mysql -H db.example -u nagios -p SECRET
wp user create ada ada@example.org --role=editor --user_pass=SECRET
wp config create --dbname=blog --dbuser=ada --dbpass=SECRET
drush user:password ada "SECRET"
bin/magento admin:user:create --admin-user=ada --admin-email=ada@example.org --admin-password=SECRET
kcadm.sh config credentials --server http://localhost:8080 --realm master --user admin --password SECRET
add-user-keycloak.sh -r master -u admin -p SECRET
jboss-cli.sh --connect --controller=app1:9990 --user=ada --password=SECRET
wsadmin.sh -lang jython -user ada -password SECRET -f list.py
nifi.sh set-single-user-credentials ada SECRET
airflow users create --username ada --role Admin --email a@example.org --firstname A --lastname B --password SECRET
jupyter lab --ip 0.0.0.0 --NotebookApp.token=SECRET
gitea admin user create --username ada --password SECRET --email ada@example.org --admin
register_new_matrix_user -c homeserver.yaml -u ada -p SECRET -a
prosodyctl register ada chat.example SECRET
ejabberdctl register ada chat.example SECRET
doveadm auth test ada@example.org SECRET
ipa-client-install --unattended --principal admin --password SECRET --domain example.org
ipa-server-install -U -r EXAMPLE.ORG -p SECRET -a SECRET
echo SECRET | kinit ada@EXAMPLE.ORG
netdom join box /domain:example.org /userd:ada /passwordd:SECRET
wbinfo -a 'EXAMPLE\ada%SECRET'
echo SECRET | passwd --stdin ada
dsconf -D "cn=Directory Manager" -w SECRET ldap://ds.example backend suffix list
curlftpfs -o user=ada:SECRET ftp.example /mnt/ftp
mailsend -smtp mx.example -port 587 -starttls -auth -user ada -pass SECRET -f a@x -t b@x
openfortivpn vpn.example:443 -u ada -p SECRET --trusted-cert 3f2a
nordvpn login --token SECRET
pppd pty "pptp vpn.example --nolaunchpppd" user ada password SECRET
wpa_cli set_network 0 psk '"SECRET"'
impacket-secretsdump example.org/ada:SECRET@10.0.0.1
bloodhound-python -u ada -p SECRET -d example.org -ns 10.0.0.1 -c All
sqlmap -u "https://a.example/?id=1" --auth-type Basic --auth-cred "ada:SECRET"
certipy find -u ada@example.org -p SECRET -dc-ip 10.0.0.1
ab -n 100 -c 10 -A ada:SECRET https://a.example/
hey -n 200 -a ada:SECRET https://a.example/
lynx -dump -auth=ada:SECRET https://a.example/
yt-dlp -u ada@example.org -p SECRET https://video.example/1
transmission-remote nas.example:9091 -n ada:SECRET -l
vncdo -s box:1 -p SECRET key enter
PASSPHRASE=SECRET duplicity /home file:///backup
kopia repository connect filesystem --path /backup --password=SECRET
veracrypt --text --non-interactive --mount vault.hc /mnt/vault -p SECRET
printf '%s' SECRET | hdiutil attach -stdinpass vault.dmg
diskutil apfs unlockVolume disk2s1 -passphrase SECRET
sysadminctl -addUser ada -password SECRET -admin
msoffcrypto-tool -p SECRET report.docx plain.docx
mutool clean -p SECRET a.pdf b.pdf
ccrypt -e -K SECRET notes.txt
steghide embed -cf a.jpg -ef notes.txt -p SECRET
osslsigncode sign -pkcs12 cert.p12 -pass SECRET -in app.exe -out signed.exe
bundletool build-apks --bundle=a.aab --output=a.apks --ks=a.jks --ks-pass=pass:SECRET --ks-key-alias=a
firebase deploy --only hosting --token "SECRET"
vsce publish -p SECRET
uv publish -u ada -p SECRET dist/*
anaconda -t SECRET upload orders-1.0.tar.bz2
mix hex.user auth --key SECRET
racadm -r idrac1.example -u root -p SECRET getsysinfo
redfishtool -r bmc1.example -u root -p SECRET Systems
winrs -r:box -u:ada -p:SECRET ipconfig
sc config orders obj= .\ada password= SECRET
rasdial "Work VPN" ada SECRET
choco apikey -k SECRET -s https://push.example/
winscp.com /command "open sftp://ada:SECRET@host.example/" "exit"
bolt command run uptime -t box1 -u ada -p SECRET
packer build -var "ssh_password=SECRET" box.pkr.hcl
maas login ada http://maas.example:5240/MAAS SECRET
bw unlock SECRET --raw
boundary authenticate password -login-name=ada -password=SECRET
credstash put orders.db.password SECRET
docker-credential-x store; crictl pull --creds ada:SECRET reg.example/orders:1
cosign login reg.example -u ada -p SECRET
qm set 100 --ciuser ada --cipassword SECRET
pro attach SECRET
ntfy publish -u ada:SECRET builds "done"
huggingface-cli login --token SECRET --add-to-git-credential
wandb login SECRET
""".strip().splitlines()
"""Lines of programs that were not in it."""
