"""Says in words how far long work has come."""


def progress_text(doing: str, done: int, total: int | None) -> str:
    """What a person reads; see `languages.language.Progress`."""
    if total:
        return f"{doing}: {done} of {total}"
    return f"{doing}: {done} s" if done else f"{doing} ..."
