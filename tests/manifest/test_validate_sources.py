"""`pond-new validate` as a command: what it reads, from where, and what it refuses to read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pond_new.commands.fetch import Answer
from pond_new.commands.sources import Outside
from pond_new.commands.validate import ValidateOptions, validate
from pond_new.errors import UnreadableInput, WrongUsage
from tests.manifest.validating import CASES, GOOD, write

KEY = "pond-test-key-0123456789"

AGENT_MANIFEST = Path(__file__).parent.parent / "agent_manifest/text-stats.json"


def test_a_directory_stands_for_its_contract_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "manifest.json", GOOD)
    write(tmp_path / "agent-manifest.json", AGENT_MANIFEST.read_text("utf-8"))

    validate([str(tmp_path)], ValidateOptions(format="json"))

    report = json.loads(capsys.readouterr().out)
    assert [file["standard"] for file in report["files"]] == ["pond", "mcp"]


def test_an_agent_manifest_is_judged_by_its_own_standard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = json.loads(AGENT_MANIFEST.read_text("utf-8"))
    refused = manifest | {"license": "Proprietary"}
    unreachable = manifest | {"runtime": manifest["runtime"] | {"endpoint": "http://localhost:8080/mcp"}}

    assert validate([str(AGENT_MANIFEST)], ValidateOptions()) == 0
    assert "A call costs at most 0.001 USD" in capsys.readouterr().out
    assert validate([write(tmp_path / "one.json", json.dumps(refused))], ValidateOptions()) == 1
    assert "Pond" not in capsys.readouterr().out
    assert validate([write(tmp_path / "two.json", json.dumps(unreachable))], ValidateOptions()) == 1
    assert "public https" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "github", "sarif"])
def test_an_agent_manifest_is_reported_in_every_format(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "agent-manifest.json", '{"interface": {}, "runtime": {}}')

    assert validate([path], ValidateOptions(format=form)) == 1
    assert "AMS-01" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("manifest", "kind"),
    [
        ({"manifest_version": 3, "name": "x", "version": "1"}, "browser extension"),
        ({"display_information": {"name": "x"}, "settings": {}}, "Slack app"),
        ({"name": "x", "start_url": "/", "icons": []}, "web app"),
        ({"name": "x", "version": "1", "dependencies": {}}, "npm package"),
    ],
)
def test_a_manifest_of_something_else_is_recognised(
    manifest: dict[str, Any], kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "manifest.json", json.dumps(manifest))

    assert validate([path], ValidateOptions()) == 1
    assert kind in capsys.readouterr().out


def test_an_empty_directory_is_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"looked for manifest\.json"):
        validate([str(tmp_path)], ValidateOptions())


def test_a_missing_file_is_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="There is no file"):
        validate([str(tmp_path / "manifest.json")], ValidateOptions())


def test_standard_input_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(["-"], ValidateOptions(), outside=Outside(read_input=lambda _: GOOD.encode())) == 0
    assert capsys.readouterr().out.startswith("-:")


def test_a_file_of_50_megabytes_is_refused_without_reading_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "manifest.json"
    with path.open("wb") as file:
        file.truncate(50_000_000)

    assert validate([str(path)], ValidateOptions()) == 1
    assert "It has 50,000,000." in capsys.readouterr().out


def test_a_hundred_thousand_brackets_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("manifest.json", "manifest.yaml"):
        assert validate([write(tmp_path / name, "[" * 100_000)], ValidateOptions()) == 1
        assert "nested more than 64 deep" in capsys.readouterr().out


class Agent:
    """An agent that answers one request and remembers it."""

    def __init__(self, status: int = 200, body: str = GOOD, **more: Any) -> None:
        self.answer = Answer(status, more.pop("media_type", "application/json"), body.encode(), **more)
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    def fetch(self, url: str, headers: Mapping[str, str], limit: int) -> Answer:
        self.asked.append((url, headers))
        assert limit == 262_145
        return self.answer


def judge(agent: Agent, url: str, **given: Any) -> int:
    outside = Outside(fetch=agent.fetch, environ={"AGENT_KEY": KEY})
    return validate([url], ValidateOptions(**given), outside=outside)


def test_a_base_url_is_asked_for_its_manifest_with_the_key_from_the_environment() -> None:
    agent = Agent()

    assert judge(agent, "https://agent.example.com/v1/", key_env="AGENT_KEY") == 0
    assert agent.asked == [("https://agent.example.com/v1/manifest", {"Authorization": f"Bearer {KEY}"})]


def test_a_manifest_that_is_not_called_json_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(Agent(media_type="text/html"), "https://agent.example.com") == 1
    assert "MAN-01" in capsys.readouterr().out


def test_the_access_key_in_the_manifest_is_an_error_and_is_not_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    leaking = Agent(body=GOOD.replace("Nothing to set up.", f"Use {KEY}."))

    assert judge(leaking, "https://agent.example.com", key_env="AGENT_KEY") == 1
    printed = capsys.readouterr().out
    assert "AUT-06" in printed
    assert "The access key stands here." in printed
    assert KEY not in printed


def test_a_password_in_a_listing_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("text", "json", "github", "sarif"):
        validate([str(CASES / "warned" / "password-in-the-logo-address.json")], ValidateOptions(format=form))

    assert "hunter2" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("agent", "given", "words"),
    [
        (Agent(401), {}, "--key-env"),
        (Agent(401), {"key_env": "AGENT_KEY"}, "refuses the access key"),
        (Agent(404), {}, "Pond wants the base URL"),
        (Agent(308, location="https://other.example/"), {}, "redirects to https://other.example/"),
        (Agent(500), {}, "log of the agent"),
        (Agent(503), {}, "no access key yet"),
    ],
)
def test_an_answer_without_a_manifest_says_what_to_do(
    agent: Agent, given: dict[str, Any], words: str
) -> None:
    with pytest.raises(UnreadableInput) as caught:
        judge(agent, "https://agent.example.com", **given)

    assert words in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["https://", "http://[::1", "https://ada:pw@example.com", "https://example.com/?a=1"]
)
def test_an_address_that_no_agent_can_have_is_wrong_usage(url: str) -> None:
    with pytest.raises(WrongUsage):
        judge(Agent(), url)


def test_a_key_is_not_sent_over_plain_http_to_another_machine() -> None:
    with pytest.raises(WrongUsage, match="Use https"):
        judge(Agent(), "http://agent.example.com", key_env="AGENT_KEY")


def test_a_key_may_go_over_plain_http_to_this_machine() -> None:
    assert judge(Agent(), "http://127.0.0.1:8000", key_env="AGENT_KEY") == 0


def test_an_unset_key_variable_is_wrong_usage() -> None:
    with pytest.raises(WrongUsage, match="OTHER_KEY"):
        judge(Agent(), "https://agent.example.com", key_env="OTHER_KEY")
