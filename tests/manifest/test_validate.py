"""`pond-new validate` as a command: what it reads, what it prints, how it exits."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pond_new.commands.fetch import Answer
from pond_new.commands.sources import Outside
from pond_new.commands.validate import ValidateOptions, validate
from pond_new.errors import PondError, UnreadableInput, WrongUsage

HERE = Path(__file__).parent
CASES = HERE.parent / "manifests"
GOOD = (HERE / "example.json").read_text(encoding="utf-8")
KEY = "pond-test-key-0123456789"


def options(**given: Any) -> ValidateOptions:
    return ValidateOptions(**given)


def write(path: Path, text: str) -> str:
    path.write_bytes(text.encode("utf-8"))
    return str(path)


def out(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_good_manifest_exits_0(tmp_path: Path) -> None:
    assert validate([write(tmp_path / "manifest.json", GOOD)], options()) == 0


def test_errors_exit_1() -> None:
    assert validate([str(CASES / "invalid" / "limit-of-zero.json")], options()) == 1


def test_warnings_exit_0_and_1_when_strict() -> None:
    path = str(CASES / "warned" / "category-in-capitals.json")

    assert validate([path], options()) == 0
    assert validate([path], options(is_strict=True)) == 1


def test_notes_never_fail() -> None:
    assert validate([str(CASES / "valid" / "listing-with-gaps.json")], options(is_strict=True)) == 0


def test_the_specification_example_gives_no_error_and_no_warning(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "valid" / "the-specification-example.json")], options())

    assert "0 errors, 0 warnings" in out(capsys)


def test_all_field_cases_are_judged_in_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    paths = sorted(
        str(path) for path in CASES.glob("*/field-*.json") if not path.name.endswith(".expected.json")
    )

    code = validate(paths, options(format="json"))

    report = json.loads(out(capsys))
    assert code == 1
    assert {Path(file["file"]).stem: file["errors"] for file in report["files"]} == {
        "field-array-items-without-description": 1,
        "field-duplicate-action-ids": 1,
        "field-empty-string-urls": 0,
        "field-invented-limit-name": 3,
        "field-misspelt-top-level-key": 1,
        "field-missing-attachment-limit": 1,
        "field-name-over-255-bytes": 0,
        "field-no-argument-action-without-properties": 1,
        "field-pay-as-you-go-at-zero": 0,
    }


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("field-missing-attachment-limit", "lacks max_attachment_bytes"),
        ("field-missing-attachment-limit", "any is accepted), also where attachments are off"),
        ("field-invented-limit-name", "Did you mean max_run_seconds, in seconds (not milliseconds)?"),
        ("field-no-argument-action-without-properties", 'Add "properties": {}'),
        ("field-misspelt-top-level-key", "Rename protocol_versoin"),
        ("field-misspelt-top-level-key", "endpoints that could not be found"),
        ("field-array-items-without-description", "items lacks description"),
        ("field-pay-as-you-go-at-zero", 'because of plan "Beta"'),
        ("field-pay-as-you-go-at-zero", '{"pricing_model": "free", "amount_minor": 0, "included_units": 50'),
        ("field-empty-string-urls", "Leave the key out"),
        ("field-name-over-255-bytes", "80 characters, but 320 bytes"),
        ("yaml-version-as-a-number", "Without quotes it is a number, in YAML too."),
    ],
)
def test_the_text_for_people_says(case: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in CASES.glob(f"*/{case}.*") if not path.name.endswith(".expected.json"))

    validate([str(path)], options())

    assert words in out(capsys)


def test_the_preview_shows_prices_as_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    validate([write(tmp_path / "manifest.json", GOOD)], options())

    text = out(capsys)
    assert "Starter: free, with 20 results" in text
    assert "Packs: $1.50 for 10 results" in text
    assert "Monthly: $9 a month with 200 results" in text


def test_the_preview_names_the_plan_that_sinks_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "warned" / "one-bad-plan-of-three.json")], options())

    assert 'Starter: skipped. Pond takes all plans or none, and refuses "Monthly".' in out(capsys)


def test_the_reason_of_a_requirement_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "invalid" / "field-invented-limit-name.json")], options())

    assert out(capsys).count("Why: Pond checks every run against these three numbers") == 1


def test_a_directory_stands_for_its_contract_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "manifest.json", GOOD)
    write(tmp_path / "agent-manifest.json", '{"interface": {}, "runtime": {}}')

    code = validate([str(tmp_path)], options(format="json"))

    report = json.loads(out(capsys))
    assert code == 0
    assert [file["checked"] for file in report["files"]] == [True, False]


def test_an_agent_manifest_alone_is_said_to_be_unchecked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "agent-manifest.json", '{"interface": {}, "runtime": {}}')

    assert validate([path], options()) == 2
    assert "Not checked: this is an agent manifest of the mcp standard" in out(capsys)


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

    assert validate([path], options()) == 1
    assert kind in out(capsys)


def test_an_empty_directory_is_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"looked for manifest\.json"):
        validate([str(tmp_path)], options())


def test_a_missing_file_is_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="There is no file"):
        validate([str(tmp_path / "manifest.json")], options())


def test_standard_input_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(["-"], options(), outside=Outside(read_input=lambda _: GOOD.encode())) == 0
    assert out(capsys).startswith("-:")


def test_a_file_of_50_megabytes_is_refused_without_reading_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "manifest.json"
    with path.open("wb") as file:
        file.truncate(50_000_000)

    assert validate([str(path)], options()) == 1
    assert "It has 50,000,000." in out(capsys)


def test_a_hundred_thousand_brackets_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("manifest.json", "manifest.yaml"):
        assert validate([write(tmp_path / name, "[" * 100_000)], options()) == 1
        assert "nested more than 64 deep" in out(capsys)


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
    return validate([url], options(**given), outside=outside)


def test_a_base_url_is_asked_for_its_manifest_with_the_key_from_the_environment() -> None:
    agent = Agent()

    assert judge(agent, "https://agent.example.com/v1/", key_env="AGENT_KEY") == 0
    assert agent.asked == [("https://agent.example.com/v1/manifest", {"Authorization": f"Bearer {KEY}"})]


def test_a_manifest_that_is_not_called_json_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(Agent(media_type="text/html"), "https://agent.example.com") == 1
    assert "MAN-01" in out(capsys)


def test_the_access_key_in_the_manifest_is_an_error_and_is_not_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    leaking = Agent(body=GOOD.replace("Nothing to set up.", f"Use {KEY}."))

    assert judge(leaking, "https://agent.example.com", key_env="AGENT_KEY") == 1
    printed = out(capsys)
    assert "AUT-06" in printed
    assert "The access key stands here." in printed
    assert KEY not in printed


def test_a_password_in_a_listing_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("text", "json", "github", "sarif"):
        validate([str(CASES / "warned" / "password-in-the-logo-address.json")], options(format=form))

    assert "hunter2" not in out(capsys)


@pytest.mark.parametrize(
    ("agent", "given", "words"),
    [
        (Agent(401), {}, "--key-env"),
        (Agent(401), {"key_env": "AGENT_KEY"}, "refuses the access key"),
        (Agent(404), {}, "Pond wants the base URL"),
        (Agent(308, location="https://other.example/"), {}, "redirects to https://other.example/"),
        (Agent(500), {}, "log of the agent"),
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


def test_github_annotations_escape_what_would_break_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a,b.json", GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": "1%"'))

    validate([path], options(format="github"))

    line = out(capsys).strip()
    assert line.startswith("::error file=")
    assert "a%2Cb.json,line=" in line
    assert "1%25" in line


def test_sarif_names_rule_place_and_level(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "invalid" / "limit-of-zero.json")], options(format="sarif"))

    log = json.loads(out(capsys))
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["LIM-01"]
    result = run["results"][0]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("LIM-01", 0, "error")
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] > 100


def test_json_output_is_versioned_and_complete(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "invalid" / "wrong-protocol.json")], options(format="json"))

    report = json.loads(out(capsys))
    assert (report["version"], report["command"], report["ok"]) == (1, "validate", False)
    problem = report["files"][0]["problems"][0]
    assert set(problem) == {
        "id",
        "severity",
        "pointer",
        "line",
        "column",
        "message",
        "fix",
        "why",
        "correction",
    }
    assert problem["correction"] == {"verb": "set", "pointer": "/protocol", "value": "marketplace-agent"}
    assert {row["fate"] for row in report["files"][0]["import"]} == {"imported"}


def test_an_unknown_format_is_wrong_usage() -> None:
    with pytest.raises(WrongUsage):
        validate([str(CASES / "valid" / "full.json")], options(format="xml"))


def test_fix_shows_the_difference_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(
        tmp_path / "manifest.json", GOOD.replace('"protocol_version": "1.0"', '"protocol_version": 1.0')
    )

    assert validate([path], options(fix=True)) == 0
    printed = out(capsys)
    assert '-  "protocol_version": 1.0,' in printed
    assert '+  "protocol_version": "1.0",' in printed
    assert Path(path).read_text(encoding="utf-8") == GOOD


def test_fix_leaves_a_file_without_certain_corrections_alone(tmp_path: Path) -> None:
    text = GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 0')
    path = write(tmp_path / "manifest.json", text)

    assert validate([path], options(fix=True)) == 1
    assert Path(path).read_text(encoding="utf-8") == text


def test_fix_takes_the_byte_order_mark_away(tmp_path: Path) -> None:
    path = write(tmp_path / "manifest.json", "\ufeff" + GOOD)

    validate([path], options(fix=True))

    assert Path(path).read_bytes() == GOOD.encode()


def test_fix_takes_trailing_commas_away(tmp_path: Path) -> None:
    text = GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 60,').replace(
        "Word Desk", "Word, } ,] Desk"
    )
    path = write(tmp_path / "manifest.json", text)

    assert validate([path], options(fix=True)) == 0
    assert Path(path).read_text(encoding="utf-8") == text.replace("60,", "60")


def test_fix_leaves_a_file_that_cannot_be_read_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "manifest.json", '{"a": }')

    assert validate([path], options(fix=True)) == 1
    assert Path(path).read_text(encoding="utf-8") == '{"a": }'


def test_fix_needs_a_file() -> None:
    with pytest.raises(WrongUsage):
        validate(["-"], options(fix=True), outside=Outside(read_input=lambda _: GOOD.encode()))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with a committed manifest in a subdirectory."""
    folder = tmp_path / "agent"
    folder.mkdir()
    write(folder / "manifest.json", GOOD)
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "First"], ["tag", "v1"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True, capture_output=True)
    return folder


def test_a_changed_contract_needs_a_new_version(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(repository / "manifest.json", GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 90'))

    assert validate([path], options(changed_since="v1")) == 1
    assert "agent_version is the same as at v1, but this changed: limits." in out(capsys)


def test_a_changed_contract_with_a_new_version_is_fine(repository: Path) -> None:
    text = GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 90').replace('"1.0.0"', '"1.1.0"')

    assert (
        validate([write(repository / "manifest.json", text)], options(changed_since="v1", is_strict=True))
        == 0
    )


def test_a_new_name_and_another_order_of_keys_need_no_new_version(repository: Path) -> None:
    value = json.loads(GOOD)
    value["metadata"]["name"] = "Other name"
    value["actions"][0]["name"] = "Shorten"
    path = write(repository / "manifest.json", json.dumps(dict(reversed(value.items()))))

    assert validate([path], options(changed_since="v1", is_strict=True)) == 0


def test_a_renamed_action_is_pointed_out(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace('"summarize_text"', '"summarise_texts"').replace('"1.0.0"', '"1.1.0"')

    validate([write(repository / "manifest.json", text)], options(changed_since="v1"))

    assert "Action summarize_text, there at v1, seems to be called summarise_texts now" in out(capsys)


def test_a_manifest_that_was_not_there_before_has_nothing_to_compare(repository: Path) -> None:
    assert validate([write(repository / "new.json", GOOD)], options(changed_since="v1")) == 0


@pytest.mark.parametrize("reference", ["v9", "--output=x"])
def test_an_unknown_reference_is_wrong_usage(repository: Path, reference: str) -> None:
    with pytest.raises(WrongUsage, match="git knows no"):
        validate([str(repository / "manifest.json")], options(changed_since=reference))


def test_the_lock_needs_a_generated_repository(tmp_path: Path) -> None:
    with pytest.raises(PondError, match="only a generated repository has one"):
        validate([write(tmp_path / "manifest.json", GOOD)], options(changed_since="lock"))


def test_standard_input_has_no_history() -> None:
    with pytest.raises(WrongUsage, match="no history"):
        validate(["-"], options(changed_since="v1"), outside=Outside(read_input=lambda _: GOOD.encode()))
