// Reading and writing the textual representation of an engine or a distribution of <random> (../random.hpp).
#pragma once

#include <ios>
#include <istream>

#include "../core/config.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Sets a stream's formatting for a textual representation; the destructor always restores it.
template <class Stream> class DecimalFormat {
  public:
    explicit DecimalFormat(Stream& stream)
        : stream_(stream), flags_(stream.flags()), fill_(stream.fill()), precision_(stream.precision()) {
        stream.flags(Stream::dec | Stream::scientific | Stream::left | Stream::skipws);
        stream.fill(stream.widen(' '));
        stream.precision(16);  // 17 digits: every double
        stream.width(0);
    }
    ~DecimalFormat() {
        stream_.flags(flags_);
        stream_.fill(fill_);
        stream_.precision(precision_);
    }
    DecimalFormat(const DecimalFormat&) = delete;
    DecimalFormat& operator=(const DecimalFormat&) = delete;

  private:
    Stream& stream_;
    typename Stream::fmtflags flags_;
    typename Stream::char_type fill_;
    std::streamsize precision_;
};

/// Reads a number in [0, most]. Sets failbit if the text is not such a number, or starts with a sign.
template <class Char, class Traits>
unsigned long long read_number(std::basic_istream<Char, Traits>& is, unsigned long long most) {
    unsigned long long number = 0;
    const auto next = (is >> std::ws).peek();
    if (Traits::eq_int_type(next, Traits::to_int_type(is.widen('-'))) ||
        Traits::eq_int_type(next, Traits::to_int_type(is.widen('+'))) || !(is >> number) || number > most)
        is.setstate(std::ios_base::failbit);
    return number;
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
