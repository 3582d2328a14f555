"""Types of the JSON lines between adebug and a sandbox process, and of the syntax trees that it works on."""

import ast
from typing import Any

JsonObject = dict[str, Any]
"""A decoded JSON object. The type of a value depends on its key, which no annotation expresses without a class each."""
Request = JsonObject
Reply = JsonObject
Row = JsonObject
"""The description of one value. Rows refer to each other by their index in the table."""
Facts = JsonObject
"""Static facts of a module, as the recorder writes them."""
NamedIndex = tuple[str, int]
"""The name of a variable and the index of its row; a list of two after JSON."""
RecordedModule = tuple[str, str, str]
"""Path, name and text of a recorded module."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Loop = ast.For | ast.AsyncFor | ast.While
Variables = dict[str, object]
"""Live values of the user's program by name."""
