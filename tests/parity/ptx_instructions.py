"""The PTX instructions that ptx_to_c.py knows, each as a C function on register bits; and why it refuses others.

An instruction is known only in the exact spelling of TABLE: a modifier that is not there (.sat, .rz, .approx, .cc)
makes another instruction. Float arithmetic exists only rounded to nearest, but for the approximation that a root begins with: the result
of the root must not depend on it, and parity.roots looks at the machine code. check_instructions.py tests every entry.
"""

import re
from dataclasses import dataclass

C_TYPES = {"pred": "uint8_t", "f32": "float", "f64": "double"}
C_TYPES |= {f"{kind}{n}": f"{'' if kind == 's' else 'u'}int{n}_t" for kind in "bus" for n in (8, 16, 32, 64)}


def width(type_name):
    """The register that holds a type: "pred", 16, 32 or 64."""
    return "pred" if type_name == "pred" else int(type_name[1:])


@dataclass(frozen=True)
class Instruction:
    result: str
    operands: tuple  # types; their C names are a, b, c, d
    value: str  # a C expression
    arithmetic: bool = False  # rounds: its result may be a subnormal number

    def function(self, mnemonic):
        """The C function of this instruction, on the bits of registers."""
        names = dict(zip("abcd", self.operands))
        parameters = ", ".join(f"{bits_type(t)} {n}_" for n, t in names.items())
        lines = [f"static inline {bits_type(self.result)} {c_name(mnemonic)}({parameters}) {{"]
        lines += [f"    {C_TYPES[t]} {n} = {from_bits(t, n + '_')};" for n, t in names.items()]
        flushes = ".ftz" in mnemonic and "f32" in (self.result, *self.operands)
        lines += self._flushing(mnemonic) if flushes else self._plain(mnemonic)
        return "\n".join([*lines, f"    return {to_bits(self.result, 'r')};", "}"])

    def _plain(self, mnemonic):
        lines = [f"    const {C_TYPES[self.result]} r = ({C_TYPES[self.result]})({self.value});"]
        if self.arithmetic:
            lines.append(f"    if ({self.result}_subnormal(r)) {blame('subnormals', mnemonic)}")
        return lines

    def _flushing(self, mnemonic):
        """First without .ftz, which is nearly always the result, and the measure of what a flush changes."""
        floats = [n for n, t in zip("abcd", self.operands) if t == "f32"]
        tiny = [f"f32_subnormal({n})" for n in floats]
        value, changed = self.value, f"{to_bits(self.result, 'r')} != {to_bits(self.result, 'kept')}"
        if self.result == "f32":
            tiny.append("f32_flushable(kept)")
            value = f"f32_flushed({value})"
            # Without a product, or without one term, a sum is exact: 2^-126 was not rounded up.
            is_exact = "(a == 0 || b == 0)" if mnemonic.startswith(("fma", "add", "sub")) else "0"
            changed += f" || (f32_flushable(kept) && (f32_subnormal(kept) || !{is_exact}))" if self.arithmetic else ""
        return [
            f"    const {C_TYPES[self.result]} kept = ({C_TYPES[self.result]})({self.value});",
            f"    if (!({' | '.join(tiny)})) return {to_bits(self.result, 'kept')};",
            *(f"    {n} = f32_flushed({n});" for n in floats),
            f"    const {C_TYPES[self.result]} r = ({C_TYPES[self.result]})({value});",
            "    ++ptx_counts.flushes;",
            f"    if ({changed}) {blame('flushes_changed', mnemonic)}",
        ]


def bits_type(t):
    """The C type of a register that holds a value of this type."""
    return C_TYPES[t] if t == "pred" else C_TYPES[f"u{width(t)}"]


def from_bits(t, x):
    return f"{t}_of({x})" if t in ("f32", "f64") else f"({C_TYPES[t]}){x}"


def to_bits(t, x):
    return f"bits_of_{t}({x})" if t in ("f32", "f64") else f"({bits_type(t)}){x}"


def blame(count, mnemonic):
    return f'{{ ++ptx_counts.{count}; if (!ptx_counts.culprit) ptx_counts.culprit = "{mnemonic}"; }}'


def c_name(mnemonic):
    return "ptx_" + mnemonic.replace(".", "_")


def _integers(table):
    for n in (16, 32, 64):
        b, wide = f"b{n}", f"{2 * n}"
        for op, value in {"and": "a & b", "or": "a | b", "xor": "a ^ b"}.items():
            table[f"{op}.{b}"] = Instruction(b, (b, b), value)
        table[f"not.{b}"] = Instruction(b, (b,), "~a")
        table[f"shl.{b}"] = Instruction(b, (b, "u32"), f"b < {n} ? a << b : 0")  # not masked as in C
        for shifted in (b, f"u{n}"):
            table[f"shr.{shifted}"] = Instruction(b, (b, "u32"), f"b < {n} ? a >> b : 0")
        table[f"shr.s{n}"] = Instruction(b, (f"s{n}", "u32"), f"a >> (b < {n} ? b : {n - 1})")
        table[f"neg.s{n}"] = Instruction(b, (b,), "0u - a")
        table[f"abs.s{n}"] = Instruction(b, (b,), f"a >> {n - 1} ? 0u - a : a")
        for kind in "us":
            t = f"{kind}{n}"
            table[f"add.{t}"] = Instruction(b, (b, b), "a + b")
            table[f"sub.{t}"] = Instruction(b, (b, b), "a - b")
            table[f"mul.lo.{t}"] = Instruction(b, (b, b), "1u * a * b")
            table[f"mad.lo.{t}"] = Instruction(b, (b, b, b), "1u * a * b + c")
            table[f"min.{t}"] = Instruction(b, (t, t), "a < b ? a : b")
            table[f"max.{t}"] = Instruction(b, (t, t), "a > b ? a : b")
            product = f"({'unsigned ' if kind == 'u' else ''}__int128)a * b"
            if n > 16:
                table[f"mul.hi.{t}"] = Instruction(b, (t, t), f"({product}) >> {n}")
                table[f"mad.hi.{t}"] = Instruction(b, (t, t, b), f"(uint{n}_t)(({product}) >> {n}) + c")
                table[f"bfe.{t}"] = Instruction(b, (b, "u32", "u32"), f"ptx_bfe(a, b, c, {n}, {int(kind == 's')})")
            if n < 64:
                table[f"mul.wide.{t}"] = Instruction(f"b{wide}", (t, t), product)
                table[f"mad.wide.{t}"] = Instruction(f"b{wide}", (t, t, f"b{wide}"), f"(uint{wide}_t)({product}) + c")
        if n > 16:  # by zero the manual leaves the result open
            table[f"div.u{n}"] = Instruction(b, (b, b), f"b == 0 ? ~(uint{n}_t)0 : a / b")
            table[f"rem.u{n}"] = Instruction(b, (b, b), "b == 0 ? a : a % b")
            table[f"bfi.{b}"] = Instruction(b, (b, b, "u32", "u32"), f"ptx_bfi(a, b, c, d, {n})")
    for op, value in {"and": "a & b", "or": "a | b", "xor": "a ^ b"}.items():
        table[f"{op}.pred"] = Instruction("pred", ("pred", "pred"), value)
    table["not.pred"] = Instruction("pred", ("pred",), "!a")
    table["popc.b32"] = Instruction("b32", ("b32",), "__builtin_popcount(a)")
    table["brev.b32"] = Instruction("b32", ("b32",), "ptx_brev(a)")
    table["bfind.shiftamt.u32"] = Instruction("b32", ("b32",), "a ? __builtin_clz(a) : ~0u")
    table["prmt.b32"] = Instruction("b32", ("b32", "b32", "b32"), "ptx_prmt(a, b, c)")
    table["lop3.b32"] = Instruction("b32", ("b32", "b32", "b32", "u32"), "ptx_lop3(a, b, c, d)")
    for mode, amount in {"wrap": "(c & 31)", "clamp": "(c < 32 ? c : 32)"}.items():
        pair = "((uint64_t)b << 32 | a)"
        table[f"shf.l.{mode}.b32"] = Instruction("b32", ("b32", "b32", "u32"), f"({pair} << {amount}) >> 32")
        table[f"shf.r.{mode}.b32"] = Instruction("b32", ("b32", "b32", "u32"), f"{pair} >> {amount}")


def _moves(table):
    for t in [f"{kind}{n}" for kind in "bus" for n in (16, 32, 64)] + ["f32", "f64"]:
        b = f"b{width(t)}"
        table[f"mov.{t}"] = Instruction(b, (b,), "a")
        table[f"selp.{t}"] = Instruction(b, (b, b, "pred"), "c ? a : b")
    table["mov.pred"] = Instruction("pred", ("pred",), "a")
    for space in ("to.global", "to.local", "global", "const", "local"):
        table[f"cvta.{space}.u64"] = Instruction("b64", ("b64",), "a")
    for to in (16, 32, 64):
        for source in (8, 16, 32, 64):  # 8 bits lie in the low ones of a 16-bit register
            for kind in "us":
                for to_kind in "us":
                    mnemonic = f"cvt.{to_kind}{to}.{kind}{source}"
                    table[mnemonic] = Instruction(f"b{to}", (f"{kind}{source}",), f"(uint{to}_t)a")


def _comparisons(table):
    signs = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    for n in (16, 32, 64):
        for kind in "bus":
            for name, sign in signs.items():
                if kind != "b" or name in ("eq", "ne"):
                    t = f"{kind}{n}"
                    table[f"setp.{name}.{t}"] = Instruction("pred", (t, t), f"a {sign} b")
    for t in ("f32", "ftz.f32", "f64"):
        operands = (t.removeprefix("ftz."),) * 2
        for name, sign in signs.items():
            ordered = "a < b || a > b" if name == "ne" else f"a {sign} b"
            table[f"setp.{name}.{t}"] = Instruction("pred", operands, ordered)
            # The unordered forms, which are the negations of ordered ones, are also true of a NaN.
            table[f"setp.{name}u.{t}"] = Instruction("pred", operands, f"a != a || b != b || ({ordered})")


def _floats(table):
    for t in ("f32", "ftz.f32", "f64"):
        f = t.removeprefix("ftz.")
        suffix = "f" if f == "f32" else ""
        for op, sign in {"add": "+", "sub": "-", "mul": "*"}.items():
            table[f"{op}.rn.{t}"] = Instruction(f, (f, f), f"a {sign} b", arithmetic=True)
        table[f"div.rn.{t}"] = Instruction(f, (f, f), "a / b", arithmetic=True)
        table[f"fma.rn.{t}"] = Instruction(f, (f, f, f), f"fma{suffix}(a, b, c)", arithmetic=True)
        table[f"sqrt.rn.{t}"] = Instruction(f, (f,), f"sqrt{suffix}(a)", arithmetic=True)
        if t != "f32":  # here: the nearest number; of a double the upper 32 bits
            table[f"rsqrt.approx.ftz.{f}"] = Instruction(f, (f,), f"ptx_rsqrt_{f}(a)")
        table[f"neg.{t}"] = Instruction(f, (f,), "-a")
        table[f"abs.{t}"] = Instruction(f, (f,), f"fabs{suffix}(a)")
    for t in ("f32", "ftz.f32", "f64"):  # -0 lies below +0, and a NaN loses to a number
        f = t.removeprefix("ftz.")
        sign = f"bits_of_{f}(a) >> {width(f) - 1}"
        for op, value in {"min": f"{sign} ? a : b", "max": f"{sign} ? b : a"}.items():
            other = f"a {'<' if op == 'min' else '>'} b || b != b ? a : b"
            table[f"{op}.{t}"] = Instruction(f, (f, f), f"a == b ? ({value}) : ({other})")
    for kind in ("f16", "bf16"):  # the first operand gives the upper half
        halves = f"ptx_{kind}_of_f64(a) << 16 | ptx_{kind}_of_f64(b)"
        table[f"cvt.rn.{kind}x2.f32"] = Instruction("b32", ("f32", "f32"), halves)
    table["add.rn.f16x2"] = Instruction("b32", ("b32", "b32"), "ptx_add_f16(a >> 16, b >> 16) << 16 | ptx_add_f16(a, b)")
    table["cvt.f32.f16"] = Instruction("f32", ("b16",), "ptx_f32_of_f16(a)")
    table["cvt.rn.f16.f32"] = Instruction("b16", ("f32",), "ptx_f16_of_f64(a)")
    for f in ("f32", "f64"):
        for integer in ("u8", *(f"{kind}{n}" for kind in "us" for n in (16, 32, 64))):
            table[f"cvt.rn.{f}.{integer}"] = Instruction(f, (integer,), f"({C_TYPES[f]})a")
    for ftz in ("", "ftz."):
        # A number between bounds that are known as 0 and 1; a NaN and -0 become +0.
        table[f"cvt.{ftz}sat.f32.f32"] = Instruction("f32", ("f32",), "a > 0 ? a < 1 ? a : 1 : 0")
        table[f"cvt.{ftz}f64.f32"] = Instruction("f64", ("f32",), "(double)a")
        table[f"cvt.rn.{ftz}f32.f64"] = Instruction("f32", ("f64",), "(float)a", arithmetic=True)


TABLE = {}
for add in (_integers, _moves, _comparisons, _floats):
    add(TABLE)

# Checked only for what TABLE lacks: the reason is for the reader, the refusal is not in question.
_REASONS = (
    (r"call.*", "a call of another kind"),
    (r"(sin|cos|ex2|lg2|tanh|rsqrt)\..*|.*\.approx.*", "an approximation, which differs between GPUs"),
    (r"rcp\..*f(16|32|64)", "a reciprocal: ptxas expands those of known dividends in another way"),
    (r"(add|sub|mul|mad|fma|div|sqrt)\..*f\d+(x2)?", "float arithmetic that is not plain .rn: ptxas may fuse it"),
    (r"(min|max)\..*f(16|32|64)", "float min or max with a modifier, or of another type"),
    (r"cvt\..*[us](8|16|32|64)\.f(16|32|64)", "a float-to-integer conversion, which differs between machines"),
)


def reason(mnemonic):
    """Why an instruction outside TABLE is refused."""
    return next((text for pattern, text in _REASONS if re.fullmatch(pattern, mnemonic)), "unknown instruction")
