"""Secrets of databases: tokens of hosted ones, and connection strings of all."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

from .making import SEPARATOR, beside, formed, prefixed

_URL_PART: Final = r"[^\s/@:\"'<>\\?#]"

RULES: Final[tuple[Rule, ...]] = (
    formed("url-credentials", "RFC 3986: userinfo",
           r"(?:://|:\\/\\/)(?P<v>" + _URL_PART + r"{0,64}(?:\\{1,4}[A-Za-z0-9._\-]{1,32})?:"
           r"(?!\$\{|%s|\{)[^\s/@\"'<>\\]{1,120})(?=@)", "",
           "postgres://admin:<8 alnum>@db.example.com/app", "redis://:<12 alnum>@cache:6379/0",
           "mongodb+srv://u:<12 alnum>@c.mongodb.net", "amqps://u:<9 alnum>@mq/v",
           "https://u:<20 alnum>@git.example.com/r.git", "mysql+pymysql://root:<10 alnum>@h/d",
           "http://corp\\me:<9 alnum>@proxy:8080",
           near=("http://localhost:8080/a@b", "https://example.com/a:b@c"), anywhere=True),
    formed("url-token", "git: credentials in remotes",
           r"(?:://|:\\/\\/)(?P<v>[A-Za-z0-9_\-]{16,100})(?=@)", "",
           "https://<40 hex>@git.example.com/r.git", near=("https://user@git.example.com/r",),
           anywhere=True),
    formed("jdbc", "JDBC and ODBC: connection strings",
           r"[;?&](?i:password|pwd|pass)=(?P<v>[^\s;&\"'<>$%{]{3})", r"^\s;&\"'<>",
           "jdbc:mysql://h/d?user=u&password=<9 alnum>", "Server=h;Uid=u;Pwd=<8 alnum>;",
           "Driver={X};PWD=<6 alnum>", near=(";Pwd=$" + "{PWD}", "?password=&a"), anywhere=True),
    formed("libpq", "PostgreSQL: key and value connection strings",
           r"(?:host=|user=|dbname=)[^\s=]{1,60} (?:[a-z_]{2,16}=[^\s=]{1,40} ){0,2}"
           r"password=(?P<v>[^\s$'\"]{3})", r"^\s'\"", "host=h user=u password=<8 alnum> dbname=d",
           near=("host=h password=$" + "PGPASSWORD",), anywhere=True),
    formed("pgpass", "PostgreSQL: the password file",
           r":(?:5432|5433|6432|\*):[A-Za-z0-9_*\-]{1,40}:[A-Za-z0-9_*\-]{1,40}:(?P<v>"
           r"[^\s:\"']{4})",
           r"^\s\"'", "db.example.com:5432:app:admin:<12 alnum>", near=(":5432:a",), anywhere=True),
    formed("mysql-flag", "MySQL: the password flag",
           r"(?:mysql|mysqldump|mysqladmin|mariadb)\s(?:[^\s|;&]{1,30}\s){0,4}?-p[\"']?(?P<v>"
           r"[^\s\-'\"$][^\s'\"$]{3})",
           r"^\s'\"", "mysql -u root -p<9 alnum> app", near=("mysql -u root -p app",)),
    formed("redis-auth", "Redis: AUTH and the -a flag",
           r"redis-cli\s(?:[^\s|;&]{1,30}\s){0,4}?(?:-a|--pass)\s\\?[\"']?(?P<v>[^\s'\"$]{4})",
           r"^\s'\"",
           "redis-cli -h cache -a <12 alnum> ping", near=("redis-cli -h cache ping",)),
    beside("mongodb-atlas", "MongoDB Atlas: API keys", "mongodb atlas", "uuid", 36),
    prefixed("mongodb-service", "MongoDB Atlas: service accounts", "mdb_sa_sk_", "word", 40,
             least=30),
    prefixed("supabase-token", "Supabase: access tokens", "sbp_ sbp_v0_", "hex", 40, least=36),
    prefixed("supabase-secret", "Supabase: API keys", "sb_secret_ sb_publishable_", "word", 31,
             least=20),
    prefixed("planetscale-token", "PlanetScale: service tokens", "pscale_tkn_ pscale_oauth_",
           "word",
             43, least=32, rest="."),
    prefixed("planetscale-password", "PlanetScale: passwords", "pscale_pw_", "word", 43, least=32,
             rest="."),
    prefixed("neon", "Neon: API keys", "napi_", "lower", 64, least=40),
    prefixed("neon-password", "Neon: role passwords", "npg_", "alnum", 12, least=10),
    formed("cockroach", "CockroachDB Cloud: API keys", r"CCDB1_[A-Za-z0-9]{16,24}_[A-Za-z0-9]{32}",
           "A-Za-z0-9", "CCDB1_<22 alnum>_<40 alnum>", near=("CCDB1_<22 alnum>",)),
    prefixed("xata", "Xata: API keys", "xau_", "alnum", 36, least=30),
    prefixed("fauna", "Fauna: keys", "fnAE fnAF", "word", 36, least=34),
    formed("astra", "DataStax Astra: application tokens",
           r"AstraCS:[A-Za-z]{10,30}:[a-f0-9]{40}", "a-f0-9",
           "AstraCS:abcdefghijklmnopqrst:<64 hex>",
           near=("AstraCS:<8 hex>",)),
    prefixed("clickhouse", "ClickHouse Cloud: API secrets", "4b1d", "alnum", 38, least=38),
    beside("upstash", "Upstash: REST tokens", "upstash", "word", 50),
    beside("influxdb", "InfluxDB: tokens", "influx influxdb", "word", 86),
    beside("aiven", "Aiven: tokens", "aiven", "base64", 120),
    prefixed("aiven-password", "Aiven: service passwords", "AVNS_", "word", 19, least=16),
    beside("hasura", "Hasura: admin secrets", "hasura x-hasura-admin", "alnum", 32),
    beside("algolia-admin", "Meilisearch and Typesense: keys", "meili meilisearch typesense",
           "word",
           32),
    beside("weaviate", "Weaviate and Qdrant: API keys", "weaviate qdrant", "word", 36),
    beside("firebase", "Firebase: database secrets", "firebase", "alnum", 40),
    formed("convex", "Convex: deploy keys",
           r"(?:prod:|dev:|preview:|project:)[a-z0-9\-:]{3,60}\|(?P<v>[A-Za-z0-9+/=]{24})",
           "A-Za-z0-9+/=", "prod:happy-animal-123|<120 base64>=", near=("prod:happy|no",)),
    formed("sql-password", "SQL: CREATE USER",
           r"(?i:identified\s(?:with\s[a-z0-9_]{3,24}\s)?by|with\s(?:encrypted\s)?password"
           r"|\spassword)\s{0,3}(?:= ?|\()?N?\\?['\"](?P<v>[^'\"\s]{3})", r"^'\"",
           "CREATE USER u IDENTIFIED BY '<8 alnum>'",
           "CREATE ROLE r WITH PASSWORD '<8 alnum>'", "CREATE LOGIN u WITH PASSWORD = N'<8 alnum>'",
           "SET PASSWORD FOR u = PASSWORD('<8 alnum>')", near=("identified by name",
           "with password")),
    formed("redis-acl", "Redis: ACL",
           r"(?i:acl setuser |user )[A-Za-z0-9_\-]{1,32} (?:on |off |reset ){1,3}>"
           r"(?P<v>[^\s\"']{4})", r"^\s\"'", "user app on ><9 letter> ~* +@all",
           near=("user app on nopass", "user x on > y")),
    formed("redis-auth-line", "Redis: AUTH", r"(?-i:AUTH) (?:[a-z][A-Za-z0-9_\-]{0,31} )?"
           r"(?=[^\s]{0,40}[0-9])(?![^\s]{1,40} )(?P<v>[^\s\"'<>(){}\[\]=:,;]{6})", r"^\s\"'",
           "AUTH <20 alnum>7\n",
           "AUTH default <9 alnum>7\n", near=("AUTH LOGIN", "AUTH_TOKEN 12345678")),
    formed("proxy-url", "Trojan and Hysteria: links", r"(?:trojan|hysteria2?|hy2|tuic|anytls)://"
           r"(?P<v>[^\s/@\"'<>\\]{3,64})(?=@)", "", "trojan://<9 letter>@h:443",
           near=("trojan://h:443",)),
    formed("cosmos", "Azure Cosmos DB: master keys",
           rf"(?i:cosmos)[A-Za-z0-9_.\-]{{0,24}}{SEPARATOR}(?P<v>[A-Za-z0-9+/]{{86}})",
           "A-Za-z0-9+/=",
           "COSMOS_KEY=<86 base64>==", near=("COSMOS_KEY=<40 base64>",), anywhere=True),
)  # fmt: skip
