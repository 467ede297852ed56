"""The tee against real processes: whatever a direct start shows, a start under the tee shows."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
import textwrap
import threading
import time
from pathlib import Path

import msgspec
import pytest

TEE = textwrap.dedent(
    """
    import asyncio, json, os, sys, time
    from turnreel.recorder.exits import leave
    from turnreel.recorder.stdio import tee

    class Log:
        def __init__(self, path):
            self.file = open(path, "a", buffering=1)
        def put(self, *row):
            self.file.write(json.dumps(row) + "\\n")
        def chunk(self, track, code, data, exchange=None):
            self.put(code, data.decode("latin-1"))
        def over(self, track, code, exchange=None):
            self.put("over", code)
        def fact(self, track, code, fields, exchange=None):
            self.put(code, fields)

    leave(asyncio.run(tee(sys.argv[2:], Log(sys.argv[1]))))
    """
)


class Tee:
    """Starts commands under the tee and reads back what it told."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"

    def command(self, *argv: str) -> list[str]:
        return [sys.executable, "-c", TEE, str(self.log), *argv]

    def python(self, code: str, *args: str) -> list[str]:
        return self.command(sys.executable, "-u", "-c", textwrap.dedent(code), *args)

    def rows(self) -> list[list[object]]:
        return [msgspec.json.decode(line) for line in self.log.read_bytes().splitlines()]

    def facts(self, code: str) -> list[object]:
        return [row[1] for row in self.rows() if row[0] == code]

    def bytes(self, code: str) -> bytes:
        return "".join(str(row[1]) for row in self.rows() if row[0] == code).encode("latin-1")


@pytest.fixture
def tee(tmp_path: Path) -> Tee:
    return Tee(tmp_path)


def wait_until(condition, seconds: float = 20.0) -> None:  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()); sys.exit(int(sys.argv[1]))"


def test_exit_code_streams_and_end_of_input_pass_through(tee: Tee) -> None:
    done = subprocess.run(tee.python(ECHO, "7"), input=b"one\ntwo", capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"one\ntwo", b"")
    assert tee.bytes("in") == b"one\ntwo"
    assert tee.bytes("out") == b"one\ntwo"
    assert tee.facts("eof") == [{"stream": "stdin"}]
    assert tee.rows()[-1] == ["exit", {"code": 7}]


def test_binary_without_a_newline_is_exact_and_streams_stay_apart(tee: Tee) -> None:
    code = r"""
    import os
    os.write(1, b"\xff\x00\x80 no newline"); os.write(2, b"\xfe err")
    """
    done = subprocess.run(tee.python(code), stdin=subprocess.DEVNULL, capture_output=True)
    assert (done.stdout, done.stderr) == (b"\xff\x00\x80 no newline", b"\xfe err")
    assert (tee.bytes("out"), tee.bytes("err")) == (done.stdout, done.stderr)


def test_a_large_stream_is_exact_both_ways(tee: Tee) -> None:
    payload = os.urandom(3_000_001)
    done = subprocess.run(tee.command("cat"), input=payload, capture_output=True)
    assert done.stdout == payload
    assert tee.bytes("in") == tee.bytes("out") == payload


def test_regular_files_are_read_from_their_offset_and_written_at_theirs(
    tee: Tee, tmp_path: Path
) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"skipped|" + b"x" * 200_000)
    target.write_bytes(b"before|")
    with source.open("rb") as stdin, target.open("ab") as stdout:
        os.lseek(stdin.fileno(), 8, os.SEEK_SET)
        subprocess.run(tee.command("cat"), stdin=stdin, stdout=stdout, check=True)
    assert target.read_bytes() == b"before|" + b"x" * 200_000


def test_flags_of_the_inherited_descriptors_stay_as_they_were(tee: Tee) -> None:
    read, write = os.pipe()
    with subprocess.Popen(tee.command("cat"), stdin=subprocess.PIPE, stdout=write) as process:
        assert process.stdin
        process.stdin.write(b"hello\n")
        process.stdin.flush()
        assert os.read(read, 100) == b"hello\n"
        assert os.get_blocking(write)
        process.stdin.close()
    os.close(write)
    assert os.read(read, 100) == b""
    os.close(read)


def test_sockets_as_standard_streams(tee: Tee) -> None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = subprocess.Popen(tee.command("cat"), stdin=theirs, stdout=theirs)
        ours.sendall(b"ping")
        assert ours.recv(100) == b"ping"
        ours.shutdown(socket.SHUT_WR)
        assert ours.recv(100) == b""
    assert process.wait(20) == 0
    assert tee.facts("eof") == [{"stream": "stdin"}]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_that_kills_the_command_kills_us_the_same_way(tee: Tee, name: str) -> None:
    process = subprocess.Popen(
        tee.command("sh", "-c", "echo up; exec sleep 60"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.Signals[name])
        assert process.wait(20) == -signal.Signals[name]
    assert tee.facts("signal") == [{"name": name}]
    assert tee.rows()[-1] == ["exit", {"signal": name}]


def test_a_signal_that_the_command_handles_ends_as_it_says(tee: Tee) -> None:
    code = """
    import signal, sys
    signal.signal(signal.SIGINT, lambda *_: sys.exit(42))
    print("up"); signal.pause()
    """
    process = subprocess.Popen(tee.python(code), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 42


def test_an_ignored_signal_stays_ignored_for_both(tee: Tee) -> None:
    code = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    done = subprocess.run(
        tee.python(code),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert done.stdout == b"True\n"


def test_a_kill_of_the_command_is_ours_too(tee: Tee) -> None:
    done = subprocess.run(tee.command("sh", "-c", "kill -9 $$"), stdin=subprocess.DEVNULL)
    assert done.returncode == -signal.SIGKILL
    assert tee.rows()[-1] == ["exit", {"signal": "SIGKILL"}]


def test_when_nobody_reads_our_output_the_command_learns_it(tee: Tee) -> None:
    process = subprocess.Popen(
        tee.command("sh", "-c", "while echo line; do :; done; exit 3"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(20) in (-signal.SIGPIPE, 3)
    assert {"what": "stdout_no_longer_read"} in tee.facts("note")
    rows = tee.rows()
    rest = rows[rows.index(["over", "out"]) :]
    assert "out" not in [row[0] for row in rest], "nothing is told of a stream that is over"


def test_when_the_command_closes_its_input_our_writer_learns_it(tee: Tee) -> None:
    process = subprocess.Popen(
        tee.command("sh", "-c", "exec <&-; echo closed; sleep 60"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin and process.stdout
    assert process.stdout.readline() == b"closed\n"

    def refused() -> bool:
        try:
            os.write(process.stdin.fileno(), b"x")  # type: ignore[union-attr]
        except BrokenPipeError:
            return True
        return False

    wait_until(refused)
    process.terminate()
    assert process.wait(20) == -signal.SIGTERM
    process.stdout.close()
    process.stdin.close()


def test_output_closed_early_is_seen_as_closed(tee: Tee) -> None:
    process = subprocess.Popen(
        tee.command("sh", "-c", "echo last; exec >&-; read line; exit 5"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin and process.stdout
    assert process.stdout.read() == b"last\n"  # returns although the command still runs
    assert process.poll() is None
    process.stdin.close()
    assert process.wait(20) == 5
    process.stdout.close()


def test_a_grandchild_that_holds_the_output_does_not_hold_us(tee: Tee) -> None:
    began = time.monotonic()
    done = subprocess.run(
        tee.command("sh", "-c", "echo out; sleep 30 & exit 4"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert (done.returncode, done.stdout) == (4, b"out\n")
    assert time.monotonic() - began < 20
    assert {"what": "stdout_held_open"} in tee.facts("note")


def test_all_that_was_written_before_the_exit_reaches_a_slow_reader(tee: Tee) -> None:
    process = subprocess.Popen(
        tee.command("sh", "-c", "head -c 900000 /dev/zero; sleep 60 & exit 0"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    time.sleep(3)  # longer than the drain: the reader is slow, not absent
    assert len(process.stdout.read()) == 900_000
    assert process.wait(20) == 0
    process.stdout.close()


def test_back_pressure_reaches_the_command(tee: Tee) -> None:
    code = """
    import os, sys
    written = 0
    os.set_blocking(1, False)
    import select, time
    while True:
        try:
            written += os.write(1, b"x" * 65536)
        except BlockingIOError:
            if not select.select([], [1], [], 1.0)[1]:
                os.write(2, b"%d\\n" % written); break
    """
    process = subprocess.Popen(
        tee.python(code),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout and process.stderr
    written = int(process.stderr.readline())
    assert written < 3_000_000, "two pipes and one read are all that may lie between"
    assert len(process.stdout.read()) == written
    assert process.wait(20) == 0
    process.stdout.close()
    process.stderr.close()


COUNTING = """
import os, signal, sys
count = 0
def more(*_):
    global count
    count += 1
signal.signal(signal.SIGINT, more)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(count))
print("up")
while True: signal.pause()
"""


def in_front(terminal: int) -> None:
    """Become the process that the terminal's keys are for."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize("is_redirected", [True, False])
def test_a_key_of_the_terminal_reaches_the_command_once(tee: Tee, is_redirected: bool) -> None:
    """Wherever standard input leads: the terminal sends it to all that are in front of it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        tee.python(COUNTING), stdin=subprocess.DEVNULL if is_redirected else theirs,
        stdout=subprocess.PIPE, preexec_fn=lambda: in_front(theirs),
    )  # fmt: skip
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline() == b"up\n"
        os.write(ours, b"\x03")
        wait_until(lambda: tee.facts("signal") == [{"name": "SIGINT"}])
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 1
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("is_redirected", [True, False])
def test_a_host_that_interrupts_us_alone_means_the_command(tee: Tee, is_redirected: bool) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        tee.python(COUNTING), stdin=subprocess.DEVNULL if is_redirected else theirs,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.SIGINT)
        wait_until(lambda: tee.facts("signal") == [{"name": "SIGINT"}])
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 1
    os.close(ours)
    os.close(theirs)


def test_a_resized_window_is_passed_on_and_not_recorded(tee: Tee) -> None:
    code = """
    import signal, sys
    signal.signal(signal.SIGWINCH, lambda *_: sys.exit(11))
    print("up"); signal.pause()
    """
    process = subprocess.Popen(tee.python(code), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.SIGWINCH)
        assert process.wait(20) == 11
    assert tee.facts("signal") == []


def test_signals_that_were_blocked_for_the_command_still_are(tee: Tee) -> None:
    code = "import signal; print(*sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())))"
    blocked = {signal.SIGUSR1}
    done = subprocess.run(
        tee.python(code), stdin=subprocess.DEVNULL, capture_output=True,
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, blocked),
    )  # fmt: skip
    assert done.stdout == b"%d\n" % signal.SIGUSR1


def test_a_silent_stream_in_both_directions_answers_line_by_line(tee: Tee) -> None:
    process = subprocess.Popen(tee.command("cat"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    for number in range(200):
        line = b"%d\n" % number
        process.stdin.write(line)
        process.stdin.flush()
        assert process.stdout.readline() == line
    process.stdin.close()
    assert process.wait(20) == 0
    process.stdout.close()


def test_the_memory_of_the_tee_does_not_grow_with_the_stream(tee: Tee) -> None:
    code = """
    import resource, subprocess, sys
    null = subprocess.DEVNULL
    subprocess.run(sys.argv[1:], stdin=null, stdout=null, check=True)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    """
    measured = [sys.executable, "-c", textwrap.dedent(code)]
    peak = {}
    for size in (1_000, 60_000_000):
        tee.log = Path(os.devnull)
        command = tee.command("sh", "-c", f"head -c {size} /dev/zero")
        done = subprocess.run([*measured, *command], capture_output=True, check=True)
        peak[size] = int(done.stdout)
    assert peak[60_000_000] - peak[1_000] < 20_000  # KiB


def test_a_command_that_cannot_be_started_is_one_clear_error(tee: Tee) -> None:
    done = subprocess.run(tee.command("/does/not/exist"), capture_output=True, text=True)
    assert done.returncode == 1
    assert "cannot run /does/not/exist: No such file or directory" in done.stderr


def test_signals_before_and_after_threads_do_not_race(tee: Tee) -> None:
    """Many interrupts in a burst: each one is forwarded, none kills the tee itself."""
    code = """
    import signal, sys
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("up"); sys.stdin.read(); sys.exit(9)
    """
    process = subprocess.Popen(tee.python(code), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    assert process.stdout.readline() == b"up\n"
    senders = [
        threading.Thread(target=process.send_signal, args=(signal.SIGINT,)) for _ in range(8)
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    process.stdin.close()
    assert process.wait(20) == 9
    process.stdout.close()
