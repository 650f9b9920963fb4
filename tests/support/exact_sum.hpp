// ExactSum: a sum of numbers and of products without any rounding, as an oracle.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace support {

/// A fixed-point number that has every double: digits of 32 bits from 2^-2176 on, each with room for carries.
/// Source: Kulisch, "Very fast and exact accumulation of products", Computing 91, 2011.
class ExactSum {
  public:
    /// Adds a finite number.
    void add(double x) {
        if (x == 0) return;
        int exponent = 0;
        const auto mantissa =
            static_cast<int64_t>(std::ldexp(std::frexp(x, &exponent), 53));  // x = mantissa 2^(exponent - 53)
        const int place = exponent - 53 + bias, digit = place / 32;
        const int64_t low = (mantissa & 0xffffffff) << (place % 32), high = (mantissa >> 32) << (place % 32);
        auto* const to = digits_.data() + digit;
        to[0] += low & 0xffffffff;
        to[1] += (low >> 32) + (high & 0xffffffff);
        to[2] += high >> 32;
        if (++added_ % (1 << 28) == 0) carry();
    }
    /// Adds x y, whose halves must not underflow.
    void add_product(double x, double y) {
        const double high = x * y;
        add(high);
        add(std::fma(x, y, -high));
    }
    /// The sum, rounded a few times at its 60th bit.
    [[nodiscard]] long double value() {
        carry();
        long double sum = 0;
        for (std::size_t k = digits_.size(); k-- > 0;)
            sum += std::ldexp(static_cast<long double>(digits_[k]), 32 * static_cast<int>(k) - bias);
        return sum;
    }

  private:
    static constexpr int bias = 2176;
    void carry() {
        for (std::size_t k = 0; k + 1 < digits_.size(); ++k) {
            const int64_t over = digits_[k] >> 32;  // rounded down
            digits_[k] -= over * (int64_t{1} << 32);
            digits_[k + 1] += over;
        }
    }
    std::array<int64_t, 140> digits_{};
    int64_t added_ = 0;
};

}  // namespace support
