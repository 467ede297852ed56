"""Secrets in command lines: as the value of a flag, as an argument of a tool, piped into one."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import formed

_ARGUMENTS: Final = r"(?:[^\s|;&]{1,40}\s){0,4}?"
_VALUE: Final = r"\\?[\"']?(?P<v>[^\s\"'$<\-][^\s\"'$<]{2})"
_REST: Final = r"^\s\"'\\"
_WORDS: Final = (
    r"(?!(?i:(?:to|and|or|is|as|was|flag|flags|option|options|argument|arguments|for|with|when"
    r"|if|in|on|from|the|a|an|can|must|may|will|file|prompt|value|string|password|passwd|secret"
    r"|not|are|instead|requires?|required|should|has|parameter|switch|via|by|at|of|but|so|it)"
    r"(?![A-Za-z0-9]))|[A-Z_]{3,24}(?![A-Za-z0-9]))"
)
"""What stands behind the name of a flag in a sentence, or in its help."""

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
    formed("sshpass", "sshpass: the password flag", r"sshpass -p ?\\?[\"']?(?P<v>[^\s\"'$]{3})",
           r"^\s\"'\\",
           "sshpass -p <9 alnum> ssh h", near=("sshpass -e ssh h",)),
    formed("login-flag", "docker, podman, helm and az: the password flag of login",
           r"login\s(?:[^\s|;&]{1,40}\s){0,4}?(?:-p|--password)[ =]\\?[\"']?(?P<v>[^\s\"'$<]{4})",
           r"^\s\"'\\", "docker login -u me -p <9 alnum> registry.example.com",
           near=("docker login -p $" + "PASS", "login --password-stdin")),
    formed("openssl-pass", "OpenSSL: pass phrase arguments",
           r"-pass(?:in|out)?\s(?:pass:|(?!pass:))(?P<v>[^\s\"'$]{4})", r"^\s\"'",
           "-passin pass:<9 alnum>", near=("-passin: -a",)),
    formed("flag-password", "command lines: flags",
           r"(?<=-)(?i:password|passwd|passphrase)(?:=|[ ])\\?[\"']?" + _WORDS +
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
           r"(?:smbclient|smbmap|rpcclient)\s" + _ARGUMENTS + r"(?:-U|--user)[ =]?\\?[\"']?"
           r"[A-Za-z0-9._\\\-]{1,40}%(?P<v>[^\s\"'$]{3})", _REST, "smbclient //h/s -U me%<9 alnum>",
           near=("smbclient //h/s -U me",)),
    formed("oracle-login", "Oracle: connect strings",
           r"(?i:sqlplus|expdp|impdp|sqlldr|rman|jdbc:oracle:thin:)[^\r\n/]{0,40}/"
           r"(?P<v>[^\s/@\"']{3,30})(?=@)", "", "sqlplus scott/<8 alnum>@//h:1521/x",
           "jdbc:oracle:thin:scott/<8 alnum>@h", near=("sqlplus / as sysdba",)),
    formed("piped-login", "passwords for chpasswd and sudo",
           r"echo\s(?:-n\s)?\\?[\"']?(?:[A-Za-z0-9_.\-]{1,32}:)?(?P<v>[^\s\"'$|:]{3,64})"
           r"(?=\\?[\"']?\s{0,3}\|\s{0,3}(?:sudo\s(?:[^\s|]{1,20}\s){0,3}?-S|chpasswd|passwd|kinit"
           r"|sudo chpasswd|docker login|podman login|helm registry login|cryptsetup|smbpasswd))",
           "", "echo '<8 alnum>' | sudo -S ls", "echo me:<8 alnum> | chpasswd",
           near=("echo done | sudo tee x", "echo hello | passthrough")),
)  # fmt: skip
