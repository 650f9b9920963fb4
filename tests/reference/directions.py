"""Uniform directions (contract, A.19): points of the unit circle and of the unit spheres of three and four dimensions."""

from floats import BINARY32
from functions import ZERO, folded, midpoint_fraction, top_bit, with_sign
from kernels import sincos
from maps import slot_word


class UnitVector:
    """No parameters. A value's bits are those of its parts, the first lowest."""

    fields, parameters = (), ()

    def __init__(self, format):
        self.format = format
        self.bits = self.size * format.bits
        self.dtype = f"{format.name}x{self.size}"
        self.slot = self.words * format.bits // 32

    def value(self, stream, position):
        width = self.format.bits // 32
        words = [slot_word(stream, self.format, position + k * width) for k in range(self.words)]
        return sum(self.format.to_bits(part) << k * self.format.bits for k, part in enumerate(self.parts(*words)))

    def scaled(self, length, *parts):
        return [self.format.fma(length, x, ZERO) for x in parts]

    def complement(self, w):
        return (1 << self.format.bits) - 1 - w


class UnitVector2(UnitVector):
    name, size, words = "unit_vector2", 2, 1

    def parts(self, w):
        sine, cosine = sincos(self.format, w)
        return cosine, sine


class UnitVector3(UnitVector):
    name, size, words = "unit_vector3", 3, 2

    def parts(self, w0, w1):
        t = self.format
        u, v = midpoint_fraction(t, w0), midpoint_fraction(t, self.complement(w0))
        s = t.sqrt(t.fma(u, v, ZERO))
        sine, cosine = sincos(t, w1)
        h = midpoint_fraction(t, (1 << t.bits - 1) - 1 - folded(w0, t.bits))
        return *self.scaled(t.add(s, s), cosine, sine), with_sign(t.add(h, h), top_bit(w0, t.bits))


class UnitVector4(UnitVector):
    name, size, words = "unit_vector4", 4, 4

    def parts(self, w0, w1, w2, _):
        t = self.format
        a, b = t.sqrt(midpoint_fraction(t, self.complement(w0))), t.sqrt(midpoint_fraction(t, w0))
        return *self.scaled(a, *sincos(t, w1)), *self.scaled(b, *sincos(t, w2))


DIRECTIONS = (UnitVector2, UnitVector3, UnitVector4)
