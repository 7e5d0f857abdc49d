"""What a handler's source tells without running it: its kind, and the parameters that it reads. Pure."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["function", "coroutine", "generator", "async generator", "unknown"]
Function = ast.FunctionDef | ast.AsyncFunctionDef

HANDLE = "handle"
TAKES = 2  # the parameters and the run
READERS = frozenset({"get", "pop", "setdefault"})


@dataclass(frozen=True, slots=True)
class Use:
    """A place that reads a parameter; `is_sure` where it fails without it."""

    name: str
    line: int
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """What keeps a module from being a handler."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class HandlerFacts:
    """What was found; `line` is where `handle` begins. `unknown` is a handler that is made elsewhere."""

    line: int = 1
    kind: Kind = "unknown"
    uses: tuple[Use, ...] = ()
    fault: Fault | None = None


def inspect_handler(source: str, *, type_name: str) -> HandlerFacts:
    """The facts of one handler module; `type_name` is the type of its parameters. Never raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in somebody's text is not our finding
            module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        return HandlerFacts(line, fault=Fault(line, f"it is no Python: {getattr(error, 'msg', error)}"))
    handle = _find_handle(module)
    if handle is None:
        if HANDLE in _assigned(module):
            return HandlerFacts()
        return HandlerFacts(fault=Fault(1, "it has no function named handle"))
    uses = tuple(sorted(_uses(module, handle, type_name), key=lambda use: (use.line, use.name)))
    return HandlerFacts(handle.lineno, _kind(handle), uses, _signature_fault(handle))


def find_imports(source: str, module: str) -> list[int]:
    """The lines that import a handler's module by name, such as `from agent.handlers import text_stats`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    package = "agent.handlers"
    lines = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) if any(each.name == f"{package}.{module}" for each in names):
                lines.append(node.lineno)
            case ast.ImportFrom(module=source_module, names=names) if (
                source_module == f"{package}.{module}"
                or (source_module == package and any(each.name == module for each in names))
            ):
                lines.append(node.lineno)
    return sorted(lines)


def _find_handle(module: ast.Module) -> Function | None:
    functions = [
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == HANDLE
    ]
    return functions[-1] if functions else None


def _assigned(module: ast.Module) -> set[str]:
    """The names that a module binds at its top level in other ways than by `def`."""
    found: set[str] = set()
    for node in module.body:
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {each.asname or each.name for each in names}
            case ast.Assign(targets=targets):
                found |= {each.id for each in targets if isinstance(each, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.If() | ast.Try() | ast.With():
                found |= {HANDLE}  # bound under a condition: not ours to judge
    return found


def _kind(function: Function) -> Kind:
    if isinstance(function, ast.AsyncFunctionDef):
        return "async generator" if _yields(function) else "coroutine"
    return "generator" if _yields(function) else "function"


def _yields(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _own_nodes(function))


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, those of functions inside it left out."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            pending += ast.iter_child_nodes(node)


def _signature_fault(function: Function) -> Fault | None:
    arguments = function.args
    positional = len(arguments.posonlyargs) + len(arguments.args)
    required = positional - len(arguments.defaults)
    keywords = any(default is None for default in arguments.kw_defaults)
    can_take = required <= TAKES and (positional >= TAKES or arguments.vararg is not None)
    if can_take and not keywords:
        return None
    return Fault(function.lineno, "handle must take exactly two arguments, the parameters and the run")


def _uses(module: ast.Module, handle: Function, type_name: str) -> Iterator[Use]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = _parameters_of(node, is_handle=node is handle, type_name=type_name)
            for name in given:
                yield from _uses_of(node, name)


def _parameters_of(function: Function, *, is_handle: bool, type_name: str) -> set[str]:
    """The arguments of a function that hold the action's parameters."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    typed = {each.arg for each in arguments if _is_named(each.annotation, type_name)}
    return typed | {arguments[0].arg} if is_handle and arguments else typed


def _is_named(annotation: ast.expr | None, type_name: str) -> bool:
    match annotation:
        case ast.Name(id=name) | ast.Constant(value=name) | ast.Attribute(attr=name):
            return bool(name == type_name)
    return False


def _uses_of(function: Function, parameters: str) -> Iterator[Use]:
    """Every constant key that is read from a name, however it is read."""
    found: list[Use] = []
    asked: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))) if (
                name == parameters
            ):
                found.append(Use(key, node.lineno, isinstance(node.ctx, ast.Load)))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=reader),
                args=[ast.Constant(value=str(key)), *_],
            ) if name == parameters and reader in READERS:
                found.append(Use(key, node.lineno, is_sure=False))
                asked.add(key)
            case ast.Compare(left=ast.Constant(value=str(key)), comparators=[ast.Name(id=name)]) if (
                name == parameters
            ):
                found.append(Use(key, node.lineno, is_sure=False))
                asked.add(key)
    yield from (Use(use.name, use.line, use.is_sure and use.name not in asked) for use in found)
