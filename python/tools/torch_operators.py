"""The table of docs/torch-operators.md: each operator that torch tags as random, and how librng.torch.reproducible gives it its numbers.

    python python/tools/torch_operators.py            prints the table of the installed torch
    python python/tools/torch_operators.py --write    writes it into the page"""

import argparse
import pathlib

import librng.torch
import torch
from librng._torch_kernels import KERNELS, REFUSED

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "torch-operators.md"
LAWS = {
    "uniform_": "`uniform(from, to)`; from = to is a constant",
    "normal_": "`normal(mean, std)`; complex: `complex_normal(std)` + mean; std = 0 is a constant",
    "normal.": "`normal(0, 1)`, times std, plus mean, each rounded",
    "exponential_": "`exponential(lambd)`",
    "cauchy_": "`cauchy(median, sigma)`",
    "log_normal_": "`lognormal(mean, std)`",
    "geometric_": "`geometric(p)` + 1, as torch counts trials",
    "random_": "`uniform_int(from, to - 1)`; floating-point types and bool by int64",
    "bernoulli_.float": "`bernoulli(p)`",
    "bernoulli": "`fill_each` of `bernoulli`, p of each element",
    "randperm": "`permutation(n)`, on the host",
    "poisson": "`fill_each` of `poisson`",
    "binomial": "`fill_each` of `binomial`",
    "_standard_gamma": "`fill_each` of `gamma` with scale 1; gradients are torch's",
    "_sample_dirichlet": "`fill_each` of `gamma` in float64, divided by the sum of a fixed order",
    "multinomial": "with replacement the inverse of sums of whole numbers at `uniform(0, 1)`; without it the smallest of `exponential(1)` / weight",
    "native_dropout": "`bernoulli(1 - p)`; x * mask * (1 / (1 - p))",
    "_fused_dropout": "`bernoulli(p)`, p being the probability to keep",
    "dropout": "`native_dropout` on every device",
    "rrelu_with_noise": "`uniform(lower, upper)`",
    "scaled_dot_product_attention": "with dropout the plain formula, whose mask takes memory of L x S; without dropout torch's own choice",
}


def law(name):
    """That of the longest beginning of a name."""
    return LAWS[max((beginning for beginning in LAWS if name.startswith(beginning)), key=len)]


def lines():
    ways = {key: librng.torch.coverage(key) for key in ("CPU", "CUDA")}
    yield "| operator | CPU | CUDA | law, or the way out |"
    yield "|---|---|---|---|"
    for name in ways["CPU"]:
        rest = name.partition("::")[2]
        cpu, cuda = (ways[key][name] for key in ways)
        text = law(rest) if rest in KERNELS else REFUSED.get(rest, "")
        yield f"| `{name}` | {cpu} | {cuda} | {text} |"


def page():
    """The page, with the table of this torch."""
    head, mark, _ = PAGE.read_text().partition("| operator |")
    return head + "\n".join(lines()) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the table into docs/torch-operators.md")
    if parser.parse_args().write:
        PAGE.write_text(page())
    else:
        print(f"torch {torch.__version__}", *lines(), sep="\n")


if __name__ == "__main__":
    main()
