import numpy as np
import librng as rng
from librng.numpy import BitGenerator
g = rng.Generator(42)
x = g.normal((3, 2), mean=1, stddev=2, dtype="float32")
s: rng.Stream = rng.Stream(42).fork("wind").fork(7)
d: rng.Distribution = rng.gamma(shape=2.5)
y = rng.fill(np.empty(3), d, s)
reveal_type(y)
b = np.random.Generator(BitGenerator(42))
