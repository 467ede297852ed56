"""Passwords in settings of any kind: files, manifests, markup, the configuration of daemons."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import formed
from .values import NAME_REST, NO_NAME, REST, SETTING, TOKENS, WORDS

RULES: Final[tuple[Rule, ...]] = (
    formed("named-value", "Kubernetes, Docker and Azure: a name and its value as two fields",
           r"(?i:password|passwd|_pass|secret|api_key|apikey|private_key|" + TOKENS +
           r")[A-Za-z_\-]{0,10}"
           r"(?:\\?[\"'],?|,|\\?[\"']?\s{0,2}(?:\\n|\n))\s{0,24}\\?[\"']?(?i:value)\\?[\"']?"
           r"[:=] {0,2}\\?[\"']?"
           r"(?P<v>[^\s\"'<>{}$\\\[(][^\s\"'<>{}$\\]{3})", r"^\s\"'<>\\",
           "- name: POSTGRES_PASSWORD\n  value: <9 letter>",
           '{"name": "DB_PASSWORD", "value": "<9 letter>"}',
           '{"Key":"password","Value":"<8 letter>"}',
           near=("name: TOKEN\n  valueFrom: x", '"name": "password", "value": ""'), anywhere=True),
    formed("nested-value", "Azure and HCL: the value or default of a field or variable",
           r"(?i:password|passwd|passphrase)" + NAME_REST + r"\\?[\"']?:? {0,2}\{\s{0,8}\\?[\"']?"
           r"(?:value|default)\\?[\"']?"
           r" {0,8}[:=] {0,2}\\?[\"'](?P<v>[^\s\"'<>{}$\\\[(][^\s\"'<>{}$\\]{3})", REST,
           '"adminPassword": { "value": "<9 letter>" }',
           'variable "db_password" {\n  default = "<9 letter>"\n}',
           near=('"password": {"type": "string"}', '"password": {"value": ""}'), anywhere=True),
    formed("xml-property", "XML: properties by name",
           r"(?i:password|passwd|secret|apikey|" + TOKENS + r")\\?[\"']>"
           r"(?P<v>[^\s<>{}$][^<>{}$]{3,64})(?=</(?:prop|entry|str|val|param|item|set))", "",
           '<property name="connection.password"><9 letter></property>',
           near=('<entry key="password"></entry>', '<label id="password">\n')),
    formed("plist", "Apple: property lists",
           r"(?i:password|passwd|secret|token|api_?key)</key>\s{0,24}<string>(?P<v>[^<>\s]"
           r"[^<>]{3})", "^<>",
           "<key>password</key>\n<string><9 letter></string>", near=("<key>password</key><true/>",),
           anywhere=True),
    formed("password-input", "HTML: the value of a password's field",
           r"type=\\?[\"']password\\?[\"'] (?:[a-z\-]{1,12}=\\?[\"'][^\"'<>]{0,24}\\?[\"'] ){0,2}"
           r"value=\\?[\"'](?P<v>[^\s\"'<>{}$][^\"'<>{}$]{3})", r"^\"'<>\\",
           '<input type="password" value="<8 letter>">',
           near=('<input type="password" value="">', '<input type="password" name="p">')),
    formed("setting-word", "daemons and routers: settings whose value follows a blank",
           r"(?:requirepass|masterauth|bindpw|rootpw|auth_pass|ssl_passphrase|insecure-password"
           r"|(?:store|key)Password|r[ow]community6?|snmp-server community|enable (?:password"
           r"|secret)"
           r"|pre-shared-key(?: ascii-text)?|wpa-psk(?: ascii)?|message-digest-key [0-9]{1,3} md5"
           r"|username [A-Za-z0-9_.\-]{1,24} (?:privilege [0-9]{1,2} )?(?:password|secret)(?= "
           r"[0-9] )"
           r"|plain-text-password-value|com2sec [A-Za-z0-9_.]{1,24} [A-Za-z0-9_./]{1,24}|"
           r"(?<!-)server key"
           r"|isakmp key|(?:tacacs|radius)-server (?:host [A-Za-z0-9.\-]{1,40} )?key|neighbor"
           r" [0-9.]{7,15} password|stats auth [A-Za-z0-9_]{1,24}:) {0,4}(?:(?<= )|(?<=:))"
           r"(?:[0-9] )?(?!ascii)" + WORDS + r"\\?[\"']?(?P<v>[^\s\"'$<>=:(){}%,;]"
           r"[^\s\"'<>(){},;]{3})",
           r"^\s\"'\\;", "requirepass <9 letter>", "rocommunity <9 letter> 10.0.0.0/8",
           "snmp-server community <8 letter> RO", "storePassword <9 letter>",
           "enable password 7 <14 upper>", near=("requirepass is empty", "bindpw: x",
           "storePassword =")),
    formed("setting-variable", "Docker, Apache and nginx: variables whose value follows a blank",
           r"(?:ENV |ARG |SetEnv |fastcgi_param |setx ) ?[A-Z_]{0,24}" + SETTING + r"[A-Z_]{0,10}"
           r" {1,8}\\?[\"']?(?P<v>[^\s\"'$<>=][^\s\"'<>]{3})", r"^\s\"'\\;",
           "ENV DB_PASSWORD <9 letter>", "SetEnv DB_PASS <9 letter>", near=("ENV TOKEN $" + "TOKEN",
           )),
    formed("pre-shared", "wireless networks and IPsec: keys shared before",
           r"(?<![A-Za-z])(?:(?i:psk)\\?[\"']? {0,2}[:=] {0,2}\\?[\"']?|: (?:PSK|EAP|XAUTH) \\?\")"
           r"(?P<v>[^\s\"'<>{}$\\(),][^\s\"'<>{}$\\(),]{5})", r"^\"\r\n\\", 'psk="<9 letter>"',
           'h : PSK "<9 letter>"', "wireless-security.psk=<9 letter>",
           near=("psk = get()", "a PSK network", "key-mgmt=wpa-psk\n"), anywhere=True),
    formed("assigned-line", "properties, INI: a line of settings",
           r"(?i:password|passwd|passphrase|pass|secret|rpcauth|snmp_community"
           r"|secret_key|api_key|master_key|encryption_key|signing_key|" + TOKENS + r") {0,8}"
           r"[:?+]?= {0,8}" + NO_NAME +
           r"(?P<v>[A-Za-z0-9!@#%^&*+~?\-]{6,64})(?=\\?[\r\n\"'`]|\s{0,8}\Z)", "",
           "spring.datasource.password=<9 letter>\n", "secret = <9 letter>\n",
           near=("password = get_it()\n", "password = default_password\n", "password = None\n"),
           anywhere=True),
    formed("assigned-word", "command lines and lists of settings: a word",
           r"(?i:password|passwd|passphrase|_pass|_pw)=\\?[\"']?" + NO_NAME +
           r"(?P<v>[A-Za-z0-9!@#%^&*+~?_\-]{6,40})(?=\s|\\?[\"']|,[a-z]{2,12}=[^ ]|\Z)", "",
           "--set auth.password=<9 letter> x", "ansible_ssh_pass=<9 letter> x",
           "-o username=me,password=<9 letter> x",
           near=("f(password=swordfish, x)", "x.password=password x"), anywhere=True),
)  # fmt: skip
