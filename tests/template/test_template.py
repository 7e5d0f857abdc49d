"""The template as it lies there: plain Python, one owner for each file, the same facts as the generator."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from pond_new.manifest import parse_manifest
from pond_new.project.build import build
from pond_new.project.plan import CONDITIONS, OWNERS, Owner, owner_of, plan
from pond_new.project.settings import Settings
from pond_new.project.template_folder import load_templates
from pond_new.protocol import facts
from pond_new.protocol.schemas import editor_schema
from tests.conftest import ROOT

TEMPLATE = ROOT / "template"
LATER = (".pond/lock.json", "agent-manifest.json", "agent/mcp/server.py", "agent/tool.py")  # of other agents
MADE_FROM_THE_MANIFEST = {
    "agent/actions.py.jinja",
    "agent/features.py.jinja",
    "agent/modes.py.jinja",
    "agent/standards.py.jinja",
}


def test_python_files_are_python_and_free_of_jinja() -> None:
    for path in TEMPLATE.rglob("*.py"):
        text = path.read_text("utf-8")
        ast.parse(text, str(path))
        assert "{%" not in text, path


def test_only_what_is_made_from_the_manifest_mixes_jinja_and_python() -> None:
    mixed = {path.relative_to(TEMPLATE).as_posix() for path in TEMPLATE.rglob("*.py.jinja")}

    assert {path for path in mixed if "yield" not in path} == MADE_FROM_THE_MANIFEST


def test_every_pattern_of_the_owners_is_used(minimal_manifest: dict[str, Any]) -> None:
    built = build(parse_manifest(minimal_manifest), Settings())
    paths = [*built.texts, *map(PurePosixPath, LATER)]

    unused = [rule for rule in OWNERS if not any(fnmatchcase(str(path), rule.pattern) for path in paths)]

    assert not unused


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        ("manifest.json", Owner.CONTRACT),
        ("README.md", Owner.YOURS),
        ("agent/handlers/translate_text.py", Owner.YOURS),
        ("agent/handlers/__init__.py", Owner.GENERATED),
        ("agent/pond/http.py", Owner.GENERATED),
        ("agent/actions.py", Owner.GENERATED),
        ("agent/modes.py", Owner.GENERATED),
        ("agent/language_model.py", Owner.YOURS),
        ("tests/generated/test_runs.py", Owner.GENERATED),
        ("tests/test_agent.py", Owner.YOURS),
        ("examples/translate_text/first.json", Owner.YOURS),
        ("Dockerfile", Owner.SHARED),
        (".github/workflows/ci.yml", Owner.SHARED),
        (".pond/lock.json", Owner.STATE),
    ],
)
def test_owners_are_those_of_the_design(path: str, owner: Owner) -> None:
    assert owner_of(PurePosixPath(path)) is owner


def test_every_generated_module_says_whose_it_is() -> None:
    for template in load_templates():
        path = PurePosixPath(template.removesuffix(".jinja"))
        if owner_of(path) is Owner.GENERATED and path.suffix == ".py" and len(path.parts) <= 2:
            text = load_templates()[template]
            assert "pond-new" in text or path.name == "__init__.py", path


def server_facts() -> dict[str, Any]:
    """The names and values of the server's own copy of the facts."""
    specification = importlib.util.spec_from_file_location("server_facts", TEMPLATE / "agent/pond/facts.py")
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    sys.modules[module.__name__] = module
    specification.loader.exec_module(module)
    return vars(module)


def test_the_servers_facts_are_the_generators() -> None:
    server = server_facts()

    assert server["STATUSES"] == {code.code: code.status for code in facts.ERROR_CODES if code.status}
    assert server["PROTOCOL_VERSION"] == facts.PROTOCOL_VERSION
    assert server["PROTOCOL"] == facts.PROTOCOL
    assert server["MAX_MANIFEST_BYTES"] == facts.MANIFEST_BYTES
    assert server["POND_ONLY_CODES"] == {code.code for code in facts.ERROR_CODES if not code.status}
    assert server["USAGE_UNITS"] == tuple(facts.USAGE_UNITS)
    assert [(row.method, row.path) for row in server["OPERATIONS"]] == [
        (row.method, row.path) for row in facts.OPERATIONS
    ]
    assert {mode.name: (mode.capability, mode.accept) for mode in server["MODES"].values()} == {
        mode.name: (mode.capability, mode.accept) for mode in facts.MODES
    }


def test_the_servers_request_schema_is_the_generators() -> None:
    server = (TEMPLATE / "agent/pond/run-request.schema.json").read_text("utf-8")
    generator = (Path(facts.__file__).parent / "run-request.schema.json").read_text("utf-8")

    assert json.loads(server) == json.loads(generator)


def test_the_editors_schema_is_the_generators() -> None:
    assert json.loads((TEMPLATE / ".pond/manifest.schema.json").read_text("utf-8")) == editor_schema()


def test_copier_asks_for_exactly_the_values_that_we_compute(minimal_manifest: dict[str, Any]) -> None:
    questions = yaml.safe_load((TEMPLATE / "copier.yml").read_text("utf-8"))
    built = build(parse_manifest(minimal_manifest), Settings())

    assert {name for name in questions if not name.startswith("_")} == set(built.data)


def test_only_agents_that_give_back_files_host_them(minimal_manifest: dict[str, Any]) -> None:
    with_files = minimal_manifest | {"output_modes": ["text/markdown", "application/pdf"]}
    declared = build(parse_manifest(with_files), Settings()).texts
    without = build(parse_manifest(minimal_manifest), Settings()).texts

    hosting = set(CONDITIONS["artifacts"]) - set(CONDITIONS["postgres"])
    assert {str(path) for path in declared.keys() - without.keys()} == hosting
    assert not [
        path for path, text in without.items() if path.suffix == ".py" and "agent.pond.hosting" in text
    ]


@pytest.mark.parametrize("capability", ["attachments", "streaming"])
def test_what_is_not_declared_is_not_in_the_repository(
    minimal_manifest: dict[str, Any], capability: str
) -> None:
    capabilities = minimal_manifest["capabilities"] | {capability: True}
    declared = build(parse_manifest(minimal_manifest | {"capabilities": capabilities}), Settings())
    without = build(parse_manifest(minimal_manifest), Settings())

    conditional = declared.texts.keys() - without.texts.keys()
    modules = {str(path.with_suffix("")).replace("/", ".") for path in conditional if path.suffix == ".py"}
    assert all(any(fnmatchcase(str(path), each) for each in CONDITIONS[capability]) for path in conditional)
    assert len(conditional) == len(CONDITIONS[capability])
    assert not without.texts.keys() - declared.texts.keys()
    for path, text in without.texts.items():
        if path.suffix == ".py":
            assert not [module for module in modules if module in text], path


def test_every_condition_names_files_of_the_template_and_a_feature(minimal_manifest: dict[str, Any]) -> None:
    features = build(parse_manifest(minimal_manifest), Settings()).data["features"]
    paths = [template.removesuffix(".jinja") for template in load_templates()]

    assert set(features) == set(CONDITIONS)
    for pattern in (pattern for patterns in CONDITIONS.values() for pattern in patterns):
        assert any(fnmatchcase(path, pattern) for path in paths), pattern


def test_copier_excludes_what_the_conditions_exclude() -> None:
    excluded = yaml.safe_load((TEMPLATE / "copier.yml").read_text("utf-8"))["_exclude"]
    wanted = {
        f"{{% if not features.{feature} %}}{pattern}{{% endif %}}"
        for feature, patterns in CONDITIONS.items()
        for pattern in patterns
    }

    assert {entry for entry in excluded if "features." in entry} == wanted


def test_a_loop_in_a_path_stands_for_one_file_an_item() -> None:
    template = "a/{% yield item from items %}{{ item.name }}{% endyield %}.py.jinja"

    files = plan([template], {"items": [{"name": "one"}, {"name": "two"}]})

    assert [str(planned.path) for planned in files] == ["a/one.py", "a/two.py"]
    assert files[0].variables == {"item": {"name": "one"}}


def test_a_key_is_compared_in_constant_time_and_stays_out_of_the_repository() -> None:
    """AUT-12: no test from outside can see either."""
    access = (TEMPLATE / "agent/pond/access.py").read_text("utf-8")
    ignored = (TEMPLATE / ".gitignore").read_text("utf-8").splitlines()

    assert "hmac.compare_digest(token, self._access_key)" in access
    assert "self._access_key ==" not in access
    assert "== self._access_key" not in access
    assert ".env" in ignored
