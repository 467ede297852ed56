"""Forms that any vendor uses: envelopes, headers, assignments."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import formed
from .values import NAME_REST, STRONG

_WORD: Final = r"A-Za-z0-9_\-"

_NAMES: Final = (
    r"(?i:secret|token|credential|api[_-]key|apikey|access[_-]key|accesskey|auth[_-]key|authkey"
    r"|private[_-]key|privatekey|signing[_-]key|signingkey|encryption[_-]key|encryptionkey"
    r"|master[_-]key|masterkey|session[_-]key|account[_-]key|accountkey|client[_-]key|clientkey)"
)
"""Names whose value is most often a secret."""

_IS: Final = r"\\?[\"'`]{0,2}\]{0,2} {0,20}(?:[:=]|=>|:=|==) {0,2}"
_BEGIN: Final = r"-----BEGIN [A-Z0-9 ]{0,40}"
_SHOWN: Final = "hunter2"

RULES: Final[tuple[Rule, ...]] = (
    # Envelopes
    formed("jwt", "RFC 7519 and RFC 7516: compact JWS and JWE", rf"eyJ[{_WORD}]{{8}}",
           _WORD + ".=", "eyJhbGciOi<20 alnum>.eyJzdWIi<24 alnum>.<43 word>",
           "eyJlbmMi<40 alnum>.<80 word>.<16 word>.<60 word>.<22 word>", near=("eyJust",
           "keyJournal")),
    formed("private-key", "RFC 7468; OpenSSH; OpenPGP", _BEGIN + r"PRIVATE KEY(?: BLOCK)?-----", "",
           "-----BEGIN PRIVATE KEY-----\n<64 base64>\n-----END PRIVATE KEY-----",
           "-----BEGIN OPENSSH PRIVATE KEY-----\n<64 base64>\n<20 base64>=\n"
           "-----END OPENSSH PRIVATE KEY-----",
           "-----BEGIN RSA PRIVATE KEY-----\\n<64 base64>\\n-----END RSA PRIVATE KEY-----",
           "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n<64 base64>\n=<4 alnum>\n"
           "-----END PGP PRIVATE KEY BLOCK-----",
           "-----BEGIN EC PRIVATE KEY-----\n<64 base64>",
           until=r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
           near=("-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----"), anywhere=True),
    formed("private-key-ssh2", "RFC 4716: SSH2 private keys",
           r"---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----",
           "", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n<64 base64>\n"
           "---- END SSH2 ENCRYPTED PRIVATE KEY ----",
           until=r"---- END SSH2 [A-Z ]{0,20}PRIVATE KEY ----",
           near=("---- BEGIN SSH2 PUBLIC KEY ----",), anywhere=True),
    formed("openvpn-static", "OpenVPN: static keys", r"-----BEGIN OpenVPN Static key V1-----", "",
           "-----BEGIN OpenVPN Static key V1-----\n<32 hex>\n-----END OpenVPN Static key V1-----",
           until=r"-----END OpenVPN Static key V1-----", near=("BEGIN OpenVPN",), anywhere=True),
    formed("putty", "PuTTY: private key files", r"PuTTY-User-Key-File-[23]: ", "",
           "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n<48 base64>\n"
           "Private-MAC: <64 hex>",
           until=r"Private-MAC: [a-f0-9]{40,64}", near=("PuTTY-User-Key-File",)),
    formed("pem-in-base64", "Kubernetes: client-key-data", r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{16}",
           "A-Za-z0-9+/=", "client-key-data: LS0tLS1CRUdJTi<200 base64>",
           near=("LS0tLS1CRUdJTi",)),
    formed("ansible-vault", "Ansible: vault format", r"\$ANSIBLE_VAULT;1\.[0-9];AES(?:256)?",
           r"A-Za-z0-9;_\s\\.\-", "$ANSIBLE_VAULT;1.1;AES256\n<80 digit>\n<80 digit>",
           near=("$ANSIBLE_VAULT_PASSWORD_FILE",)),
    formed("age", "age: identities", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40}", "A-Z0-9",
           "AGE-SECRET-KEY-1<58 upper>", near=("AGE-SECRET-KEY-1",), check="bech32"),
    formed("minisign", "minisign: secret keys", r"RWRTY0Iy[A-Za-z0-9+/]{40}", "A-Za-z0-9+/=",
           "RWRTY0Iy<200 base64>=", near=("RWRTY0Iy",)),
    formed("wireguard", "WireGuard: configuration", r"(?i:private_?key|preshared_?key) {0,2}= {0,2}"
           r"(?P<v>[A-Za-z0-9+/]{42})", "A-Za-z0-9+/=", "PrivateKey = <43 base64>=",
           "PresharedKey = <43 base64>=", near=("PrivateKey = <10 base64>",)),
    formed("bcrypt", "bcrypt: modular crypt format", r"\$2[abxy]?\$[0-9]{2}\$[A-Za-z0-9./]{20}",
           "A-Za-z0-9./", "$2b$12$<53 alnum>", near=("$2b$12$", "$2, $3")),
    formed("crypt", "crypt(5): SHA-256, SHA-512 and yescrypt", r"\$[56y]\$[A-Za-z0-9./$,=]{24}",
           "A-Za-z0-9./$,=", "$6$<16 alnum>$<86 alnum>", "$6$rounds=5000$<16 alnum>$<86 alnum>",
           "$y$j9T$<22 alnum>$<43 alnum>", near=("$6$x",)),
    formed("argon2", "PHC string format", r"\$(?:argon2[id]{1,2}|scrypt|pbkdf2-sha[0-9]{1,3})\$"
           r"[A-Za-z0-9./$,=+]{20}", r"A-Za-z0-9./$,=+\-",
           "$argon2id$v=19$m=65536,t=3,p=4$<22 alnum>$<43 alnum>", near=("$argon2id$",)),
    formed("htpasswd", "Apache: htpasswd", r"\$apr1\$[A-Za-z0-9./]{4,8}\$[A-Za-z0-9./]{20}",
           "A-Za-z0-9./", "user:$apr1$<8 alnum>$<22 alnum>", near=("$apr1$<4 alnum>",),
           anywhere=True),
    formed("otp", "Key URI format: one-time passwords",
           r"otpauth://[a-z]{4}/[^\s?]{1,60}\?(?:[a-z]{4,9}=[^\s&]{1,24}&){0,3}"
           r"secret=(?P<v>[A-Z2-7]{8})", "A-Z2-7=",
           "otpauth://totp/A:b?issuer=A&secret=<32 base32>",
           near=("otpauth://totp/A:b?secret=",)),
    # Headers
    formed("bearer", "RFC 6750: bearer tokens",
           rf"(?i:bearer)(?: |%20|\+){{1,4}}(?P<v>[{_WORD}.~+/]{{16}})",
           _WORD + ".~+/=", "Authorization: Bearer <40 word>",
           '"authorization":"bearer <32 alnum>"',
           near=("bearer of bad news", "Bearer <8 alnum>")),
    formed("basic-auth", "RFC 7617: basic authentication",
           r"(?i:authorization)\\?[\"']{0,2} {0,2}[:=,] {0,2}\\?[\"']?(?i:basic) {1,4}"
           r"(?P<v>[A-Za-z0-9+/]{8})", "A-Za-z0-9+/=", "Authorization: Basic <24 base64>",
           "'Proxy-Authorization': 'Basic <16 base64>=='",
           near=("basic authentication", "Authorization: basic"), anywhere=True),
    formed("authorization", "RFC 9110: authorization",
           r"(?i:authorization)\\?[\"']{0,2} {0,2}[:=,] {0,2}\\?[\"']?"
           r"(?:[A-Za-z0-9\-]{2,20} {1,2})?(?![A-Z0-9]{3,4}-(?:HMAC|RSA)-)"
           r"(?=[A-Za-z.~+/=_\-]{0,24}[0-9])(?P<v>[A-Za-z0-9.~+/=_\-]{10})", r"A-Za-z0-9.~+/=_\-:",
           "Authorization: token <40 hex>", "authorization: <30 alnum>",
           "Authorization: ApiKey <60 base64>",
           near=("Authorization: Bearer <4 alnum>", "authorization: required"), anywhere=True),
    formed("digest-auth", "RFC 7616: digest authentication",
           r"(?i:digest) [^\r\n]{0,120}?response=\\?\"(?P<v>[a-f0-9]{32})", "a-f0-9",
           'Digest username="u", realm="r", response="<32 hex>"', near=('response="<32 hex>"',)),
    formed("cookie", "RFC 6265: cookies",
           r"(?i:cookie)\\?[\"']{0,2} {0,2}: {0,2}\\?[\"']?"
           r"(?P<v>[A-Za-z0-9_.\-]{1,40}=[^\s;,\"'\\]{6})",
           r"^\"'\\\r\n", "Cookie: sid=<32 hex>; theme=dark",
           '"set-cookie": "a=<24 alnum>; Path=/"',
           near=("Cookie: none", "cookie: a=b"), anywhere=True),
    formed("session-cookie", "frameworks' session cookies",
           r"(?i:sessionid|phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|laravel_session"
           r"|csrftoken|xsrf-token|session_id|sid)=(?P<v>[A-Za-z0-9%._\-]{16})", r"A-Za-z0-9%._\-",
           "JSESSIONID=<32 upper>", "connect.sid=s%3A<32 word>.<43 word>", near=("sid=1",
           "sid=short")),
    formed("key-header", "usual header names",
           r"(?i:-key|-token|-secret|-auth|api_key)\\?[\"']{0,2} {0,2}[:,] {0,2}\\?[\"']?"
           r"(?=[A-Za-z._~+/=\-]{0,40}[0-9]|[A-Za-z]{0,20}[a-z][A-Z]{2}|[A-Z]{20})"
           r"(?P<v>[A-Za-z0-9._~+/=\-]{8})",
           r"A-Za-z0-9._~+/=\-",
           "x-api-key: <24 alnum>7", '"X-Auth-Token": "7<32 hex>"',
           "PRIVATE-TOKEN: <19 alnum>7", near=("x-api-key: none", "x-api-key header"),
           anywhere=True),
    # Assignments
    formed("query", "RFC 3986: query parameters",
           r"[?&](?i:[a-z_\-]{0,16}(?:key|token|secret|password|passwd|pwd|signature|sig|auth"
           r"|code_verifier|assertion))"
           r"=(?P<v>[^\s&#\"'<>\\${}]{6})", r"^\s&#\"'<>\\", "https://h/p?api_key=<24 alnum>&b=1",
           "/callback?access_token=<12 alnum>", near=("?key=", "?token=$" + "{T}",
           "?sort_key=name"),
           anywhere=True),
    formed("netrc", "netrc: passwords",
           r"\blogin\s{1,4}[^\s]{1,60}\s{1,8}password\s{1,4}(?P<v>[^\s\"'\\]{3})",
           r"^\s\"'\\", "machine h login u password <12 alnum>", near=("login u with password",)),
    formed("password-quoted", "common usage",
           STRONG + NAME_REST + _IS + r"\\?[\"'`](?!\\?[\"'`]|[<{$%\[*])"
           r"(?=[^\"'`\r\n]{0,30}[0-9!@#$%^&*+])"
           r"(?P<v>[^\s\"'`<>{}$\\][^\"'`<>{}\r\n\\]{2})", r"^\"'`\r\n\\", f"password = '{_SHOWN}'",
           '"password": "<6 alnum>1"', '\\"passwd\\": \\"<8 alnum>7\\"',
           near=("password: ''", "prompt='Password: '", 'password = "{}"'), anywhere=True),
    formed("assigned-quoted", "common usage",
           rf"(?:{STRONG}|{_NAMES})" + NAME_REST + _IS + r"\\?[\"'`]"
           r"(?P<v>[^\s\"'`<>{}$\\(,)][^\"'`<>{}$\r\n\\]{7})",
           r"^\"'`\r\n\\", 'API_KEY="correct-horse"', "'password': 'two words'",
           'secret: "<12 alnum>"',
           near=("password: ''", "secret = '${SECRET}'"), anywhere=True),
    formed("assigned", "common usage",
           rf"(?:{STRONG}|{_NAMES})" + NAME_REST + _IS +
           r"(?=[^\s\"'`<>(){}\[\],;$&\\]{0,30}[0-9])(?P<v>[^\s\"'`<>(){}\[\],;$&\\*]"
           r"[^\s\"'`<>(){}\[\],;$\\]{5})",
           r"^\s\"'`<>(){}\[\],;$\\", f"password = {_SHOWN}", "SECRET_TOKEN=<20 alnum>",
           "export DB_PASSWORD=<9 alnum>9", "api_key: <15 alnum>7",
           near=("token: str", "secret=$SECRET", "password = get_password()"), anywhere=True),
    formed("named-quoted", "common usage: JSON and literal maps",
           r"(?i:password|passwd|passphrase|passcode|pwd|secret)\\?[\"']"
           r" {0,2}(?::|=>) {0,2}\\?[\"'](?P<v>[^\s\"'`<>{}$%\\][^\s\"'`<>{}$\\]{3})",
           r"^\"'\r\n\\", '"password": "<5 alnum>"', "'client_secret' => '<8 alnum>'",
           near=('"password": ""', '"password": "{}"', '"password": "<your password>"'),
           anywhere=True),
    formed("named-plain", "common usage: YAML",
           r"(?i:password|passwd|passphrase|(?<![A-Za-z])(?:pass|pw)|secret|token|secret_key"
           r"|(?:api|access|auth|hmac|signing|encryption|private|master|secret)[_\-]?key): "
           r" {0,3}"
           r"(?i:(?!str|bytes|int\b|bool|none|null|true|false|optional|required|any\b|secret|option"
           r"|self|get|new|this|input|field|password|default|undefined|func|param|config|os\b))"
           r"(?=[^\s(\[{]{6,60}(?:\r?\n|\Z))(?P<v>[A-Za-z0-9][A-Za-z0-9!@#%^&*+~?._\-]{5})",
           r"A-Za-z0-9!@#%^&*+~?._\-", "db:\n  password: sword<4 lower>fish\n",
           near=("password: string\n", "password = swordfish\n", "password: ask()\n"),
           anywhere=True),
    formed("xml-element", "XML: elements",
           r"(?i:password|passwd|passphrase|secret|apikey|token|<pass)>(?:\s{0,24}<"
           r"[A-Za-z]{1,12}>)?"
           r"(?P<v>[^<>\s${}][^<>${}]{3})", r"^<>", "<password><6 alnum></password>",
           "<ApiKey><20 alnum></ApiKey>", near=("<password>$" + "{p}</password>",
           "<token></token>"), anywhere=True),
    formed("xml-attribute", "XML: settings as pairs of attributes",
           r"(?:key=|name=)\\?[\"'](?i:[a-z.:_\-]{0,24}(?:password|passwd|secret|token|apikey))"
           r"\\?[\"']\s{1,4}value=\\?[\"'](?P<v>[^\s\"'<>${}][^\"'<>${}]{3})", r"^\"'<>",
           '<add key="DbPassword" value="<8 alnum>"/>', near=('<input name="password" value=""/>',
           )),
    formed("environment", "POSIX: environment variables",
           r"(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY"
           r"|PRIVATE_?KEY|(?:MASTER|ENCRYPTION|SIGNING|SESSION|AUTH)_KEY|CREDENTIALS?|_PASS"
           r"|SSHPASS|_PWD|_PW|_SALT|_COOKIE|CLI_AUTH|_PAT(?!H))"
           r"[A-Z_]{0,10}=[\"']?"
           r"(?P<v>[^\s\"'`$<>(){}\[\],;%\\]{4})",
           r"^\s\"'`\\", "PGPASSWORD=<6 alnum> psql", "export SERVICE_TOKEN=<7 alnum>",
           near=("TOKEN=$" + "{TOKEN}", "PASSWORD=", "MAX_TOKENS = 12"), anywhere=True),
    formed("password-plain", "common usage: a short word",
           STRONG + NAME_REST + r" {0,2}= {0,2}\\?[\"'](?P<v>[A-Za-z]{5,7})(?=\\?[\"'])", "",
           "db_password = 'letmein'", 'password="opened"',
           near=("password = ''", "password = 'a b'"), anywhere=True),
    formed("django", "Django: generated secret keys", r"django-insecure-[^\s\"'<>\\]{10}",
           r"^\s\"'<>\\", "django-insecure-<40 word>", near=("django-insecure-key",)),
    formed("php-define", "WordPress: wp-config.php",
           r"define\(\s{0,4}'[A-Z_]{0,40}(?:PASSWORD|KEY|SALT|SECRET|TOKEN)[A-Z_]{0,20}'"
           r"\s{0,4},\s{0,24}'(?P<v>[^'\r\n]{4})", r"^'\r\n",
           "define('AUTH_KEY',         '<40 base64> #<20 word>');",
           "define('DB_PASSWORD', '<8 alnum>');", near=("define('WP_DEBUG', 'x')",
           "define('DB_PASSWORD', '')")),
    formed("pair-quoted", "common usage: a name and its value as arguments",
           rf"(?:{STRONG}|{_NAMES})" + r"[A-Za-z_\-]{0,12}\\?[\"']\s{0,2},\s{0,2}\\?[\"']"
           r"(?![A-Za-z_]{1,16}[0-9]{0,3}\\?[\"'])(?=[^\"'\r\n\s]{0,30}[0-9])"
           r"(?P<v>[^\s\"'`<>{}$%\\(),][^\s\"'`<>{}$\\]{5})", r"^\s\"'\\",
           "environ.setdefault('DB_PASSWORD', '<4 alnum>1<4 alnum>2<4 alnum>')",
           near=('("token", "bytes32")', "('password', '{}')", '["secret", "key", "token"]'),
           anywhere=True),
    formed("key-mixed", "common usage: keys by any name",
           r"[A-Za-z0-9](?:_key|-key|Key|_KEY)(?:_id|-id|Id|_ID)?" + _IS + r"\\?[\"'`]?"
           r"(?=[A-Za-z._:\-]{0,16}[0-9]{1,12}[A-Za-z]{1,16}[0-9])"
           r"(?P<v>[A-Za-z0-9][A-Za-z0-9._:\-]{7})", r"A-Za-z0-9+/=_.\-:~",
           "appd_key = '7<3 lower>7<3 lower>7<4 lower>'", "omdbKey: 4a7<5 hex>",
           near=("sort_key: name2", "cache_key = 'v1'", "primary_key=True"), anywhere=True),
    formed("pin", "common usage: numbers that open something",
           r"(?<![A-Za-z])(?i:pin|otp|cvv|cvc|pin[_ \-]?code|passcode)" + r"[\\\"'`]{0,3} {0,2}"
           r"(?:=|:|is) {0,2}[\\\"'`]{0,3}(?P<v>[0-9]{4})(?![0-9.]{7})", "0-9",
           "PIN=<4 digit>", '"pin": "<6 digit>"', near=("pin = 13", "spin: 4000"),
           anywhere=True),
    formed("passphrase", "common usage: several words",
           r"(?i:pass ?phrase)[\\\"'`]{0,3}(?: is)?[:=]? {0,2}\\?[\"'`]?(?<=[:=\"'`] |.[:=\"'`])"
           r"(?P<v>[a-z]{3,12}(?:[ \-][a-z]{3,12}){3,9})(?=[\"'`\\]|[.,]?\s{0,2}(?:[\r\n]|\Z))",
           "", "passphrase: correct horse battery staple\n",
           "PASSPHRASE='correct horse battery staple'",
           near=("the passphrase is asked for before it starts", "passphrase: str"),
           anywhere=True),
    formed("application-password", "WordPress and Google: application passwords in groups of four",
           r"(?i:passw(?:or)?d|passwd|_pass)[\\\"'`]{0,3}"
           r"(?: {0,2}= {0,2}|(?:[:,] {0,2}| is )(?=[\\\"'`]))[\\\"'`]{0,3}"
           r"(?P<v>(?:[a-z]{4} ){3}[a-z]{4}|(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4})"
           r"(?![A-Za-z0-9])", "", "GMAIL_APP_PASSWORD=<4 lower>".replace("<4 lower>", "abcd efgh"
           " ijkl mnop"), '"app_password": "' + "<4 alnum> " * 5 + '<4 alnum>"',
           near=("password: that must have been",), anywhere=True),
    formed("said-quoted", "plain language",
           r"(?i:password|passphrase|passcode)(?: (?:is|was|to|of|as|be))?[:=]? {1,2}[\"'`]"
           r"(?!(?i:password|passwd|passphrase|secret|token|field|user|name)[\"'`])"
           r"(?P<v>[^\s\"'`<>{}$()\[\]/,.:;=_][^\s\"'`<>{}$()\[\],;=_]{2,40})(?=[\"'`])", "",
           "the password is `letmein`", "set the password to 'open-sesame'",
           near=("the password is `pass_field`", "password 'Password: '", "password `<pw>`"),
           anywhere=True),
    formed("said", "plain language",
           r"(?i:password|passphrase|secret|token|api key|access key) (?:is|was|=) {0,2}"
           r"[\"'`:]?\s?[\"'`]?"
           r"(?=[^\s\"'`]{0,30}[0-9])(?P<v>[^\s\"'`<>(){}\[\],;$]{6})", r"^\s\"'`<>(){}\[\],;",
           f"the password is {_SHOWN}", "my api key is <24 alnum>.",
           near=("the token is a string", "the password is wrong", "the secret is 42"),
           anywhere=True),
)  # fmt: skip
