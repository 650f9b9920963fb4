#include "matrix_file.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cli {

AnyMatrix read_matrix(InputFile& file, const ShapeCheck& check) {
    constexpr std::string_view npy = "\x93NUMPY", matrix_market = "%%matrixmarket", gzip = "\x1f\x8b";
    std::string start = file.beginning(matrix_market.size());
    const bool is_npy = start.starts_with(npy), is_compressed = start.starts_with(gzip);
    std::ranges::transform(start, start.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (is_compressed) file.refuse("is compressed with gzip, which gzip -dc undoes: gzip -dc A.mtx.gz | rng svd -");
    if (!is_npy && start != matrix_market)
        file.refuse(start.empty() ? "is empty" : "is neither a NumPy file (.npy) nor a Matrix Market file (.mtx)");
    file.read_to_the_end();
    return is_npy ? read_npy(file, check) : read_matrix_market(file, check);
}

}  // namespace cli
