"""Runs a program as the recorder does, from the same command line, but changes what it does: the negative control.

Every module below the workspace is compiled from a syntax tree. At level `calls` the tree is left as it is; at level
`full` the third `==` of each module becomes `!=`: a fault that a comparison of bare and recorded runs has to notice.
"""

import ast
import importlib.machinery
import os
import runpy
import sys


class Spoil(ast.NodeTransformer):
    """Turns the third equality that it meets around."""

    def __init__(self):
        self.left = 3

    def visit_Compare(self, node):
        self.generic_visit(node)
        if isinstance(node.ops[0], ast.Eq):
            self.left -= 1
            if self.left == 0:
                node.ops[0] = ast.NotEq()
        return node


def compiled(data, path, spoil):
    tree = ast.parse(data, path)
    return compile(Spoil().visit(tree) if spoil else tree, path, "exec", dont_inherit=True)


def install(workspace, spoil):
    plain = importlib.machinery.SourceFileLoader.source_to_code

    def source_to_code(self, data, path, **options):
        if os.path.realpath(path).startswith(workspace):
            return compiled(data, path, spoil)
        return plain(self, data, path, **options)

    importlib.machinery.SourceFileLoader.source_to_code = source_to_code


def main():
    options = dict(zip(sys.argv[1:7:2], sys.argv[2:7:2], strict=True))
    program, spoil = sys.argv[7:], options["--level"] == "full"
    install(os.path.realpath(options["--workspace"]), spoil)
    if program[0] == "-m":
        sys.argv[:] = program[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return
    sys.argv[:] = program
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    with open(sys.argv[0], "rb") as file:
        code = compiled(file.read(), os.path.abspath(sys.argv[0]), spoil)
    main_module = type(sys)("__main__")
    main_module.__dict__.update(__builtins__=__builtins__, __file__=sys.argv[0])
    sys.modules["__main__"] = main_module
    exec(code, main_module.__dict__)


if __name__ == "__main__":
    main()
