#include "verify_at.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
template ByAt by_at<Philox4x32_10>(int);
template ByAt by_at<Philox4x32_7>(int);
template ByAt by_at<Philox4x64_10>(int);
}  // namespace detail
RNG_END_NAMESPACE
