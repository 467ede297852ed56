"""A program in Claude Code's place: does what the steps in the file $FAKE_STEPS say.

Each line is one step: {"print": FRAME}, {"raw": TEXT}, {"err": TEXT}, {"read": N} lines of stdin,
{"ask": BODY} of the provider, {"hear": BYTES, "touch": FILE} first in its answer, {"touch": FILE},
{"wait": FILE}, {"keep": ROWS} in a transcript, {"exit": CODE}.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path


def ask(body: object, mark: bytes | None = None, file: str = "") -> None:
    """POST `body`; a broken answer is as good as a whole one. Touch `file` once `mark` came."""
    request = urllib.request.Request(
        os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages?beta=true",
        data=json.dumps(body).encode(),
        headers={
            "content-type": "application/json",
            "x-api-key": os.environ.get("ANTHROPIC_API_KEY", "none"),
        },
    )
    try:
        with urllib.request.urlopen(request) as answer:
            heard = b""
            while mark is not None and mark not in heard:
                heard += answer.read1()
            if mark is not None:
                Path(file).touch()
            answer.read()
    except (OSError, urllib.error.HTTPError):
        pass


def keep(rows: list[dict[str, object]]) -> None:
    """Keep `rows` as Claude Code keeps a session of this folder."""
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(Path.cwd()))
    folder = Path(os.environ["HOME"], ".claude", "projects", name)
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC).isoformat()
    lines = [json.dumps(row | {"timestamp": now}) + "\n" for row in rows]
    (folder / "session.jsonl").write_text("".join(lines))


def main() -> None:
    for line in Path(os.environ["FAKE_STEPS"]).read_text().splitlines():
        match json.loads(line):
            case {"print": frame}:
                print(json.dumps(frame, separators=(",", ":"), ensure_ascii=False), flush=True)
            case {"raw": text}:
                sys.stdout.write(text)
                sys.stdout.flush()
            case {"err": text}:
                print(text, file=sys.stderr, flush=True)
            case {"read": count}:
                for _ in range(count):
                    sys.stdin.readline()
            case {"ask": body, "hear": mark, "touch": file}:
                ask(body, mark.encode(), file)
            case {"ask": body}:
                ask(body)
            case {"touch": file}:
                Path(file).touch()
            case {"wait": file}:
                while not Path(file).exists():
                    time.sleep(0.01)
            case {"keep": rows}:
                keep(rows)
            case {"exit": code}:
                sys.exit(code)


main()
