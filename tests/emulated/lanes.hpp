#pragma once

namespace emulated {

/// Returns how many operations of the machine's lane differ from those of Scalar, after a line about each.
int wrong_operations();

}  // namespace emulated
