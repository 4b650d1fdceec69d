"""Prints the classes and functions of Python files as JSON lines. Reads their paths from stdin."""

import ast
import json
import sys


def declared(body, found):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append({"name": node.name, "line": node.lineno})
        if isinstance(node, ast.ClassDef):
            declared(node.body, found)
    return found


for path in sys.stdin.read().split("\n"):
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (SyntaxError, ValueError, RecursionError, OSError):
        continue
    print(json.dumps({"path": path, "symbols": declared(tree.body, [])}))
