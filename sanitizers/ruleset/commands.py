"""Secrets in command lines: as the value of a flag, as an argument of a tool, piped into one."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import formed
from .values import WORDS

_ARGUMENTS: Final = r"(?:[^\s|;&]{1,40}\s){0,4}?"
_LINE: Final = r"\s(?:[^\r\n|;&]{0,80}?\s)??"
_VALUE: Final = r"\\?[\"']?(?P<v>[^\s\"'$<\-][^\s\"'$<]{2})"
_REST: Final = r"^\s\"'\\"
RULES: Final[tuple[Rule, ...]] = (
    formed("flag", "command lines: flags",
           r"(?<=-)(?i:password|passwd|passphrase|token|secret|api-key|apikey|access-key)[= ]\\?"
           r"[\"']?(?=[^\s\"']{0,30}[0-9])(?P<v>[^\s\"'\-$<{\[\\][^\s\"'<>\\]{5})", r"^\s\"'\\",
           "tool --password <8 alnum>7 run", "--api-key=<23 alnum>7", '--token "<20 alnum>7"',
           near=("--token TOKEN", "--token <your-token>", "--token $" + "TOKEN")),
    formed("user-flag", "curl and wget: user and password",
           r"(?:-u|--user|--proxy-user)[ =]\\?[\"']?(?P<v>[A-Za-z0-9._@\-]{1,40}:[^\s\"'$]{3})",
           r"^\s\"'\\",
           "curl -u admin:<9 alnum> https://h", near=("-u admin", "--user 1000:10")),
    formed("sshpass", "sshpass: the password flag",
           r"sshpass(?: -p ?|\\?[\"'], ?\\?[\"']-p\\?[\"'], ?)"
           r"\\?[\"']?(?P<v>[^\s\"'$]{3})",
           r"^\s\"'\\",
           "sshpass -p <9 alnum> ssh h", near=("sshpass -e ssh h",)),
    formed("login-flag", "docker, podman, helm and az: the password flag of login",
           r"login\s(?:[^\s|;&]{1,40}\s){0,4}?(?:-p|--password)[ =]\\?[\"']?(?P<v>[^\s\"'$<]{4})",
           r"^\s\"'\\", "docker login -u me -p <9 alnum> registry.example.com",
           near=("docker login -p $" + "PASS", "login --password-stdin")),
    formed("openssl-pass", "OpenSSL: pass phrase arguments",
           r"(?:-pass(?:in|out|phrase)?|-ks-pass|-key-pass)\s(?:pass:|(?!pass:))"
           r"\\?[\"']?(?P<v>[^\s\"'$]{4})", r"^\s\"'",
           "-passin pass:<9 alnum>", "--ks-pass pass:<8 letter>", near=("-passin: -a",)),
    formed("flag-password", "command lines: flags",
           r"(?<=-)(?i:password|passwd|passphrase|requirepass|pw|secret-string)(?:=|[ ]|\\?"
           r"[\"'], ?)\\?[\"']?" + WORDS +
           r"(?P<v>[^\s\"'\-$<{\[\\|,.;:)(`][^\s\"'<>\\`,;)]{2})", _REST,
           "tool --password letmein run", "--db-password=<4 lower>-<4 lower>",
           near=("--password PASSWORD", "--password is asked for", "--password $" + "PW")),
    formed("tool-password", "archivers, ssh-keygen, ldap and mongo: the password flag",
           r"(?:(?:zip|unzip|7za?|rar|unrar)\s" + _ARGUMENTS + r"-[pP] ?"
           r"|ssh-keygen\s" + _ARGUMENTS + r"-[NP] |ldap[a-z]{3,8}\s" + _ARGUMENTS + r"-w "
           r"|mongo(?:sh|dump|restore|export|import)?\s" + _ARGUMENTS + r"-p "
           r"|(?:psql|pg_dump|kinit|net use|curl)\s" + _ARGUMENTS +
           r"-(?:w|U) (?=[^\s]{1,40}[:%]))" + _VALUE, _REST,
           "7z a -p<9 alnum> x.7z", "ssh-keygen -t rsa -N '<8 alnum>'",
           "ldapsearch -D cn=x -w <9 alnum>", "mongosh -u me -p <9 alnum>",
           near=("zip -r x.zip y", "ssh-keygen -t rsa"), anywhere=True),
    formed("user-percent", "Samba: user and password",
           r"(?:smbclient|smbmap|rpcclient|winexe|net rpc|net ads|wbinfo)\s" + _ARGUMENTS +
           r"(?:-U|--user)[ =]?\\?[\"']?"
           r"[A-Za-z0-9._\\/\-]{1,40}%(?P<v>[^\s\"'$]{3})", _REST,
           "smbclient //h/s -U me%<9 alnum>",
           near=("smbclient //h/s -U me",)),
    formed("oracle-login", "Oracle: connect strings",
           r"(?i:sqlplus|expdp|impdp|sqlldr|rman|jdbc:oracle:thin:)[^\r\n/]{0,40}/"
           r"(?P<v>[^\s/@\"']{3,30})(?=@)", "", "sqlplus scott/<8 alnum>@//h:1521/x",
           "jdbc:oracle:thin:scott/<8 alnum>@h", near=("sqlplus / as sysdba",)),
    formed("piped-login", "passwords for chpasswd and sudo",
           r"(?:echo|printf|yes)\s(?:-n\s|-e\s)?(?:\\?[\"']?%s(?:\\{1,2}n)?\\?[\"']?\s)?\\?[\"']?"
           r"(?:[A-Za-z0-9_.\-]{1,32}:)?(?P<v>[^\s\"'$|:]{3,64})"
           r"(?=\\?[\"']?\s{0,3}\|\s{0,3}(?:sudo\s(?:[^\s|]{1,20}\s){0,3}?-S|chpasswd|passwd|kinit"
           r"|sudo chpasswd|docker login|podman login|helm registry login|cryptsetup|smbpasswd"
           r"|base64(?!\s-d|\s--d)|openssl passwd|gpg))",
           "", "echo '<8 alnum>' | sudo -S ls", "echo me:<8 alnum> | chpasswd",
           near=("echo done | sudo tee x", "echo hello | passthrough")),
    formed("short-flag", "clients of databases, queues and remote machines: the short flag",
           r"(?:(?:cqlsh|cypher-shell|rabbitmqadmin|crackmapexec|netexec|hydra -[lL]|medusa|ncftp"
           r"(?:put"
           r"|get)|rdesktop"
           r"|psexec|psexec\.exe|evil-winrm|beeline|twine upload|racadm|altool|pilot upload"
           r"|unlock-keychain|add source"
           r"|useradd|sendemail|snowsql|ansible-vault)" + _LINE + r"-x?p "
           r"|(?:sqlcmd|bcp|tsql|mosquitto_pub|mosquitto_sub|ipmitool|security import|smtp-cli)"
           + _LINE + r"-P ?|(?:generic-password|internet-password)" + _LINE + "-w "
           r"|snmp(?:walk|get|set|bulkwalk|table|trap)" + _LINE + r"-[cAX] "
           r"|openssl (?:enc|aes-[a-z0-9\-]{5,12})" + _LINE + r"-k |schtasks" + _LINE + r"/rp "
           r"|reg add" + _LINE + r"REG_SZ /d |signtool" + _LINE + r"/p |freerdp"
           + _LINE + r"/p:)" + _VALUE, _REST, "sqlcmd -S h -U sa -P <9 letter>",
           "cqlsh h -u me -p '<8 letter>'", "snmpwalk -v2c -c <8 letter> h",
           "xfreerdp /u:me /p:<8 alnum> /v:h", "security add-generic-password -a me -w <9 letter>",
           near=("mosquitto_pub -p 1883", "sqlcmd -S h -Q x"), anywhere=True),
    formed("snmp-user", "Net-SNMP: pass phrases of users",
           r"(?:snmp[a-z]{3,8}\s[^\r\n|;&]{1,80}?\s-X|createUser\s[A-Za-z0-9_]{1,24}\s(?:SHA|MD5)"
           r"\s\\?[\"']?[^\s\"']{4,40}\\?[\"']?\s(?:AES|DES))\s" + _VALUE, _REST,
           "snmpget -v3 -u me -A <8 alnum> -X <8 letter> h",
           "createUser me SHA <8 alnum> AES <9 letter>",
           near=("createUser me", "snmpget -v3 h"), anywhere=True),
    formed("snmp-password", "Net-SNMP: passwords of users",
           r"createUser\s[A-Za-z0-9_]{1,24}\s(?:SHA|MD5)\s" + _VALUE, _REST,
           "createUser me SHA <9 letter> AES x", near=("createUser me",
           "createUser me SHA $" + "PW")),
    formed("key-flag", "Java: passwords of key stores",
           r"(?<=-)(?:(?:src|dest)?(?:storepass|keypass)|setcookie)\s"
           + WORDS + _VALUE, _REST, "keytool -storepass <9 letter> -keypass <8 alnum>",
           near=("-storepass $" + "PASS",)),
    formed("slash-flag", "Windows: the password of a command",
           r"/(?i:pass|password|pwd):\\?[\"']?(?P<v>[^\s\"'$<>%:/=][^\s\"'$<>]{3})", _REST,
           "cmdkey /add:h /user:me /pass:<9 letter>", near=("/pass:$" + "PASS", "https://h/pass:"),
           anywhere=True),
    formed("positional", "tools whose password is an argument",
           r"(?:rabbitmqctl\s(?:-[^\s]{1,20}\s)?(?:add_user|change_password|authenticate_user)\s"
           r"[^\s]{1,32}\s"
           r"|htpasswd\s-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s[^\s]{1,60}\s[^\s]{1,32}\s"
           r"|net user\s[^\s/]{1,32}\s|net use\s[^\r\n]{1,60}?/user:[^\s]{1,32}\s"
           r"|wpa_passphrase\s[^\s]{1,32}\s|nmcli\s[^\r\n]{1,80}?\spassword\s|bw unlock\s"
           r"|bw login\s[^\s]{1,60}\s|http-basic\.[^\s]{1,60}\s[^\s]{1,32}\s"
           r"|mc (?:alias set|config host add)\s[^\s]{1,32}\s[^\s]{1,60}\s[^\s]{1,32}\s"
           r"|db2 connect to\s[^\s]{1,32}\suser\s[^\s]{1,32}\susing\s|isql\s(?:-v\s)?"
           r"[^\s-]{1,32}\s[^\s-]{1,32}\s"
           r"|mosquitto_passwd\s-b\s[^\s]{1,60}\s[^\s]{1,32}\s|admin user add\s[^\s]{1,32}\s"
           r"[^\s]{1,32}\s"
           r"|user:password\s[^\s]{1,32}\s|\+login\s[^\s]{1,32}\s|encrypt_string\s|set --secret\s"
           r"[^\s]{1,60}\s"
           r"|openssl passwd\s-[a-z0-9]{1,6}\s|(?:--dest-creds|--src-creds|--creds)[ =]"
           r"[^\s:]{1,32}:"
           r"|bundle config\s(?:set\s)?[^\s]{1,60}\s[^\s:]{1,32}:|etcdctl user add\s[^\s:]{1,32}:"
           r"|SecureString --value\s"
           r"|iwconfig\s[^\s]{1,16}\skey\ss:|input_pw\s|user_pw\s|owner_pw\s"
           r"|user-secrets set\s\\?[\"']?[A-Za-z0-9:_.\-]{0,40}(?i:password|secret|key|token)\\?"
           r"[\"']?\s)"
           r"(?!/|-)" + WORDS + _VALUE, _REST, "rabbitmqctl add_user me <9 letter>",
           "htpasswd -bc .htpasswd me '<9 letter>'", "net user me <8 alnum> /add",
           "bw login me@h.example <9 alnum>", 'dotnet user-secrets set "Db:Password" "<9 letter>"',
           near=("net user me /delete", "rabbitmqctl list_users", "bw unlock --raw"),
           anywhere=True),
    formed("here-string", "shells: a string as the input of what asks for a password",
           r"(?:sudo|su -|kinit|cryptsetup|pass insert|passwd|read -|login|smbpasswd|gpg|openssl"
           r"|secret put)\s?"
           r"(?:[^\s|;&<]{1,40}\s){0,5}?<<<\s?" + _VALUE, _REST, "sudo -S <<< '<9 letter>' ls",
           "kinit me <<< <9 letter>", near=("cat <<< hello", "sudo -S <<< $" + "PW")),
    formed("attached-login", "curl, HTTPie and lftp: user and password in one",
           r"(?:curl\s" + _ARGUMENTS + r"(?:-u|--cert |-E )|http\s" + _ARGUMENTS + r"(?:-a|--auth)"
           r"[ =]"
           r"|--rpc-login )\\?[\"']?[A-Za-z0-9._@\-]{1,40}:" + r"(?P<v>[^\s\"'$<\-][^\s\"'$<]{2})",
           _REST,
           "curl -ume:<9 letter> https://h", "http -a me:<9 letter> GET https://h",
           near=("curl -u me https://h", "http GET h")),
    formed("lftp-login", "lftp: user and password", r"lftp\s" + _ARGUMENTS + r"-u\s"
           r"[A-Za-z0-9._@\-]{1,40}," + _VALUE, _REST, "lftp -u me,<9 letter> ftp.example.com",
           near=("lftp -u me h",)),
    formed("secure-string", "PowerShell: secure strings",
           r"ConvertTo-SecureString\s(?:-(?i:String|AsPlainText|Force)\s){0,3}\\?[\"'](?P<v>"
           r"[^\s\"'$]{3})",
           r"^\"'\r\n", "ConvertTo-SecureString '<9 letter>' -AsPlainText -Force",
           near=("ConvertTo-SecureString $" + "pw",)),
    formed("impacket", "Impacket: domain, user and password",
           r"(?:impacket-|(?:psexec|wmiexec|smbexec|secretsdump|GetNPUsers|smbclient)\.py\s)"
           r"[^\r\n]{0,40}?/"
           r"[A-Za-z0-9._\-]{1,32}:(?P<v>[^\s@\"']{3,48})(?=@)", "",
           "impacket-psexec dom/me:<9 alnum>@h", near=("impacket-psexec me@h",)),
    formed("expected", "expect: what is sent when a password is asked for",
           r"assword:?\s{0,2}\\?\"[;\s]{1,8}send(?:\s--)?\s\\?\"(?P<v>[^\s\"$\\]{4})", r"^\s\"\\",
           'expect "Password:"; send "<9 letter>\\r"', near=('expect "Password:"; send "$pw"',),
           anywhere=True),
    formed("registry", "Windows: values of the registry",
           r"(?i:password)\s{1,8}REG_SZ\s{1,8}(?P<v>[^\s]{3})", r"^\s\"",
           "DefaultPassword    REG_SZ    <9 letter>", near=("DefaultPassword REG_DWORD 0x1",),
           anywhere=True),
    formed("written-file", "shells: a secret written into a file",
           r"echo\s(?:-n\s)?\\?[\"']?(?P<v>[^\s\"'$<>|;&-][^\s\"'$<>|;&]{3,80})(?=\\?"
           r"[\"']?\s{0,2}>{1,2}\s{0,2}"
           r"[^\s|;&]{0,60}(?:password|passwd|secret|token|pgpass|vault-pass|api-?key)(?!\.log))",
           "",
           "echo '<9 letter>' > /run/secrets/db_password", near=("echo $" + "TOKEN > token",
           "echo done > log.txt")),
)  # fmt: skip
