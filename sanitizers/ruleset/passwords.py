"""Passwords in code, which have no form: told by what stands around them."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import formed
from .values import NAME_REST, QUOTED, REST, SETTING, STRONG

_CALL: Final = (
    r"(?i:login\(|auth=\(|auth = \(|authenticate\(|credentials?\(|credential\(|basic\("
    r"|basicauth\(|getconnection\(|mysqli\(|mysqli_connect\(|pdo\(|authentication\(|\.auth\("
    r"|plaincredentials\(|= ftp\(|wifi\.begin\(|newdialer\(|create_superuser\(|create_user\()"
)
"""What is called with a user and a password."""

_ARGUMENT: Final = r"(?:[^\s()\"',]{0,24}, ?|\\?[\"'][^\"'\\\r\n]{0,40}\\?[\"'], ?)"
_DIGIT: Final = r"(?=\\?[\"'][^\s\"'`<>]{0,24}[0-9!@#$%^&*+~])"

RULES: Final[tuple[Rule, ...]] = (
    formed("password-declared", "common usage: variables and constants with a type",
           r"(?:" + STRONG + r"|(?i:secret))" + NAME_REST + r"(?:\[[0-9]{0,3}\](?: PROGMEM)?"
           r"|:? {0,2}&?(?:'?static )?[A-Za-z]{2,12})?"
           r" {0,20}(?:={1,3}|<-)\s{0,2}\(?\s{0,8}(?:[@NbuLf$]{1,2})?"
           r"(?:\\?[\"'`](?![\"'`])|\"{3}|'{3})"
           r"(?P<v>[^\s\"'`<>{}$%\\(),:;.][^\s\"'`<>{}$\\]{4})", r"^\"'`\r\n\\",
           'let password: &str = "sword<4 lower>";', 'char password[] = "<8 letter>";',
           'NSString *password = @"<8 letter>";', 'password = (\n    "<9 letter>"\n)',
           'db_password         = "<9 letter>"',
           near=('password: str = ""', 'password = "{}"', "password = ('', '')"), anywhere=True),
    formed("password-defined", "C: macros",
           r"#define\s{1,4}[A-Za-z_]{0,24}" + STRONG + r"[A-Z_]{0,10}"
           r"\s{1,24}\\?\"(?P<v>[^\s\"\\][^\"\\\r\n]{3})", r"^\"\r\n\\",
           '#define WIFI_PASS "<8 letter>"', near=("#define PASS_COUNT 4",)),
    formed("password-set", "common usage: a password handed over by a method of its own",
           r"(?<=[._TtHh])(?i:password|passwd|passphrase)\(\s{0,2}"
           r"(?!\\?[\"'](?i:password|passwd|username|pwd)\\?[\"']|\\?[\"'][^\"'\r\n]{0,40}"
           r"(?: |:\\?[\"']))" + QUOTED, REST,
           'user.setPassword("<9 letter>");', '.password("<9 letter>")',
           "WithPassword('<8 letter>')",
           near=("setPassword(password)", '.password("Password: ")', "check.password('')"),
           anywhere=True),
    formed("password-default", "common usage: the default of a variable of an environment",
           SETTING + r"[A-Z_]{0,10}\\?[\"']?[\])]{0,2}\s{0,2}"
           r"(?:,|\|\||\?\?|\?:|={1,2}|=>) {0,2}\\?[\"'](?![A-Z_]{3,40}\\?[\"'])"
           r"(?P<v>[^\s\"'`<>{}$%\\(),:;][^\s\"'`<>{}$\\]{5})", r"^\"'\r\n\\",
           "os.getenv('DB_PASSWORD', '<9 letter>')", 'process.env.JWT_SECRET ?? "<9 letter>"',
           "ENV['SECRET'] = '<9 letter>'", 'environ["DB_PASSWORD"] = "<9 letter>"',
           near=('("TOKEN", "SECRET_KEY")', "getenv('DB_PASSWORD', '')", 'TOKEN = "{}"'),
           anywhere=True),
    formed("password-property", "Java: properties",
           r"[._\-](?i:password|passwd|secret)\\?[\"'], {0,2}" + QUOTED, REST,
           'System.setProperty("db.password", "<9 letter>");', near=('("db.password", "")',),
           anywhere=True),
    formed("login-call", "common usage: a user and a password as arguments",
           _CALL + _ARGUMENT + r"{1,3}?" + _DIGIT + QUOTED, REST,
           "requests.get(url, auth=('me', '<4 lower>7<4 lower>'))",
           'NetworkCredential("me", "<4 lower>7<4 lower>")',
           'DriverManager.getConnection(url, "me", "<4 lower>7<4 lower>")',
           near=("login('me', 'next')", "auth=('user', 'pass')", "auth(user, password)"),
           anywhere=True),
    formed("login-call-third", "common usage: a host, a user and a password as arguments",
           _CALL + _ARGUMENT + r"{2,3}?" + _DIGIT + QUOTED, REST,
           'mysqli_connect("h", "me2", "<4 lower>7<4 lower>")',
           near=("login('me', '<4 lower>7<4 lower>')", "mysqli(h, user, password)"), anywhere=True),
    formed("login-word", "common usage: a user and a password as arguments",
           r"(?i:\.login\(|\.auth = \(|\.auth\(|plaincredentials\(|wifi\.begin\("
           r"|create_superuser\(|basicauth\(|mysqli\(|mysqli_connect\(|new pdo\("
           r"|networkcredential\(|withcredentials\(|credentials\.basic\(|passwordauthentication\()"
           r"(?:[^\s()\"',]{1,24}, ?|\\?[\"'][^\"'\\\r\n]{0,40}\\?[\"'], ?){1,2}?"
           r"(?!\\?[\"'](?i:pass|user|utf|post|get|next|http|admin|test|name|email|token))"
           r"\\?[\"'](?P<v>[A-Za-z][A-Za-z\-]{7,30})(?=\\?[\"'] ?\)|\\?[\"'], ?\\?[\"']"
           r"[a-z]{1,9}\\?[\"']\))",
           "", "client.login('me', '<9 letter>')",
           "HTTPBasicAuth('me', '<8 letter>')",
           near=("client.login('me', 'password')", "self.connect('clicked', handler)"),
           anywhere=True),
    formed("password-typed", "browsers under test: what is filled into the field of a password",
           r"(?i:password|\b(?:passwd|pwd|pw))\\?[\"']\)?(?:, ?|\)?\.(?:type|fill|send_keys"
           r"|sendKeys"
           r"|setValue|clear\(\)\.type)\()\\?[\"'](?!(?i:[a-z]{0,12}password|text|string"
           r"|username)\\?[\"'])"
           r"(?=[^\"'\r\n\s]{0,30}[0-9]|[a-z\-]{8,24}\\?[\"']\))(?P<v>[^\s\"'<>{}\\(),]{5})", REST,
           "page.fill('#password', '<9 letter>')", 'find("password").send_keys("<7 lower>1")',
           near=("fill('#password', '')", "add('password', 'p')"), anywhere=True),
    formed("signing", "libraries: tokens, cookies and digests signed by a word",
           r"(?i:jwt\.(?:sign|verify|encode|decode)\([^\s()\"',]{1,24}, ?|hmac\.new\("
           r"|cookieparser\("
           r"|createhmac\(\\?[\"'][a-z0-9\-]{2,12}\\?[\"'], ?|bcrypt\.hash(?:sync|pw)?\(|"
           r"[ =\"']bcrypt\("
           r"|password_hash\([^\s()\"',]{1,24}, ?|password_hash\(|\.authenticate\(|hashpw\()b?" +
           QUOTED, REST,
           "jwt.sign(payload, '<9 letter>')", 'cookieParser("<9 letter>")',
           near=("jwt.sign(payload, secret)", "hmac.new(key, text)"), anywhere=True),
    formed("bytes-of", "Java and .NET: a secret as characters or bytes",
           r"(?:(?:PBEKeySpec|PasswordProtection|keystore\.load|KeyStore\.load)\((?:"
           r"[^\s()\"',]{1,24}, ?)?"
           r"|(?:UTF8|ASCII|Unicode)\.GetBytes\()\\?\"(?:[A-Za-z0-9_.@\-]{1,24}:)?"
           r"(?P<v>[^\s\"\\{}:]{8,64})(?=\\?\"(?:\)|\.toCharArray))", "",
           'new PBEKeySpec("<9 letter>".toCharArray(), salt)', 'UTF8.GetBytes("<12 letter>")',
           near=('UTF8.GetBytes("a b")', "PBEKeySpec(password)"), anywhere=True),
    formed("encoded-login", "RFC 7617: a user and a password, about to be encoded",
           r"(?:btoa\(|b64encode\(|base64_encode\(|Buffer\.from\(|CURLOPT_USERPWD, ?)b?\\?[\"'`]"
           r"[A-Za-z0-9_.@\-]{1,40}:(?P<v>[^\s\"'`\\${}]{3})", r"^\s\"'`\\",
           "btoa('me:<9 alnum>')", near=("btoa('me')", "btoa(`me:$" + "{pw}`)"), anywhere=True),
    formed("property-default", "Spring: the default of a property",
           r"(?i:password|passwd|secret):-?(?P<v>[^\s{}\"'$\-][^\s{}\"'$]{3,64})(?=\})", "",
           '@Value("$' + '{db.password:<9 letter>}")', near=("$" + "{db.password:}",
           "{password: x}"),
           anywhere=True),
    formed("go-dsn", "Go: data source names",
           r"[A-Za-z0-9_.\-]{1,24}:(?P<v>[^\s@/\"'`:]{3,48})@(?:tcp|unix)(?=\()", "",
           '"me:<9 letter>@tcp(127.0.0.1:3306)/d"', near=("me@tcp(h)",), anywhere=True),
)  # fmt: skip
