// rng_fill_cost: the fills of one law, for compare_fills.py, which runs the programs of two builds in turn.
//
//     rng_fill_cost LAW N FILLS      fills N values FILLS times on one thread, and prints nanoseconds a value
//     rng_fill_cost                  prints the names of the laws
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include "rng/rng.hpp"

namespace {

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class D> double nanoseconds(const D& dist, std::size_t n, std::size_t fills) {
    std::vector<rng::result_t<D>> values(n);
    rng::Stream<> stream{42};
    rng::fill(values, dist, stream);
    const double begin = cpu_seconds();
    for (std::size_t i = 0; i < fills; ++i) {
        rng::fill(values, dist, stream);
        stream.position += n * static_cast<std::size_t>(D::slot_words);
    }
    return (cpu_seconds() - begin) / static_cast<double>(n * fills) * 1e9;
}

/// Calls f(name, dist) for each law. Shapes of 0.5 are those that a whole proposal makes, others a cheap trial.
template <class T, class F> void for_each_law(const std::string& type, const F& f) {
    f("uniform_" + type, rng::uniform<T>{});
    f("normal_" + type, rng::normal<T>{});
    f("lognormal_" + type, rng::lognormal<T>{});
    f("student_t_" + type, rng::student_t<T>{5});
    f("gamma_" + type, rng::gamma<T>{T(2.5), 1});
    f("gamma_below_1_" + type, rng::gamma<T>{T(0.5), 1});
    f("chi_" + type, rng::chi<T>{5});
    f("log_gamma_" + type, rng::log_gamma<T>{T(2.5)});
    f("beta_" + type, rng::beta<T>{2, 3});
    f("beta_below_1_" + type, rng::beta<T>{T(0.5), 3});
    f("fisher_f_" + type, rng::fisher_f<T>{5, 7});
    f("generalized_normal_" + type, rng::generalized_normal<T>{0, 1, 3});
    f("von_mises_" + type, rng::von_mises<T>{0, 2});
}
template <class F> void for_each_law(const F& f) {
    for_each_law<float>("f32", f);
    for_each_law<double>("f64", f);
    f("poisson_i32", rng::poisson<int32_t>{3.5});
    f("negative_binomial_i64", rng::negative_binomial<int64_t>{3.5, 0.25});
    f("uniform_int_u64", rng::uniform_int<uint64_t>{0, 99});
}

}  // namespace

int main(int argc, char** argv) {
    rng::set_num_threads(1);
    int found = 0;
    for_each_law([&](const std::string& name, const auto& dist) {
        if (argc != 4) {
            std::puts(name.c_str());
        } else if (name == argv[1]) {
            ++found;
            std::printf("%.4f\n",
                        nanoseconds(dist, std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10)));
        }
    });
    return argc == 1 || found == 1 ? 0 : 1;
}
