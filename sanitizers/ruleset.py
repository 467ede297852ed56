"""The secret rules, as data. Formats are those their vendors publish; examples are made up.

Adding one: name it after the vendor, write its head with the published prefix and least length,
give examples that match and near misses that must not, and raise `RULESET_VERSION`.
"""

from __future__ import annotations

from typing import Final

from .rules import Rule

RULESET_VERSION: Final = 1

_W: Final = "A-Za-z0-9"
_D: Final = r"A-Za-z0-9_\-"
_F: Final = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY" * 4
_H: Final = "0a1b2c3d4e5f60718293a4b5c6d7e8f9" * 2

_ASSIGNED: Final = (
    r"(?i:passwo?r?d|passwd|pwd|passphrase|secret|token|api[_-]?key|apikey|access[_-]?key"
    r"|auth[_-]?key|private[_-]?key|credential)"
)


def _rule(
    name: str, head: str, tail: str, source: str, *examples: str, near: tuple[str, ...] = ()
) -> Rule:
    return Rule(
        name=name, kind="key", head=head, tail=tail, source=source, examples=examples, near=near
    )


RULES: Final[tuple[Rule, ...]] = (
    # Model providers
    _rule(
        "anthropic",
        rf"sk-ant-[{_D}]{{10}}",
        _D,
        "docs.anthropic.com",
        "sk-ant-api03-" + _F[:93] + "AA",
        "sk-ant-admin01-" + _F[:40],
        near=("sk-ant-", "ask-ant-farm"),
    ),
    _rule(
        "openai",
        rf"sk-(?:proj|svcacct|admin|None)-[{_D}]{{20}}",
        _D,
        "platform.openai.com",
        "sk-proj-" + _F[:60],
        "sk-svcacct-" + _F[:60],
        near=("sk-project-plan",),
    ),
    _rule(
        "openai-legacy",
        rf"sk-[{_W}]{{20}}",
        _W,
        "platform.openai.com",
        "sk-" + _F[:48],
        near=("sk-learn", "task-management-system"),
    ),
    _rule("openrouter", rf"sk-or-v1-[{_W}]{{20}}", _W, "openrouter.ai", "sk-or-v1-" + _H),
    _rule("huggingface", rf"hf_[{_W}]{{30}}", _W, "huggingface.co", "hf_" + _F[:34]),
    _rule("groq", rf"gsk_[{_W}]{{30}}", _W, "console.groq.com", "gsk_" + _F[:52]),
    _rule("xai", rf"xai-[{_W}]{{40}}", _W, "docs.x.ai", "xai-" + _F[:80]),
    _rule("perplexity", rf"pplx-[{_W}]{{32}}", _W, "docs.perplexity.ai", "pplx-" + _F[:48]),
    _rule("replicate", rf"r8_[{_W}]{{30}}", _W, "replicate.com", "r8_" + _F[:37]),
    _rule("nvidia", rf"nvapi-[{_D}]{{40}}", _D, "build.nvidia.com", "nvapi-" + _F[:64]),
    # Clouds
    _rule(
        "aws-access-key",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
        "",
        "docs.aws.amazon.com",
        "AKIA" + "IOSFODNN7EXAMPLE",
        near=("AKIA", "AKIASHORT"),
    ),
    _rule(
        "aws-secret",
        r"(?i:aws_?secret_?(?:access_?)?key)[\"' ]{0,3}[:=]{1,2}[\"' ]{0,3}"
        r"(?P<v>[A-Za-z0-9/+]{40})",
        "A-Za-z0-9/+=",
        "docs.aws.amazon.com",
        "aws_secret_access_key = " + _F[:40],
    ),
    _rule("google-api-key", rf"AIza[{_D}]{{35}}", "", "cloud.google.com", "AIza" + _F[:35]),
    _rule("google-oauth", rf"ya29\.[{_D}]{{20}}", _D + ".", "cloud.google.com", "ya29." + _F[:60]),
    _rule("google-client", rf"GOCSPX-[{_D}]{{28}}", "", "cloud.google.com", "GOCSPX-" + _F[:28]),
    _rule(
        "azure-storage",
        r"(?i:AccountKey)=(?P<v>[A-Za-z0-9+/]{40})",
        "A-Za-z0-9+/=",
        "learn.microsoft.com",
        "AccountKey=" + _F[:86] + "==",
    ),
    _rule("digitalocean", r"do[opr]_v1_[a-f0-9]{64}", "", "digitalocean.com", "dop_v1_" + _H),
    _rule("flyio", rf"fo1_[{_D}]{{40}}", _D, "fly.io", "fo1_" + _F[:43]),
    _rule("vault", rf"hv[sb]\.[{_D}]{{24}}", _D, "developer.hashicorp.com", "hvs." + _F[:90]),
    _rule(
        "terraform",
        rf"[{_W}]{{14}}\.atlasv1\.[{_D}]{{60}}",
        _D,
        "developer.hashicorp.com",
        _F[:14] + ".atlasv1." + _F[:67],
    ),
    # Source hosts and registries
    _rule("github", rf"gh[pousr]_[{_W}]{{36}}", _W, "docs.github.com", "ghp_" + _F[:36]),
    _rule(
        "github-fine", rf"github_pat_[{_W}_]{{22}}", _W + "_", "docs.github.com",
        "github_pat_" + _F[:22] + "_" + _F[:59],
    ),
    _rule("gitlab", rf"gl(?:pat|dt|rt|cbt|ptt|ft|imt|soat)-[{_D}]{{20}}", _D + ".",
          "docs.gitlab.com", "glpat-" + _F[:20]),
    _rule("bitbucket", rf"ATBB[{_W}]{{32}}", "", "support.atlassian.com", "ATBB" + _F[:32]),
    _rule("atlassian", rf"ATATT3[{_D}=]{{60}}", _D + "=", "support.atlassian.com",
          "ATATT3" + _F[:100]),
    _rule("npm", rf"npm_[{_W}]{{36}}", "", "docs.npmjs.com", "npm_" + _F[:36]),
    _rule("pypi", rf"pypi-[{_D}]{{50}}", _D, "pypi.org", "pypi-AgEIcHlwaS5vcmc" + _F[:80]),
    _rule("rubygems", r"rubygems_[a-f0-9]{48}", "", "guides.rubygems.org", "rubygems_" + _H[:48]),
    _rule("docker", rf"dckr_pat_[{_D}]{{24}}", _D, "docs.docker.com", "dckr_pat_" + _F[:27]),
    # Chat, mail, payment, operation
    _rule("slack-token", rf"xox[abeoprs]-[{_D}]{{10}}", _D, "api.slack.com",
          "xoxb-" + "123456789012-" + _F[:24]),
    _rule("slack-app", rf"xapp-[0-9]-[{_D}]{{20}}", _D, "api.slack.com", "xapp-1-A0" + _F[:60]),
    _rule("slack-webhook", rf"hooks\.slack\.com/(?:services|workflows)/(?P<v>[{_W}/]{{20}})",
          _W + "/", "api.slack.com", "hooks.slack.com/services/T" + _F[:40]),
    _rule("discord-webhook",
          rf"discord(?:app)?\.com/api/webhooks/(?P<v>[0-9]{{10,20}}/[{_D}]{{20}})", _D,
          "discord.com", "discord.com/api/webhooks/123456789012345678/" + _F[:68]),
    _rule("telegram", rf"[0-9]{{8,10}}:AA[{_D}]{{32,33}}", _D, "core.telegram.org",
          "1234567890:AA" + _F[:33]),
    _rule("stripe", rf"[sr]k_(?:live|test|prod)_[{_W}]{{16}}", _W, "docs.stripe.com",
          "sk_" + "live_" + _F[:24], near=("sk_live", "risk_live_data")),
    _rule("stripe-webhook", rf"whsec_[{_W}]{{24}}", _W + "+/=", "docs.stripe.com",
          "whsec_" + _F[:32]),
    _rule("twilio", r"(?:SK|AC)[0-9a-f]{32}", "", "twilio.com", "SK" + _H[:32]),
    _rule("sendgrid", rf"SG\.[{_D}]{{16,32}}\.[{_D}]{{16}}", _D, "sendgrid.com",
          "SG." + _F[:22] + "." + _F[:43]),
    _rule("mailgun", r"key-[0-9a-f]{32}", "", "mailgun.com", "key-" + _H[:32], near=("key-1",)),
    _rule("shopify", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", "", "shopify.dev", "shpat_" + _H[:32]),
    _rule("square", rf"sq0(?:atp|csp)-[{_D}]{{22}}", _D, "developer.squareup.com",
          "sq0atp-" + _F[:22]),
    _rule("linear", rf"lin_(?:api|oauth)_[{_W}]{{32}}", _W, "linear.app", "lin_api_" + _F[:40]),
    _rule("notion", rf"ntn_[{_W}]{{40}}", _W, "developers.notion.com", "ntn_" + _F[:46]),
    _rule("newrelic", r"NRAK-[A-Z0-9]{27}", "", "docs.newrelic.com",
          "NRAK-" + "A1B2C3D4E5F6G7H8J9K0L1M2N3P"),
    _rule("sentry", rf"sntry[su]_[{_D}]{{32}}", _D + "=", "docs.sentry.io", "sntrys_" + _F[:60]),
    _rule("grafana", rf"gl(?:sa|c)_[{_W}]{{32}}", _W + "_=", "grafana.com",
          "glsa_" + _F[:32] + "_1a2b3c4d"),
    _rule("postman", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", "", "postman.com",
          "PMAK-" + _H[:24] + "-" + _H[:34]),
    _rule("age", r"AGE-SECRET-KEY-1[A-Z0-9]{50}", "A-Z0-9", "age-encryption.org",
          "AGE-SECRET-KEY-1" + "Q2W3E4R5T6Y7U8P9" * 3 + "ABCDEFGHJK"),
    # Forms any vendor uses
    _rule("jwt", rf"eyJ[{_D}]{{8}}", _D + ".=", "RFC 7519",
          "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0." + _F[:43], near=("eyJust",)),
    Rule(name="mail", kind="mail", source="RFC 5322",
         head=r"(?!git@)[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9\-]{1,63}\.[A-Za-z]",
         tail=r"A-Za-z0-9.\-",
         examples=("jane.doe@example.com",), near=("git@github.com", "@pytest.fixture", "a @ b.c")),
    Rule(name="home", kind="user", source="file system layouts",
         head=r"(?:/home/|/Users/|/mnt/[a-z]/Users/)(?P<v>[A-Za-z0-9._])", tail=r"A-Za-z0-9._\-",
         examples=("/home/jane/report", "file:///Users/jane.doe/x"),
         near=("example.com/home/page", "/homes")),
    Rule(name="home-windows", kind="user", source="file system layouts",
         head=r"[A-Za-z]:[\\/]{1,4}(?i:users)[\\/]{1,4}(?P<v>[A-Za-z0-9._])", tail=r"A-Za-z0-9._\-",
         examples=("C:\\Users\\Jane\\x", "c:/users/jane"), near=("api/users/42",)),
    Rule(name="home-slug", kind="user", source="agents' project folders", boundary=False,
         head=r"(?:-home-|-Users-)(?P<v>[A-Za-z0-9._])", tail="A-Za-z0-9._",
         examples=("projects/-home-jane-report", "-Users-jane-src"), near=("-homes-",)),
    Rule(name="private-key", kind="key", boundary=False, source="RFC 7468",
         head=r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
         until=r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
         examples=("-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",),
         near=("-----BEGIN CERTIFICATE-----",)),
    _rule("bearer", rf"(?i:bearer) {{1,4}}(?P<v>[{_D}.~+/]{{16}})", _D + ".~+/=", "RFC 6750",
          "Authorization: Bearer " + _F[:40], near=("bearer of bad news",)),
    _rule("basic-auth",
          r"(?i:authorization)[\"']{0,2} {0,2}[:=] {0,2}[\"']?(?i:basic) {1,4}"
          r"(?P<v>[A-Za-z0-9+/]{8})", "A-Za-z0-9+/=", "RFC 7617",
          "Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==",
          near=("basic authentication", "Authorization: basic")),
    _rule("url-credentials",
          r"[A-Za-z][A-Za-z0-9+.-]{1,15}://(?P<v>[^\s/@:\"'<>\\]{0,64}:[^\s/@\"'<>\\]{1,100})(?=@)",
          "", "RFC 3986", "postgres://admin:hunter2@db.example.com/app",
          near=("http://localhost:8080/a@b", "https://example.com/a:b@c")),
    _rule("assigned-quoted",
          _ASSIGNED + r"[A-Za-z_-]{0,12}[\"'`]{0,2} {0,2}(?:[:=]|=>|:=) {0,2}[\"'`]"
          r"(?P<v>[^\s\"'`<>{}$][^\"'`<>{}$\r\n]{7})",
          r"^\"'`\r\n", "common usage", 'API_KEY="correct-horse"', "'password': 'two words'",
          near=("password: ''", "secret = '${SECRET}'")),
    _rule("assigned",
          _ASSIGNED + r"[A-Za-z_-]{0,12}[\"'`]{0,2} {0,2}(?:[:=]|=>|:=) {0,2}"
          r"(?=[^\s\"'`<>(){}\[\],;$]{0,30}[0-9])(?P<v>[^\s\"'`<>(){}\[\],;$]{8})",
          r"^\s\"'`<>(){}\[\],;$", "common usage", "password = hunter2hunter2",
          near=("token: str", "secret=$SECRET", "max_tokens: 12345", "password = get_password()")),
)  # fmt: skip
