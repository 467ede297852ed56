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

import pytest

from turnreel.cassettes import open_cassette
from turnreel.recorder import RecorderError, door

from .conftest import ask, send, served

LISTEN = (
    "import sys; from pathlib import Path\n"
    "from turnreel.recorder import door, record_requests\n"
    "done = record_requests(sys.argv[1], Path(sys.argv[2]), door=door(*sys.argv[3:]),\n"
    "    ready=lambda url, path: print(url, path, flush=True))\n"
    "print(done.path, done.records)"
)
GET = "GET {path} HTTP/1.1\nhost: x\nconnection: close\n"
BODY = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'


async def overloaded(
    head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    await send(
        writer,
        b"HTTP/1.1 529 Overloaded\r\ncontent-type: application/json\r\n"
        b"content-length: %d\r\n\r\n%s" % (len(BODY), BODY),
    )


def command(url: str, folder: Path, address: str = "127.0.0.1:0", *token: str) -> list[str]:
    return [sys.executable, "-c", LISTEN, url, str(folder), address, *token]


@contextmanager
def listening(url: str, folder: Path, *door: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(command(url, folder, *door), stdout=subprocess.PIPE, text=True)
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
            command("http://127.0.0.1:9", tmp_path, f"127.0.0.1:{port}"),
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["127.0.0.1:0", "0.0.0.0:0"])
def test_with_a_token_nobody_else_is_answered(tmp_path: Path, address: str) -> None:
    token = "canary-token-of-a-container"
    with (
        served(overloaded) as url,
        listening(url, tmp_path, address, token) as (process, base),
    ):
        root, _, said = base.rpartition("/")
        assert said == token
        for wrong in (root, f"{root}/{token}x", f"{root}/{token[:-1]}", f"{root}//{token}"):
            path = wrong.removeprefix(root)
            refused = asyncio.run(ask(root, GET.format(path=f"{path}/v1/models")))
            assert refused.startswith(b"HTTP/1.1 403 ")
            assert b"Overloaded" not in refused
        answer = asyncio.run(ask(root, GET.format(path=f"/{token}/v1/models?limit=1")))
        assert answer.startswith(b"HTTP/1.1 529 ")
        out = stop(process)
    (path,) = tmp_path.iterdir()
    asked = [dict(r.data) for r in open_cassette(path) if r.code == "request"]  # type: ignore[arg-type]
    assert [fields["path"] for fields in asked] == ["/v1/models?limit=1"]
    assert token.encode() not in path.read_bytes()
    assert out.split()[-1] == "4", "request, response, data, end"


def test_who_listens_for_others_has_a_token() -> None:
    assert door("0.0.0.0:8101").token != door("0.0.0.0:8101").token
    assert door("[::]:0").token and door("build-host:1").token
    assert door("127.0.0.1:0").token is door("localhost:1").token is door("[::1]:1").token is None
    assert door().url(8101, "/base") == "http://127.0.0.1:8101/base"
    assert door("0.0.0.0:0", "t" * 16).url(5, "") == f"http://127.0.0.1:5/{'t' * 16}"
    assert door("[fe80::1]:0", "t" * 16).url(5, "") == f"http://[fe80::1]:5/{'t' * 16}"


@pytest.mark.parametrize(
    "address", ["8101", "host", "a b:1", "127.0.0.1:65536", "127.0.0.1:-1", "::1:8"]
)
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(RecorderError, match="not an address"):
        door(address)


@pytest.mark.parametrize("token", ["", "short", "with/slash-in-the-token", "ü" * 20])
def test_a_token_that_will_not_do_is_told_and_not_shown(token: str) -> None:
    with pytest.raises(RecorderError) as caught:
        door("127.0.0.1:0", token)
    assert caught.value.message == "not a token for a URL"
