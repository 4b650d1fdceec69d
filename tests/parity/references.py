"""Prints what jedi says about names: the declarations of some files, and where a sample of their names is declared.

Arguments: the root of the sources, how many names to ask about, then the files, relative to the root.
"""

import ast
import sys

import jedi

root, count, *paths = sys.argv[1:]
project = jedi.Project(root, smart_sys_path=False)


def declarations(path, tree):
    """Functions, classes and their methods, and variables of the module."""
    holders = [(tree, True)]
    while holders:
        holder, is_module = holders.pop()
        for node in ast.iter_child_nodes(holder):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                print("D", path, node.lineno, node.name, sep="\t")
            if isinstance(node, ast.ClassDef):
                holders.append((node, False))
            if isinstance(node, (ast.If, ast.Try, ast.With)):
                holders.append((node, is_module))


def names(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.lineno, node.col_offset, node.id
        if isinstance(node, ast.Attribute):
            yield node.end_lineno, node.end_col_offset - len(node.attr), node.attr


def declared_at(path, line, column):
    script = jedi.Script(path=f"{root}/{path}", project=project)
    for found in script.goto(line, column, follow_imports=True):
        if found.module_path is None or found.type not in ("function", "class", "statement"):
            continue
        if str(found.module_path).startswith(f"{root}/"):
            parent = found.parent()
            if parent is not None and parent.type in ("module", "class"):
                yield str(found.module_path)[len(root) + 1 :], found


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

places.sort()
step = max(1, len(places) // int(count))
for path, line, column, name in places[::step]:
    print("A", path, line, column + 1, sep="\t")
    try:
        targets = list(declared_at(path, line, column))
    except Exception:
        continue
    for target, found in targets:
        if (target, found.line) == (path, line):
            continue
        kind = "U" if found.type in ("function", "class") else "V"
        print(kind, path, line, column + 1, target, found.line, found.name, sep="\t")
