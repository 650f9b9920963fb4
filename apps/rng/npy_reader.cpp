// NumPy's file format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <rng/interop/npy.hpp>

#include <algorithm>
#include <type_traits>

#include "matrix_file.hpp"
#include "numbers.hpp"

namespace cli {
namespace {

/// Reads the file's numbers of type S: unchanged, or whole numbers as T.
template <class S, class T = S>
AnyMatrix read_values(InputFile& file, const ShapeCheck& check, const rng::NpyHeader& header) {
    const uint64_t rows = header.shape[0], cols = header.shape[1], there = file.left();
    if (cols != 0 && rows > UINT64_MAX / sizeof(S) / cols) file.refuse("has a shape beyond 2^64 bytes");
    const uint64_t claimed = rows * cols * sizeof(S);
    if (claimed != there) {
        const std::string claim = std::to_string(rows) + " x " + std::to_string(cols) + " of " + header.descr +
                                  " are " + std::to_string(claimed) + " bytes";
        file.refuse(claimed > there
                        ? "is cut short: " + claim + ", after its header it has " + std::to_string(there)
                        : "goes on after its data: " + claim + ", after its header it has " + std::to_string(there));
    }
    constexpr size_t part = is_complex<S> ? sizeof(S) / 2 : sizeof(S);
    check({rows, cols, is_complex<T>, std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>});
    DenseMatrix<T> matrix{rows, cols, header.fortran_order, std::vector<T>(static_cast<size_t>(rows * cols))};
    const auto read = [&](S* to, size_t count) {
        auto* const bytes = reinterpret_cast<unsigned char*>(to);
        file.read(bytes, count * sizeof(S));
        if (header.is_big_endian())  // each part of a complex number separately
            for (size_t i = 0; i < count * sizeof(S); i += part) std::reverse(bytes + i, bytes + i + part);
    };
    if constexpr (std::is_same_v<S, T>) {
        read(matrix.values.data(), matrix.values.size());
    } else {
        std::vector<S> some(std::min<size_t>(matrix.values.size(), 65536));
        for (size_t begin = 0; begin < matrix.values.size(); begin += some.size()) {
            const size_t count = std::min(some.size(), matrix.values.size() - begin);
            read(some.data(), count);
            for (size_t i = 0; i < count; ++i) {
                if (header.type() == "b1" && some[i] > 1)
                    file.refuse("must have a bool of 0 or 1 as element " + std::to_string(begin + i) + ", got " +
                                std::to_string(some[i]));
                matrix.values[begin + i] = static_cast<T>(some[i]);  // rounded once
            }
        }
    }
    return matrix;
}

}  // namespace

AnyMatrix read_npy(InputFile& file, const ShapeCheck& check) {
    const rng::NpyHeader header = rng::read_npy_header(file);
    if (header.shape.size() != 2) file.refuse("must have two dimensions, got " + std::to_string(header.shape.size()));
    const std::string type = header.type();
    if (type == "f2") return read_values<rng::float16>(file, check, header);
    if (type == "f4") return read_values<float>(file, check, header);
    if (type == "f8") return read_values<double>(file, check, header);
    if (type == "c8") return read_values<std::complex<float>>(file, check, header);
    if (type == "c16") return read_values<std::complex<double>>(file, check, header);
    // Whole numbers become f64, as in Python's svd_lowrank.
    if (type == "b1" || type == "u1") return read_values<uint8_t, double>(file, check, header);
    if (type == "i1") return read_values<int8_t, double>(file, check, header);
    if (type == "u2") return read_values<uint16_t, double>(file, check, header);
    if (type == "i2") return read_values<int16_t, double>(file, check, header);
    if (type == "u4") return read_values<uint32_t, double>(file, check, header);
    if (type == "i4") return read_values<int32_t, double>(file, check, header);
    if (type == "u8") return read_values<uint64_t, double>(file, check, header);
    if (type == "i8") return read_values<int64_t, double>(file, check, header);
    file.refuse("must be of type f2, f4, f8, c8, c16, b1, i1, i2, i4, i8, u1, u2, u4 or u8, got " +
                (header.descr.empty() ? "nothing" : header.descr));
}

}  // namespace cli
