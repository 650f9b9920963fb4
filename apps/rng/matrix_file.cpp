#include "matrix_file.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cli {

AnyMatrix read_matrix(InputFile& file, const ShapeCheck& check) {
    constexpr std::string_view npy = "\x93NUMPY", matrix_market = "%%matrixmarket";
    std::string start(static_cast<size_t>(std::min<uint64_t>(file.size(), matrix_market.size())), '\0');
    file.read(start.data(), start.size());
    file.rewind();
    if (start.starts_with(npy)) return read_npy(file, check);
    std::ranges::transform(start, start.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (start == matrix_market) return read_matrix_market(file, check);
    file.refuse(start.empty() ? "is empty" : "is neither a NumPy file (.npy) nor a Matrix Market file (.mtx)");
}

}  // namespace cli
