#include "verify_at.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
template ByAt by_at<Threefry4x32_20>(int);
template ByAt by_at<Threefry4x64_20>(int);
}  // namespace detail
RNG_END_NAMESPACE
