"""The descriptors of the languages that come with adebug.

They are not in the languages' own folders: a run of one language imports no module of another.
"""

from adebug_lsp.languages.descriptor import LanguageDescriptor

PYTHON = LanguageDescriptor(
    name="python",
    code="adebug_lsp.languages.python.language:Python",
    suffixes=(".py", ".pyw", ".ipynb"),
    source_suffixes=(".py", ".pyw"),
    recording_magic=b"ADEBUGRC",
    reference_suffixes=(".py", ".pyw"),
    test_runner="pytest",
    interpreter_field="python",
    test_file="test_answers.py",
    debugger="debugpy",
    editor_languages=("python",),
    has_other_servers=True,
    diagnosis="adebug_lsp.languages.python.diagnosis:probes",
    gaps={
        "checks": "Type checkers and linters of Python do this in every editor.",
        "diagram": "Threads share their data and send no messages, so there is nothing to draw.",
        "profile": "Symbolic costs are those of lazy evaluation; cProfile and py-spy measure time.",
        "time-equations": "Time equations are defined for lazy first-order functional programs.",
    },
)

ERLANG = LanguageDescriptor(
    name="erlang",
    code="adebug_lsp.languages.erlang.language:Erlang",
    suffixes=(".erl", ".beam"),
    source_suffixes=(".erl",),
    recording_magic=b"ADEBUGER",
    project_files=("rebar.config",),
    test_runner="eunit",
    test_arguments="Erlang tests: files, folders or module:test; empty: those of the workspace",
    test_file="answers_tests.erl",
    editor_languages=("erlang",),
    editor_suffixes=(".erl", ".hrl"),
    diagnosis="adebug_lsp.languages.erlang.diagnosis:probes",
    gaps={
        "stored-expressions": "An expression has no identity that is the same in another run; only calls have one.",
        "arguments": "A call has its arguments in its expression: `--call 'module:function(...)'`.",
        "modules": "A module is named by its file; its code path is known from there.",
        "failing-tests": "EUnit keeps no list of the tests that failed.",
        "checks": "The Erlang language servers report what the compiler says.",
        "slices": "Values are followed to the call that made them; other dependences are not derived yet.",
        "live-debugger": "The live phase drives debugpy; no debugger of the BEAM is supported yet.",
        "profile": "Symbolic costs are those of lazy evaluation; eprof and fprof of OTP measure time.",
        "time-equations": "Time equations are defined for lazy first-order functional programs.",
    },
)

HASKELL = LanguageDescriptor(
    name="haskell",
    code="adebug_lsp.languages.haskell.language:Haskell",
    suffixes=(".hs",),
    recording_magic=b"ADEBUGHS",
    test_runner="properties",
    test_arguments="Haskell tests: files, folders or FILE.hs::prop_name; empty: those of the workspace",
    editor_languages=("haskell",),
    has_other_servers=True,
    gaps={
        "rules": "No rule is evaluated yet; a reference version answers instead.",
        "arguments": "A program runs `main`, which takes none.",
        "modules": "A module is named by its file.",
        "failing-tests": "Nothing remembers which properties failed.",
        "test-export": "Answers are not written as properties yet.",
        "live-debugger": "The engine records; no debugger steps through it yet.",
        "conditions": "No parser for conditions yet.",
        "diagram": "A program has no processes.",
        "diagnosis": "It needs no tools beyond adebug itself.",
    },
)

BUILTIN_LANGUAGES = (PYTHON, ERLANG, HASKELL)
