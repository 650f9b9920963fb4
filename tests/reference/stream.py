"""Streams: words by position, domains, children, slots and retry streams. Pure integer arithmetic on the block functions.

A stream is a value: engine, key, id and position. Its words come from block(b, domain) = E({b : 56 | domain : 8, id : 64}, key).
Oracle: word 9999 of Stream(PHILOX4X32_10, seed=20111115) is 1955073260, the 10000th value of std::philox4x32.
"""

from dataclasses import dataclass, replace

from engines import PHILOX4X32_10, Engine

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF
BLOCK_BITS = 56

DRAWS = 0
PRIVATE = 1  # 1 + lane, up to 8
PAIRS_32 = 16
PAIRS_64 = 17
NAMED_FORKS = 253
COUNTED_FORKS = 254
TAGGED_FORKS = 255

NAME_HASH = Engine("threefry", 2, 64, 20)


class EndOfStream(Exception):
    """A position, tag or count past what its 56 bits can address."""


def seed_key(engine, seed):
    """The key of a seed: its 64 bits, zero-extended; two words where the engine's words have 32 bits."""
    if not 0 <= seed <= MASK64:
        raise ValueError(f"seed must have 64 bits, got {seed}")
    parts = (seed & MASK32, seed >> 32) if engine.bits == 32 else (seed,)
    return parts + (0,) * (engine.key_words - len(parts))


def name_tag(name):
    """The 56-bit tag of a name: a Threefry hash of its UTF-8 bytes, sixteen at a time, and then of their number."""
    data = name.encode("utf-8")
    messages = []
    for start in range(0, len(data), 16):
        chunk = data[start : start + 16].ljust(16, b"\0")
        messages.append((int.from_bytes(chunk[:8], "little"), int.from_bytes(chunk[8:], "little")))
    messages.append((len(data), 0))
    h = (0, 0)
    for m in messages:
        cipher = NAME_HASH.block(m, h)
        h = (cipher[0] ^ m[0], cipher[1] ^ m[1])
    return h[0] & ((1 << BLOCK_BITS) - 1)


@dataclass(frozen=True)
class Stream:
    engine: Engine
    key: tuple
    id: int = 0
    position: int = 0

    @staticmethod
    def from_seed(seed, id=0, position=0, engine=PHILOX4X32_10):
        return Stream(engine, seed_key(engine, seed), id, position)

    @property
    def end(self):
        """The number of words of a domain: position `end` is the first that does not exist."""
        return self.engine.words32 << BLOCK_BITS

    def counter(self, block, domain):
        if not 0 <= block < 1 << BLOCK_BITS:
            raise EndOfStream(f"block {block} is outside the stream's 2^{BLOCK_BITS}")
        if self.engine.bits == 32:
            return (block & MASK32, block >> 32 | domain << 24, self.id & MASK32, self.id >> 32)
        return (block | domain << BLOCK_BITS, 0, self.id, 0)

    def block(self, block, domain=DRAWS):
        """The engine's own words (32 or 64 bits) of one block."""
        return self.engine.block(self.counter(block, domain), self.key)

    def word(self, w, domain=DRAWS):
        """32-bit word w; a 64-bit engine's word is two of them, low half first."""
        b, lane = divmod(w, self.engine.words32)
        words = self.block(b, domain)
        if self.engine.bits == 32:
            return words[lane]
        return words[lane // 2] >> 32 * (lane % 2) & MASK32

    def word64(self, w, domain=DRAWS):
        """The 64-bit word made of words w (low half) and w + 1."""
        return self.word(w, domain) | self.word(w + 1, domain) << 32

    # Children ---------------------------------------------------------------------------------------------------------

    def child(self, block, domain):
        """The stream that one block names, at position 0."""
        words = self.block(block, domain)
        family, bits = self.engine.family, self.engine.bits
        if family == "threefry":
            key, id = words, 0
        elif bits == 32:
            key, id = words[:2], words[2] | words[3] << 32
        else:
            key, id = words[:2], words[2]
        return Stream(self.engine, key, id)

    def fork(self, tag):
        """The child of a tag below 2^56 or of a name: depends on key and id alone, not on the position."""
        if isinstance(tag, str):
            return self.child(name_tag(tag), NAMED_FORKS)
        return self.child(tag, TAGGED_FORKS)

    def counted_child(self, count):
        """The child number `count` of a generator's fork() and split(n)."""
        return self.child(count, COUNTED_FORKS)

    def private_stream(self, position):
        """The stream that the value whose slot begins at `position` reads when its slot's words are used up."""
        b, lane = divmod(position, self.engine.words32)
        return self.child(b, PRIVATE + lane)

    # Slots ------------------------------------------------------------------------------------------------------------

    def slot_start(self, slot):
        """The first slot boundary at or after the stream's position; slots are powers of two."""
        return -(-self.position // slot) * slot

    def slot_position(self, slot, i):
        """The position at which the slot of value i begins, or EndOfStream."""
        p = self.slot_start(slot) + i * slot
        if p + slot > self.end:
            raise EndOfStream(f"value {i} needs words up to {p + slot}, the stream ends at {self.end}")
        return p

    def after(self, slot, n):
        """The stream after a fill of n values."""
        if n == 0:
            return replace(self, position=min(self.slot_start(slot), self.end))
        return replace(self, position=self.slot_position(slot, n - 1) + slot)


class RetryStream:
    """One value's words: its slot in domain 0, then its private stream from word 0 on. One cursor, never restarted."""

    def __init__(self, stream, position, slot):
        self.stream, self.position, self.slot = stream, position, slot
        self.cursor = 0

    def word(self):
        k, self.cursor = self.cursor, self.cursor + 1
        if k < self.slot:
            return self.stream.word(self.position + k)
        return self.stream.private_stream(self.position).word(k - self.slot)

    def word64(self):
        low = self.word()
        return low | self.word() << 32
