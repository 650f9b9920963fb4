"""Times of torch's random operators, its own kernels beside those of librng.torch.reproducible: medians of interleaved rounds.

    python benchmarks/torch_draws.py [--device cuda] [--rounds 9] [--sizes 16,1048576,16777216]

Prints microseconds of a call, torch's and ours, and the ratio. A ratio below 1 is faster than torch."""

import argparse
import statistics
import time

import librng.torch
import torch
import torch.nn.functional as F


def cases(n, device):
    x = torch.empty(n, device=device)
    ones, half = torch.ones(n, device=device), torch.full((n,), 0.5, device=device)
    bf16 = ones.to(torch.bfloat16)
    means = torch.rand(n, device=device) * 30 + 0.1
    return {
        "uniform_ f32": lambda: x.uniform_(),
        "normal_ f32": lambda: x.normal_(),
        "exponential_ f32": lambda: x.exponential_(),
        "cauchy_ f32": lambda: x.cauchy_(),
        "log_normal_ f32": lambda: x.log_normal_(),
        "geometric_ f32": lambda: x.geometric_(0.2),
        "randint i64": lambda: torch.randint(1000, (n,), device=device),
        "bernoulli_(p) f32": lambda: x.bernoulli_(0.3),
        "bernoulli(tensor) f32": lambda: torch.bernoulli(half),
        "dropout f32": lambda: F.dropout(ones, 0.1),
        "dropout bf16": lambda: F.dropout(bf16, 0.1),
        "normal(tensor, tensor)": lambda: torch.normal(ones, half),
        "poisson(tensor)": lambda: torch.poisson(means),
        "gamma(tensor)": lambda: torch._standard_gamma(means),
        "binomial(tensor)": lambda: torch.binomial(ones * 20, half),
        "randperm": lambda: torch.randperm(n, device=device),
        "multinomial, replaced": lambda: torch.multinomial(means[:1000], n, True),
        "multinomial of 1000, not replaced": lambda: torch.multinomial(means[:1000], min(n, 100)),
    }


def seconds(f, device, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        f()
    if device == "cuda":
        torch.cuda.synchronize()
    return (time.perf_counter() - begin) / calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", default="16,1048576")
    parser.add_argument("--only", default="", help="a part of the name of a case")
    options = parser.parse_args()
    print(f"torch {torch.__version__}, {options.device}, {torch.get_num_threads()} threads; us of a call")
    for n in map(int, options.sizes.split(",")):
        print(f"\nn = {n}\n{'operator':36}{'torch':>12}{'librng':>12}{'ratio':>8}")
        for name, f in cases(n, options.device).items():
            if options.only not in name:
                continue
            f()
            calls = max(1, int(2e-3 / seconds(f, options.device, 3)))
            times = [], []
            for _ in range(options.rounds):
                times[0].append(seconds(f, options.device, calls))
                with librng.torch.reproducible(1, compile="keep"):
                    f()
                    times[1].append(seconds(f, options.device, calls))
            theirs, ours = (statistics.median(t) * 1e6 for t in times)
            print(f"{name:36}{theirs:12.1f}{ours:12.1f}{ours / theirs:8.2f}", flush=True)


if __name__ == "__main__":
    main()
