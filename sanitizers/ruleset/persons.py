"""What names a person or a machine: mail addresses, homes, prompts, host names, accounts."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import WEAK, formed

_LETTERS: Final = "\u00c0-\u1fff"
_IDEOGRAPHS: Final = "\u3040-\ud7ff"
_NAME: Final = rf"A-Za-z0-9._\-{_LETTERS}"
_LOGIN: Final = r"[A-Za-z_][A-Za-z0-9_.\-]{0,31}"
_DRIVE: Final = r"(?:[A-Za-z]:|(?<![:\\/]))[\\/]{1,4}"
_USERS: Final = r"(?i:users|documents and settings)[\\/]{1,4}"
_ACCOUNTS: Final = "|".join(
    f"{word}{mark}id"
    for word in (
        "account", "tenant", "subscription", "customer", "client", "organization", "organisation",
        "org", "workspace", "installation", "merchant", "access_key", "user_pool", "app", "team",
        "application", "project", "key",
    )
    for mark in ("_", "-", "")
)  # fmt: skip

_LISTED: Final = (
    r"[dl\-]r[w\-][xsS\-][r\-][w\-][xsS\-][r\-][w\-][xtT\-][.+@]?\s{1,4}[0-9]{1,5}\s{1,4}"
)
"""How the line of a file begins in a long listing, up to its owner."""

_NO_ACCOUNT: Final = (
    r"(?!(?:root|nobody|daemon|www-data|staff|wheel|admin|users?|postgres|node|nginx|mysql|app|the"
    r"|a|to|and)(?![A-Za-z0-9_]))"
)
"""No account that every machine has, and no word of a sentence."""

_NUMBER: Final = (
    r"(?: (?i:number|no\.?)|_(?i:number))?\\?[\"'`*]{0,3}(?: is)?[:=]?\*{0,2} {0,2}\\?[\"']?"
)
"""What stands between the name of a number and itself."""

RULES: Final[tuple[Rule, ...]] = (
    formed("mail", "RFC 5322: addresses",
           r"(?!git@)[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9\-]{1,63}\.[A-Za-z]", r"A-Za-z0-9.\-",
           "jane.doe@example.com", near=("git@github.com", "@pytest.fixture", "a @ b.c"),
           kind="mail"),
    # Homes
    formed("home", "file system layouts",
           rf"(?:/home/|/Users/|/mnt/[a-z]/Users/)(?P<v>[A-Za-z0-9._{_LETTERS}])",
           _NAME, "/home/jane/report", "file:///Users/jane.doe/x", "/Users/jos\u00e9/x",
           near=("example.com/home/page", "/homes"), kind="user"),
    formed("home-ideographs", "file system layouts",
           rf"(?:/home/|/[Uu]sers/|[\\/]{{1,2}}Users[\\/]{{1,2}})(?P<v>[{_IDEOGRAPHS}])",
           _IDEOGRAPHS + r"A-Za-z0-9._\-", "/home/\u5b89\u5a1c/x", "C:\\Users\\\u5b89\u5a1c\\x",
           near=("/home/page",), kind="user", anywhere=True),
    formed("home-mounted", "file system layouts: network homes, shells on Windows, mail, media",
           r"(?:/(?:var|export|usr|data|net|nfs|srv|opt)/home/|/[a-z]/Users/|/var/mail/"
           r"|/var/spool/(?:mail|cron|cron/crontabs)/|/run/media/"
           r"|(?i:/{1,4}wsl(?:\$|\.localhost)/[A-Za-z0-9.\-]{1,32}/home/"
           r"|\\{1,4}wsl(?:\$|\.localhost)\\{1,2}[A-Za-z0-9.\-]{1,32}\\{1,2}home\\{1,2}))"
           rf"(?P<v>[A-Za-z0-9._{_LETTERS}])", _NAME,
           "/cygdrive/c/Users/jane/x", "/var/home/jane/x", "\\\\wsl$\\Ubuntu\\home\\jane",
           "//wsl.localhost/Debian-12/home/jane/x", "/var/spool/cron/crontabs/jane",
           near=("/var/homes/jane", "/wsl/home"), kind="user", anywhere=True),
    formed("home-windows", "file system layouts",
           rf"{_DRIVE}{_USERS}(?P<v>[A-Za-z0-9._{_LETTERS}])", _NAME,
           "C:\\Users\\Jane\\x", "c:/users/jane", "\\Users\\jane\\x",
           "C:\\Documents and Settings\\jane", "C:\\Users\\Jos\u00e9",
           near=("api/users/42", "\\users", "users\\jane"), kind="user"),
    formed("home-windows-spaced", "file system layouts: names with blanks",
           rf"{_DRIVE}{_USERS}(?P<v>[^\s\\/:*?\"<>|]{{1,20}}(?: [^\s\\/:*?\"<>|]{{1,20}}){{1,3}})"
           r"(?=[\\/])", "", "C:\\Users\\Jane Mary Doe\\x", near=("C:\\Users\\Jane and so on",),
           kind="user"),
    formed("home-short", "POSIX shells: tilde expansion",
           r"~(?P<v>[A-Za-z_][A-Za-z0-9_.\-]{1,31})(?=/[A-Za-z0-9._])", "", "see ~jane/report",
           near=("~/report", "~jane", "a~b/c"), kind="user"),
    Rule(name="home-slug", kind="user", source="agents' project folders", yields=True,
         head=r"(?:-home-|-Users-)(?P<v>[A-Za-z0-9._])", tail=r"A-Za-z0-9._\-", boundary=False,
         forms=("projects/-home-jane-report", "-Users-jane-mary-src"), near_forms=("-homes-",)),
    # Logins and machines
    formed("prompt", "shells and secure copies: user, host and folder",
           rf"(?!git@){_LOGIN}@[A-Za-z0-9][A-Za-z0-9.\-]{{1,62}}(?=:[~/])", "",
           "jane@build-07:~/report$ ls", "scp x jane@cache:/tmp",
           near=("git@github.com:/x", "a@b", "jane@cache: hello"), kind="mail"),
    formed("login", "remote shells",
           r"(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)\s(?:[^\s|;&]{1,40}\s){0,3}?"
           rf"(?P<v>{_LOGIN}@[A-Za-z0-9][A-Za-z0-9.\-]{{0,62}})", "", "ssh -p 22 jane@build-07",
           near=("ssh build-07", "ssh git at host"), kind="mail"),
    formed("user-variable", "POSIX and Windows: environment variables",
           r"(?:USER|LOGNAME|USERNAME|SUDO_USER)=[\"']?(?P<v>[A-Za-z_][A-Za-z0-9_.\-])", _NAME,
           "LOGNAME=jane", 'USER="jane"', near=("USER=$" + "{USER}", "USER="), kind="user"),
    formed("host-variable", "POSIX and Windows: environment variables",
           r"(?:HOSTNAME|COMPUTERNAME|USERDOMAIN|LOGONSERVER)=[\"'\\]{0,4}"
           r"(?P<v>[A-Za-z0-9][A-Za-z0-9.\-])",
           r"A-Za-z0-9.\-", "HOSTNAME=build-07", "COMPUTERNAME=PC-JANE",
           near=("HOSTNAME=$" + "{HOSTNAME}",), kind="host"),
    formed("uid", "POSIX: id", r"[ug]id=[0-9]{1,10}\((?P<v>[A-Za-z_][A-Za-z0-9_.\-])", _NAME,
           "uid=501(jane) gid=20", near=("uid=501",), kind="user", anywhere=True),
    formed("share", "Windows: shares of other machines",
           r"(?<!\\)\\\\(?!(?i:wsl)[.$]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})"  # nor an escape
           r"(?P<v>[A-Za-z][A-Za-z0-9.\-]{2,62})(?=\\[A-Za-z0-9])", "",
           "\\\\files-01\\team", near=("a\\\\files\\team", "\\\\files\\\\team", "\\\\hline"),
           kind="host"),
    formed("machine-windows", "Windows: names that its setup gives",
           r"(?:DESKTOP|LAPTOP|WIN)-[A-Z0-9]{7}", "A-Z0-9", "DESKTOP-<7 upper>",
           near=("DESKTOP-<3 upper>",), kind="host", cut=WEAK),
    formed("machine-mac", "macOS: names that its setup gives",
           r"[A-Za-z0-9][A-Za-z0-9\-]{1,40}-(?i:macbook|imac|mac-?mini|mac-?studio|mac-?pro)",
           r"A-Za-z0-9.\-", "Janes-MacBook-Pro.local", "jane-doe-imac",
           near=("my macbook", "-MacBook"), kind="host"),
    formed("machine-cloud", "Amazon EC2: names of instances",
           r"ip-[0-9]{1,3}(?:-[0-9]{1,3}){3}", "", "ip-10-0-0-7.ec2.internal",
           near=("ip-1", "ip-1-2"), kind="host"),
    formed("machine-local", "RFC 6762 and private networks: names of machines",
           r"[A-Za-z][A-Za-z0-9]{0,20}(?:-[A-Za-z0-9]{1,20}){1,4}(?:\.[a-z0-9\-]{1,20}){0,3}"
           r"\.(?:local|lan|internal|corp|localdomain)(?![A-Za-z0-9_\-.])", "",
           "build-07.lan", "cache-a-2.internal", "db-01.prod.corp.internal",
           near=("threading.local", "build-07.localized"),
           kind="host"),
    formed("file-owner", "POSIX: long listings of folders",
           _LISTED + _NO_ACCOUNT + r"(?P<v>[A-Za-z_][A-Za-z0-9_.\-])", _NAME,
           "drwxr-xr-x  5 jane staff 160 Jan  5 src", near=("drwxr-xr-x 5 root root 160",
           "-rw-r--r--"), kind="user"),
    formed("file-group", "POSIX: long listings of folders",
           _LISTED + r"[A-Za-z_][A-Za-z0-9_.\-]{0,31}\s{1,4}" + _NO_ACCOUNT +
           r"(?P<v>[A-Za-z_][A-Za-z0-9_.\-])", _NAME, "-rw-r--r-- 1 jane jane 12 Jan  5 a",
           near=("drwxr-xr-x 5 root root 160", "-rw-r--r--"), kind="user"),
    formed("account-command", "POSIX: commands that name an account",
           r"(?:sudo -(?:iu|u)|crontab -u|su -|su -l|chown|chown -[A-Za-z]{1,4}|userdel -r|whoami)"
           r"\s{1,2}" + _NO_ACCOUNT + r"(?P<v>[A-Za-z_][A-Za-z0-9_.\-]{2})", _NAME,
           "sudo -u jane id", "su - jane", "chown jane:jane x", "whoami\njane",
           near=("sudo -u root id", "chown 1000:1000 x"), kind="user"),
    formed("account-group", "POSIX: the group that a file is given",
           r"chown (?:-[A-Za-z]{1,4} )?[A-Za-z_][A-Za-z0-9_.\-]{0,31}:" + _NO_ACCOUNT +
           r"(?P<v>[A-Za-z_][A-Za-z0-9_.\-]{2})", _NAME, "chown -R jane:jane x",
           near=("chown jane x", "chown root:root x"), kind="user"),
    formed("account-log", "OpenSSH and PAM: what daemons log",
           r"(?:(?:publickey|password) for (?:invalid user )?|session (?:opened|closed) for user "
           r"|Invalid user )(?P<v>[A-Za-z_][A-Za-z0-9_.\-]{1,31})(?= from |\(uid| by )", "",
           "Accepted publickey for jane from 192.0.2.7", near=("password for bob is",
           "publickey for"), kind="user"),
    # Numbers
    formed("phone", "ITU E.123: telephone numbers",
           r"(?i:phone|telephone|mobile|whatsapp|tel[:.]|fax|my number|call )" + _NUMBER +
           r"(?P<v>(?:\+|00|\(?0|\(?[2-9])[0-9](?:[ ()./\-]{0,2}[0-9]){6,13})(?![0-9])", "",
           "phone +49 170 <7 digit>", '"phone": "+1 (555) <3 digit>-<4 digit>"',
           near=("phone 42", "telephone 1234567890123456789"), kind="value",
           anywhere=True),
    formed("payment-card", "ISO/IEC 7812: card numbers",
           r"(?i:card|visa|amex)" + _NUMBER +
           r"(?P<v>[3-6][0-9]{3}(?:[ \-]?[0-9]{4}){2}[ \-]?[0-9]{1,4})(?![0-9])", "",
           "card 4539 <4 digit> <4 digit> <4 digit>", "card number: 5<15 digit>",
           near=("card 4539", "cards 12"), kind="value", anywhere=True),
    formed("iban", "ISO 13616: bank accounts", r"(?i:iban)" + _NUMBER +
           r"(?P<v>[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?)(?![A-Za-z0-9])", "",
           "IBAN: DE<2 digit> <4 digit> <4 digit> <4 digit> <4 digit> <2 digit>",
           near=("IBAN: DE", "iban is"), kind="value", anywhere=True),
    formed("social-security", "United States: social security numbers",
           r"(?i:ssn|social security|tax id)" + _NUMBER + r"(?P<v>[0-9]{3}-?[0-9]{2}-?[0-9]{4})(?!"
           r"[0-9])",
           "", "ssn <3 digit>-<2 digit>-<4 digit>", near=("ssn 12", "SSN is"), kind="value",
           anywhere=True),
    # Accounts
    formed("aws-account", "AWS: ARNs",
           r"arn:aws[a-z\-]{0,8}:[a-z0-9\-]{0,24}:[a-z0-9\-]{0,16}:(?P<v>[0-9]{12})", "",
           "arn:aws:iam::<12 digit>:role/x", near=("arn:aws:s3:::bucket",), kind="name"),
    formed("aws-account-host", "AWS: names of registries and queues",
           r"(?P<v>[0-9]{12})\.dkr\.ecr\.", "", "<12 digit>.dkr.ecr.eu-west-1.amazonaws.com/x",
           near=("<8 digit>.dkr.ecr.",), kind="name"),
    formed("account-number", "common usage: accounts by number",
           r"(?i:account)(?i:[ _\-]?(?:id|number|no\.?))?[\\\"'`]{0,3} {0,2}(?:[:=#]|is)? {0,2}"
           r"[\\\"'`]{0,3}(?P<v>[0-9]{8})", "0-9", "account <12 digit>", "AccountId: '<12 digit>'",
           "AWS_ACCOUNT_ID=<12 digit>", near=("account 42", "accounts"), kind="name",
           anywhere=True),
    formed("account-id", "common usage: accounts, tenants and applications",
           rf"(?i:{_ACCOUNTS})[\\\"'`]{{0,3}} {{0,2}}(?:=>|:=|[:=]) {{0,2}}[\\\"'`]{{0,3}}"
           r"(?=[A-Za-z_\-]{0,40}[0-9])(?P<v>[A-Za-z0-9_\-]{8})", r"A-Za-z0-9_\-",
           "client_id=<14 lower>7", '"clientId": "7<14 lower>"', "team_id: 7<9 upper>",
           near=("client_id: str", "app_id=1", "team_id = get_team()"), kind="name",
           anywhere=True),
    formed("cognito-pool", "Amazon Cognito: user pools",
           r"(?:us|eu|ap|sa|ca|me|af|il)-[a-z]{4,9}-[1-9]_(?P<v>[A-Za-z0-9]{9})", "",
           "us-east-1_<9 alnum>", near=("us-east-1_x",), kind="name"),
)  # fmt: skip
