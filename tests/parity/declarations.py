"""Prints the classes, their attributes, and the functions of Python files as JSON lines. Reads their paths from stdin."""

import ast
import json
import sys


def declared(body, found, in_class=False):
    for node in body:
        if in_class and isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets[:1] if isinstance(target, ast.Name)]
            found.extend({"name": name, "line": node.lineno} for name in names)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append({"name": node.name, "line": node.lineno})
        if isinstance(node, ast.ClassDef):
            declared(node.body, found, True)
    return found


for path in sys.stdin.read().split("\n"):
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError, OSError):
        continue
    print(json.dumps({"path": path, "symbols": declared(tree.body, [])}))
