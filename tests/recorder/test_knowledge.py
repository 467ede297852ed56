"""What the recorder knows to be private."""

from __future__ import annotations

import os
import socket

import msgspec
import pytest

from turnreel.recorder.knowledge import known_secrets
from turnreel.sanitizers import KnownSecrets


def test_credentials_are_found_by_the_names_of_their_variables() -> None:
    known = known_secrets(
        {
            "ANTHROPIC_API_KEY": "sk-ant-planted",
            "ANTHROPIC_AUTH_TOKEN": "tok-planted",
            "DB_PASSWORD": "correct horse",
            "DISABLE_AUTH": "1",
            "PATH": "/usr/bin:/bin",
            "HOME": "/home/somebody-else",
        }
    )
    assert known.secrets == ("correct horse", "sk-ant-planted", "tok-planted")
    assert known.home == "/home/somebody-else"


def test_names_that_are_words_everywhere_are_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "localhost")
    monkeypatch.setenv("LOGNAME", "root")
    known = known_secrets({"HOME": "/root"})
    assert (known.user, known.host, known.home) == (None, None, None)
    monkeypatch.setattr(socket, "gethostname", lambda: "build-host-17")
    monkeypatch.setenv("LOGNAME", "mallory")
    known = known_secrets({"HOME": "/home/mallory"})
    assert (known.user, known.host) == ("mallory", "build-host-17")


def test_values_that_are_no_text_are_known_as_they_are_printed() -> None:
    home = os.fsdecode(b"/home/ren\xe9")
    known = known_secrets({"DB_PASSWORD": os.fsdecode(b"correct\xff horse"), "HOME": home})
    assert known.secrets == ("correct\ufffd horse",)
    assert known.home == "/home/ren\ufffd"
    assert msgspec.json.decode(msgspec.json.encode(known), type=KnownSecrets) == known
