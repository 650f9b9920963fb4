// Structured results: the rows of the Python model of the contract (tests/reference/structured.py).
#include <gtest/gtest.h>
#include <rng/detail/any_engine.hpp>
#include <rng/row_at.hpp>
#include <rng/structured/dirichlet.hpp>
#include <rng/structured/haar.hpp>
#include <rng/structured/multinomial.hpp>
#include <rng/structured/multivariate_hypergeometric.hpp>
#include <rng/structured/multivariate_normal.hpp>
#include <rng/structured/sphere.hpp>
#include <rng/structured/wishart.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "../support/known_answers.hpp"
#include "rows.hpp"

namespace {

using support::Json;
using support::row_of;

template <class T> std::vector<T> numbers(const Json& texts) {
    std::vector<T> values;
    for (const Json& text : texts) values.push_back(static_cast<T>(std::stod(text.get<std::string>())));
    return values;
}

/// Calls f(distribution) for the distribution of type T that a row of the model is about.
template <class T, class F> void with_real_law(const Json& row, const F& f) {
    const std::string name = row.at("name");
    const auto dimension = [&row] { return support::integer(row.at("dimension")); };
    const auto list = [&row](const char* key) { return numbers<T>(row.at(key)); };
    if (name == "dirichlet") {
        const auto alpha = list("alpha");
        f(rng::dirichlet(alpha));
    } else if (name == "multivariate_normal") {
        const auto factor = rng::cholesky(list("covariance"), dimension()), mean = list("mean");
        EXPECT_EQ(factor, list("factor")) << row;
        f(rng::multivariate_normal(mean, factor));
    } else if (name == "wishart") {
        const auto factor = list("factor");
        f(rng::wishart(static_cast<T>(std::stod(row.at("df").get<std::string>())), factor));
    } else if (name == "sphere") {
        f(rng::sphere<T>{dimension()});
    } else if (name == "ball") {
        f(rng::ball<T>{dimension()});
    } else if (name == "haar_orthogonal") {
        f(rng::haar_orthogonal<T>{dimension()});
    } else if (name == "haar_special_orthogonal") {
        f(rng::haar_special_orthogonal<T>{dimension()});
    } else {
        ASSERT_EQ(name, "haar_unitary");
        f(rng::haar_unitary<T>{dimension()});
    }
}
template <class T, class F> void with_count_law(const Json& row, const F& f) {
    if (row.at("name") == "multivariate_hypergeometric") {
        std::vector<T> counts;
        for (const Json& count : row.at("counts")) counts.push_back(static_cast<T>(support::integer(count)));
        f(rng::multivariate_hypergeometric(counts, static_cast<T>(support::integer(row.at("draws")))));
        return;
    }
    ASSERT_EQ(row.at("name"), "multinomial");
    const auto weights = numbers<double>(row.at("weights"));
    const rng::multinomial dist(static_cast<T>(support::integer(row.at("trials"))), weights);
    const rng::detail::WeightMasses masses(dist.weights);
    for (uint32_t i = 0; i < weights.size(); ++i) EXPECT_EQ(masses[i], support::integer(row.at("masses").at(i)));
    f(dist);
}
template <class F> void with_law(const Json& row, const F& f) {
    const std::string dtype = row.at("dtype");
    if (dtype == "f32")
        with_real_law<float>(row, f);
    else if (dtype == "f64")
        with_real_law<double>(row, f);
    else if (dtype == "i32")
        with_count_law<int32_t>(row, f);
    else
        with_count_law<int64_t>(row, f);
}

/// The elements of a row as the model writes them.
template <class T> Json texts(const T& x) { return support::bits_text(x).substr(2); }
template <class T> Json texts(const rng::complex<T>& x) { return Json{texts(x.re), texts(x.im)}; }
template <class T> Json texts(const std::vector<T>& row) {
    Json all = Json::array();
    for (const T& x : row) all.push_back(texts(x));
    return all;
}

/// All engines by the one that is known at run time only: the others compile for each distribution anew.
TEST(Rows, AreTheModels) {
    static const Json answers = support::read_reference("structured_answers.json");
    int rows = 0;
    for (const Json& row : answers.at("rows")) {
        rng::detail::StreamRecord stream{};
        rng::for_each_engine([&](auto tag) {
            using E = typename decltype(tag)::type;
            if (row.at("engine") == E::name) stream = rng::detail::record(support::stream_of<E>(row));
        });
        const auto any = rng::detail::any_stream(stream);
        with_law(row, [&](const auto& dist) {
            EXPECT_FALSE(dist.fault()) << row;
            EXPECT_EQ(texts(row_of(any, dist, 0)), row.at("rows").at(0)) << row;
            EXPECT_EQ(texts(row_of(any, dist, 3)), row.at("rows").at(1)) << row;
        });
        ++rows;
    }
    EXPECT_EQ(rows, 720);
}

}  // namespace
