"""Translates the PTX of kernels to C, so that what nvcc made of a map runs on any CPU.

    ptx_to_c.py KERNELS.ptx OUT.c       exit code 1, with line and reason, for anything that is not understood

What it proves, together with the comparison in run.py: the code that nvcc emits for a device gives the host's bits.
It is also the lint: an instruction outside ptx_instructions.py is an error, and there float arithmetic exists only
rounded to nearest (.rn), which ptxas never fuses or approximates. What it cannot prove: that ptxas and the silicon
do what the PTX manual says, and anything about launches or caches. The threads of a block take turns from barrier to
barrier (ptx_block.h), and a shared location that two of them touch between barriers, one to write, is an error.

Written for PTX ISA 7 to 9 as nvcc emits it for such kernels, not for PTX at large: an unknown word is never skipped.
"""

import re
import sys

from ptx_instructions import C_TYPES, TABLE, c_name, reason, width
from ptx_text import PtxError, Variable, closing_brace, literal, split_operands, symbol

SPECIAL_REGISTERS = {f"%{name}.x": f"at->{name}" for name in ("tid", "ctaid", "ntid", "nctaid")}
SPECIAL_REGISTERS["%ctaid.y"] = "at->ctaid_y"
# A load without a space has a generic address: of global memory here, since kernels name their shared memory.
MEMORY = re.compile(r"(ld|st)(?:\.(global|const|local|shared|param)|(?<=ld))(?:\.nc)?(?:\.v[24])?\.([bus](?:8|16)|[busf](?:32|64))")


class Signature:
    """The parameters of an .entry or a .func, one after the other in memory, and what a .func returns."""

    def __init__(self, parameters, result=""):
        self.offsets = {}
        self.bytes = 0
        for text in filter(str.strip, parameters.split(",")):
            p = Variable(text)
            self.bytes += -self.bytes % p.align
            self.offsets[p.name] = self.bytes
            self.bytes += p.bytes
        self.result = Variable(result) if result else None


class Kernel:
    """One .entry or .func on its way to a C function."""

    def __init__(self, name, signature, body, first_line, module_variables, functions):
        self.name = name
        self.body = body
        self.variables = dict(module_variables)
        self.functions = functions
        self.offsets, self.parameter_bytes, self.result = signature.offsets, signature.bytes, signature.result
        self.shared_bytes = 0
        self.open_alignment = 0  # of the shared memory that the launch adds; 0: the kernel does not use it
        self.shared = {}
        self.registers = [{}]  # innermost scope last
        self.used = set()
        self.lines = []
        self.barriers = 0
        self.zeros = set(re.findall(r"^\s*mov\.f(?:32|64)\s+(%\w+), 0[fd]0+;", body, re.MULTILINE))  # at some place
        self._translate(body, first_line)
        self.shared_bytes += -self.shared_bytes % (self.open_alignment or 1)

    def _share(self, variable):
        """Gives the variable a place in the shared memory of a block."""
        self.shared_bytes += -self.shared_bytes % variable.align
        self.shared[variable.name] = self.shared_bytes
        self.shared_bytes += variable.bytes

    # Statements -------------------------------------------------------------------------------------------------------

    def _translate(self, body, line):
        position = 0
        while match := re.compile(r"\s*(?:([{}])|([\w$]+):|([^;{}]*(?:\{[^{}]*\}[^;{}]*)*);)").match(body, position):
            line += body.count("\n", position, match.end())
            position = match.end()
            try:
                self._statement(*match.groups())
            except PtxError as error:
                raise PtxError(f"line {line}, kernel {self.name[:60]}: {error}") from None
        if body[position:].strip():
            raise PtxError(f"kernel {self.name[:60]}: not understood: {body[position:].strip()[:80]}")

    def _statement(self, brace, label, text):
        if brace == "{":
            self.registers.append({})
            self.lines.append("{")
        elif brace == "}":
            self.registers.pop()
            self.lines.append("}")
        elif label:
            self.lines.append(f"{symbol(label)}:;")
        elif text.startswith(".reg"):
            self._declare_registers(text)
        elif text.startswith(".shared"):
            variable = Variable(text)
            self.variables[variable.name] = variable
        elif text.startswith(".param"):  # of a call
            variable = Variable(text)
            self.variables[variable.name] = variable
            self.lines.append(f"_Alignas({variable.align}) unsigned char {symbol(variable.name)}[{variable.bytes}];")
        elif text.startswith(".local"):
            variable = Variable(text)
            self.variables[variable.name] = variable
            self.lines.append(variable.c_definition())
        elif re.match(r'\.pragma "(nounroll|used_bytes_mask \d+)"', text):  # the mask: which loaded bytes are not padding
            pass
        else:
            self._instruction(text)

    def _declare_registers(self, text):
        match = re.fullmatch(r"\.reg\s+\.(pred|[bus]16|[busf](?:32|64))\s+(.+)", text, re.DOTALL)
        if not match:
            raise PtxError(f"declaration not understood: {text}")
        kind = width(match[1])
        names = []
        for item in match[2].split(","):
            ranged = re.fullmatch(r"(%\w+)<(\d+)>", item.strip())
            names += [f"{ranged[1]}{i}" for i in range(int(ranged[2]))] if ranged else [item.strip()]
        self.registers[-1].update(dict.fromkeys(names, kind))
        if len(self.registers) > 1:
            self.lines.append(f"{register_type(kind)} {', '.join(map(symbol, names))};")

    def _instruction(self, text):
        match = re.fullmatch(r"(?:@(!?)(%\w+)\s+)?([a-z][\w.]*)\s*(.*)", text, re.DOTALL)
        if not match:
            raise PtxError(f"statement not understood: {text}")
        negated, predicate, mnemonic, operands = match.groups()
        is_call = mnemonic in ("call", "call.uni")
        statement = self._call(operands) if is_call else self._operation(mnemonic, split_operands(operands))
        if predicate:
            statement = f"if ({negated}{self._register(predicate, 'pred')}) {{ {statement} }}"
        self.lines.append(statement)

    def _call(self, operands):
        """A call of a function of this text. Its arguments lie in memory as its signature says."""
        match = re.fullmatch(r"(?:\((\w+)\)\s*,\s*)?([\w$]+)\s*,\s*\(([^()]*)\)", operands, re.DOTALL)
        if not match or match[2] not in self.functions:
            raise PtxError(f"a call that is not understood: {operands[:80]}")
        callee, arguments = self.functions[match[2]], [a.strip() for a in match[3].split(",")]
        if len(arguments) != len(callee.offsets) or (match[1] is None) != (callee.result is None):
            raise PtxError(f"a call of {match[2][:60]} with other arguments than it has")
        copies = [f"memcpy(arguments + {offset}, {symbol(a)}, {self.variables[a].bytes});"
                  for a, offset in zip(arguments, callee.offsets.values())]
        result = symbol(match[1]) if match[1] else "0"
        return (f"{{ _Alignas(16) unsigned char arguments[{callee.bytes}]; {' '.join(copies)} "
                f"function_{symbol(match[2])}(arguments, at, {result}); }}")

    def _operation(self, mnemonic, operands):
        if mnemonic in ("bra", "bra.uni") and len(operands) == 1:
            return f"goto {symbol(operands[0])};"
        if mnemonic == "trap" and not operands:
            return "__builtin_trap();"
        if mnemonic == "ret" and not operands:
            return "return;"
        if mnemonic == "bar.sync" and operands == ["0"]:  # of all threads of the block
            self.barriers += 1
            return f"ptx_wait(at->block, {self.barriers});"
        if mnemonic in ("shfl.sync.down.b32", "shfl.sync.bfly.b32", "shfl.sync.idx.b32") and len(operands) == 5:
            self.barriers += 1
            to, *in_range = operands[0].split("|")
            given = ", ".join(self._source(o, "b32") for o in operands[1:])
            text = f"{self._register(to, 'b32')} = ptx_shuffle_{mnemonic.split('.')[2]}(at, {self.barriers}, {given});"
            return text + "".join(f" {self._register(p, 'pred')} = at->block->now->in_range;" for p in in_range)
        if mnemonic == "vote.sync.ballot.b32" and len(operands) == 3:
            self.barriers += 1
            given = f"{self._source(operands[1], 'pred')}, {self._source(operands[2], 'b32')}"
            return f"{self._register(operands[0], 'b32')} = ptx_ballot(at, {self.barriers}, {given});"
        if mnemonic == "bar.warp.sync" and len(operands) == 1:
            self.barriers += 1
            return f"ptx_warp_barrier(at, {self.barriers}, {self._source(operands[0], 'b32')});"
        if mnemonic in ("atom.global.add.u64", "atom.shared.add.u32") and len(operands) == 3:
            return self._atomic_sum(mnemonic.split(".")[1], *operands)
        if mnemonic == "cp.async.cg.shared.global" and len(operands) == 4 and operands[2] == "16":
            to, origin = self._address(operands[0], "u32"), self._address(operands[1], "u64")
            return f"ptx_copy_async(at, {to}, (const unsigned char*)(uintptr_t)({origin}), {self._source(operands[3], 'u32')});"
        if mnemonic == "cp.async.commit_group" and not operands:
            return "ptx_commit_copies(at);"
        if mnemonic == "cp.async.wait_group" and len(operands) == 1:
            return f"ptx_wait_for_copies(at, {self._source(operands[0], 'u32')});"
        if memory := MEMORY.fullmatch(mnemonic):
            return self._memory(mnemonic, *memory.groups(), operands)
        if mnemonic in ("mov.b32", "mov.b64") and any(o.startswith("{") for o in operands):
            return self._pack(mnemonic, *operands)
        if re.fullmatch(r"(add|sub)\.(ftz\.)?f(32|64)", mnemonic) and any(
            x in self.zeros or re.fullmatch("0[fd]0+", x) for x in operands[1:]
        ):
            # A sum with 0 is left of an fma whose other factor is known as 1. It may fuse with a product that names no
            # rounding (PTX ISA, add), and products always name theirs here: others are refused.
            mnemonic = re.sub(r"^...", r"\g<0>.rn", mnemonic)
        if mnemonic not in TABLE:
            raise PtxError(f"{mnemonic}: {reason(mnemonic)}")
        instruction = TABLE[mnemonic]
        if len(operands) != 1 + len(instruction.operands):
            raise PtxError(f"{mnemonic} takes {1 + len(instruction.operands)} operands, not {len(operands)}")
        is_conversion = mnemonic.startswith("cvt.")
        arguments = [self._source(o, t, is_conversion) for o, t in zip(operands[1:], instruction.operands)]
        return f"{self._register(operands[0], instruction.result)} = {c_name(mnemonic)}({', '.join(arguments)});"

    def _address(self, text, type_name):
        match = re.fullmatch(r"\[([%\w$]+)(?:\+(-?\d+))?\]", text)
        if not match:
            raise PtxError(f"address not understood: {text}")
        return f"{self._source(match[1], type_name)} + {int(match[2] or 0)}"

    def _atomic_sum(self, space, old, address, value):
        """A sum of integers, which any order of threads gives. What was there before depends on that order."""
        if len(re.findall(rf"{re.escape(old)}\b", self.body)) > 1:
            raise PtxError(f"{old}, the result of an atomic operation, is read")
        if space == "shared":
            return f"ptx_shared_sum(at, {self._address(address, 'u32')}, {self._source(value, 'u32')});"
        place = f"(unsigned char*)(uintptr_t)({self._address(address, 'u64')})"
        return (f"{{ ptx_check_alignment(at, {place}, 8); uint64_t m; memcpy(&m, {place}, 8); "
                f"m += {self._source(value, 'u64')}; memcpy({place}, &m, 8); }}")

    def _memory(self, mnemonic, load_or_store, space, type_name, operands):
        load, space = load_or_store == "ld", space or "global"
        address, values = operands if not load else reversed(operands)
        items = split_operands(values.strip("{}"))
        if len(items) != {".v2.": 2, ".v4.": 4}.get((re.search(r"\.v\d\.", mnemonic) or [""])[0], 1):
            raise PtxError(f"{mnemonic} with {len(items)} registers")
        match = re.fullmatch(r"\[([%\w$]+)(?:\+(-?\d+))?\]", address)
        if not match:
            raise PtxError(f"address not understood: {address}")
        base, offset = match[1], int(match[2] or 0)
        if space == "param" and self.result and base == self.result.name:
            base_text = "result"
        elif space == "param" and base in self.variables and self.variables[base].space == "param":
            base_text = symbol(base)
        elif space == "param" and not load:
            raise PtxError(f"a parameter is written: {address}")
        elif space == "param" and base in self.offsets:
            base_text = f"parameters + {self.offsets[base]}"
        elif space == "shared":
            base_text = self._source(base, "u32")
        else:
            base_text = f"(unsigned char*)(uintptr_t){self._source(base, 'u64')}"
        size = int(type_name[1:]) // 8
        statements = []
        if space == "global":
            statements.append(f"ptx_check_alignment(at, {base_text} + {offset}, {size * len(items)});")
        for k, item in enumerate(items):
            place = f"{base_text} + {offset + k * size}"
            if space == "shared":
                alignment = size if k else size * len(items)
                place = f"ptx_shared(at, {base_text} + {offset + k * size}u, {size}, {alignment}, {int(not load)})"
            if load:  # the register may be wider than the type: it is then extended as the type says
                wide = self._width(item)
                if wide == "pred" or wide < 8 * size or (wide != 8 * size and type_name[0] == "f"):
                    raise PtxError(f"{mnemonic} to {item}, which has {wide} bits")
                c_type = C_TYPES[type_name] if type_name[0] != "f" else C_TYPES[f"b{type_name[1:]}"]
                statements.append(f"{c_type} m{k}; memcpy(&m{k}, {place}, {size});")
                statements.append(f"{symbol(item)} = (uint{wide}_t)m{k};")
                self.used.add(item)
            else:
                source_bits = self._width(item) if item.startswith("%") else 8 * size
                if source_bits == "pred" or source_bits < 8 * size:
                    raise PtxError(f"{mnemonic} from {item}, which has {source_bits} bits")
                source = self._source(item, f"u{source_bits}")
                c_type = C_TYPES[f"b{8 * size}"]
                statements.append(f"const {c_type} m{k} = ({c_type}){source}; memcpy({place}, &m{k}, {size});")
        return "{ " + " ".join(statements) + " }"

    def _pack(self, mnemonic, to, source):
        """mov between a register and the two halves of its bits; `_` is a half that nobody wants."""
        whole, part = width(mnemonic[4:]), width(mnemonic[4:]) // 2
        if to.startswith("{"):
            halves = split_operands(to.strip("{}"))
            value = self._source(source, f"b{whole}")
            taken = [(h, i * part) for i, h in enumerate(halves) if h != "_"]
            text = " ".join(f"{self._register(h, f'b{part}')} = (uint{part}_t)(m >> {s});" for h, s in taken)
            return f"{{ const uint{whole}_t m = {value}; {text} }}"
        low, high = (self._source(h, f"b{part}") for h in split_operands(source.strip("{}")))
        return f"{self._register(to, f'b{whole}')} = (uint{whole}_t)((uint{whole}_t){high} << {part} | {low});"

    # Operands ---------------------------------------------------------------------------------------------------------

    def _width(self, name):
        for scope in reversed(self.registers):
            if name in scope:
                return scope[name]
        raise PtxError(f"register {name} is not declared")

    def _register(self, name, type_name, is_converted=False):
        # A conversion of an integer reads the low bits of a wider register. There are no 8-bit registers.
        bits, wanted = self._width(name), width(type_name)
        if bits != wanted and not (is_converted and type_name[0] != "f" and bits != "pred" and bits > wanted):
            raise PtxError(f"register {name} has {bits} bits where {type_name} is wanted")
        self.used.add(name)
        return symbol(name)

    def _source(self, text, type_name, is_converted=False):
        if text in SPECIAL_REGISTERS and width(type_name) == 32:
            return SPECIAL_REGISTERS[text]
        if text.startswith("%") or any(text in scope for scope in self.registers):
            return self._register(text, type_name, is_converted)
        if text in self.offsets and width(type_name) == 64:  # the address of a parameter, which ld.param takes
            return f"(uint64_t)(uintptr_t)(parameters + {self.offsets[text]})"
        is_shared = text in self.variables and self.variables[text].space == "shared"
        if is_shared and width(type_name) == 32 and self.variables[text].is_open:
            self.open_alignment = max(self.open_alignment, self.variables[text].align)
            return "at->block->kernel->shared_bytes"  # after all that the kernel has itself
        if is_shared and width(type_name) == 32:
            if text not in self.shared:
                self._share(self.variables[text])
            return f"{self.shared[text]}u"
        if text in self.variables and not is_shared and width(type_name) == 64:
            return f"(uint64_t)(uintptr_t){symbol(text)}"
        return f"({register_type(width(type_name))}){literal(text, type_name):#x}u"

    def c_function(self, head):
        kinds = {}
        for name, kind in self.registers[0].items():
            if name in self.used:
                kinds.setdefault(kind, []).append(symbol(name))
        declarations = [f"{register_type(kind)} {', '.join(names)};" for kind, names in kinds.items()]
        ignored = "(void)parameters, (void)at;"
        return "\n    ".join([f"{head} {{", *declarations, ignored, *self.lines]) + "\n}\n"


def register_type(kind):
    """The C type of a register of this width."""
    return "uint8_t" if kind == "pred" else f"uint{kind}_t"


def entries(ptx):
    """The kernels, functions and module variables of a PTX text."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), ptx, flags=re.DOTALL)
    token = re.compile(
        r"\s*(?:\.version\s+[\d.]+|\.target\s+\w+|\.address_size\s+64"
        r"|(?:\.visible\s+|\.weak\s+)?\.entry\s+(?P<name>[\w$]+)\s*\((?P<parameters>[^)]*)\)"
        r"\s*(?:\.(?:maxntid|minnctapersm)\s+[\d, ]+\s*)*\{"
        r"|(?:\.visible\s+|\.weak\s+)?\.func\s*(?:\((?P<result>[^)]*)\)\s*)?(?P<function>[\w$]+)\s*\((?P<taken>[^)]*)\)"
        r"\s*(?:\.noinline\s*)?(?P<end>[{;])"
        r"|(?P<variable>(?:\.visible\s+|\.weak\s+|\.extern\s+(?=\.shared))?\.(?:const|global|shared)\s[^;]*);)"
    )
    position, kernels, functions, signatures, variables = 0, [], [], {}, {}
    while text[position:].strip():
        match = token.match(text, position)
        if not match:
            line = ptx.count("\n", 0, position + len(text[position:]) - len(text[position:].lstrip())) + 1
            raise PtxError(f"line {line}: not understood: {text[position:].strip()[:100]}")
        position = match.end()
        if match["variable"]:
            variable = Variable(match["variable"])
            variables[variable.name] = variable
        elif match["name"]:
            end = closing_brace(text, position)
            first_line = text.count("\n", 0, position) + 1
            signature = Signature(match["parameters"])
            kernels.append(Kernel(match["name"], signature, text[position:end], first_line, variables, signatures))
            position = end + 1
        elif match["function"]:
            signature = signatures[match["function"]] = Signature(match["taken"], match["result"] or "")
            if match["end"] == ";":
                continue
            end = closing_brace(text, position)
            first_line = text.count("\n", 0, position) + 1
            functions.append(Kernel(match["function"], signature, text[position:end], first_line, variables, signatures))
            position = end + 1
    if missing := signatures.keys() - {f.name for f in functions}:
        raise PtxError(f"functions without a body: {', '.join(sorted(missing))}")
    if any(f.barriers for f in functions):
        raise PtxError("a function in which threads wait for each other")
    return kernels, functions, variables


def translate(ptx):
    """PTX text to C text."""
    kernels, functions, variables = entries(ptx)
    if not kernels:
        raise PtxError("no kernel")
    arguments = "const unsigned char* parameters, const struct ptx_place* at"
    heads = [f"static void function_{symbol(f.name)}({arguments}, unsigned char* result)" for f in functions]
    words = {word for k in [*kernels, *functions] for line in k.lines for word in re.findall(r"\b(?:ptx|v)_\w+", line)}
    instructions = "\n\n".join(instruction.function(m) for m, instruction in TABLE.items() if c_name(m) in words)
    read = [v for v in variables.values() if v.space != "shared" and symbol(v.name) in words]  # NVRTC emits all of a class
    table = "".join(f'    {{"{k.name}", kernel_{i}, {k.parameter_bytes}, {k.shared_bytes}, {int(k.open_alignment > 0)}, {k.barriers}}},\n' for i, k in enumerate(kernels))
    return "\n".join(
        [
            '#include "ptx_machine.h"\n',
            instructions,
            "\n" + "\n".join(v.c_definition() for v in read) + "\n",
            *(f"{head};" for head in heads),
            *(f.c_function(head) for f, head in zip(functions, heads)),
            *(k.c_function(f"static void kernel_{i}({arguments})") for i, k in enumerate(kernels)),
            f"const struct ptx_kernel ptx_kernels[] = {{\n{table}    {{0, 0, 0, 0, 0, 0}},\n}};\n",
        ]
    )


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as source:
            text = translate(source.read())
    except PtxError as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 1
    with open(arguments[1], "w", encoding="utf-8") as out:
        out.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
