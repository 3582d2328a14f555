"""Text to sections: `[name]` starts one, `key = value` adds to it, `#` starts a comment."""


def strip_comment(line):
    return line.split("#", 1)[0].strip()


def parse(text):
    sections = {"": {}}
    current = sections[""]
    for line in text.splitlines():
        line = strip_comment(line)
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1], {})
        else:
            key, _, value = line.partition("=")
            current[key.strip()] = value.strip()
    return sections
