// The rows of the catalogue, with the operations on distributions whose types are erased. any_distribution.cpp has
// them.
#pragma once

#include <rng/any_distribution.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// The operations on a distribution whose type is erased.
struct Operations {
    void (*construct)(void* dist);
    void (*assign)(void* dist, int field, const Number& value);
    Number (*parameter)(const void* dist, int field);
    ParameterFault (*fault)(const void* dist);  // null: there are no limits
    FillRequest (*request)(const void* dist, const StreamRecord& stream);
};

struct CatalogueEntry {
    DistributionInfo info;
    Operations operations;
};
[[nodiscard]] const CatalogueEntry& catalogue_entry(int index);

/// Returns the fault with the number that was given, which the distribution may hold rounded.
[[nodiscard]] ParameterFault with_value(const ParameterFault& fault, const Number& value);

}  // namespace detail
RNG_END_NAMESPACE
