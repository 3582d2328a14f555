"""Source files of all encodings and layouts, written and imported."""

import importlib
import inspect
import os
import sys
import traceback

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "odd")
SOURCES = {
    "latin": "# -*- coding: latin-1 -*-\ntext = 'é'; value = len(text)\ndef fail(): return 'é', {}['é']\n".encode("latin-1"),
    "with_bom": b"\xef\xbb\xbf" + "text = 'é'\ndef fail(): return text, {}[text]\n".encode(),
    "windows": b"def fail():\r\n    x = 1\r\n    text = '''a\r\nb'''\r\n    return x, {}[text]\r\n",
    "old_mac": b"def fail():\r    text = 'cr'\r    return {}[text]\r",
    "tabs": b"def fail():\n\tif True:\n\t\ttext = 'tab'\n\treturn text, {}[text]\n",
    "form_feed": b"x = 1\n\x0c\ndef fail():\n    return {}[x]\n",
    "no_newline": b"def fail(): return 1, {}['no newline']",
    "semicolons": b"a = 1; b = 2; c = (a, b)\ndef fail(): a = 3; b = a; return {}[a, b]\n",
    "continued": b"def fail(): \\\n  x = 1 + \\\n      2; return {} \\\n  [x]\n",
    "wide": "def fail():\n    日本 = 'ｗｉｄｅ'; 𐐀 = '🐍🐍'; return 日本, 𐐀, {}[𐐀 + 日本]\n".encode(),
    "normalized": "ﬁeld = 1\ndef fail():\n    return {}[field + ﬁeld]\n".encode(),
    "empty": b"",
    "only_docstring": b'"""Only this."""',
    "future": b'"""Doc."""\nfrom __future__ import annotations, division\ndef fail(x: nothing = 1): return {}[x]\n',
    "long_line": b"def fail(): return [" + b"1, " * 2000 + b"{}['long']]\n",
    "many_blank": b"\n" * 5000 + b"def fail(): return {}['far down']\n",
    "strings": b"def fail():\n    return ('''one\n  two {'not': 'code'}\n''' f'''{\n      1 + 1}''' ''), {}['s']\n",
    "nested_deep": b"def fail():\n    return " + b"(" * 60 + b"{}['deep']" + b")" * 60 + b"\n",
    "many_operands": b"x = 1\ndef fail():\n    return " + b"x + " * 900 + b"{}['sum']\n",
    "odd_names": b"def fail(__adebug__=1, _=2, t=3, tape=4, T=5):\n    append = _ + t; return {}[append]\n",
    "shadowing": b"list = dict = len = None\ndef fail(print=1, type=2):\n    return {}[print, type, list]\n",
    "private": b"class C:\n    def fail(self, __x=1):\n        __y = __x; return {}[__y]\nfail = C().fail\n",
}
os.makedirs(FOLDER)
sys.path.insert(0, FOLDER)
for name, content in SOURCES.items():
    with open(os.path.join(FOLDER, name + ".py"), "wb") as file:
        file.write(content)
importlib.invalidate_caches()
for name in SOURCES:
    module = importlib.import_module(name)
    print("---", name, module.__doc__, sorted(key for key in vars(module) if not key.startswith("__")))
    if hasattr(module, "fail"):
        print(inspect.getsource(module.fail)[:200], inspect.signature(module.fail))
        try:
            module.fail()
        except KeyError:
            traceback.print_exc(file=sys.stdout)
for name, content in {
    "bad_encoding": b"x = '\xff'\n",
    "unknown_encoding": b"# coding: nonsense\n",
    "null_byte": b"x = 1\x00\n",
    "mixed_tabs": b"if 1:\n\tx = 1\n        y = 2\n",
    "unclosed": b"x = (1,\n",
}.items():
    with open(os.path.join(FOLDER, name + ".py"), "wb") as file:
        file.write(content)
    importlib.invalidate_caches()
    try:
        importlib.import_module(name)
    except (SyntaxError, ValueError) as error:
        print(name, type(error).__name__, error)
