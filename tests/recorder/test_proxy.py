"""The recording proxy against real sockets: what passes, in which pieces, and how it ended."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from turnreel.recorder.doors import Door
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.proxy import Upstream, proxy

from .conftest import Memory, Row, Script, ask, chunked, hang_up, reset, send, upstream

GET = "GET /v1/messages?beta=true HTTP/1.1\nhost: x\nconnection: close\naccept-encoding: gzip\n"
SSE_HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
)


def record(memory: Memory, script: Script, head: str = GET, body: bytes = b"") -> bytes:
    """Ask through a recording proxy; what the client got."""

    async def run() -> bytes:
        async with (
            upstream(script) as url,
            proxy([Upstream("provider", url)], memory) as bases,
        ):
            return await ask(bases["provider"], head, body)

    return asyncio.run(run())


def codes(rows: list[Row]) -> list[str]:
    return [row[0] for row in rows]


def test_each_chunk_is_handed_on_as_it_came_and_told_once(memory: Memory) -> None:
    async def script(_: bytes, __: object, writer: asyncio.StreamWriter) -> None:
        await send(
            writer, SSE_HEAD, *chunked(b"data: one\n\n", b"data: t", b"wo\n\n"), b"0\r\n\r\n"
        )

    answer = record(memory, script)
    assert answer.endswith(b"b\r\ndata: one\n\n\r\n7\r\ndata: t\r\n4\r\nwo\n\n\r\n0\r\n\r\n")
    rows = memory.of(1)
    assert codes(rows) == ["request", "response", "data", "data", "data", "over", "end"]
    assert [content for code, content in rows if code == "data"] == [
        b"data: one\n\n",
        b"data: t",
        b"wo\n\n",
    ]
    assert rows[1][1]["status"] == 200
    assert rows[1][1]["headers"]["content-type"] == "text/event-stream"


def test_upstream_is_asked_for_plain_bodies_and_the_original_wish_is_told(memory: Memory) -> None:
    heads: list[bytes] = []

    async def script(head: bytes, _: object, writer: asyncio.StreamWriter) -> None:
        heads.append(head)
        await send(writer, b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")

    record(memory, script)
    assert b"accept-encoding: identity\r\n" in heads[0].lower()
    assert heads[0].startswith(b"GET /v1/messages?beta=true HTTP/1.1\r\n")
    method, path, headers, body = memory.of(1)[0][1]
    assert (method, path, body) == ("GET", "/v1/messages?beta=true", b"")
    assert headers["accept-encoding"] == "gzip"


def test_a_request_body_arrives_whole_at_both(memory: Memory) -> None:
    sent = os.urandom(300_000)
    got: list[bytes] = []

    async def script(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readexactly(len(sent)))
        await send(writer, b"HTTP/1.1 204 No Content\r\n\r\n")

    head = f"POST / HTTP/1.1\nhost: x\nconnection: close\ncontent-length: {len(sent)}\n"
    record(memory, script, head, sent)
    assert got == [sent]
    assert memory.of(1)[0][1][3] == sent
    assert codes(memory.of(1)) == ["request", "response", "over", "end"]


@pytest.mark.parametrize("end", ["close", "reset", "mid-chunk"])
def test_a_broken_stream_is_a_cut_by_upstream_and_its_bytes_are_kept(
    memory: Memory, end: str
) -> None:
    async def script(_: bytes, __: object, writer: asyncio.StreamWriter) -> None:
        await send(writer, SSE_HEAD, *chunked(b"data: one\n\n"))
        if end == "mid-chunk":
            await send(writer, b"40\r\ndata: tw")
        if end == "reset":
            await asyncio.sleep(0.1)
            await reset(writer)

    answer = record(memory, script)
    assert b"data: one\n\n" in answer
    assert not answer.endswith(b"0\r\n\r\n")
    rows = memory.of(1)
    assert codes(rows)[-2:] == ["over", "cut"]
    assert rows[-1][1] == {"by": "upstream"}
    data = b"".join(content for code, content in rows if code == "data")
    assert data == b"data: one\n\n" + (b"data: tw" if end == "mid-chunk" else b"")


def test_a_client_that_leaves_is_a_cut_by_the_client(memory: Memory) -> None:
    left = asyncio.Event()

    async def script(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await send(writer, SSE_HEAD, *chunked(b"data: one\n\n"))
        assert await reader.read() == b""  # upstream learns it too
        left.set()

    async def run() -> None:
        async with (
            upstream(script) as url,
            proxy([Upstream("provider", url)], memory) as bases,
        ):
            port = int(bases["provider"].rsplit(":", 1)[1])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(GET.replace("\n", "\r\n").encode() + b"\r\n")
            await reader.readuntil(b"data: one\n\n")
            await hang_up(writer)
            await asyncio.wait_for(left.wait(), 10)

    asyncio.run(run())
    assert memory.of(1)[-1] == ("cut", {"by": "client"})


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\ncont", b"GARBAGE\r\n\r\n"])
def test_an_answer_made_by_the_proxy_is_marked(memory: Memory, answer: bytes) -> None:
    async def script(_: bytes, __: object, writer: asyncio.StreamWriter) -> None:
        await send(writer, answer)

    assert record(memory, script).startswith(b"HTTP/1.1 502 ")
    rows = memory.of(1)
    assert codes(rows) == ["request", "response", "over", "cut"]
    assert rows[1][1] == {"status": 502, "headers": {}, "made_by": "proxy"}
    assert rows[-1][1] == {"by": "upstream"}


def test_a_refused_connection_is_an_exchange_too(memory: Memory) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    async def run() -> bytes:
        async with proxy([Upstream("provider", f"http://127.0.0.1:{port}")], memory) as bases:
            return await ask(bases["provider"], GET)

    assert asyncio.run(run()).startswith(b"HTTP/1.1 502 ")
    assert codes(memory.of(1)) == ["request", "response", "over", "cut"]
    assert memory.of(1)[1][1]["made_by"] == "proxy"


def test_a_body_that_ends_with_the_connection_says_so(memory: Memory) -> None:
    async def script(_: bytes, __: object, writer: asyncio.StreamWriter) -> None:
        await send(writer, b"HTTP/1.1 200 OK\r\n\r\n", b"data: one\n\n")

    record(memory, script)
    rows = memory.of(1)
    assert rows[1][1]["framing"] == "close"
    assert rows[-1] == ("end", {})


def test_a_request_that_never_completed_is_none(memory: Memory) -> None:
    async def script(_: bytes, __: object, ___: object) -> None:
        raise AssertionError("upstream was never asked")

    async def run() -> None:
        async with (
            upstream(script) as url,
            proxy([Upstream("provider", url)], memory) as bases,
        ):
            port = int(bases["provider"].rsplit(":", 1)[1])
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc")
            await writer.drain()
            await hang_up(writer)
            await asyncio.sleep(0.1)

    asyncio.run(run())
    assert memory.rows == []


def test_concurrent_exchanges_stay_apart_in_order(memory: Memory) -> None:
    async def script(head: bytes, _: object, writer: asyncio.StreamWriter) -> None:
        name = head.split()[1].strip(b"/")
        pieces = [b"data: %s%d\n\n" % (name, n) for n in range(20)]
        await send(writer, SSE_HEAD, *chunked(*pieces), b"0\r\n\r\n")

    async def run() -> None:
        async with (
            upstream(script) as url,
            proxy([Upstream("provider", url)], memory) as bases,
        ):
            heads = [f"GET /{name} HTTP/1.1\nhost: x\nconnection: close\n" for name in "abcd"]
            await asyncio.gather(*(ask(bases["provider"], head) for head in heads))

    asyncio.run(run())
    for exchange in range(1, 5):
        rows = memory.of(exchange)
        name = rows[0][1][1].strip("/")
        data = b"".join(content for code, content in rows if code == "data")
        assert data == "".join(f"data: {name}{n}\n\n" for n in range(20)).encode()
        assert rows[-1] == ("end", {})


def test_several_exchanges_on_one_connection(memory: Memory) -> None:
    async def script(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _number in range(3):
            await send(writer, b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
            if _number < 2:
                await reader.readuntil(b"\r\n\r\n")

    async def run() -> None:
        async with (
            upstream(script) as url,
            proxy([Upstream("provider", url)], memory) as bases,
        ):
            port = int(bases["provider"].rsplit(":", 1)[1])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for _ in range(3):
                writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
                await reader.readuntil(b"{}")
            await hang_up(writer)

    asyncio.run(run())
    for exchange in (1, 2, 3):
        assert codes(memory.of(exchange)) == ["request", "response", "data", "over", "end"]


def test_what_is_open_when_the_proxy_stops_is_cut(memory: Memory) -> None:
    async def script(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await send(writer, SSE_HEAD, *chunked(b"data: one\n\n"))
        await reader.read()

    async def run() -> None:
        async with upstream(script) as url:
            async with proxy([Upstream("provider", url)], memory, 0.1) as bases:
                port = int(bases["provider"].rsplit(":", 1)[1])
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(GET.replace("\n", "\r\n").encode() + b"\r\n")
                await reader.readuntil(b"data: one\n\n")
            await hang_up(writer)

    asyncio.run(run())
    assert codes(memory.of(1)) == ["request", "response", "data", "over", "cut"]


def test_a_sink_that_fails_does_not_touch_the_stream(memory: Memory) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("planted")

    memory.chunk = broken  # type: ignore[method-assign]

    async def script(_: bytes, __: object, writer: asyncio.StreamWriter) -> None:
        await send(writer, SSE_HEAD, *chunked(b"data: one\n\n"), b"0\r\n\r\n")

    assert record(memory, script).endswith(b"b\r\ndata: one\n\n\r\n0\r\n\r\n")


def test_a_path_in_the_base_url_is_the_clients_too(memory: Memory) -> None:
    async def script(_: bytes, __: object, writer: asyncio.StreamWriter) -> None:
        await send(writer, b"HTTP/1.1 204 No Content\r\n\r\n")

    async def run() -> str:
        async with (
            upstream(script) as url,
            proxy([Upstream("provider", url + "/gateway")], memory) as bases,
        ):
            return bases["provider"]

    assert asyncio.run(run()).endswith("/gateway")


def test_nothing_is_written_for_the_proxy_to_run(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    async def script(_: bytes, __: object, writer: asyncio.StreamWriter) -> None:
        await send(writer, b"HTTP/1.1 204 No Content\r\n\r\n")

    record(memory, script)
    assert codes(memory.of(1)) == ["request", "response", "over", "end"]
    assert list(tmp_path.iterdir()) == []


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=36500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = serialization.Encoding.PEM
    shape, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "cert.pem").write_bytes(made.public_bytes(form))
    (folder / "key.pem").write_bytes(key.private_bytes(form, shape, plain))
    return folder / "cert.pem", folder / "key.pem"


@pytest.mark.parametrize("is_vouched_for", [True, False])
def test_tls_to_upstream_is_checked(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_vouched_for: bool
) -> None:
    shown, key = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shown, key)
    if is_vouched_for:
        monkeypatch.setattr(certifi, "where", lambda: str(shown))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await send(writer, b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        await hang_up(writer)

    async def run() -> bytes:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        url = f"https://localhost:{server.sockets[0].getsockname()[1]}"
        async with server, proxy([Upstream("provider", url)], memory) as bases:
            return await ask(bases["provider"], GET)

    answer = asyncio.run(run())
    if is_vouched_for:
        assert answer.endswith(b"{}")
        assert codes(memory.of(1)) == ["request", "response", "data", "over", "end"]
    else:
        assert answer.startswith(b"HTTP/1.1 502")
        assert memory.of(1)[-1] == ("cut", {"by": "upstream"})


def test_callers_mistakes_are_one_clear_error(memory: Memory) -> None:
    async def run(upstream: Upstream) -> None:
        async with proxy([upstream], memory):
            raise AssertionError("started")

    for url in (
        "api.anthropic.com", "ftp://host", "http://", "https://host/?key=1", "http://host:port",
        "http://[::1", "https://me:hunter2@host",
    ):  # fmt: skip
        with pytest.raises(RecorderError, match="not a base URL") as caught:
            asyncio.run(run(Upstream("provider", url)))
        assert "hunter2" not in str(caught.value)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(RecorderError, match=f"cannot listen on 127.0.0.1:{port}"):
            asyncio.run(run(Upstream("provider", "http://127.0.0.1:9", Door(port=port))))


def test_without_the_extra_the_error_says_what_to_install() -> None:
    code = """
import asyncio, sys
sys.modules["mitmproxy"] = None
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.proxy import Upstream, proxy
async def run():
    async with proxy([Upstream("provider", "http://127.0.0.1:9")], None): pass
try: asyncio.run(run())
except RecorderError as error: print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "recording http needs mitmproxy (pip install 'turnreel[record]')\n"


def test_mitmproxy_is_imported_only_when_used() -> None:
    code = (
        "import sys, turnreel.recorder, turnreel.recorder.proxy; print('mitmproxy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
