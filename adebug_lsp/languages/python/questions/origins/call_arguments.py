"""The arguments of an evaluated call, and the parameters that they were passed for."""

from collections.abc import Iterator

from attrs import define

from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, Index, Item, Path, TracedPart
from adebug_lsp.languages.python.reading.static import Signature


@define(eq=False)
class CallArguments:
    """The arguments of one evaluated call."""

    evaluations: Evaluations
    call: Evaluation

    @property
    def function(self) -> Evaluation:
        """The called expression."""
        return self.evaluations.children(self.call)[0]

    @property
    def _keywords(self) -> list[str]:
        return str(self.evaluations.syntax(self.call).extra or "").split()

    @property
    def plain(self) -> list[Evaluation]:
        """The arguments before the keywords, including `*` arguments."""
        arguments = self.evaluations.children(self.call)[1:]
        return arguments[: len(arguments) - len(self._keywords)]

    @property
    def all(self) -> list[Evaluation]:
        """Every argument expression, without its `*` or `**`."""
        return [self._unstarred(argument) for argument in self.evaluations.children(self.call)[1:]]

    def _unstarred(self, argument: Evaluation) -> Evaluation:
        starred = self.evaluations.syntax(argument).kind == "Starred"
        return self.evaluations.children(argument)[0] if starred else argument

    def named(self) -> Iterator[tuple[str | None, Evaluation]]:
        """The keyword arguments; the name of one with `**` is None."""
        arguments, keywords = self.evaluations.children(self.call)[1:], self._keywords
        for keyword, argument in zip(keywords, arguments[len(arguments) - len(keywords) :], strict=True):
            yield (None if keyword == "**" else keyword[:-1]), argument

    def keyword(self, name: str, path: Path = ()) -> TracedPart | None:
        """The argument that was passed by name."""
        for keyword, argument in self.named():
            if keyword == name:
                return TracedPart(argument, path)
        moment = self.call.position
        for keyword, argument in self.named():
            if keyword is None and self._key_in(argument, name) is not None:
                return TracedPart(argument, (Item(self.evaluations.run.heap.make(name), moment), *path))
        return None

    def _key_in(self, mapping: Evaluation, name: str) -> int | None:
        value = self.evaluations.value(mapping)
        keys = None if value is None else self.evaluations.items(value[0], self.call.position)
        return next((key for key in keys or () if self.evaluations.plain(key) == name), None)

    def positional(self, number: int, path: Path = ()) -> TracedPart | None:
        """The argument at a position, perhaps an element of a `*` argument; None if there is none."""
        for argument in self.plain:
            if self.evaluations.syntax(argument).kind != "Starred":
                if number == 0:
                    return TracedPart(argument, path)
                number -= 1
                continue
            inner = self._unstarred(argument)
            value = self.evaluations.value(inner)
            items = None if value is None else self.evaluations.items(value[0], self.call.position)
            if items is None or number < len(items):
                return TracedPart(inner, (Index(number, self.call.position), *path))
            number -= len(items)
        return None

    def parameter(self, signature: Signature, name: str, path: Path, shift: int) -> TracedPart | None:
        """The argument for a parameter; `shift` parameters were bound before, such as `self`."""
        if name in signature.positional:
            number = signature.positional.index(name) - shift
            return (self.positional(number, path) if number >= 0 else None) or self.keyword(name, path)
        if name == signature.rest and path and isinstance(path[0], Index):
            return self.positional(path[0].number + len(signature.positional) - shift, path[1:])
        if name == signature.others and path and isinstance(path[0], Item):
            key = self.evaluations.plain(path[0].key)
            return self.keyword(key, path[1:]) if isinstance(key, str) else None
        return self.keyword(name, path)
