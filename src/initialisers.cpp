// The numbers of initial weights: fans, gains, standard deviations, and which rows of a sparse column are 0.
#include <rng/detail/any_engine.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/initialisers.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

RNG_BEGIN_NAMESPACE
namespace {

using S = lane::Scalar;

void require_gain(const char* call, double gain) {
    if (!(gain >= 0x1p-40 && gain <= 0x1p40))
        detail::raise_text(ErrorCode::invalid_argument, "%s: gain must be in [2^-40, 2^40], got %.9g", call, gain);
}
void require_fan(const char* call, const char* name, double fan) {
    if (!(fan >= 1 && fan <= 0x1p64))
        detail::raise_text(ErrorCode::invalid_argument, "%s: %s must be in [1, 2^64], got %.9g", call, name, fan);
}

}  // namespace

namespace init {

Fans fans(const std::vector<size_t>& shape) {
    if (shape.size() < 2)
        detail::refuse("fans", "the shape must have at least 2 dimensions, got " + std::to_string(shape.size()));
    double kernel = 1;
    for (size_t k = 0; k < shape.size(); ++k) {
        if (shape[k] == 0) detail::refuse("fans", "dimension " + std::to_string(k) + " of the shape must not be 0");
        if (k >= 2) kernel *= static_cast<double>(shape[k]);
    }
    return {static_cast<double>(shape[1]) * kernel, static_cast<double>(shape[0]) * kernel};
}

double gain(Nonlinearity function, double slope) {
    switch (function) {
        case Nonlinearity::linear:
        case Nonlinearity::sigmoid: return 1;
        case Nonlinearity::tanh: return S::div(5.0, 3.0);
        case Nonlinearity::relu: return S::sqrt(2.0);
        case Nonlinearity::selu: return 0.75;
        case Nonlinearity::leaky_relu: break;
    }
    if (!(slope >= -0x1p30 && slope <= 0x1p30))
        detail::raise_text(ErrorCode::invalid_argument, "gain: slope must be in [-2^30, 2^30], got %.9g", slope);
    return S::sqrt(S::div(2.0, S::add(1.0, S::mul(slope, slope))));
}

double gain(std::string_view function, double slope) {
    using N = Nonlinearity;
    static constexpr std::pair<std::string_view, N> names[] = {{"linear", N::linear},
                                                               {"conv1d", N::linear},
                                                               {"conv2d", N::linear},
                                                               {"conv3d", N::linear},
                                                               {"conv_transpose1d", N::linear},
                                                               {"conv_transpose2d", N::linear},
                                                               {"conv_transpose3d", N::linear},
                                                               {"sigmoid", N::sigmoid},
                                                               {"tanh", N::tanh},
                                                               {"relu", N::relu},
                                                               {"leaky_relu", N::leaky_relu},
                                                               {"selu", N::selu}};
    std::string known;
    for (const auto& [name, value] : names) {
        if (name == function) return gain(value, slope);
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    detail::refuse("gain", "the nonlinearity must be one of " + known + ", got \"" + std::string(function) + "\"");
}

}  // namespace init

namespace detail {

double xavier_stddev(const char* call, const init::Fans& fans, double gain) {
    require_gain(call, gain);
    require_fan(call, "fans.in", fans.in);
    require_fan(call, "fans.out", fans.out);
    return S::mul(gain, S::sqrt(S::div(2.0, S::add(fans.in, fans.out))));
}

double kaiming_stddev(const char* call, const init::Fans& fans, init::FanMode mode, double gain) {
    require_gain(call, gain);
    const double fan = mode == init::FanMode::in ? fans.in : fans.out;
    require_fan(call, mode == init::FanMode::in ? "fans.in" : "fans.out", fan);
    return S::div(gain, S::sqrt(fan));
}

uint64_t checked_orthogonal(const ShardTarget& target, double gain) {
    if (target.shape.size() < 2)
        refuse("orthogonal", "the shape must have at least 2 dimensions, got " + std::to_string(target.shape.size()));
    require_gain("orthogonal", gain);
    return checked_shard("orthogonal", target);
}

size_t checked_sparse(const ShardTarget& target, double sparsity) {
    if (target.shape.size() != 2)
        refuse("sparse", "the shape must have 2 dimensions, got " + std::to_string(target.shape.size()));
    if (!(sparsity >= 0 && sparsity <= 1))
        raise_text(ErrorCode::invalid_argument, "sparse: sparsity must be in [0, 1], got %.9g", sparsity);
    (void)checked_shard("sparse", target);
    const double zeros = S::mul(sparsity, static_cast<double>(target.shape[0]));
    const auto whole = static_cast<size_t>(zeros);
    return std::min(target.shape[0], whole + (static_cast<double>(whole) < zeros ? 1 : 0));
}

std::span<const size_t> ZeroRows::of(const StreamRecord& record, size_t column, size_t zeros) {
    visit_engine(record.engine, [&](auto tag) {
        using E = typename decltype(tag)::type;
        const Stream<E> stream = stream_of<E>(record);
        fill(keys_, bits<uint64_t>{}, private_stream(stream, stream.position + column));
    });
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::nth_element(order_.begin(), order_.begin() + static_cast<ptrdiff_t>(zeros), order_.end(),
                     [&](size_t a, size_t b) { return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b; });
    return {order_.data(), zeros};
}

}  // namespace detail
RNG_END_NAMESPACE
