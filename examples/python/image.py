"""A seeded low-rank SVD compresses an image: the same bytes on every machine, with any number of threads.

    python image.py [image.png]

The image is drawn here: rings and a grid, and noise by rng.normal. Rank 24 of 384 keeps the structure and drops most of the noise.
The picture has the image on the left, and its rank 24 on the right.
"""

import struct
import sys
import zlib

import numpy as np

import librng as rng

SIZE, RANK = 384, 24


def image(generator):
    y, x = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
    rings = np.cos(20 * np.hypot(x, y)) * np.exp(-2 * (x**2 + y**2))
    grid = 0.3 * np.sign(np.sin(12 * x) * np.sin(9 * y))
    return rings + grid + generator.normal((SIZE, SIZE), 0, 0.25)


def png(pixels):
    """A gray image of 8 bits as the bytes of a PNG file."""
    height, width = pixels.shape
    rows = np.zeros((height, width + 1), np.uint8)  # each row begins with its filter, 0
    rows[:, 1:] = pixels

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b"")


def main():
    stream = rng.Stream(42)
    noisy = image(rng.Generator(stream.fork("noise")))
    U, S, V = rng.svd_lowrank(noisy, RANK, generator=rng.Generator(stream.fork("svd")))
    again = rng.svd_lowrank(noisy, RANK, generator=rng.Generator(stream.fork("svd")))
    assert all(np.array_equal(a, b) for a, b in zip((U, S, V), again))
    smooth = U * S @ V.T
    clean = image(Silence())
    before, after = np.abs(noisy - clean).mean(), np.abs(smooth - clean).mean()
    print(f"rank {RANK} of {SIZE}: {U.size + S.size + V.size} numbers for {noisy.size}; the error falls from {before:.3f} to {after:.3f}")
    if len(sys.argv) > 1:
        both = np.hstack([noisy, smooth])
        with open(sys.argv[1], "wb") as file:
            file.write(png(np.clip(127.5 + 85 * both, 0, 255)))


class Silence:
    """No noise."""

    def normal(self, size, *_):
        return np.zeros(size)


if __name__ == "__main__":
    main()
