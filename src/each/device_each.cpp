// fill_each and masks in the memory of a GPU: the request as one that the backend's fills take.
#include <rng/detail/each.hpp>
#include <rng/device_fill.hpp>
#include <rng/distributions/catalogue.hpp>

#include <string>

#include "../device/backend.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

void submit(const FillRequest& request, const DeviceTarget& target, Generator* generator) {
    if (generator != nullptr)
        fill_device(request, target, generator);
    else
        fill_device(request, target);
}

}  // namespace

void submit_each(const EachRequest& each, void* out, size_t n, cuda_stream stream, Generator* generator) {
    const DistributionInfo& info = known_distributions()[static_cast<size_t>(each.index)];
    if (each.index == catalogue_index<bernoulli>) {
        EachNumbers p =
            each.parameters.empty() ? EachNumbers{0, NumberType::f64, false, true, nullptr} : each.parameters.front();
        const double by_default = bernoulli{}.p;
        if (each.parameters.empty()) p.data = &by_default;
        return submit_mask({each.call, p, nullptr, out, nullptr, MaskType::pattern, 1, 1, 1, each.stream}, n, stream,
                           generator);
    }
    const DeviceLaunch launch = each_launch(each.index);
    if (launch == nullptr && has_cuda_backend())
        refuse(std::string(each.call) + ": " + info.name,
               "in memory of a GPU parameters may vary for poisson, binomial, gamma and bernoulli alone",
               ErrorCode::unsupported);
    submit({info.name,
            each.index,
            nullptr,
            &each,
            {},
            static_cast<uint64_t>(info.slot_words),
            domain::draws,
            info.value_bytes,
            info.value_bytes,
            each.stream},
           {out, n, stream, {}, launch, each.call}, generator);
}

void submit_mask(const MaskRequest& mask, size_t n, cuda_stream stream, Generator* generator) {
    const size_t bytes = mask.out != nullptr ? mask.bytes : 1;
    submit(
        {bernoulli::name, catalogue_index<bernoulli>, nullptr, &mask, {}, 1, domain::draws, bytes, bytes, mask.stream},
        {mask.out != nullptr ? mask.out : mask.mask, n, stream, {}, mask_launch(), mask.call}, generator);
}

}  // namespace detail
RNG_END_NAMESPACE
