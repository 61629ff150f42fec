"""Programs that take a secret on their command line, and where it stands there.

Each row follows the manual page or the reference of its programs, which the comment names.
To renew the table, read the options there, and add a row, and a command line to
`tests/unit/privacy/command_lines.py`. Options whose long name says what they take (`--password`, `--api-token`)
need no row: `named_secrets` finds them behind any program.

A row has programs, the subcommand behind which it holds (empty: all of the command), and the places of secrets:

    -p     behind the option: in the next word, after `=`, or attached if the option has one letter
    -p+    attached to the option only, as in `-psecret`
    -k!    in the next word only
    -u:    the same as `-p`, and of it what stands after the first `:` (or `%` `,` `/`)
    1      the first word behind the subcommand that is no option (2: the second)
    -1     the last word of the command

A subcommand `http-basic.*` is any word that begins so, and `-*b` any group of short options with `b` in it.
"""

ROWS = (
    # Databases
    # MySQL reference manual, "End-User Guidelines for Password Security"; mariadb(1): with a space `-p` asks.
    ("mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mysqlsh", "", "-p+"),
    ("mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check mariadb-show mysql_upgrade", "", "-p+"),
    ("mysqladmin mariadb-admin", "password", "1"),
    # mongosh, MongoDB database tools: options
    (
        "mongosh mongo mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles bsondump",
        "",
        "-p",
    ),
    # redis-cli --help, redis.conf: requirepass, masterauth; the same of Valkey and KeyDB
    ("redis-cli valkey-cli keydb-cli", "", "-a --pass"),
    ("redis-cli valkey-cli keydb-cli", "AUTH", "-1"),
    ("redis-server valkey-server keydb-server", "", "--requirepass --masterauth"),
    ("redis-benchmark", "", "-a"),
    # Microsoft: sqlcmd utility, bcp utility; freetds: tsql(1), isql(1), bsqldb(1)
    ("sqlcmd bcp osql isql tsql bsqldb freebcp sqsh", "", "-P"),
    # Firebird: gbak, gsec; SAP HANA: hdbsql, hdbuserstore; Hive: beeline; Cassandra: nodetool
    ("gbak gsec gfix isql-fb", "", "-pas -pa"),
    ("hdbuserstore", "SET", "4"),
    ("beeline hdbsql schemaspy.jar", "", "-p"),
    # Oracle: SQL*Plus, Data Pump and RMAN take user/password[@database]
    ("sqlplus impdp expdp sqlldr", "", "1/ userid/"),
    # Logging in to registries and clouds: docker-login(1), podman-login(1), skopeo-login(1), helm registry login
    ("docker podman buildah skopeo nerdctl helm oras crane regctl docker-compose", "login", "-p"),
    ("podman buildah skopeo", "", "--creds: --src-creds: --dest-creds:"),
    # az login, az acr login; oc login; cf login; bx login; argocd login; doctl; rancher login
    ("az oc cf ibmcloud bx rancher pulumi rosa", "login", "-p"),
    ("az", "create", "-p"),
    ("az", "export", "-p"),
    ("cf", "auth", "2"),
    ("cf", "create-user", "2"),
    ("az", "secret", "--value"),
    ("aws", "SecureString", "--value"),
    ("doctl", "", "-t"),
    # fly of Concourse; mc of MinIO; OpenStack: swift(1); GitLab Runner
    ("mc mcli", "alias", "5"),
    ("swift", "", "-K"),
    ("b2", "authorize-account", "2"),
    ("maas", "login", "3"),
    ("drone anaconda", "", "-t"),
    ("gitlab-runner", "register", "-r"),
    # vault login, vault unseal; consul; nomad
    ("vault bao", "login", "1"),
    ("vault bao", "unseal", "1"),
    # doppler, ngrok, wrangler, netlify, vercel, stripe, snyk, sentry-cli
    ("ngrok", "authtoken", "1"),
    ("ngrok", "add-authtoken", "1"),
    ("netlify vercel", "", "--auth -t"),
    ("snyk", "auth", "1"),
    ("gh glab", "set", "-b --body -v --value"),
    # Packages: twine(1), poetry publish and config, composer config, cargo login, gem push, nuget push, npm config
    ("twine", "", "-p"),
    ("poetry", "publish", "-p"),
    ("poetry composer", "http-basic.*", "2"),
    ("poetry", "pypi-token.*", "1"),
    ("composer", "github-oauth.*", "1"),
    ("cargo", "login", "1"),
    ("gem", "push", "-k --key"),
    ("nuget", "push", "2 -ApiKey -k -sk"),
    ("nuget", "setapikey", "1"),
    ("dotnet", "user-secrets", "3"),
    ("conan", "user", "-p"),
    ("conan", "login", "-p"),
    ("hatch", "publish", "-a"),
    ("nuget", "source", "-p"),
    # Bundler: bundle config
    ("bundle bundler", "set", "2:"),
    ("bundle bundler", "config", "2:"),
    # uv publish
    ("uv", "publish", "-p"),
    # Chocolatey, vsce and ovsx, Ubuntu Pro, Weights & Biases
    ("choco", "apikey", "-k"),
    ("vsce ovsx", "publish", "-p"),
    ("pro ubuntu-advantage", "attach", "1"),
    ("wandb", "login", "1"),
    # SonarScanner: analysis parameters
    ("sonar-scanner mvn mvnw gradle gradlew sonar", "", "-Dsonar.login -Dsonar.token -Dsonar.password"),
    # The web: curl(1), wget(1), HTTPie, xh, aria2c(1), lftp(1), ncftpput(1), wrk, siege
    ("curl", "", "-u: --user: -U: --proxy-user: --oauth2-bearer --pass --key-passwd --proxy-pass --tlspassword"),
    ("lftp", "", "-u,"),
    ("curlftpfs", "", "-o:"),
    # Mail and messages: swaks(1), mosquitto_pub(1), mosquitto_passwd(1), rabbitmqctl(8), kafkacat
    ("mosquitto_pub mosquitto_sub mosquitto_rr", "", "-P --pw"),
    ("swaks", "", "-ap --auth-password"),
    ("mosquitto_passwd", "-*b", "-1"),
    ("rabbitmqctl", "add_user", "2"),
    ("rabbitmqctl", "change_password", "2"),
    ("rabbitmqctl", "authenticate_user", "2"),
    ("doveadm", "pw", "-p"),
    ("doveadm", "test", "2"),
    ("prosodyctl ejabberdctl", "register", "3"),
    ("zmprov", "ca", "2"),
    ("zmprov", "sp", "2"),
    ("v-add-user v-change-user-password", "", "2"),
    # Directories: ldapsearch(1), ldappasswd(1), samba: smbclient(1), net(8), rpcclient(1), winexe
    (
        "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapmodrdn ldapcompare ldapexop ldapurl",
        "",
        "-w",
    ),
    ("ldappasswd", "", "-w -s -a"),
    ("slappasswd", "", "-s"),
    ("ipa-server-install ipa-replica-install", "", "-p -a"),
    ("radtest", "", "2 5"),
    ("smbclient smbget smbcacls smbtree rpcclient smbmap winexe wmic cifsdd pth-winexe", "", "-U% -u%"),
    ("smbmap", "", "-p"),
    ("wbinfo", "", "-a%"),
    ("samba-tool", "create", "2"),
    # Windows: net use, net user, runas, cmdkey, psexec, schtasks
    ("net", "/user:*", "1"),
    ("net", "use", "2 3"),
    ("net", "user", "2"),
    ("net", "", "-U%"),
    ("netdom", "", "/passwordd:+ /passwordo:+"),
    ("sc sc.exe", "password=", "1"),
    ("rasdial", "", "2"),
    ("schtasks", "", "/rp /p"),
    ("ConvertTo-SecureString", "", "1 -String"),
    ("signtool", "sign", "/p"),
    ("certutil", "", "-p"),
    # Remote desktops and machines: xfreerdp(1), rdesktop(1), x11vnc(1), ipmitool(1), snmpcmd(1), evil-winrm
    ("snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmpgetnext snmptrap snmptable", "", "-A -X -c"),
    ("evil-winrm crackmapexec cme netexec nxc hydra medusa ncrack kerbrute", "", "-p"),
    ("vncdo", "", "-p"),
    ("vmrun", "", "-gp -vp"),
    # SSH: sshpass(1), ssh-keygen(1), plink and pscp of PuTTY
    ("sshpass", "", "-p"),
    ("ssh-keygen", "", "-N -P"),
    ("ssh scp sftp rsync mosh ssh-copy-id autossh", "", ""),
    # Users: htpasswd(1), htdigest, useradd(8), usermod(8), openssl-passwd(1), chpasswd(8)
    ("htpasswd", "-*b", "-1"),
    ("useradd usermod adduser groupadd newusers", "", "-p"),
    # Keys: openssl(1) "Pass Phrase Options", keytool(1), jarsigner(1), apksigner, security(1), notarytool
    ("openssl", "", "-passin -passout -pass -k! -K! -passwd -pwd -srppass -psk"),
    ("openssl", "passwd", "-1"),
    ("apksigner", "", "--ks-pass --key-pass --ks-key-pass"),
    ("ykman", "", "-P -p"),
    ("pkcs11-tool pkcs15-tool pkcs15-init", "", "-p --pin --so-pin --new-pin"),
    ("security", "unlock-keychain", "-p"),
    ("security", "create-keychain", "-p"),
    ("security", "set-key-partition-list", "-k"),
    ("security", "import", "-P"),
    ("security", "add-generic-password", "-w"),
    ("security", "add-internet-password", "-w"),
    # Archives and documents: unzip(1), zip(1), 7z(1), rar(1), qpdf(1), pdftk(1), pdftotext(1)
    ("unzip zip zipcloak zipinfo funzip", "", "-P -oP -qP -oqP -qoP -rP -rqP -qrP"),
    ("7z 7za 7zr 7zz 7zzs p7zip", "", "-p+"),
    ("rar unrar winrar", "", "-p+ -hp+"),
    ("pdftotext pdftoppm pdfinfo pdfimages pdftohtml pdftocairo pdfseparate", "", "-upw -opw"),
    ("pdftk", "user_pw", "1"),
    ("pdftk", "owner_pw", "1"),
    ("qpdf", "--encrypt", "1 2"),
    ("mutool msoffcrypto-tool steghide veracrypt", "", "-p"),
    ("ccrypt ccencrypt ccdecrypt", "", "-K"),
    # Disks, networks and other systems: nmcli(1), wpa_passphrase(8), iwctl, mount.cifs(8), cryptsetup(8), rclone
    ("nmcli iwctl", "password", "1"),
    ("wpa_passphrase", "", "2"),
    ("oathtool", "", "1"),
    ("wpa_cli", "psk", "1"),
    ("rclone", "obscure", "1"),
    ("networksetup", "-setairportnetwork", "-1"),
    ("p4", "", "-P"),
    ("bw", "unlock", "1"),
    ("bw", "login", "2"),
)

SETTERS = frozenset(
    """
    ansible ansible-playbook ansible-vault argocd aws az bao bosh cf consul crudini curl doppler eb etcdctl
    exoscale fly flyctl gcloud gradle gradlew heroku helm hg hive java kcat kubectl minikube mount mount.cifs
    msiexec mvn mvnw netlify nomad npm oc packer pg_dump pg_restore pnpm psql pulumi railway rclone render sacctmgr
    snap spark-shell spark-sql spark-submit supabase systemctl terraform terragrunt tofu uapi vault vercel wget
    whmapi1 wrangler yarn
    """.split()  # noqa: SIM905 - words in running lines can be read and mended
)
"""Programs that are given `NAME=value` or headers, whose values count as those of options do."""

PROGRAMS = frozenset(" ".join([programs for programs, _, _ in ROWS]).split())
"""Programs of the table."""

PIPES = tuple(
    each.replace("_", " ")
    for each in """
    sudo_-S sudo_-kS -stdin chpasswd passphrase-fd_0 with-token cryptsetup login_- kinit secret_create secret_set
    secret_put secrets_create secrets_add secrets_set secrets_versions_add pass_insert base64 keepassxc-cli
    """.split()  # noqa: SIM905 - see above
)
"""Ends of a pipe that read a secret: what `echo` and `printf` say before them is one."""

USERS = frozenset({"-u", "-U", "--user", "--username", "-user", "-username", "-n", "-D", "--login", "login"})
"""Words that name a user of any program, or say that somebody logs in."""

PASSWORDS = frozenset({"-p", "-P", "-w", "-W"})
"""Options that take the password of that user."""

PAIRS = frozenset(
    """
    -u -U --user --username -user --creds --credentials --auth -auth -a -A -n --login --userpwd --basic-auth
    --auth-cred --http-auth --http_auth --proxy-user --proxy-auth --basic -credentials -id
    """.split()  # noqa: SIM905 - words in running lines can be read and mended
)
"""Options of any program that take a user, and maybe a password behind a colon."""

NAMES = frozenset({"password", "passwd", "pass", "passphrase", "using"})
"""Words before a password."""
