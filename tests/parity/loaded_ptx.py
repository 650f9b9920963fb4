"""A translated PTX text as a library in this process, for the tests of the translator."""

import ctypes

from ptx_to_c import translate
from run import compile_c


class Library:
    """PTX text, translated and loaded."""

    def __init__(self, ptx, folder, cc, optimisation="-O1"):
        source, library = folder / "kernels.c", folder / "kernels.so"
        source.write_text(translate(ptx))
        compile_c(cc, source, library, optimisation)
        self.dll = ctypes.CDLL(str(library))
        sizes = [(name, ctypes.c_uint32) for name in ("parameter_bytes", "shared_bytes", "shared_is_open", "barriers")]
        fields = [("name", ctypes.c_char_p), ("thread", ctypes.c_void_p), *sizes]
        record = type("Record", (ctypes.Structure,), {"_fields_": fields})
        table = (record * (ptx.count(".entry") + 1)).in_dll(self.dll, "ptx_kernels")
        self.kernels = {k.name.decode(): k for k in table if k.name}
        self.counts = (ctypes.c_uint64 * 3).in_dll(self.dll, "ptx_counts")

        self.dll.ptx_run_block.restype = ctypes.c_char_p

    def run_block(self, name, parameters, threads, block=(0, 0), blocks=1):
        """What was wrong with the block, or None."""
        kernel = ctypes.byref(self.kernels[name])
        fault = self.dll.ptx_run_block(kernel, parameters, *block, threads, blocks)
        return fault.decode() if fault else None

    def run(self, name, words):
        """Words in, one 64-bit word out."""
        data = (ctypes.c_uint64 * (len(words) + 1))(*words, 0)
        self.run_block(name, ctypes.addressof(data).to_bytes(8, "little"), 1)
        return data[len(words)]
