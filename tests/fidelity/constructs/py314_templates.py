"""What 3.14 brought: template strings (PEP 750), everywhere an expression can stand."""

import asyncio
import traceback
from string.templatelib import Interpolation, Template, convert


def say(text, value=None):
    print("say", text)
    return value


def shown(template):
    parts = []
    for part in template:
        if isinstance(part, Interpolation):
            value = convert(part.value, part.conversion)
            parts.append(f"<{part.expression}|{part.conversion}|{part.format_spec}|{format(value, part.format_spec)}>")
        else:
            parts.append(part)
    return "".join(parts)


name, width, items = "World", 9, [3, 1, 2]
plain = t"Hello {name}!"
print(type(plain) is Template, plain.strings, plain.values, shown(plain))
print(shown(t"{name!r:>{width}}|{width:0{2}d}|{items[0] + 1 = }|{ name }"))
print(shown(t"{say('a', 1)}{say('b', 2):{say('c', 3)}}{say('d', 4)!s}"))
print(repr(t""), repr(t"only text"), repr(rt"\n{name}\d"), repr(t"""two
lines {name
}"""))
print(repr(t"a{1}" t"b{2}"), repr(t"a{1}" + t"b{2}"))


def nested(who):
    inner = t"<{who}>"
    return t"outer {inner} {t'deeper {who!r}'} {f'plain {who}'}"


outer = nested("me")
print(outer.strings, [type(value).__name__ for value in outer.values], shown(outer.values[0]), shown(outer.values[1]))


def local(a, b=2):
    c = t"{a}{b}{(lambda x: x + a)(b)}{[x for x in range(b)]}"
    return c.values


print(local(1), (lambda x: t"{x} {x + 1}".values)(5), [t"{x}".values for x in items], {x: t"{x!r}".interpolations[0].conversion for x in items})


def generated():
    got = yield t"first {(yield 'inside')}"
    yield t"second {got}"


steps = generated()
print(next(steps), shown(steps.send("sent")), shown(steps.send("more")))


async def waited(value):
    await asyncio.sleep(0)
    return value


async def awaiting():
    return shown(t"{await waited(1)}-{await waited(2)}")


print(asyncio.run(awaiting()))


class Holder:
    prefix = "p"
    text = t"{prefix}/{[x for x in 'ab']}"

    def method(self):
        return t"{self.prefix}{self.text.values[0]}{self!r:no}".values[:2]


print(Holder.text.values, Holder().method())


def failing(data):
    return t"before {say('one')} {data['missing']} {say('never')}"


for attempt in (lambda: failing({}), lambda: t"a" + "b", lambda: "b" + t"a", lambda: t"{undefined_name}", lambda: t"{1 / 0}"):
    try:
        attempt()
    except Exception:
        traceback.print_exc()

match t"{name}":
    case Template(strings=("", ""), interpolations=(Interpolation(value=value, expression=expression),)):
        print("matched", value, expression)


def default(x=t"{name} {name + 'y'}", *, y=t"text"):
    return x.values, y


print(default())
changed = t"{items}"
items.append(4)
print(changed.values[0] is items, shown(changed))
