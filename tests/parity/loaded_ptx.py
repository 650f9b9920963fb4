"""A translated PTX text as a library in this process, for the tests of the translator."""

import ctypes

from ptx_to_c import translate
from run import compile_c


class Library:
    """PTX text, translated and loaded."""

    def __init__(self, ptx, folder, cc):
        source, library = folder / "kernels.c", folder / "kernels.so"
        source.write_text(translate(ptx))
        compile_c(cc, source, library)
        self.dll = ctypes.CDLL(str(library))
        thread = ctypes.CFUNCTYPE(None, ctypes.c_char_p, *4 * [ctypes.c_uint32])
        fields = [("name", ctypes.c_char_p), ("thread", thread), ("parameter_bytes", ctypes.c_uint32)]
        record = type("Record", (ctypes.Structure,), {"_fields_": fields})
        table = (record * (ptx.count(".entry") + 1)).in_dll(self.dll, "ptx_kernels")
        self.kernels = {k.name.decode(): k for k in table if k.name}
        self.counts = (ctypes.c_uint64 * 3).in_dll(self.dll, "ptx_counts")

    def run(self, name, words):
        """Words in, one 64-bit word out."""
        data = (ctypes.c_uint64 * (len(words) + 1))(*words, 0)
        pointer = ctypes.addressof(data).to_bytes(8, "little")
        self.kernels[name].thread(pointer, 0, 0, 1, 1)
        return data[len(words)]
