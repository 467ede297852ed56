"""The proxy on its own: one run, one cassette, however many clients."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from turnreel.cassettes import open_cassette

from .conftest import ask, send, served

LISTEN = (
    "import sys; from pathlib import Path; from turnreel.recorder import record_requests\n"
    "done = record_requests(sys.argv[1], Path(sys.argv[2]), port=int(sys.argv[3]),\n"
    "    ready=lambda url, path: print(url, path, flush=True))\n"
    "print(done.path, done.records)"
)
BODY = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'


async def overloaded(
    head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    await send(
        writer,
        b"HTTP/1.1 529 Overloaded\r\ncontent-type: application/json\r\n"
        b"content-length: %d\r\n\r\n%s" % (len(BODY), BODY),
    )


def command(url: str, folder: Path, port: int = 0) -> list[str]:
    return [sys.executable, "-c", LISTEN, url, str(folder), str(port)]


@contextmanager
def listening(url: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(command(url, folder), stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[0]


def stop(process: subprocess.Popen[str], number: signal.Signals = signal.SIGINT) -> str:
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    return out


def request(base: str, prompt: str) -> bytes:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": prompt}]}).encode()
    head = f"POST /v1/messages HTTP/1.1\nhost: x\nconnection: close\ncontent-length: {len(body)}\n"
    return asyncio.run(ask(base, head, body))


def test_every_exchange_of_every_client_is_in_one_cassette(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with served(overloaded) as url, listening(url, folder) as (process, base):
        for number in range(3):
            assert request(base, f"canary {number}").endswith(BODY)
        out = stop(process)
    target = folder / "anthropic-messages-001.cassette.jsonl"
    assert out == f"{target} 12\n"
    cassette = open_cassette(target)
    assert cassette.seal is not None
    assert [(record.exchange, record.code) for record in cassette] == [
        (number, code) for number in (1, 2, 3) for code in ("request", "response", "data", "end")
    ]
    assert b"canary" not in target.read_bytes()


def test_a_second_run_takes_the_next_name(tmp_path: Path) -> None:
    with served(overloaded) as url:
        for _ in range(2):
            with listening(url, tmp_path) as (process, base):
                request(base, "x")
                stop(process, signal.SIGTERM)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "anthropic-messages-001.cassette.jsonl",
        "anthropic-messages-002.cassette.jsonl",
    ]


def test_a_run_in_which_nobody_asked_leaves_nothing(tmp_path: Path) -> None:
    with listening("http://127.0.0.1:9", tmp_path) as (process, _):
        assert stop(process) == "None 0\n"
    assert list(tmp_path.iterdir()) == []


def test_a_taken_port_is_one_clear_error_and_leaves_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            command("http://127.0.0.1:9", tmp_path, port), capture_output=True, text=True
        )
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []
