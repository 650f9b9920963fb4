// Square roots on the current GPU that lane::sqrt_in_range rounds wrongly. All bits are set if CUDA failed.
#pragma once

/// Of the 2^24 floats in [1, 4): every significand and parity of the exponent.
unsigned long long wrong_roots_f32();
/// Of 3 * 2^28 doubles in [1, 4), two thirds of them next to squares.
unsigned long long wrong_roots_f64();
