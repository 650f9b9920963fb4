// The Matrix Market exchange formats, math.nist.gov/MatrixMarket/formats.html.
//
// A file must end with a line break. Without it, the last number might lack digits, and no count would show that.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

#include "matrix_file.hpp"
#include "numbers.hpp"
#include "table.hpp"

namespace cli {
namespace {

enum class Field { real, integer, complex, pattern };
enum class Symmetry { general, symmetric, skew_symmetric, hermitian };

/// The words of a line, up to one more than any line may have.
struct Words {
    std::array<std::string_view, 6> word;
    size_t count = 0;
};

/// Reads the lines of the text in turn, as words.
class Lines {
  public:
    Lines(const InputFile& file, std::string_view text) : file_(file), rest_(text) {}

    /// Reads the next line, without comments and blank lines; returns false at the end of the file.
    bool next(Words& words) {
        while (next_of_any_kind(words))
            if (words.count > 0 && !words.word[0].starts_with('%')) return true;
        return false;
    }
    bool next_of_any_kind(Words& words) {
        if (rest_.empty()) return false;
        const size_t end = rest_.find('\n');
        if (end == std::string_view::npos)
            file_.refuse("is cut short: it must end with a line break, or its last number might lack digits");
        split(rest_.substr(0, end), words);
        rest_.remove_prefix(end + 1);
        ++number_;
        return true;
    }
    [[nodiscard]] size_t bytes_left() const { return rest_.size(); }
    [[noreturn]] void refuse(const std::string& what) const {
        file_.refuse("line " + std::to_string(number_) + ": " + what);
    }

  private:
    static void split(std::string_view line, Words& words) {
        constexpr std::string_view space = " \t\r\v\f";
        words.count = 0;
        for (size_t at = line.find_first_not_of(space); at < line.size() && words.count < words.word.size();
             at = line.find_first_not_of(space, at)) {
            const size_t end = std::min(line.find_first_of(space, at), line.size());
            words.word[words.count++] = line.substr(at, end - at);
            at = end;
        }
    }

    const InputFile& file_;
    std::string_view rest_;
    uint64_t number_ = 0;
};

/// Returns the word in a form that a message may show.
std::string shown(std::string_view word) {
    constexpr size_t enough = 40;
    return word.size() <= enough ? std::string(word) : std::string(word.substr(0, enough)) + "...";
}

/// Returns the choice that the word means, in any letter case: its index in `names`.
template <class Choice, size_t n>
Choice choose(const Lines& lines, const char* what, const std::array<std::string_view, n>& names,
              std::string_view word) {
    const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == b; };
    std::vector<std::string> all;
    for (size_t i = 0; i < n; ++i) {
        if (std::ranges::equal(word, names[i], same)) return static_cast<Choice>(i);
        all.emplace_back(names[i]);
    }
    lines.refuse(std::string(what) + " must be " + join(all, " or ") + ", got " + shown(word));
}

struct Banner {
    bool sparse = false;
    Field field = Field::real;
    Symmetry symmetry = Symmetry::general;
};

Banner read_banner(Lines& lines) {
    Words words;
    if (!lines.next_of_any_kind(words) || words.count != 5)
        lines.refuse("must be %%MatrixMarket matrix FORMAT FIELD SYMMETRY");
    Banner banner;
    (void)choose<int, 1>(lines, "it", {"%%matrixmarket"}, words.word[0]);
    (void)choose<int, 1>(lines, "the object", {"matrix"}, words.word[1]);
    banner.sparse = choose<int, 2>(lines, "the format", {"array", "coordinate"}, words.word[2]) == 1;
    banner.field = choose<Field, 4>(lines, "the field", {"real", "integer", "complex", "pattern"}, words.word[3]);
    banner.symmetry = choose<Symmetry, 4>(lines, "the symmetry",
                                          {"general", "symmetric", "skew-symmetric", "hermitian"}, words.word[4]);
    if (banner.field == Field::pattern && !banner.sparse) lines.refuse("an array has values: it cannot be pattern");
    if (banner.field == Field::pattern && banner.symmetry == Symmetry::skew_symmetric)
        lines.refuse("a pattern has no signs: it cannot be skew-symmetric");
    if (banner.field != Field::complex && banner.symmetry == Symmetry::hermitian)
        lines.refuse("only complex matrices are hermitian: a real one is symmetric");
    return banner;
}

uint64_t whole(const Lines& lines, const char* what, std::string_view word, uint64_t least, uint64_t most) {
    uint64_t value = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() || value < least || value > most)
        lines.refuse(std::string(what) + " must be a whole number in [" + std::to_string(least) + ", " +
                     std::to_string(most) + "], got " + shown(word));
    return value;
}

double real_number(const Lines& lines, Field field, std::string_view word) {
    const std::string_view digits = word.substr(word.starts_with('+') && !word.starts_with("+-") ? 1 : 0);
    const char* const end = digits.data() + digits.size();
    if (field == Field::integer) {
        int64_t value = 0;
        const auto parsed = std::from_chars(digits.data(), end, value);
        if (parsed.ec != std::errc() || parsed.ptr != end)
            lines.refuse("a value must be a whole number in [-2^63, 2^63), got " + shown(word));
        return static_cast<double>(value);
    }
    double value = 0;
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ec == std::errc::result_out_of_range && parsed.ptr == end)
        lines.refuse("a value must fit in f64, got " + shown(word));
    if (parsed.ec != std::errc() || parsed.ptr != end) lines.refuse("a value must be a number, got " + shown(word));
    if (!std::isfinite(value)) lines.refuse("a value must be finite, got " + shown(word));
    return value;
}

/// Returns the value in the words from `first` on; the value of a pattern is 1.
template <class T> T value_at(const Lines& lines, Field field, const Words& words, size_t first) {
    if (field == Field::pattern) return T{1};
    if constexpr (is_complex<T>)
        return {real_number(lines, field, words.word[first]), real_number(lines, field, words.word[first + 1])};
    else
        return real_number(lines, field, words.word[first]);
}

/// Returns the value at (col, row) if `value` is at (row, col).
template <class T> T mirrored(Symmetry symmetry, T value) {
    if (symmetry == Symmetry::skew_symmetric) return -value;
    if constexpr (is_complex<T>)
        if (symmetry == Symmetry::hermitian) return std::conj(value);
    return value;
}

template <class T> void check_diagonal(const Lines& lines, Symmetry symmetry, T value) {
    if constexpr (is_complex<T>)
        if (symmetry == Symmetry::hermitian && value.imag() != 0)
            lines.refuse("the diagonal of a hermitian matrix must be real, got " + value_text(value.real()) + " " +
                         value_text(value.imag()));
}

struct Shape {
    uint64_t rows, cols;
};

[[noreturn]] void refuse_count(const Lines& lines, uint64_t got, uint64_t wanted) {
    lines.refuse("the file ends after " + std::to_string(got) + " of " + std::to_string(wanted) + " entries");
}

/// Throws UsageError if the file is too short for this number of entries, which are at least `least_bytes` long.
void check_claim(const InputFile& file, const Lines& lines, double entries, size_t least_bytes) {
    if (entries * static_cast<double>(least_bytes) > static_cast<double>(lines.bytes_left()))
        file.refuse("is cut short: it claims " + scaled(entries, "entries") + " and has " +
                    std::to_string(lines.bytes_left()) + " bytes for them");
}

template <class T>
AnyMatrix read_array(const InputFile& file, const ShapeCheck& check, Lines& lines, const Banner& banner, Shape shape) {
    const auto [rows, cols] = shape;
    const bool full = banner.symmetry == Symmetry::general, skew = banner.symmetry == Symmetry::skew_symmetric;
    const double m = static_cast<double>(rows), n = static_cast<double>(cols);
    constexpr size_t numbers = is_complex<T> ? 2 : 1;
    check_claim(file, lines, full ? m * n : skew ? m * (n - 1) / 2 : m * (n + 1) / 2, 2 * numbers);
    check({rows, cols, is_complex<T>, true});
    const uint64_t entries = full ? rows * cols : (rows * cols - rows) / 2 + (skew ? 0 : rows);

    DenseMatrix<T> matrix{rows, cols, true, std::vector<T>(static_cast<size_t>(rows * cols))};
    Words words;
    uint64_t got = 0;
    for (uint64_t col = 0; col < cols && rows > 0; ++col)  // nor this many columns without rows
        for (uint64_t row = full ? 0 : skew ? col + 1 : col; row < rows; ++row, ++got) {
            if (!lines.next(words)) refuse_count(lines, got, entries);
            if (words.count != numbers)
                lines.refuse("must be " + std::string(numbers == 1 ? "one number" : "two numbers, one value"));
            const T value = value_at<T>(lines, banner.field, words, 0);
            if (row == col) check_diagonal(lines, banner.symmetry, value);
            matrix.values[col * rows + row] = value;
            if (!full && row != col) matrix.values[row * rows + col] = mirrored(banner.symmetry, value);
        }
    if (lines.next(words)) lines.refuse("the file goes on after its " + std::to_string(entries) + " entries");
    return matrix;
}

template <class T> struct Entry {
    int64_t row, col;
    T value;
};

template <class T> std::vector<Entry<T>> read_entries(Lines& lines, const Banner& banner, Shape shape, uint64_t count) {
    constexpr size_t most_numbers = is_complex<T> ? 2 : 1;
    const size_t numbers = banner.field == Field::pattern ? 0 : most_numbers;
    const bool full = banner.symmetry == Symmetry::general;
    std::vector<Entry<T>> entries;
    entries.reserve(static_cast<size_t>(full ? count : 2 * count));
    Words words;
    for (uint64_t got = 0; got < count; ++got) {
        if (!lines.next(words)) refuse_count(lines, got, count);
        if (words.count != 2 + numbers)
            lines.refuse("must be ROW COLUMN" + std::string(numbers == 0   ? ""
                                                            : numbers == 1 ? " VALUE"
                                                                           : " REAL IMAGINARY"));
        const uint64_t row = whole(lines, "the row", words.word[0], 1, shape.rows) - 1;
        const uint64_t col = whole(lines, "the column", words.word[1], 1, shape.cols) - 1;
        const T value = value_at<T>(lines, banner.field, words, 2);
        if (!full && row < col) lines.refuse("a matrix with a symmetry gives its lower triangle, this is above");
        if (row == col && banner.symmetry == Symmetry::skew_symmetric)
            lines.refuse("a skew-symmetric matrix gives nothing on its diagonal");
        if (row == col) check_diagonal(lines, banner.symmetry, value);
        const auto r = static_cast<int64_t>(row), c = static_cast<int64_t>(col);
        entries.push_back({r, c, value});
        if (!full && r != c) entries.push_back({c, r, mirrored(banner.symmetry, value)});
    }
    if (lines.next(words)) lines.refuse("the file goes on after its " + std::to_string(count) + " entries");
    return entries;
}

template <class T>
AnyMatrix read_coordinates(const InputFile& file, const ShapeCheck& check, Lines& lines, const Banner& banner,
                           Shape shape, uint64_t count) {
    constexpr size_t shortest[] = {6, 6, 8, 4};  // "1 1 1\n", "1 1 1\n", "1 1 1 1\n", "1 1\n"
    check_claim(file, lines, static_cast<double>(count), shortest[static_cast<size_t>(banner.field)]);
    check({shape.rows, shape.cols, is_complex<T>, true, banner.symmetry == Symmetry::general ? count : 2 * count});
    std::vector<Entry<T>> entries = read_entries<T>(lines, banner, shape, count);
    // A matrix without elements may have 10^18 rows or columns; nothing is stored for them.
    if (shape.rows == 0 || shape.cols == 0) return DenseMatrix<T>{shape.rows, shape.cols, true, {}};
    std::ranges::sort(
        entries, [](const Entry<T>& a, const Entry<T>& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
    SparseMatrix<T> matrix{shape.rows, shape.cols, std::vector<int64_t>(shape.rows + 1), {}, {}};
    matrix.columns.reserve(entries.size());
    matrix.values.reserve(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
        const Entry<T>& entry = entries[i];
        if (i > 0 && entries[i - 1].row == entry.row && entries[i - 1].col == entry.col)
            file.refuse("gives row " + std::to_string(entry.row + 1) + ", column " + std::to_string(entry.col + 1) +
                        " more than once");
        ++matrix.row_offsets[static_cast<size_t>(entry.row) + 1];
        matrix.columns.push_back(entry.col);
        matrix.values.push_back(entry.value);
    }
    for (size_t row = 0; row < matrix.rows; ++row) matrix.row_offsets[row + 1] += matrix.row_offsets[row];
    return matrix;
}

}  // namespace

AnyMatrix read_matrix_market(InputFile& file, const ShapeCheck& check) {
    file.require_memory(static_cast<double>(file.size()));
    std::string text(static_cast<size_t>(file.size()), '\0');
    file.read(text.data(), text.size());
    Lines lines(file, text);
    const Banner banner = read_banner(lines);

    Words words;
    if (!lines.next(words)) lines.refuse("the file ends before its sizes");
    if (words.count != (banner.sparse ? 3u : 2u))
        lines.refuse(banner.sparse ? "must be ROWS COLUMNS ENTRIES" : "must be ROWS COLUMNS");
    constexpr uint64_t most = INT64_MAX;
    const Shape shape{whole(lines, "the rows", words.word[0], 0, most),
                      whole(lines, "the columns", words.word[1], 0, most)};
    if (banner.symmetry != Symmetry::general && shape.rows != shape.cols)
        lines.refuse("a matrix with a symmetry must be square, got " + std::to_string(shape.rows) + " x " +
                     std::to_string(shape.cols));
    const auto read = [&](auto value) -> AnyMatrix {
        using T = decltype(value);
        if (!banner.sparse) return read_array<T>(file, check, lines, banner, shape);
        const uint64_t count = whole(lines, "the number of entries", words.word[2], 0, most);
        return read_coordinates<T>(file, check, lines, banner, shape, count);
    };
    return banner.field == Field::complex ? read(std::complex<double>{}) : read(double{});
}

}  // namespace cli
