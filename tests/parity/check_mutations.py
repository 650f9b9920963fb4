"""Proves that the parity test can fail: sources with one fault each are caught, by the net that is meant for it.

    check_mutations.py (--host PARITY_HOST | --svd PARITY_SVD | --reduce PARITY_REDUCE | --each PARITY_EACH) [--nvcc NVCC] [--cc CC]
    check_mutations.py --texts          whether the sources still have what each mutation replaces; takes no time, so it runs often

A mutation edits a copy of the sources, which only the device code is compiled from. It is caught by the translator
(an instruction outside the rule), by a bit that differs from the host's, by a flush to zero that matters, or by two
threads at one place. The unchanged copy must pass. What this cannot show is that faults of other kinds are caught. Exit code 77: no nvcc.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from run import HERE, SKIPPED, ParityError, build, find_nvcc, is_of_library

ROOT = HERE.parent.parent
OPERATORS = {
    "__fmaf_rn(a, b, c)": "a * b + c",
    "__fma_rn(a, b, c)": "a * b + c",
    "__fmul_rn(a, b)": "a * b",
    "__dmul_rn(a, b)": "a * b",
    "__fadd_rn(a, b)": "a + b",
    "__dadd_rn(a, b)": "a + b",
    "__fsub_rn(a, b)": "a - b",
    "__dsub_rn(a, b)": "a - b",
}


@dataclass
class Mutation:
    what: str
    file: str
    edits: dict
    flags: tuple
    caught_by: str  # a pattern of the output; None: the headers as they are
    only: str = "normal"  # a distribution, or what parity_svd or parity_reduce is told


MUTATIONS = (
    Mutation("no change", "include/rng/lane/scalar.hpp", {}, ("--use_fast_math",), None),
    Mutation(
        "operators for intrinsics, which nvcc then fuses as it likes",
        "include/rng/lane/scalar.hpp",
        OPERATORS,
        ("--use_fast_math",),
        r"(add|sub|mul)\.\S+: float arithmetic that is not plain \.rn",
    ),
    Mutation(
        "operators for intrinsics, never fused",
        "include/rng/lane/scalar.hpp",
        OPERATORS,
        ("-fmad=false",),
        r"[1-9]\d* mismatches",
    ),
    Mutation(
        "sqrtf for the correctly rounded square root",
        "include/rng/lane/scalar.hpp",
        {"__fsqrt_rn(a)": "sqrtf(a)"},
        ("--use_fast_math",),
        r"sqrt\.approx\S+: an approximation",
        only="inverse_gaussian",  # a normal's roots have operations of their own
    ),
    Mutation(
        "a division that is not correctly rounded",
        "include/rng/lane/scalar.hpp",
        {"__fdiv_rn(a, b)": "__fdividef(a, b)"},
        (),
        r"div\.\S+: an approximation",
        only="inverse_gaussian",
    ),
    Mutation(
        "a subnormal number on the way",
        "include/rng/lane/math_f32.hpp",
        {
            "flip_sign(mul(radius, trig.even)": "flip_sign("
            "mul(mul(mul(radius, trig.even), f32<L>(0x1p-126f)), f32<L>(0x1p126f))"
        },
        ("--use_fast_math",),
        r"[1-9]\d* changed a bit",
    ),
    Mutation(
        "a root without its last step",
        "include/rng/lane/scalar.hpp",
        {"return fma(fnma(root, root, a), mul(inverse, 0.5f), root);": "return root;"},
        (),
        r"[1-9]\d* mismatches",
    ),
    Mutation(
        "the last bit of a coefficient",
        "include/rng/lane/math_f32.hpp",
        {"F(0x1.62e43p-1f)": "F(0x1.62e432p-1f)"},
        (),
        r"[1-9]\d* mismatches",
    ),
    Mutation(
        "one bit of a Philox constant",
        "include/rng/core/round_constants.hpp",
        {"0xCD9E8D57u}": "0xCD9E8D56u}"},  # a multiplier: the keys of rounds come from the host
        (),
        r"[1-9]\d* mismatches",
        only="bits",
    ),
    Mutation(
        "a lane that takes its own first words for the next lane's",
        "include/rng/detail/device_fill_kernel.hpp",
        {"__shfl_down_sync(0xffffffffu, item.v[i], 1)": "item.v[i]"},
        (),
        r"[1-9]\d* mismatches",
        only="bits",
    ),
    Mutation(
        "a lane that forgets the undecided values which the lane before stores",
        "include/rng/detail/device_fill_kernel.hpp",
        {"(at.lane() > 0 ? of_lead : 0)": "0"},
        (),
        r"[1-9]\d* mismatches",
        only="gamma",
    ),
    Mutation(
        "a warp's list that is read before it is complete",
        "include/rng/detail/warp_retries.hpp",
        {"__syncwarp();  // the list is complete": "// the list is complete"},
        (),
        "two threads touch a shared location|shared memory is read that nobody wrote",
        only="uniform_int",
    ),
    Mutation(
        "a lane that lists one undecided value of several",
        "include/rng/detail/warp_retries.hpp",
        {"undecided &= undecided - 1;": "undecided = 0;"},
        (),
        r"[1-9]\d* mismatches",
        only="uniform_int",
    ),
)

KERNEL, SEARCH, SORT = "cuda/kernel.hpp", "cuda/search.hpp", "cuda/sort.hpp"
PRODUCT, SVD, SPARSE = "cuda/svd_product.hpp", "cuda/svd_kernels.hpp", "cuda/svd_sparse_kernels.hpp"
DIFFERENT = r"[1-9]\d* mismatches"
SVD_MUTATIONS = (
    Mutation(
        "a product and a sum for the fma of products",
        PRODUCT,
        {"Scalar::fma(ak[i], bk[j], sum[i][j])": "Scalar::add(Scalar::mul(ak[i], bk[j]), sum[i][j])"},
        (),
        DIFFERENT,
        "products",
    ),
    Mutation(
        "blocks of twice as many terms",
        PRODUCT,
        {"(t + K) % rng_abi::sum_block": "(t + K) % (2 * rng_abi::sum_block)"},
        (),
        DIFFERENT,
        "products",
    ),
    Mutation(
        "sums that may be -0",
        PRODUCT,
        {"sum[i][j] = Scalar::add(sum[i][j], T{0})": "sum[i][j] = sum[i][j]"},
        (),
        DIFFERENT,
        "products",
    ),
    Mutation("terms past the end of a group", PRODUCT, {"t + K <= end": "t < end"}, (), DIFFERENT, "products"),
    Mutation("one sign of complex products", PRODUCT, {") != static_cast<bool>(conjugated)": ")"}, (), DIFFERENT, "products"),
    Mutation(
        "the tree of Merge upside down",
        KERNEL,
        {"int step = 1; step < merged; step *= 2": "int step = merged / 2; step > 0; step /= 2"},
        (),
        DIFFERENT,
        "products",
    ),
    Mutation(
        "no barrier between the tiles",
        PRODUCT,
        {"store(buffer ^ 1);\n            __syncthreads();": "store(buffer ^ 1);"},
        (),
        "two threads touch a shared location|shared memory is read that nobody wrote",
        "products",
    ),
    Mutation(
        "a tile that is overwritten while it is read",
        PRODUCT,
        {"store(buffer ^ 1);": "store(buffer);", "buffer ^= 1;": ""},
        (),
        "two threads touch a shared location",
        "products",
    ),
    Mutation(
        "the last of equal magnitudes for the first",
        SEARCH,
        {"a.index < b.index": "a.index > b.index"},
        (),
        DIFFERENT,
        "svd",
    ),
    Mutation(
        "a sort that is not stable",
        SORT,
        {
            "const Entry e = step.from[k];": "const uint64_t past = begin + step.chunk < step.n ? begin + step.chunk : step.n;"
            "const Entry e = step.from[past - 1 - (k - begin)];"
        },
        (),
        DIFFERENT,
        "sparse",
    ),
    Mutation("sparse sums that may be -0", SPARSE, {"sum = Scalar::add(sum, T{0});": ""}, (), DIFFERENT, "sparse"),
    Mutation(
        "a sparse sum of blocks from left to right",
        SPARSE,
        {"(block ^ next) >> level > 1": "level < 1"},
        (),
        DIFFERENT,
        "sparse",
    ),
    Mutation(
        "one sign of sparse complex products", SPARSE, {"!= static_cast<bool>(conjugated);": ";"}, (), DIFFERENT, "sparse"
    ),
    Mutation(
        "the last fault of a sparse matrix for the first", SEARCH, {"here{1, i, 0, 0}": "here{1 + i, i, 0, 0}"}, (), DIFFERENT, "sparse"
    ),
    Mutation(
        "no barrier between the elements of -M and those of A - M",
        SPARSE,
        {"__syncthreads();\n#pragma unroll 1\n    for (uint64_t k = a.offsets": "for (uint64_t k = a.offsets"},
        (),
        DIFFERENT,
        "sparse",
    ),
    Mutation("another domain of refills", SVD, {"domain::svd_refill": "251"}, (), DIFFERENT, "svd"),
    Mutation("elements whose parts lie elsewhere", SVD, {"from_col_stride + value]": "from_col_stride]"}, (), DIFFERENT, "ranks"),
)

SUMS, SCATTER, HALF = "cuda/sum_kernels.hpp", "cuda/scatter_kernels.hpp", "include/rng/float16.hpp"
REDUCE_MUTATIONS = (
    Mutation("a float16 that keeps no NaN", HALF, {"(bits & 0x7fffu) > 0x7c00u ? not_finite : detail::binary16_number(bits)": "detail::binary16_number(bits)"}, (), DIFFERENT, "halves"),
    Mutation("a NaN that is rounded as a number", HALF, {"if (magnitude > 0x7f800000u) return sign | 0x7e00u;": ""}, (), DIFFERENT, "halves"),
    Mutation("lanes that are folded from left to right", SUMS, {"total[q] = join(join(sum[0][k], sum[2][k]), join(sum[1][k], sum[3][k]))": "total[q] = join(join(sum[0][k], sum[1][k]), join(sum[2][k], sum[3][k]))"}, (), DIFFERENT, "sums"),
    Mutation("shuffles from the nearest lane on", SUMS, {"unsigned delta = warp_size / 2; delta > 0; delta /= 2": "unsigned delta = 1; delta < warp_size; delta *= 2"}, (), DIFFERENT, "sums"),
    Mutation("sums that may be -0", SUMS, {"= join(total[0], T{0});": "= total[0];"}, (), DIFFERENT, "sums"),
    Mutation("a last term that is left out", SUMS, {"place_in_leaf(r, g) + k < n;": "place_in_leaf(r, g) + k + 1 < n;"}, (), DIFFERENT, "segments"),
    Mutation("a last pack that is left out", SUMS, {"if (place_in_leaf(r, g) < n)": "if (place_in_leaf(r, g) + width < n)"}, (), DIFFERENT, "sums"),
    Mutation("packs at any address", SUMS, {"reinterpret_cast<uintptr_t>(at) % sizeof(Element) == 0": "at != nullptr"}, (), "global memory at an address that is not aligned", "sums"),
    Mutation("packs that end past the last term", SUMS, {"n % width == 0 && is_packed": "is_packed"}, (), DIFFERENT, "sums"),
    Mutation("means that count terms past the end", SUMS, {"if constexpr (What == Add::spread) return mean[p];": ""}, (), DIFFERENT, "sums"),
    Mutation("columns whose lanes are folded in another order", SUMS, {"folded[w][lane][c]": "folded[w][lane * 5 % lanes][c]"}, (), DIFFERENT, "columns"),
    Mutation("columns whose four lanes are folded from left to right", SUMS, {"folded[k][lane][c] = join(join(sum[0][k], sum[2][k]), join(sum[1][k], sum[3][k]))": "folded[k][lane][c] = join(join(sum[0][k], sum[1][k]), join(sum[2][k], sum[3][k]))"}, (), DIFFERENT, "columns"),
    Mutation("a last row of columns that is left out", SUMS, {"+ q * lanes < inside": "+ q * lanes + 1 < inside"}, (), DIFFERENT, "columns"),
    Mutation("sums of columns that may be -0", SUMS, {"= join(total, T{0});": "= total;"}, (), DIFFERENT, "columns"),
    Mutation("columns that are read before they are complete", SUMS, {"__syncthreads();": ""}, (), "two threads touch a shared location|shared memory is read that nobody wrote", "columns"),
    Mutation("the magnitude of a first part for that of both", SUMS, {"greater_magnitude(sum[Parts], x[p])": "greater_magnitude(sum[Parts], x[0])"}, (), DIFFERENT, "sums"),
    Mutation("no scale for a norm that needs one", SUMS, {"|| !needs_scale(given": "|| needs_scale(given"}, (), DIFFERENT, "sums"),
    Mutation("one sign of complex products", SUMS, {"Scalar::add(from[2], from[3]) : Scalar::sub(from[2], from[3])": "Scalar::sub(from[2], from[3]) : Scalar::add(from[2], from[3])"}, (), DIFFERENT, "sums"),
    Mutation("a scale of subnormal numbers by one factor", SUMS, {"e < greatest_exponent<T> ? 0 : e - greatest_exponent<T>": "0"}, (), DIFFERENT, "sums"),
    Mutation("any NaN for the one NaN", SUMS, {"= with_one_nan(value[p]);": "= value[p];"}, (), DIFFERENT, "sums"),
    Mutation("the tree of leaves upside down", KERNEL, {"int step = 1; step < merged; step *= 2": "int step = merged / 2; step > 0; step /= 2"}, (), DIFFERENT, "sums"),
    Mutation("merges from the farthest lane on", SUMS, {"unsigned delta = 1; delta < warp_size; delta *= 2": "unsigned delta = warp_size / 2; delta > 0; delta /= 2"}, (), DIFFERENT, "sums"),
    Mutation("merges of norms that need no scale", SUMS, {"!needs_scale(squares + first": "needs_scale(squares + first"}, (), DIFFERENT, "sums"),
    Mutation("segments that share a place", SUMS, {"offset(result) / size + result": "offset(result) / size"}, (), DIFFERENT, "segments"),
    Mutation("the last fault of an index for the first", SEARCH, {"here{1, i, 0, 0}": "here{1 + i, i, 0, 0}"}, (), DIFFERENT, "scatters"),
    Mutation("a place that gets 0 past its last row", SCATTER, {"sum[c] = is_there[a] ? Scalar::add(sum[c], term[a][c]) : sum[c];": "sum[c] = Scalar::add(sum[c], term[a][c]);"}, (), DIFFERENT, "scatters"),
    Mutation("a product that is not rounded", SCATTER, {"return Scalar::mul(widened<T>(*from), alpha);": "return widened<T>(*from);", "Scalar::add(sum[c], term[a][c])": "Scalar::fma(term[a][c], rows.alpha, sum[c])"}, (), DIFFERENT, "scatters"),
    Mutation("terms without their factor", SCATTER, {"terms[i] = Scalar::mul(value[a], alpha);": "terms[i] = value[a];"}, (), DIFFERENT, "scatters"),
    Mutation("runs that begin at every term", SCATTER, {"runs.keys[at] != runs.keys[at - 1]": "runs.keys[at] >= runs.keys[at - 1]"}, (), DIFFERENT, "scatters"),
    Mutation("a longest short run that nobody adds", SCATTER, {"if (last - first > longest_short_run) continue;": "if (last - first >= longest_short_run) continue;"}, (), DIFFERENT, "scatters"),
    Mutation("a longest short run that is added twice", SCATTER, {"if (run.end - run.begin <= longest_short_run) continue;": "if (run.end - run.begin < longest_short_run) continue;"}, (), DIFFERENT, "scatters"),
    Mutation("a long run that each of its entries adds", SCATTER, {"if (at > 0 && keys[at - longest] == key) return false;": ""}, (), DIFFERENT, "scatters"),
    Mutation("tiles that are read before they have come", SCATTER, {"wait_for_copies<stages - 1>();": "wait_for_copies<stages>();"}, (), DIFFERENT, "scatters"),
    Mutation("tiles that are overwritten while lanes read them", SCATTER, {"}\n            __syncwarp();\n        }\n        if (lane == 0) *to": "}\n        }\n        if (lane == 0) *to"}, (), "two threads touch a shared location", "scatters"),
    Mutation("sources of rows in two buffers for three", SCATTER, {"staged % 3": "staged % 2"}, (), "two threads touch a shared location", "scatters"),
    Mutation("a last integer that is not seen to descend", SCATTER, {"found.descends |= e + 1 < n": "found.descends |= e + 2 < n"}, (), DIFFERENT, "scatters"),
    Mutation("the first place past the end as a place", SCATTER, {"place[a] >= limit": "place[a] > limit"}, (), DIFFERENT, "scatters"),
    Mutation("counts that are read before all are made", SCATTER, {"flags->has_bad_place = 1;\n    __syncthreads();": "flags->has_bad_place = 1;"}, (), "one adds to it", "scatters"),
    Mutation("a warp that counts one place once", SCATTER, {"is_one ? lanes : 1ull": "1ull"}, (), DIFFERENT, "scatters"),
    Mutation("counts without atomics, whose result is read", SCATTER, {"atomicAdd(counts + place[a], is_one ? lanes : 1ull);": "counts[place[a] + atomicAdd(counts + place[a], 1ull)] = 1;"}, (), "the result of an atomic operation, is read", "scatters"),
)

EACH = "cuda/each_kernels.hpp"
EACH_MUTATIONS = (
    Mutation("no change", EACH, {}, (), None, "counts"),
    Mutation("parameters of the neighbour", EACH, {"const uint64_t k = varies ? i : 0;": "const uint64_t k = varies ? i ^ 1 : 0;"}, (), DIFFERENT, "counts"),
    Mutation("words of the neighbour", EACH, {"word + i * slot);": "word + (i ^ 1) * slot);"}, (), DIFFERENT, "gamma"),
    Mutation("replays that begin where the first run did", EACH, {"return word + *replay * words;": "return word;"}, (), DIFFERENT, "counts"),
    Mutation("a trial too many", EACH, {"static_cast<T>(lane::to_integer(lane::f64<Scalar>(x)).v)": "static_cast<T>(lane::to_integer(lane::f64<Scalar>(x)).v + 1)"}, (), DIFFERENT, "counts"),
    Mutation("blocks that are not shifted by one word", EACH, {"int by = 2; by > 0; by /= 2": "int by = 2; by > 1; by /= 2"}, (), DIFFERENT, "masks"),
    Mutation("a word on the threshold that is kept", EACH, {"return word < least_lost;": "return word <= least_lost;"}, (), DIFFERENT, "masks"),
    Mutation("a probability of half the size", EACH, {"Scalar::fma(each, 0x1p32, 0x1p52)": "Scalar::fma(each, 0x1p31, 0x1p52)"}, (), DIFFERENT, "masks"),
    Mutation("zeros for what is not finite", EACH, {"Scalar::mul(static_cast<float>(of_x), kept ? 1.0f : 0.0f)": "(kept ? static_cast<float>(of_x) : 0.0f)"}, (), DIFFERENT, "masks"),
    Mutation("products without their scale", EACH, {"static_cast<float>(scale)": "1.0f"}, (), DIFFERENT, "masks"),
    Mutation("a product before it is masked", EACH, {"Scalar::mul(Scalar::mul(of_x, kept ? 1.0 : 0.0), scale)": "Scalar::mul(Scalar::mul(of_x, scale), kept ? 1.0 : 0.0)"}, (), DIFFERENT, "masks"),
    Mutation("a last item that is left out", EACH, {"i < n; i += step) {\n        if constexpr": "i + item < n; i += step) {\n        if constexpr"}, (), DIFFERENT, "masks"),
)


def mutate(mutation, tree):
    file = tree / mutation.file
    text = file.read_text()
    for old, new in mutation.edits.items():
        if text.count(old) == 0:
            raise ParityError(f"{mutation.file} has no '{old}' any more: mend this mutation")
        text = text.replace(old, new)
    file.write_text(text)


def outcome(mutation, kernels, program, options, nvcc, folder):
    """What the parity test says of a mutation: its exit code and its output."""
    tree = folder / "tree"
    for part in ("include", "cuda", "src", "tests/parity", "tests/support"):
        shutil.copytree(ROOT / part, tree / part)
    mutate(mutation, tree)
    of_library = is_of_library(kernels)
    flags = mutation.flags if of_library else (*mutation.flags, f'-DPARITY_ONLY="{mutation.only}"')
    try:
        library = build(nvcc, options.cc, 80, flags, folder, "mutated", tree / "tests/parity" / kernels)
    except ParityError as error:
        if "translation" not in str(error):
            raise
        return 1, str(error)
    values = [] if of_library else ["--values", "16384"]
    result = subprocess.run([program, *values, "--only", mutation.only, str(library)], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="", help="the program parity_host")
    parser.add_argument("--svd", help="the program parity_svd: its mutations alone")
    parser.add_argument("--reduce", help="the program parity_reduce: its mutations alone")
    parser.add_argument("--each", help="the program parity_each: its mutations alone")
    parser.add_argument("--nvcc")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--texts", action="store_true")
    options = parser.parse_args()
    if options.texts:
        texts = [(mutation.file, old) for mutation in MUTATIONS + SVD_MUTATIONS + REDUCE_MUTATIONS + EACH_MUTATIONS for old in mutation.edits]
        gone = [f"{file} does not have '{old}'" for file, old in texts if old not in (ROOT / file).read_text()]
        print(*gone, f"{len(texts)} texts, {len(gone)} of them gone", sep="\n")
        return 1 if gone or not texts else 0
    nvcc = find_nvcc(options.nvcc)
    if not nvcc:
        return SKIPPED
    failures = 0
    kernels, program, mutations = "kernels.cu", options.host, MUTATIONS
    if options.svd is not None:
        kernels, program, mutations = "svd_kernels.cu", options.svd, SVD_MUTATIONS
    elif options.reduce is not None:
        kernels, program, mutations = "reduce_kernels.cu", options.reduce, REDUCE_MUTATIONS
    elif options.each is not None:
        kernels, program, mutations = "each_kernels.cu", options.each, EACH_MUTATIONS
    for mutation in mutations:
        with tempfile.TemporaryDirectory() as folder:
            try:
                code, output = outcome(mutation, kernels, program, options, nvcc, Path(folder))
            except ParityError as error:
                code, output = 2, str(error)
        if mutation.caught_by is None:
            good, verdict = code == 0, "passes"
        else:
            found = re.search(mutation.caught_by, output)
            good, verdict = code != 0 and found, f"caught: {found[0]}" if found else "caught"
        failures += not good
        if not good:
            verdict = f"exit code {code}, not {verdict}\n{output[-2000:]}"
        print(f"{'ok  ' if good else 'FAIL'} {mutation.what} ({' '.join(mutation.flags) or 'plain'}): {verdict}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
