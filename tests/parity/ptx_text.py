"""The words of PTX text: literals, operand lists, declarations of memory."""

import re

from ptx_instructions import width

VARIABLE = re.compile(
    r"(?:\.(?:visible|weak|extern)\s+)?\.(const|global|local|shared|param)\s+(?:\.align\s+(\d+)\s+)?\.([busf]\d+)\s+"
    r"(?:\.ptr\s+(?:\.(?:global|const|local)\s+)?\.align\s+\d+\s+)?([\w$]+)(?:\[(\d*)\])?\s*(?:=\s*(.*))?",
    re.DOTALL,
)


class PtxError(Exception):
    """PTX that this translator must not run: not understood, or against the rule."""


class Variable:
    """A named piece of memory: a parameter, a constant table, a kernel's local array."""

    def __init__(self, text):
        match = VARIABLE.fullmatch(" ".join(text.split()))
        if not match:
            raise PtxError(f"declaration not understood: {text.strip()[:120]}")
        self.space, align, element, self.name, count, self.initial = match.groups()
        self.element = element
        self.is_open = count == ""  # as large as the launch says
        if self.is_open != ("extern" in text.split(maxsplit=1)[0]) or (self.is_open and self.space != "shared"):
            raise PtxError(f"declaration not understood: {text.strip()[:120]}")
        self.element_bytes = int(element[1:]) // 8
        self.align = int(align or self.element_bytes)
        self.bytes = self.element_bytes * int(count or 1)

    def c_definition(self):
        values = [v.strip() for v in self.initial.strip("{} ").split(",")] if self.initial else []
        data = b"".join(self._element(v) for v in values if v).ljust(self.bytes, b"\0")
        if len(data) != self.bytes:
            raise PtxError(f"{self.name}: {len(data)} bytes of data for an array of {self.bytes}")
        storage = "static " if self.space != "local" else ""
        data_text = f" = {{{', '.join(map(str, data))}}}" if self.space != "local" else ""
        return f"{storage}_Alignas({self.align}) unsigned char {symbol(self.name)}[{self.bytes}]{data_text};"

    def _element(self, text):
        bits = literal(text, f"u{8 * self.element_bytes}")
        return bits.to_bytes(self.element_bytes, "little")


def symbol(name):
    return "v_" + re.sub(r"\W", "_", name.lstrip("%"))


def literal(text, type_name):
    """The bits of a literal, as an integer of the type's width."""
    if type_name == "pred" and text in ("0", "1", "-1"):
        return int(text != "0")
    bits = 8 if type_name[1:] == "8" else width(type_name)
    if match := re.fullmatch(r"0[fF]([0-9A-Fa-f]{8})|0[dD]([0-9A-Fa-f]{16})", text):
        if bits != (32 if match[1] else 64):
            raise PtxError(f"{text} has another width than {type_name}")
        return int(match[1] or match[2], 16)
    if not re.fullmatch(r"-?\d+U?|0[xX][0-9A-Fa-f]+U?", text) or type_name in ("f32", "f64"):
        raise PtxError(f"operand not understood: {text}")
    value = int(text.rstrip("U"), 0)
    if not -(2 ** (bits - 1)) <= value < 2**bits:
        raise PtxError(f"{text} does not fit {bits} bits")
    return value % 2**bits


def split_operands(text):
    """At the commas that are outside braces and brackets."""
    return [part.strip() for part in re.split(r",(?![^{\[]*[}\]])", text)] if text.strip() else []


def closing_brace(text, position):
    depth = 1
    for match in re.compile(r"[{}]").finditer(text, position):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    raise PtxError("a kernel has no end")
