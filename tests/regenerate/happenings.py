"""What can happen to a repository between two runs of `regenerate`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from pond_new.manifest import parse_document
from pond_new.manifest.edits import rename_action
from pond_new.project.compare import Choices
from pond_new.project.disk import Disk
from pond_new.project.journal import JOURNAL_PATH, parse_journal
from pond_new.project.plan import Owner, owner_of
from pond_new.project.regenerate import regenerate_repository
from tests.regenerate.conftest import parameters
from tests.regenerate.life import MARK, Life, marks_in, resolve_conflicts
from tests.regenerate.releases import RELEASES

IDS = ("translate_text", "sum_up", "explain", "class", "general", "a_1")
LIVELY = re.compile(r"python|EXPOSE|grace|restart|limit|^# mark")
TYPES = ("string", "integer", "boolean")


def edit_any_file(life: Life) -> None:
    edit(life, pick_file(life))


def edit_what_was_interrupted(life: Life) -> None:
    """The user works on a file that a killed run was about to write."""
    content = Disk(life.agent.root).read(JOURNAL_PATH)
    puts = [str(put.path) for put in parse_journal(content).puts] if content else []
    pending = [path for path in puts if path in life.files()]
    if pending:
        edit(life, life.random.choice(pending))


def edit(life: Life, path: str) -> None:
    """A line is written, as a new one or in place of another; often where pond-new writes too."""
    text = life.agent.read(path)
    lines = text.split("\n")
    end = "\r" if "\r\n" in text else ""
    lively = [index for index, line in enumerate(lines) if LIVELY.search(line)]
    is_lively = bool(lively) and life.random.random() < 0.6
    place = life.random.choice(lively) if is_lively else life.random.randrange(len(lines))
    if path != "pyproject.toml" and life.random.random() < 0.5:
        life.forget(lines[place])
        lines[place] = f"# {life.mark()}{end}"
    else:
        lines.insert(place, f"# {life.mark()}{end}")
    life.log.append(f"edit {path}:{place + 1}")
    life.agent.write(path, "\n".join(lines))


def pick_file(life: Life) -> str:
    """A file whose owner was drawn first: most files are generated, most edits are not."""
    owner = life.random.choice([Owner.YOURS, Owner.YOURS, Owner.SHARED, Owner.SHARED, Owner.GENERATED])
    files = life.files()
    return life.random.choice([path for path in files if owner_of(PurePosixPath(path)) is owner] or files)


def delete_any_file(life: Life) -> None:
    path = pick_file(life)
    if path == "pyproject.toml":  # the settings of this life
        return
    life.log[-1] = f"delete {path}"
    before = life.marks & set(MARK.findall(life.agent.read(path)))
    life.agent.delete(path)
    life.marks -= before - marks_in(life.agent.tree())


def convert_line_ends(life: Life) -> None:
    path = pick_file(life)
    text = life.agent.read(path).replace("\r\n", "\n")
    life.log[-1] = f"convert {path}"
    life.agent.write(path, text.replace("\n", "\r\n") if life.random.random() < 0.7 else text)


def add_action(life: Life) -> None:
    used = [action["id"] for action in life.agent.manifest.get("actions", ())]
    free = [action_id for action_id in IDS if action_id not in used]
    if free:
        action_id = life.random.choice(free)
        new = {
            "id": action_id,
            "name": action_id,
            "description": f"Does {action_id} well.",
            "input_schema": _schema(life),
        }
        life.log[-1] = f"add {action_id}"
        life.agent.edit_manifest(lambda document: document.setdefault("actions", []).append(new))


def remove_action(life: Life) -> None:
    def edit(document: dict[str, Any]) -> None:
        actions = document.get("actions", [])
        if actions:
            gone = actions.pop(life.random.randrange(len(actions)))
            life.log[-1] = f"remove {gone['id']}"
        if not actions:
            document.pop("actions", None)

    life.agent.edit_manifest(edit)


def change_schema(life: Life) -> None:
    actions = life.agent.manifest.get("actions")
    if actions:
        index = life.random.randrange(len(actions))
        schema = _schema(life)
        life.agent.edit_manifest(lambda document: document["actions"][index].update(input_schema=schema))


def rename_an_action(life: Life) -> None:
    """By the command, or by editing the id in the contract."""
    used = [action["id"] for action in life.agent.manifest.get("actions", ())]
    free = [action_id for action_id in IDS if action_id not in used]
    if not used or not free:
        return
    old, new = life.random.choice(used), life.random.choice(free)
    life.log[-1] = f"rename {old} {new}"
    document = parse_document((life.agent.root / "manifest.json").read_bytes(), name="manifest.json")
    content = rename_action(document, old, new)
    if life.random.random() < 0.3:
        life.agent.write("manifest.json", content.decode())
        return
    resolve_conflicts(life)
    request = life.request(choices=Choices(force=True), manifest=content, rename=(old, new))
    done = regenerate_repository(life.agent.root, request)
    if done.is_refused:  # something else is in the new place: then by hand
        life.agent.write("manifest.json", content.decode())


def change_limits(life: Life) -> None:
    seconds = life.random.randint(10, 99)
    life.agent.edit_manifest(lambda document: document["limits"].update(max_run_seconds=seconds))


def switch_streaming(life: Life) -> None:
    flag = life.random.random() < 0.5
    life.log[-1] = f"streaming {flag}"
    life.agent.edit_manifest(lambda document: document["capabilities"].update(streaming=flag))


def switch_python(life: Life) -> None:
    text = life.agent.read("pyproject.toml")
    version = life.random.choice(["3.11", "3.12", "3.13"])
    life.log[-1] = f"python {version}"
    life.agent.write(
        "pyproject.toml", re.sub(r'^python = ".*?"', f'python = "{version}"', text, flags=re.MULTILINE)
    )


def upgrade(life: Life) -> None:
    life.release = min(life.release + 1, len(RELEASES) - 1)
    life.log[-1] = f"upgrade to {RELEASES[life.release].version}"


def _schema(life: Life) -> dict[str, Any]:
    names = life.random.sample(["text", "language", "tone", "length"], k=life.random.randint(1, 3))
    return parameters(**{name: life.random.choice(TYPES) for name in names})


HAPPENINGS: tuple[Callable[[Life], None], ...] = (
    edit_any_file,
    edit_any_file,
    edit_any_file,
    delete_any_file,
    convert_line_ends,
    add_action,
    add_action,
    remove_action,
    rename_an_action,
    change_schema,
    change_limits,
    switch_python,
    switch_streaming,
    upgrade,
)
