"""A user's suite with the plugin: green, red with an explanation, under xdist, and unused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.plugin.suites import Suite

WHOLE = """
@pytest.mark.cassette("total.cassette.jsonl")
def test_the_adapter_tells_the_right_turn(cassette, turn):
    told = events(cassette.stdout)
    assert turn == told
    assert turn == iter(told)
    assert turn == "\\n".join(map(json.dumps, told))
    assert turn == turn.text
    assert turn == cassette.events
    assert turn.violations(told) == []
    assert pathlib.Path(cassette).name == "total.cassette.jsonl"
    assert cassette.header.agent.name == "claude"

@pytest.mark.cassette("total.cassette.jsonl")
def test_the_agent_is_a_program(agent_shim, cassette, turn):
    done = subprocess.run([agent_shim, "-p"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (0, cassette.stdout)
    version = subprocess.run([agent_shim, "--version"], stdout=subprocess.PIPE, text=True)
    assert agent_shim.name == "claude"
    assert version.stdout.strip()

@pytest.mark.cassette("total.cassette.jsonl")
def test_the_provider_is_a_url(replay_server):
    assert b"message_stop" in ask(replay_server.url)
    assert replay_server.report().served[0].form == "recorded"

@pytest.mark.cassette("total.cassette.jsonl")
@pytest.mark.parametrize("fault", ["status:429,retry-after=1", ["status:529"]])
def test_faults_can_be_parametrized(replay_server, fault):
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(replay_server.url)
    assert refused.value.code in (429, 529)
    refused.value.close()
    assert b"message_stop" in ask(replay_server.url)

@pytest.mark.cassette("total.cassette.jsonl", "kill@event=3")
def test_the_agent_dies_where_it_should(agent_shim):
    done = subprocess.run([agent_shim], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert done.returncode == -9
    assert len(done.stdout.splitlines()) == 3

@pytest.mark.cassette("total.cassette.jsonl", plan="plan.toml", seed=3)
def test_a_plan_is_a_file(replay_server):
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(replay_server.url)
    refused.value.close()
    assert refused.value.code == 500
    assert replay_server.report().seed == 3
"""


def test_a_suite_is_green_and_can_be_spread(suite: Suite, session: Path) -> None:
    suite.keep(session)
    suite.tests(WHOLE)
    (suite.folder / "plan.toml").write_text('pacing = "max"\nfaults = ["status:500"]\n')
    done = suite.run("-q", "--strict-markers", "-W", "error", "-n", "2")
    assert (done.status, done.counts) == (0, "7 passed"), done.out


def test_a_broken_adapter_is_red_with_both_turns(suite: Suite, session: Path) -> None:
    suite.keep(session)
    suite.tests('''
@pytest.mark.cassette("total.cassette.jsonl")
def test_the_adapter_tells_the_right_turn(cassette, turn):
    assert turn == events(cassette.stdout, without=["commentary"])
''')  # fmt: skip
    done = suite.run("-q")
    assert done.status == 1
    assert "assert the turn that came out is not the one in total.turn" in done.out
    said = '-  commentary "I\'ll read the report first, then add up the regions."'
    assert f"E         {said}" in done.out
    whole = done.out.partition("Captured turnreel turn call")[2]
    assert f"\n{said}\n   activity Read file_read ok\n" in whole
    assert "clauses that the events do not keep:\nE2: event" in whole
    assert "Traceback" not in done.out


def test_a_server_says_what_it_was_asked(suite: Suite, session: Path) -> None:
    suite.keep(session)
    suite.tests('''
@pytest.mark.cassette("total.cassette.jsonl")
def test_asks_for_something_else(replay_server):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{replay_server.url}/v1/other", b"{}")
    refused.value.close()
    assert refused.value.code == 200
''')  # fmt: skip
    done = suite.run("-q")
    assert done.status == 1
    assert "Captured turnreel replay_server call" in done.out
    assert "miss: request 1: POST /v1/other was not recorded" in done.out


def test_a_fault_that_did_not_happen_fails_the_test(suite: Suite, session: Path) -> None:
    suite.keep(session)
    suite.tests('''
@pytest.mark.cassette("total.cassette.jsonl", "status:429")
def test_asks_nothing(replay_server):
    pass

@pytest.mark.cassette("total.cassette.jsonl", "status:429")
def test_fails_by_itself(replay_server):
    raise AssertionError("of its own")
''')  # fmt: skip
    done = suite.run("-q")
    assert done.counts == "1 failed, 1 passed, 1 error"
    assert "turnreel: a planned fault did not happen: status:429 fired 0 of 1 times" in done.out


MISTAKES = {
    "": "this test names no recording: write @pytest.mark.cassette(",
    '@pytest.mark.cassette("absent")': "absent is not there: looked at",
    "@pytest.mark.cassette(5)": "the marker names no recording",
    '@pytest.mark.cassette("total", pace=1)': "the cassette marker: Object contains unknown field",
    '@pytest.mark.cassette("total", "cute@event=1")': "nothing is called `cute`",
    '@pytest.mark.cassette("total", "kill@event=2")': "the server cannot do that",
    '@pytest.mark.cassette("total", "cut:clean@event=99999")': "can never happen here",
    '@pytest.mark.cassette("total", plan="none.toml")': "none.toml: No such file",
    '@pytest.mark.cassette("total", pacing="quick")': "pacing `quick` is not known",
    '@pytest.mark.cassette("total")\n@pytest.mark.parametrize("fault", [5])': "fault is 5",
    '@pytest.mark.cassette("text")': "text.cassette.jsonl:1: not a cassette",
}


def test_a_mistake_is_one_line(suite: Suite, session: Path) -> None:
    suite.keep(session)
    (suite.folder / "text.cassette.jsonl").write_text("{}\n")
    module = ""
    for number, marks in enumerate(MISTAKES):
        asked = "replay_server, fault" if "parametrize" in marks else "replay_server"
        module += f"\n{marks}\ndef test_{number}({asked}):\n    pass\n"
    suite.tests(module)
    done = suite.run("-q", "--tb=short")
    assert done.counts == f"{len(MISTAKES)} errors"
    assert "Traceback" not in done.out
    for said in MISTAKES.values():
        assert said in done.out


def test_a_fault_belongs_to_who_can_execute_it(suite: Suite, session: Path) -> None:
    suite.keep(session)
    suite.tests('''
@pytest.mark.cassette("total", "status:429")
def test_not_the_agent(agent_shim):
    pass

@pytest.mark.cassette("total", "status:429", "exit:7@event=2", pacing="factor:0.01")
def test_each_takes_its_own(agent_shim, replay_server):
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(replay_server.url)
    refused.value.close()
    done = subprocess.run([agent_shim], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert done.returncode == 7
''')  # fmt: skip
    done = suite.run("-q")
    assert done.counts == "1 passed, 1 error"
    assert "turnreel: status:429: the agent cannot do that (it is for the server)" in done.out


def test_a_turn_that_nobody_accepted_is_a_mistake(suite: Suite, session: Path) -> None:
    suite.keep(session).with_name("total.turn").unlink()
    suite.tests('''
@pytest.mark.cassette("total")
def test_turn(turn):
    assert turn == []
''')  # fmt: skip
    done = suite.run("-q")
    assert done.counts == "1 failed"
    assert "total.turn: nobody said which turn is right (turnreel verify --accept" in done.out


def test_a_recording_may_stand_where_the_project_keeps_them(suite: Suite, session: Path) -> None:
    suite.settings('cassettes = ["kept"]')
    suite.keep(session, folder="kept")
    suite.tests('''
@pytest.mark.cassette("total")
def test_found(cassette):
    assert cassette.path.parent.name == "kept"
''')  # fmt: skip
    assert suite.run("-q").counts == "1 passed"


@pytest.mark.parametrize("words", [(), ("-n", "2")])
def test_a_suite_that_does_not_use_it_loads_nothing_of_it(
    suite: Suite, words: tuple[str, ...]
) -> None:
    suite.tests('''
def test_nothing_is_loaded():
    loaded = sorted(name for name in sys.modules if name.startswith("turnreel"))
    assert loaded == ["turnreel", "turnreel.conformance", "turnreel.conformance.plugin"]
    assert not {"msgspec", "pydantic", "aiohttp", "click"} & set(sys.modules)
''')  # fmt: skip
    done = suite.run("-q", *words)
    assert done.counts == "1 passed", done.out
