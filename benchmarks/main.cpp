// rng_bench: Google Benchmark over rng and its peers. run.sh runs it interleaved; report.py makes the tables.
#include "rng/rng.hpp"
#include "support.hpp"

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::AddCustomContext("rng_version", RNG_VERSION);
    benchmark::AddCustomContext("compiler", RNG_BENCH_COMPILER);
    benchmark::AddCustomContext("flags", RNG_BENCH_FLAGS);
    benchmark::AddCustomContext("peer_flags", RNG_BENCH_PEER_FLAGS);
    bench::add_fills();
    bench::add_peer_fills();
    bench::add_calls();
    bench::add_engine_calls();
    bench::add_path_tracer();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
