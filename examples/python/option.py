"""The price of a European call by Monte Carlo, on several threads: the same price to the bit for any number of them.

    python option.py [option.svg]

Block b of the paths has the stream fork(b). So its numbers depend on b alone, and not on the thread that draws them. The picture
shows the mean over the first blocks, with its standard error, beside the price of Black and Scholes.
"""

import math
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import librng as rng

SPOT, STRIKE, RATE, VOLATILITY, YEARS = 100.0, 110.0, 0.03, 0.2, 1.0
BLOCKS, PATHS = 64, 1 << 14
STREAM = rng.Stream(42).fork("option")


def payoffs(block):
    """Sum and sum of squares of the discounted payoffs of a block."""
    z = rng.fill(np.empty(PATHS), rng.normal(0, 1), STREAM.fork(block))
    drift = (RATE - VOLATILITY**2 / 2) * YEARS
    end = SPOT * np.exp(drift + VOLATILITY * math.sqrt(YEARS) * z)
    paid = math.exp(-RATE * YEARS) * np.maximum(end - STRIKE, 0)
    return paid.sum(), (paid**2).sum()


def prices(threads):
    """The mean after each block, and its standard error."""
    with ThreadPoolExecutor(threads) as pool:
        sums = np.cumsum(list(pool.map(payoffs, range(BLOCKS))), axis=0)
    n = PATHS * np.arange(1, BLOCKS + 1)
    mean = sums[:, 0] / n
    return mean, np.sqrt((sums[:, 1] / n - mean**2) / n)


def black_scholes():
    def phi(x):
        return (1 + math.erf(x / math.sqrt(2))) / 2

    spread = VOLATILITY * math.sqrt(YEARS)
    d = (math.log(SPOT / STRIKE) + (RATE + VOLATILITY**2 / 2) * YEARS) / spread
    return SPOT * phi(d) - STRIKE * math.exp(-RATE * YEARS) * phi(d - spread)


def picture(mean, error, exact):
    """An SVG: the means as a line, two standard errors as a band, the exact price as a dashed line."""
    width, height, low, high = 640, 320, exact - 0.3, exact + 0.3

    def point(i, y):
        return f"{20 + i * (width - 40) / (BLOCKS - 1):.1f},{height - 20 - (min(max(y, low), high) - low) / (high - low) * (height - 40):.1f}"

    upper = [point(i, mean[i] + 2 * error[i]) for i in range(BLOCKS)]
    lower = [point(i, mean[i] - 2 * error[i]) for i in reversed(range(BLOCKS))]
    line = " ".join(point(i, mean[i]) for i in range(BLOCKS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
        f'<polygon points="{" ".join(upper + lower)}" fill="#cfe2f3"/>\n'
        f'<polyline points="{line}" fill="none" stroke="#1f4e79" stroke-width="2"/>\n'
        f'<polyline points="{point(0, exact)} {point(BLOCKS - 1, exact)}" stroke="#c00000" stroke-dasharray="6 4"/>\n'
        f'<text x="24" y="18">Mean price over 1 to {BLOCKS} blocks of {PATHS} paths, and two standard errors</text>\n'
        f'<text x="24" y="40">{high:.2f}</text><text x="24" y="{height - 24}">{low:.2f}</text>\n'
        f'<text x="{width - 20}" y="40" text-anchor="end">dashed: Black and Scholes, {exact:.4f}</text>\n'
        "</svg>\n"
    )


def main():
    mean, error = prices(4)
    assert np.array_equal(mean, prices(1)[0]), "the price depends on the number of threads"
    exact = black_scholes()
    print(f"{mean[-1]:.6f} +- {error[-1]:.6f}, Black and Scholes {exact:.6f}; the same with 1 and 4 threads")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            file.write(picture(mean, error, exact))


if __name__ == "__main__":
    main()
