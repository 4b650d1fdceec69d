"""Prints what jedi says about names: the declarations of some files, and where a sample of their names is declared.

Arguments: the root of the sources, how many names to ask about, then the files, relative to the root.
"""

import ast
import hashlib
import signal
import sys

import jedi

LONGEST_SECONDS = 4

root, count, *paths = sys.argv[1:]
known_paths = set(paths)
project = jedi.Project(root, smart_sys_path=False)


def declarations(path, tree):
    """Functions, classes and their methods, and the first assignment of each variable of the module."""
    holders = [(tree, True)]
    variables = set()
    while holders:
        holder, is_module = holders.pop(0)
        for node in ast.iter_child_nodes(holder):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                declared.add(node.name)
                print("D", path, node.lineno, node.name, sep="\t")
            if isinstance(node, ast.ClassDef):
                holders.append((node, False))
            if isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
                holders.append((node, is_module))
            if is_module and holder is tree:
                for name in assigned(node) - variables:
                    variables.add(name)
                    print("D", path, node.lineno, name, sep="\t")


def assigned(node):
    """The names that a statement assigns, without those of tuples and attributes."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def names(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.lineno, node.col_offset, node.id
        if isinstance(node, ast.Attribute):
            yield node.end_lineno, node.end_col_offset - len(node.attr), node.attr


class TooLong(BaseException):
    """jedi catches every Exception itself."""


def stop(_signal, _frame):
    raise TooLong


def declared_at(script, line, column):
    """Where a name is declared: functions and classes by their place, everything else only as something else."""
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
    try:
        found = script.goto(line, column, follow_imports=True)
    except (TooLong, Exception):
        return []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return [target_of(name) for name in found]


def target_of(found):
    path = str(found.module_path or "").removeprefix(f"{root}/")
    parent = found.parent() if found.type in ("function", "class") else None
    if path in known_paths and parent is not None and parent.type in ("module", "class"):
        return path, found.line, found.name
    return "something else", 0, found.name


def hash_of(place):
    return hashlib.sha256(repr(place).encode()).digest()


declared = set()
places = []
for path in paths:
    with open(f"{root}/{path}", encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        tree = ast.parse(text)
    except SyntaxError:
        continue
    print("F", path, sep="\t")
    declarations(path, tree)
    places.extend((path, *place) for place in names(tree))

# Most names are local, or belong to something outside.
places = [place for place in places if place[3] in declared]
signal.signal(signal.SIGALRM, stop)
# jedi's own destructors may be interrupted too.
sys.unraisablehook = lambda _: None
scripts = {}
# Sorted by file, so that only one script is in memory.
for path, line, column, name in sorted(sorted(places, key=hash_of)[: int(count)]):
    if path not in scripts:
        scripts = {path: jedi.Script(path=f"{root}/{path}", project=project)}
    print("A", path, line, column + 1, sep="\t")
    for target in declared_at(scripts[path], line, column):
        if target[:2] != (path, line):
            print("U", path, line, column + 1, *target, sep="\t")
