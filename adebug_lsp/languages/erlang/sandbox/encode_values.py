"""Encodes recorded values for another VM, in which a reference version of the program is loaded.

Pids and references are sent unchanged, since no code looks inside them. A fun is sent as its position in the source and
the variables that it captured. Incomplete values cannot be sent, nor funs made by the expression that started the run:
their code exists only in the recording, which is never run. A recording may come from anywhere, so functions are sent
by name only if the reference defines them or if they are pure.
"""

from collections.abc import Container

from attrs import define, evolve, field

from adebug_lsp.languages.erlang.reading.run import ErlangRun, used_variables
from adebug_lsp.languages.erlang.reading.sites import SiteFacts
from adebug_lsp.languages.erlang.reading.terms import BITS, Atom, Fun, Improper, MapTerm, Omitted, Opaque, Record, Term

_FUN_TAG = Atom("adebug_fun")
PURE_MODULES = frozenset(
    [
        *("array", "base64", "binary", "dict", "gb_sets", "gb_trees", "lists", "maps", "math", "orddict", "ordsets"),
        *("proplists", "queue", "re", "sets", "sofs", "string", "unicode", "uri_string"),
    ]
)
PURE_BIFS = frozenset(
    [
        *("hd", "tl", "length", "abs", "element", "setelement", "size", "tuple_size", "byte_size", "bit_size"),
        *("map_size", "round", "trunc", "float", "ceil", "floor", "max", "min", "not", "and", "or", "xor", "+", "-"),
        *("*", "/", "div", "rem", "==", "/=", "=<", "<", ">=", ">", "=:=", "=/=", "++", "--", "atom_to_list"),
        *("atom_to_binary", "integer_to_list", "integer_to_binary", "list_to_integer", "binary_to_integer"),
        *("float_to_list", "float_to_binary", "list_to_float", "binary_to_float", "list_to_tuple", "tuple_to_list"),
        *("list_to_binary", "binary_to_list", "iolist_to_binary", "iolist_size", "list_to_atom", "binary_to_atom"),
        *("is_atom", "is_binary", "is_bitstring", "is_boolean", "is_float", "is_function", "is_integer", "is_list"),
        *("is_map", "is_number", "is_pid", "is_port", "is_reference", "is_tuple", "phash2", "error", "throw"),
    ]
)
"""Functions of `erlang` that only compute a value or raise; all functions of `PURE_MODULES` do, too."""


class _EncodedFun(tuple[Term, ...]):
    """An encoded fun."""

    __slots__ = ()


class CannotEncodeError(Exception):
    """A value cannot be rebuilt in another VM."""


@define(eq=False)
class ValueEncoder:
    """Encodes values for a VM that has loaded some modules."""

    run: ErlangRun
    modules: Container[str]
    """Modules that the other VM has loaded."""
    _being_encoded: list[tuple[int, int]] = field(factory=list)
    """Funs whose variables are being encoded: stops at a fun that captures itself."""

    def encode(self, term: Term) -> Term:
        """Encode a term; raises `CannotEncodeError`."""
        if isinstance(term, _EncodedFun):
            return term
        if isinstance(term, Omitted) or (isinstance(term, tuple) and term[:1] == (BITS,)):
            raise CannotEncodeError
        if isinstance(term, Opaque) and term.kind != "reference":
            raise CannotEncodeError
        if isinstance(term, Fun):
            return self._encode_fun(term)
        if isinstance(term, MapTerm):
            encoded = evolve(term, pairs=tuple((self.encode(key), self.encode(value)) for key, value in term.pairs))
            # the other VM does not rebuild fields of native records
            if isinstance(term, Record) and _contains_encoded_fun(encoded):
                raise CannotEncodeError
            return encoded
        if isinstance(term, Improper):
            return Improper(tuple(map(self.encode, term.items)), self.encode(term.tail))
        if isinstance(term, tuple):
            if term[:1] == (_FUN_TAG,) and len(term) in (4, 6):  # the other VM would rebuild it as a fun
                raise CannotEncodeError
            return tuple(map(self.encode, term))
        return list(map(self.encode, term)) if isinstance(term, list) else term

    def encode_variables(self, needed: dict[str, Term], around: dict[str, Term]) -> list[tuple[str, Term]]:
        """Encode all needed variables, and those of the others that can be encoded."""
        variables = [(name, self.encode(value)) for name, value in needed.items()]
        for name, value in around.items():
            # funs may capture each other
            if name not in needed and not (self._being_encoded and isinstance(value, Fun)):
                try:
                    variables.append((name, self.encode(value)))
                except CannotEncodeError:
                    continue
        return variables

    def fun_of_frame(self, frame: int) -> Term:
        """Encode the fun whose activation this is."""
        run, facts = self.run, self.run.site(frame)
        definer = run.definer(frame)
        if definer is None:
            return self._encode_local_fun(facts, {}, set(), set())
        around, unsure = run.bindings(definer, run.frames.first[frame]), run.ambiguous_variables(frame)
        return self._encode_local_fun(facts, around, {*dict(run.parameters(frame)), facts.name}, unsure)

    def _encode_fun(self, fun: Fun) -> Term:
        """Encode a fun by name, or by its position and captured variables."""
        if fun.name:
            if not self._is_callable(fun.module, fun.name):
                raise CannotEncodeError
            return _EncodedFun((_FUN_TAG, Atom(fun.module), Atom(fun.name), fun.arity))
        run, made = self.run, fun.creation
        definer = None if made is None else run.frames.by_number.get(made[0])
        facts = None if made is None else run.recording.sites.facts.get(made[1])
        if made is None or definer is None or facts is None or facts.module not in self.modules:
            raise CannotEncodeError
        if made in self._being_encoded:  # it captures itself
            raise CannotEncodeError
        around = run.bindings(definer, run.frames.last[definer] + 1)
        own = {name for clause in facts.clauses for name in clause.variables} | {facts.name}
        self._being_encoded.append(made)
        try:
            others = {name: value for name, value in around.items() if value is not fun}
            return self._encode_local_fun(facts, others, own, run.rebound_variables(definer))
        finally:
            self._being_encoded.pop()

    def _is_callable(self, module: str, name: str) -> bool:
        of_erlang = module == "erlang" and name in PURE_BIFS
        return of_erlang or module in self.modules or module in PURE_MODULES

    def _encode_local_fun(self, facts: SiteFacts, bound: dict[str, Term], own: set[str], unsure: set[str]) -> Term:
        """Encode a fun as its index among the funs of its function, with its captured variables.

        Raises `CannotEncodeError` for a variable that had several values: it is unknown which one was captured.
        """
        around = {name: value for name, value in bound.items() if name not in own}
        nth = self.run.recording.sites.funs_of(facts).index(facts.number) + 1
        needed = used_variables(self.run.text(self.run.site_location(facts)), around)
        if unsure & needed.keys():
            raise CannotEncodeError
        encode_variables = self.encode_variables(
            needed, {name: value for name, value in around.items() if name not in unsure}
        )
        return _EncodedFun((_FUN_TAG, Atom(facts.module), Atom(facts.function), facts.arity, nth, encode_variables))


def _contains_encoded_fun(term: Term) -> bool:
    """Whether an encoded value contains a fun."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, _EncodedFun):
            return True
        if isinstance(part, MapTerm):
            waiting += [part for pair in part.pairs for part in pair]
        elif isinstance(part, Improper):
            waiting += (*part.items, part.tail)
        elif isinstance(part, list | tuple):
            waiting += part
    return False
