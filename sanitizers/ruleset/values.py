"""What passwords and the names for them look like: parts of rules."""

from __future__ import annotations

from typing import Final

STRONG: Final = (
    r"(?i:passwo?r?d|passwd|pwd|passphrase|passcode|requirepass"
    r"|(?<![A-Za-z])(?:pass|pw)(?![A-Za-z]))"
)
"""Names whose value is a secret, however short it is."""

NAME_REST: Final = r"[A-Za-z_\-]{0,12}"
"""What may follow such a name in a longer one."""

WORDS: Final = (
    r"(?!(?i:(?:to|and|or|is|as|was|flag|flags|option|options|argument|arguments|for|with|when"
    r"|if|in|on|from|the|a|an|can|must|may|will|file|prompt|value|string|password|passwd|secret"
    r"|not|are|instead|requires?|required|should|has|parameter|switch|via|by|at|of|but|so|it)"
    r"(?![A-Za-z0-9]))|[A-Z_]{3,24}(?![A-Za-z0-9]))"
)
"""What stands behind the name of a flag in a sentence, or in its help."""

TOKENS: Final = "|".join(
    f"{word}{mark}token"
    for word in ("api", "auth", "access", "bot", "deploy", "refresh", "session", "bearer", "secret",
                 "service", "github", "gitlab", "npm")
    for mark in ("_", "-", "")
)  # fmt: skip
"""Tokens that are no counts of them: every usage of a model has ``input_tokens``."""

SETTING: Final = (
    r"(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|SECRET|API_KEY|APIKEY|ACCESS_KEY|PRIVATE_KEY|"
    + TOKENS.upper()
    + ")"
)
"""What the name of a variable of an environment holds whose value is a secret."""

REST: Final = r"^\s\"'`<>\\"
QUOTED: Final = r"\\?[\"'`](?!\\?[\"'`])(?P<v>[^\s\"'`<>{}$%\\(),:;][^\s\"'`<>{}$\\]{3})"
MIXED: Final = (
    r"(?![A-Za-z0-9_.]{0,24}[(\[{])"
    r"(?=[^\s\"'`<>]{0,24}[0-9!@#$%^&*+~])(?=[^\s\"'`<>]{0,24}[A-Za-z])"
)
"""A value that is no word: a digit or a sign is in it, and a letter."""

SHOWN: Final = r"(?P<v>[^\s\"'`<>{}()\[\]|,;:=/*][^\s\"'`<>{}()\[\]|,;]{5})"
SHOWN_REST: Final = r"^\s\"'`<>{}()\[\]|,;"
LOOKS: Final = (
    r"(?=[^\s\"'`<>]{0,24}[0-9])(?=[^\s\"'`<>]{0,24}[A-Za-z])"
    r"(?=[A-Za-z0-9_.\-]{0,20}[!#$%^&*~][A-Za-z0-9!#$%^&*~]|[A-Za-z0-9_.\-]{6,20}[!#$%^&*~](?="
    r"[\s\"'`,.)]|\Z)"
    r"|[A-Za-z_\-]{0,12}[0-9]{1,3}[A-Za-z]{1,6}[0-9]{1,3}[A-Za-z]"
    r"|[A-Za-z]{1,8}[0-9]{1,3}[A-Za-z_\-]{1,6}[0-9]{1,3}(?![A-Za-z0-9_]))"
    r"(?!(?i:0x|sha|md5|utf|base|oauth|http|v[0-9]))"
)
"""A value that looks like a password: signs among its letters and digits, or these in turn."""

NO_NAME: Final = (
    r"(?![A-Za-z0-9_.\-]{0,24}(?i:pass|pwd|secret|token|cred|none|null|true|false|undefined|value"
    r"|string|input|default|param|field))"
    r"(?!(?i:self|this|config|conf|settings|options|opts|args|kwargs|request|bytes|object"
    r"|required|optional|example|environ|getpass)(?![A-Za-z0-9]))"
)
"""No word that a program says for a value it has elsewhere."""
