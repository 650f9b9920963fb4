"""Instructions of the fastest loop of a kernel, read from its machine code."""

import heapq
import struct

BRANCH, CALL, EXIT, RETURN, STORES = 0x947, 0x944, 0x94D, 0x950, (0x386, 0x986)
BYTES = 16  # of an instruction
DIVERGED = 1 << 27  # in a branch's upper half: it is taken only if lanes of the warp have parted (BRA.DIV)


def successors(code, architecture):
    """The instructions of a kernel, and for each of them those that may follow it. No call is on a fast way."""
    words = [struct.unpack_from("<QQ", code, k) for k in range(0, len(code), BYTES)]
    result = []
    for i, (low, high) in enumerate(words):
        opcode, always = low & 0xFFF, (low >> 12 & 0xF) == 7
        always = always and not (opcode == BRANCH and high & DIVERGED)
        after = [] if opcode in (CALL, EXIT, RETURN, BRANCH) and always else [i + 1]
        if opcode == BRANCH:
            after.append(i + 1 + distance(low, high, architecture) // BYTES)
        result.append([k for k in after if 0 <= k < len(words)])
    return words, result


def distance(low, high, architecture):
    """How far a branch goes from the next instruction, in bytes. The kernel's last one, to itself, gives -16."""
    far, bits = low >> 34 | (high & 0x3FFFF) << 30, 48
    if architecture >= 90:  # eight more bits, elsewhere
        far, bits = far << 8 | (low >> 16 & 0xFF), 56
    return 4 * (far - (1 << bits) if far >> (bits - 1) else far)


def shortest_loop(after, start):
    """The instructions of the shortest way from one back to itself; None if there is none."""
    queue, before = [(1, k, start) for k in after[start]], {}
    heapq.heapify(queue)
    while queue:
        steps, k, previous = heapq.heappop(queue)
        if k in before:
            continue
        before[k] = previous
        if k == start:
            way = [k]
            while (k := before[k]) != start:
                way.append(k)
            return way
        for following in after[k]:
            heapq.heappush(queue, (steps + 1, following, k))
    return None


def is_wide_store(low, high):
    """A 16-byte store to global memory; the size is in bits 73 to 75."""
    return low & 0xFFF in STORES and high >> 9 & 7 == 6


def per_16_bytes(code, architecture):
    """Instructions of the fastest loop for each of its 16-byte stores; None if there is no such store."""
    words, after = successors(code, architecture)
    wide = {i for i, word in enumerate(words) if is_wide_store(*word)}
    loops = [way for way in (shortest_loop(after, i) for i in wide) if way]
    return min((len(way) / len(wide.intersection(way)) for way in loops), default=None)
