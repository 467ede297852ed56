"""Passwords and other secrets in sentences, lists and tables that people read."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import formed
from .values import LOOKS, MIXED, NO_NAME, SETTING, SHOWN, SHOWN_REST

_SAID_ELSEWHERE: Final = (
    r"(?:(?i:passwort|kennwort|mot de passe|contrase(?:\u00f1|n)a|senha|wachtwoord|haslo|heslo"
    r"|salasana|parola|passord|adgangskode|losenord)|l\u00f6senord|has\u0142o|jelsz\u00f3"
    r"|\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4"
    r"|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u015fifre)"
)
"""The word for a password in other languages."""

RULES: Final[tuple[Rule, ...]] = (
    formed("said-marked", "plain language: in a list, a table, bold",
           r"(?i:password|passphrase|passcode|(?<![A-Za-z])(?:pwd|pw))(?:\\?"
           r"[\"'`*]{0,3}:?\*{0,2} {0,3}"
           r"(?:\||->|=>|\u2192|\uff1a|:)|:?\*{2}|</t[dh]>\s{0,4}<td>) {0,3}[`*\"']{0,3}"
           + MIXED + SHOWN, SHOWN_REST,
           "**Password:** <5 alnum>7<3 alnum>", "| Password | `<5 alnum>7<3 alnum>` |",
           "password -> <5 alnum>7<3 alnum>", "<td>Password</td><td><5 alnum>7<3 alnum></td>",
           near=("| Password | required |", "password: str | int2", "**Password** is"),
           anywhere=True),
    formed("said-code", "plain language: a word between marks of code",
           r"(?i:password)\\?[\"'`*]{0,3}:?\*{0,2} {0,3}(?:\||:) {0,3}`(?P<v>[A-Za-z]"
           r"[^\s`<>{}$()=|]{4})",
           r"^\s`", "**Password**: `<9 letter>`", "| password | `<9 letter>` |",
           near=("password: `<pw>`", "| password | `p` |"), anywhere=True),
    formed("said-behind", "plain language: a value that is no word",
           r"(?i:password|passwd|passphrase|passcode|(?<![A-Za-z])(?:pwd|pw))"
           r"(?: (?i:to|is|as|for [A-Za-z0-9_.\-]{1,24}(?: [a-z]{1,12})?(?: is|:)?))?[:,]?"
           r"(?: {1,2}|\s{0,2}\n {0,8})"
           r"[`\"']?(?=[^\s\"'`<>]{0,16}(?:[A-Za-z][0-9!#$%^&*+~@][0-9!#$%^&*+~@_\-]{0,5}[A-Za-z]|"
           r"[0-9][!#$%^&*+~]"
           r"|[a-z]{5,16}[0-9]{2}(?![0-9A-Za-z])))"
           r"(?![A-Za-z0-9_.]{0,24}[(\[={])(?!(?i:sha|md5|base|utf|aes|argon|pbkdf|bcrypt|oauth"
           r"|http)"
           r"[a-z_\-]{0,8}[0-9])" + SHOWN, SHOWN_REST,
           "use password <3 lower>7<3 lower>9x to log in",
           "set the password to <3 lower>7<3 lower>",
           "Password for bob: <3 lower>7<3 lower>", "password\n<3 lower>7<3 lower>",
           near=("password sha256 digest", "the password field", "password version2 is",
           "password = x"),
           anywhere=True),
    formed("said-near", "plain language: what looks like a password, in a sentence about one",
           r"(?i:password|passwd|passphrase|credentials?|(?<![A-Za-z])(?:pwd|pass)(?![a-z]))"
           r"[^\r\n=]{1,40}?(?<=[\s\"'`(:])" + LOOKS + r"(?P<v>[A-Za-z0-9!#$%^&*@]"
           r"[^\s\"'`<>{}()\[\]|,;=/]{6})",
           r"^\s\"'`<>{}()\[\]|,;", "the password has been reset to Tr<4 letter>0b4dor&3",
           "hardcoded password (Sup3r<3 letter>3cure)",
           "wrong password <3 letter>-2029!<4 letter> for bob",
           near=("the password is hashed by PBKDF2 and SHA-256", "a password of 12 characters",
           "passwords in utf8mb4_bin"), anywhere=True),
    formed("said-variable", "plain language: the value of a variable of an environment",
           SETTING + r"[A-Z_]{0,10}[`\"']?\*{0,2} (?:is|was|to|is set to|set to|as|\u2192"
           r"|->) {0,2}[`\"']?"
           + NO_NAME + r"(?!(?i:set|not|empty|missing|unset|needed|used|defined|invalid|wrong"
           r"|present|read|a|an|the"
           r"|in|from|your|available|never|always|exported|configured|passed|taken|kept|stored"
           r"|only|correct|still"
           r"|also|now|something|some|any)(?![A-Za-z0-9]))"
           r"(?P<v>[A-Za-z0-9!#$%^&*~@][^\s\"'`<>{}()\[\],;=:/]{4})", r"^\s\"'`<>{}()\[\],;",
           "`DB_PASSWORD` is `<9 letter>`", "DB_PASSWORD is set to '<9 letter>'",
           near=("DB_PASSWORD is required", "API_KEY is not set", "`TOKEN` is empty")),
    formed("said-quoted-behind", "plain language: a word in quotes behind the word for it",
           r"(?i:(?:default|old|new|root|admin|hardcoded|wrong|temporary|initial) (?:password"
           r"|passphrase|secret))"
           r"(?: \(| is | was | of | to |: | ){1,2}[`\"']"
           r"(?!(?i:password|passwd|passphrase|secret|token|field|user|name)[\"'`])"
           r"(?P<v>[^\s\"'`<>{}$()\[\]/,.:;=_][^\s\"'`<>{}$()\[\],;=_]{2,40})(?=[\"'`])", "",
           "The default password (`<9 letter>`) should be changed.",
           near=("the default password is 'x'",
           "new password `pass_field`")),
    formed("known-account", "common usage: the account that every machine has, and its password",
           r"(?:root|admin|administrator|postgres)[`\"']?(?::| ?/ ?)[`\"']?" + LOOKS +
           r"(?P<v>[A-Za-z0-9!#$%^&*~@][^\s\"'`<>{}()\[\]|,;=/:]{6})", r"^\s\"'`<>{}()\[\]|,;",
           "use admin / Tr<4 letter>0b4dor&3", "root:<3 letter>7<3 letter>9x",
           near=("root:x:0:0", "admin/users2", "admin / alice")),
    formed("said-pair", "plain language: a user and a password",
           r"(?i:credentials?: |credentials? are |creds: |sign in with |log in with |login with "
           r"|login is |login: |wifi: )"
           r"[A-Za-z][A-Za-z0-9_.@\-]{0,31}(?: / |:)(?=[^\s]{0,24}[0-9])" + SHOWN, SHOWN_REST,
           "log in with bob / <4 lower>7<3 lower>", "creds: admin:<5 lower>7",
           near=("log in with bob / alice", "login: a/b", "login bob: done")),
    formed("said-elsewhere", "plain language: other languages",
           _SAID_ELSEWHERE + r"[\"'`*]{0,3} ?(?:[:=\uff1a\u662f\u4e3a\u306f\ub294]|(?<=\u044c) "
           r"|ist|est|es|\u00e9|is|jest|lautet)"
           r"[\"'`*]{0,3} {0,2}[\"'`]?" + MIXED + SHOWN, SHOWN_REST,
           "Passwort: <4 lower>7<3 lower>", "la contrase\u00f1a es <4 lower>7<3 lower>",
           "\u5bc6\u7801\uff1a<4 lower>7<3 lower>",
           "\u043f\u0430\u0440\u043e\u043b\u044c: <4 lower>7<3 lower>",
           near=("Passwort: falsch", "mot de passe est requis"), anywhere=True),
    formed("said-number", "plain language: codes that open something",
           r"(?i:verification codes?|security code|access code|backup codes?|recovery codes?"
           r"|login code"
           r"|gate code|door code|your code|the code is|confirmation code|authentication code"
           r"|entry code|sms code|one-time (?:password|code)|2fa code|the otp|(?:tan|otp) code)"
           r"\\?[\"'`*]{0,3}(?: is| was)?[:=]?\*{0,2} {1,2}[`\"']?(?P<v>[0-9]{4})(?![0-9.]{11})",
           r"0-9 \-",
           "verification code is <6 digit>", "Backup code: <8 digit>", "gate code <4 digit>",
           near=("security code 12", "access code is wrong"), anywhere=True),
    formed("card-code", "payment cards: the code on the back",
           r"(?<![A-Za-z])(?i:cvv2?|cvc2?)[\\\"'`]{0,3} {0,2}(?:is)?[:=]? {0,2}[\\\"'`]{0,3}(?P<v>"
           r"[0-9]{3})(?![0-9.])",
           "", "cvv 1<2 digit>", '"cvc": "4<2 digit>"', near=("cvv 12", "cvv is asked"),
           anywhere=True),
    formed("otp-groups", "authenticators: a seed in groups of four",
           r"(?i:totp|2fa|otp|authenticator|setup key)[A-Za-z _\-]{0,16}[:=]? {1,2}[`\"']?"
           r"(?P<v>(?:[A-Za-z2-7]{4} ){3,7}(?=[A-Za-z2-7]{0,3}[2-7])[A-Za-z2-7]{4})(?![A-Za-z0-9])",
           "",
           "totp: <15 base32lower>".replace("<15 base32lower>",
           "<4 base32lower> " * 3 + "<3 base32lower>7"),
           near=("totp: what else does that",), anywhere=True),
    formed("header-word", "usual header names: a value that is a word",
           r"(?i:x-(?:[a-z]{2,12}-)?(?:api-key|auth-token|access-token|auth-key|secret))\\?[\"']?"
           r"[: ] ?\\?[\"']?"
           r"(?!(?i:header|headers|required|missing|invalid|string|value|from|with|token|field)(?!"
           r"[A-Za-z]))"
           r"(?P<v>[A-Za-z][A-Za-z0-9._\-]{7})", r"A-Za-z0-9._\-", "X-Api-Key: <9 letter>",
           "proxy_set_header X-Api-Key <9 letter>;", near=("the x-api-key header is",
           "X-Api-Key: none",
           "X-Api-Key required"), anywhere=True),
    formed("recovery-groups", "BitLocker and others: recovery keys and codes in groups",
           r"(?i:recovery|backup|emergency)[ _\-]?(?i:codes?|keys?)\\?[\"']?(?: is| are)?"
           r"[:=]?\s{1,4}"
           r"(?=[a-z0-9\-]{0,12}[0-9])(?P<v>[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,7})",
           r"A-Za-z0-9\-\s,", "recovery codes: <4 lower>-<3 lower>1 <4 lower>-<4 lower>",
           "BitLocker recovery key: " + "-".join(["<6 digit>"] * 8),
           near=("recovery codes: none-left", "backup key rotation"), anywhere=True),
)  # fmt: skip
