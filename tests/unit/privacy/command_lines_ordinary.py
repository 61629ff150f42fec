"""Command lines, and sentences about them, that have no secret."""

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
docker build --secret id=npm,src=.npmrc -t app .
openssl enc -aes-256-cbc -in a.tar -out a.enc -pass env:BACKUP_PASS
openssl pkcs12 -export -in c.pem -inkey k.pem -out k.p12 -passout file:pw.txt
swaks --to ada@example.org --auth LOGIN --auth-user ada
keytool -importcert -keystore a.jks -storepass:env STOREPASS
veracrypt --mount vault.hc /mnt/vault -p ""
schtasks /create /tn nightly /tr run.bat /sc daily /ru ada
tool -u "$NAME:$PASSWORD" -p "$PASSWORD"
tool -u ada:"$PASSWORD" https://a.example
tool --user ada -p 8080:80 -w /srv -P 3306
tool --user ada -p data.csv -P src/app -w http://a.example
tool -u ada -p <password>
Use tool -u ada -p words to log in.
The tool takes -u name and -p word, and the login follows.
""".strip().splitlines()
"""Of programs that take a secret."""

ORDINARY_BESIDE_USERS = r"""
journalctl -u nginx -p err --since today
systemctl --user show pipewire -p MainPID --value
systemd-run --user -p MemoryMax=1G make test
sudo -u postgres mkdir -p backups
sudo -u www-data cp -p config.php config.bak
sudo -u postgres createuser -P ada
sudo -u postgres psql -p 5433 -w orders
createdb -U postgres -w orders
pg_dump -U ada -w orders > orders.sql
pg_basebackup -U rep -w -D data
docker run -u 1000:1000 -p 8080:80 nginx
docker run --user node:node -p 3000:3000 app
docker exec -u root box mkdir -p build
docker compose -p orders run -u root app bash
podman run --user app:staff -w /srv box
gosu app:staff ./run.sh -p 8080
su - ada -c 'mkdir -p build'
chroot --userspec=app:staff / ls
git push -u origin main -p
git log -p -u src
git stash push -u -p
cp -u -p a b
diff -u -p old new
diff -u old.c new.c -p
patch -u -p1 < a.diff
ps -u ada -p 4711 -o cmd
lsof -u ada -p 4711
pgrep -u ada -P 1 -l node
avrdude -c arduino -p m328p -P /dev/ttyUSB0 -U flash:w:main.hex:i
nmap -sU -p U:53,T:80 -n 10.0.0.0/24
nc -u -p 5000 -w 3 host 53
iperf3 -u -p 5201 -w 256k -c host
tcpdump -U -w out.pcap -n port 53
tcpdump -n -w capture -i eth0
ssh -l ada -p 2222 host
ssh -n -p 2222 ada@host uptime
xargs -n 1 -P 4 gzip
nice -n 10 mkdir -p build
conda create -n env -p python
kubectl logs -n prod -p orders-7d9f8c6b5-x2x4z
kubectl -n prod patch deploy orders -p spec
kubectl create token ci-bot2024
read -n 1 -p "Continue?" answer
read -u 3 -p prompt line
wget -U Mozilla:5.0 -P downloads https://a.example
mvn -U -P release deploy
gradle -u -p project build
python -u train.py -p config
python -m http.server -p 8000 -u ada
uv pip install -U ruff -p python3.12
npx -p typescript tsc -u
tmux new -s main -n logs -p
vim -u NONE -p a b
perf record -u ada -p 123
strace -u ada -p 1234 -w
crontab -u ada -l
id -u ada
find . -user ada -perm 644 -print
find . -user ada -path build -prune
rsync -a host:data2024 backup
rsync -au --password-file=pw ada@host::mod .
scp -p -u a b
adb shell pm list packages -u -p
sort -u -n names
jest -u -w 4
tox -p auto -u
pytest -p no:cacheprovider -n auto
pytest -n auto -p xdist
celery -A app.tasks worker -n w1 -P gevent
celery -A proj:app worker -P solo -n w1
gunicorn -u ada -w 4 -b :8000 app:app
gunicorn app:app --user ada --workers 4 -p run.pid
uwsgi -u ada -p 4 -w app
hypercorn app:app -w 4 -u ada
uvicorn app:app --workers 4
memcached -u memcache -p 11211 -m 64
redis-server -p 6380
rabbitmqctl -n rabbit@host list_users
flask --app app:create run -p 5000
locust -u 100 -r 10 -H http://a.example -w workers
k6 run -u 50 a.js
ab -n 100 -c 10 -A host
mount -U 1234-ABCD -o ro /mnt
lpr -U ada -P office a.pdf
lp -U ada -d office a.pdf
lpr -P office a.pdf
lpstat -U ada -p office
smbclient -N -L nas -U guest
useradd -u 1001 -p '*' ada
apt-get install -y -u passwd login
sudo passwd ada
sudo apt install passwd login
password reset is at the top
reset-password token expires
npm token create --read-only
npm login --scope=@ada
vault token lookup
vault token revoke -self
vault auth enable userpass
vault auth list
gh auth login --web
gh auth status
gh auth token -u ada
az account get-access-token --query accessToken
gcloud auth login ada@example.org
aws sso login --profile staging2
docker login registry1.example.com
oras login a1b2c3.azurecr.io
heroku login -i
flyctl auth login
firebase login --no-localhost
kubectl auth can-i create pods --as ada
kubeadm token create --ttl 2h
kubeadm token delete abcdef
argocd account update-password
gcloud sql users set-password postgres --instance=main2
kcadm.sh set-password -r demo --username ada
flask reset-password ada
wp user reset-password ada --skip-email
manage.py changepassword ada
mysqladmin -u root -p password
drush user:password ada
pass show mail/ada
pass insert mail/ada
pass generate mail/ada 24
grep -rn password src/app2
grep -u token file2
rg -u password config2
rg -w token src
git commit -m "use password hashing2" -u
git checkout -b fix-password login2
git grep -n token v1.2.3
curl -n -u ada https://a.example
unzip -u a.zip -p b
tmux attach -t main2024a
docker attach 1a2b3c4d5e6f
screen login shell
openssl rand -base64 32
mlflow server -p 5000 -w 4
gradle login -t integration
az webapp auth update -g rg -n app
terraform login app.terraform.io
tsh login --proxy=tele.example --user=ada
tsh ssh -l ada -p 3022 host
vagrant ssh -p -- -u ada
pm2 start app.js -n app:worker
lxc exec box --user 1000 -- ls -p
npm run e2e -- -u ada -p chromium
playwright test -u -p firefox
nx run app:build -p web
emacs -u ada -nw
cmake -U FOO -P cmake/run.cmake
x11vnc -u ada -w
gsutil defacl ch -u john.doe@example.com:READ gs://b
setfacl -m u:ada:rwx dir
ip -n ns1 link set eth0 -p
ansible all -u ada -m ping -P 0
sudo -u ada -p prompt ls
sudo -n -u ada ls -p
ls -U dir -w 80
gpg -u ada@example.org -p
npm config get token
screen -U -p shell
bazel test //x:y --test_arg=-u --test_arg=-p
ssh host -l ada -W inner:22
rclone copy -u src dst -P
tar --user ada -p
gunicorn -w 4 -u ada -b 0.0.0.0:8000 -D app:app
curl -D headers.txt -u ada -w format.txt https://api.example/
ldapsearch -x -D cn=reader,dc=example -W -b dc=example
nmcli con modify wlan wifi-sec.key-mgmt wpa-psk
git commit -m "password: drop unused field"
git commit -m "token: refresh earlier"
POST /token:refresh
dvc remote modify origin password --unset
kubectl create configmap c --from-literal=mode=fast
connect(user=name, password=secret_value)
""".strip().splitlines()
"""Command lines with the options and words that stand beside users, tokens and passwords elsewhere."""
