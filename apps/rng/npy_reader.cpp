// NumPy's file format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <algorithm>

#include "matrix_file.hpp"
#include "numbers.hpp"
#include "src/npy_header.hpp"

namespace cli {
namespace {

template <class T> AnyMatrix read_values(InputFile& file, const rng::NpyHeader& header) {
    const uint64_t rows = header.shape[0], cols = header.shape[1], there = file.left();
    if (cols != 0 && rows > UINT64_MAX / sizeof(T) / cols) file.refuse("has a shape beyond 2^64 bytes");
    const uint64_t claimed = rows * cols * sizeof(T);
    if (claimed != there) {
        const std::string claim = std::to_string(rows) + " x " + std::to_string(cols) + " of " + header.descr +
                                  " are " + std::to_string(claimed) + " bytes";
        file.refuse(claimed > there
                        ? "is cut short: " + claim + ", after its header it has " + std::to_string(there)
                        : "goes on after its data: " + claim + ", after its header it has " + std::to_string(there));
    }
    file.require_memory(static_cast<double>(claimed));
    DenseMatrix<T> matrix{rows, cols, header.fortran_order, std::vector<T>(static_cast<size_t>(rows * cols))};
    auto* const bytes = reinterpret_cast<unsigned char*>(matrix.values.data());
    file.read(bytes, static_cast<size_t>(claimed));
    if (header.is_big_endian()) {  // each part of a complex number by itself
        constexpr size_t size = is_complex<T> ? sizeof(T) / 2 : sizeof(T);
        for (size_t i = 0; i < claimed; i += size) std::reverse(bytes + i, bytes + i + size);
    }
    return matrix;
}

}  // namespace

AnyMatrix read_npy(InputFile& file) {
    const rng::NpyHeader header = rng::read_npy_header(file);
    if (header.shape.size() != 2) file.refuse("must have two dimensions, got " + std::to_string(header.shape.size()));
    const std::string type = header.type();
    if (type == "f2") return read_values<rng::float16>(file, header);
    if (type == "f4") return read_values<float>(file, header);
    if (type == "f8") return read_values<double>(file, header);
    if (type == "c8") return read_values<std::complex<float>>(file, header);
    if (type == "c16") return read_values<std::complex<double>>(file, header);
    file.refuse("must be of type f2, f4, f8, c8 or c16, got " + (header.descr.empty() ? "nothing" : header.descr));
}

}  // namespace cli
