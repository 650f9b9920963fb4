"""What the scripts that write files share: a run writes them, one with --check compares them."""

import sys
from pathlib import Path


def write_or_check(texts):
    """For {path: text}. The exit code is 1 if a file differs from its text, or the arguments are wrong."""
    arguments = sys.argv[1:]
    if arguments not in ([], ["--check"]):
        sys.exit(f"usage: {Path(sys.argv[0]).name} [--check]")
    different = []
    for path, text in texts.items():
        if not arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            different.append(str(path))
    if different:
        sys.exit("not what the model gives: " + ", ".join(different))
