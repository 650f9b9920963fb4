"""Tables in Markdown, and the words that judge a figure."""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def verdict(value, minimum):
    if minimum is None or value is None:
        return ""
    return " pass" if value >= minimum else f" **short ({value / minimum:.2f})**"


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def times(ratio):
    """A peer's time over rng's."""
    return f"{ratio:.{2 if ratio < 1.5 else 1}f}x" + (" **lost**" if ratio < 1 else "")


def words(what):
    return what.replace("_", " ")
