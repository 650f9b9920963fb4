// rng svd: the leading singular values and vectors of a matrix in a file.
#include <rng/rng.hpp>

#include <chrono>
#include <cmath>
#include <memory>
#include <new>
#include <optional>

#include "command.hpp"
#include "devices.hpp"
#include "formats.hpp"
#include "json.hpp"
#include "matrix_file.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "svd_residual.hpp"

namespace cli {
namespace {

struct Options {
    std::string matrix;
    std::optional<std::string> q, niter, oversampling, seed, dtype, prefix;
    std::string device = "cpu";
    bool center = false, verify = false, json = false;
};

constexpr const char* footer =
    "A is about U diag(S) V^H: U is m x q, S has q values in descending order, V is n x q. FILE is a NumPy file "
    "(.npy: floating, complex or whole numbers) or a Matrix Market file (.mtx: array or coordinate); - is standard "
    "input. The same file, options and seed give the same bytes on every machine.\n\n"
    "Examples:\n"
    "  rng svd A.npy -q 16 -o A                 writes A_U.npy, A_S.npy, A_V.npy\n"
    "  rng svd A.mtx -q 16 --niter 4 --seed 42 --json\n"
    "  rng svd data.npy -q 2 --center -o pca    principal components of the rows\n"
    "  gzip -dc A.mtx.gz | rng svd - -q 16      a compressed file\n"
    "  rng svd A.npy -q 16 --verify             exit code 1 if a path of this machine gives other bits\n";

/// The options of the decomposition, checked except for q.
struct Job {
    long long niter, oversampling;
    uint64_t seed;
    rng::Device device;
    bool center;
    std::optional<long long> q = {};
};

/// The type of a computation, by the type of the matrix: 16-bit numbers are widened.
template <class T> constexpr const char* computed_dtype() {
    if constexpr (is_complex<T>)
        return sizeof(T) == 8 ? "c64" : "c128";
    else
        return sizeof(T) == 8 ? "f64" : "f32";
}

template <class M, class Options> auto decompose_on(const Options& options, const M& matrix, const Job& job) {
    const rng::Generator generator(job.seed);
    if constexpr (std::is_same_v<Options, rng::PcaOptions>)
        return rng::pca_lowrank_on(job.device, matrix.view(), options, generator);
    else
        return rng::svd_lowrank_on(job.device, matrix.view(), options, generator);
}
template <class M> auto decompose(const M& matrix, const Job& job) {
    if (job.center)
        return decompose_on(rng::PcaOptions{.q = job.q, .niter = job.niter, .oversampling = job.oversampling}, matrix,
                            job);
    rng::SvdOptions<typename M::value_type> options;
    options.q = job.q;
    options.niter = job.niter;
    options.oversampling = job.oversampling;
    return decompose_on(options, matrix, job);
}

// ---- Types of matrices ----------------------------------------------------------------------------------------------

template <class To, class From> To converted(const From& value) {
    if constexpr (is_complex<To>) {
        using Part = typename To::value_type;
        return {converted<Part>(value.real()), converted<Part>(value.imag())};
    } else if constexpr (is_half<From>) {
        return static_cast<To>(static_cast<float>(value));
    } else {
        // An infinity or a NaN of the file passes here: the decomposition refuses it and names its place.
        if (std::isfinite(value) && std::fabs(value) > static_cast<From>(std::numeric_limits<To>::max()))
            throw UsageError("--dtype must be f64 or c128 for a matrix that holds " + value_text(value) + ", got " +
                             computed_dtype<To>());
        return static_cast<To>(value);
    }
}

template <class To, class From> DenseMatrix<To> converted(DenseMatrix<From>&& from) {
    DenseMatrix<To> to{from.rows, from.cols, from.column_major, {}};
    to.values.reserve(from.values.size());
    for (const From& value : from.values) to.values.push_back(converted<To>(value));
    return to;
}
template <class To, class From> SparseMatrix<To> converted(SparseMatrix<From>&& from) {
    SparseMatrix<To> to{from.rows, from.cols, std::move(from.row_offsets), std::move(from.columns), {}};
    to.values.reserve(from.values.size());
    for (const From& value : from.values) to.values.push_back(converted<To>(value));
    return to;
}

/// Returns the matrix in the type that --dtype asks for.
AnyMatrix with_dtype(AnyMatrix matrix, const std::string& dtype) {
    return std::visit(
        [&]<class M>(M&& given) -> AnyMatrix {
            using T = typename std::remove_cvref_t<M>::value_type;
            using F32 = std::conditional_t<is_complex<T>, std::complex<float>, float>;
            using F64 = std::conditional_t<is_complex<T>, std::complex<double>, double>;
            if (dtype == computed_dtype<T>()) return std::move(given);
            if (dtype == computed_dtype<F32>()) return converted<F32>(std::move(given));
            if (dtype == computed_dtype<F64>()) return converted<F64>(std::move(given));
            throw UsageError(std::string("--dtype must be ") + computed_dtype<F32>() + " or " + computed_dtype<F64>() +
                             " for this matrix, got " + dtype);
        },
        std::move(matrix));
}

template <class T> std::string description(const DenseMatrix<T>&) { return "dense"; }
template <class T> std::string description(const SparseMatrix<T>& matrix) {
    return "sparse, " + std::to_string(matrix.values.size()) + " entries";
}

// ---- Results --------------------------------------------------------------------------------------------------------

struct Path {
    std::string name;
    double seconds;
    uint64_t digest;
    bool equal;  ///< true if the digest is that of the first path
};

/// Returns three digits.
std::string short_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

/// A decomposition as it is printed.
struct Report {
    std::string description, dtype;
    size_t rows, cols, q;
    double seconds;
    uint64_t digest;
    std::string residual;  ///< quality::Residual::value
    bool residual_below;   ///< true if the residual is a bound: rounding errors leave no more
    size_t residual_step;
    std::vector<std::string> singular_values;
    std::vector<std::pair<std::string, std::string>> files;  ///< names and shapes
    std::vector<Path> paths;
    [[nodiscard]] auto differing() const { return std::ranges::count(paths, false, &Path::equal); }
};

template <class T> std::vector<std::byte> bytes_of(const rng::LowRankSvd<T>& svd) {
    std::vector<std::byte> bytes;
    const auto append = [&bytes](const auto& values) {
        const auto more = std::as_bytes(std::span(values));
        bytes.insert(bytes.end(), more.begin(), more.end());
    };
    append(svd.U.values);
    append(svd.S);
    append(svd.V.values);
    return bytes;
}

template <class M> auto timed(const M& matrix, const Job& job, double& seconds) {
    const auto start = std::chrono::steady_clock::now();
    auto svd = decompose(matrix, job);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return svd;
}

/// Computes the decomposition again: on the CPU with every instruction set and 1, 2 and 3 threads, then on each GPU.
template <class M> std::vector<Path> verify(const M& matrix, const Job& job, const std::vector<std::byte>& expected) {
    std::vector<Path> paths;
    const std::vector<rng::Isa> isas = rng::available_isas();
    const std::vector<rng::Device> devices = rng::devices();  // the CPU comes first
    constexpr int most_threads = 3;
    Progress progress("rng svd", isas.size() * most_threads + devices.size() - 1, "paths");
    const auto compute = [&](const std::string& name, const rng::Device device) {
        Path path{name, 0, 0, false};
        Job there = job;
        there.device = device;
        const std::vector<std::byte> bytes = bytes_of(timed(matrix, there, path.seconds));
        path.digest = rng::digest(bytes);
        path.equal = bytes == expected;
        paths.push_back(path);
        progress.update(paths.size());
    };
    for (const rng::Isa isa : isas)
        for (int threads = 1; threads <= most_threads; ++threads) {
            rng::set_isa(isa);
            rng::set_num_threads(threads);
            compute(
                std::string(rng::to_string(isa)) + (threads > 1 ? " x " + std::to_string(threads) + " threads" : ""),
                rng::cpu());
        }
    for (size_t i = 1; i < devices.size(); ++i) compute(rng::to_string(devices[i]), devices[i]);
    return paths;
}

/// A NumPy file under construction.
struct NpyFile {
    std::string name;
    Output output;
    explicit NpyFile(const std::string& file) : name(file), output(begin(file)) {}

    template <class T> void write(const std::vector<T>& values, std::initializer_list<uint64_t> shape) {
        const std::string header = npy_header(npy_type<T>(), shape);
        output.write(header.data(), header.size());
        output.write(values.data(), values.size() * sizeof(T));
    }

  private:
    /// Throws UsageError if a file cannot be made: a bad argument, because no work has been done yet.
    static Output begin(const std::string& file) {
        try {
            return Output::file(file);
        } catch (const WriteError& error) {
            throw UsageError(std::string("-o: ") + error.what());
        }
    }
};

struct Files {
    NpyFile u, s, v;
    explicit Files(const std::string& prefix) : u(prefix + "_U.npy"), s(prefix + "_S.npy"), v(prefix + "_V.npy") {}

    /// Throws UsageError if one of the files would take the place of the matrix, or of another one.
    static void require_sound_names(const std::string& prefix, const std::string& matrix) {
        const std::vector<std::string> names{prefix + "_U.npy", prefix + "_S.npy", prefix + "_V.npy"};
        require_distinct("-o: the three files", names);
        for (const std::string& name : names) require_no_input("-o", name, {matrix == "-" ? "/dev/stdin" : matrix});
    }
};

// ---- What is computed -----------------------------------------------------------------------------------------------

/// Returns -q, or its default.
long long q_of(const Options& options, uint64_t rows, uint64_t cols, const InputFile& file) {
    const long long least = static_cast<long long>(std::min(rows, cols));
    const long long q = options.q ? parse_i64("-q", *options.q, INT64_MIN, INT64_MAX) : std::min(6LL, least);
    if (q < 0 || q > least)
        file.refuse("-q must be in [0, " + std::to_string(least) + "] for a matrix of " + std::to_string(rows) + " x " +
                    std::to_string(cols) + ", got " + std::to_string(q));
    return q;
}

/// Throws UsageError if the machine does not have the memory for the matrix, the result and its bytes, and the work.
void require_memory(const MatrixShape& shape, const Job& job, const Options& options, const InputFile& file) {
    const long long q = q_of(options, shape.rows, shape.cols, file);
    const std::string dtype = dtype_of(options.dtype.value_or(""));
    const bool is_double = options.dtype ? dtype == "f64" || dtype == "c128" : shape.is_double;
    const auto workspace = [&](auto value) {
        using T = decltype(value);
        std::optional<size_t> entries;
        if (shape.entries) entries = static_cast<size_t>(*shape.entries);
        const auto rows = static_cast<size_t>(shape.rows), cols = static_cast<size_t>(shape.cols);
        return job.center ? rng::pca_host_workspace<T>(
                                rows, cols, {.q = q, .niter = job.niter, .oversampling = job.oversampling}, entries)
                          : rng::svd_host_workspace<T>(
                                rows, cols, {.q = q, .niter = job.niter, .oversampling = job.oversampling}, entries);
    };
    const size_t work = shape.is_complex
                            ? (is_double ? workspace(std::complex<double>{}) : workspace(std::complex<float>{}))
                            : (is_double ? workspace(double{}) : workspace(float{}));
    const double rows = static_cast<double>(shape.rows), cols = static_cast<double>(shape.cols);
    const double bytes = (is_double ? 8 : 4) * (shape.is_complex ? 2 : 1);
    // An entry of a sparse matrix is read as row, column and value, and then has a column and a value.
    const double stored = shape.entries ? static_cast<double>(*shape.entries) : 0;
    const double matrix = !shape.entries                       ? rows * cols * bytes
                          : shape.rows == 0 || shape.cols == 0 ? 0
                                                               : 8 * (rows + 1) + stored * (8 + bytes);
    const double reading = shape.entries ? stored * (16 + bytes) : 0;
    const double result = 2 * static_cast<double>(q) * (rows + cols) * bytes;
    const double residual = quality::Residual::bytes(shape, static_cast<double>(q), job.center);
    file.require_memory(matrix + std::max({reading, static_cast<double>(work) + result, residual + result}));
}

template <class M> Report decompose_and_write(const M& matrix, Job job, const Options& options, const InputFile& file) {
    using T = typename M::value_type;
    job.q = q_of(options, matrix.rows, matrix.cols, file);
    std::unique_ptr<Files> files;
    if (options.prefix) {
        files = std::make_unique<Files>(*options.prefix);
        files->u.output.require_space(static_cast<double>(*job.q) *
                                      (static_cast<double>(matrix.rows) + static_cast<double>(matrix.cols)) *
                                      sizeof(T));
    }

    Report report{description(matrix),
                  computed_dtype<T>(),
                  matrix.rows,
                  matrix.cols,
                  static_cast<size_t>(*job.q),
                  0,
                  0,
                  {},
                  false,
                  1,
                  {},
                  {},
                  {}};
    const auto svd = timed(matrix, job, report.seconds);
    const quality::Residual residual(matrix, svd, job.center);
    report.residual = short_text(residual.value);
    report.residual_below = residual.below;
    report.residual_step = residual.step;
    const std::vector<std::byte> bytes = bytes_of(svd);
    report.digest = rng::digest(bytes);
    for (const auto value : svd.S) report.singular_values.push_back(value_text(value));
    if (options.verify) report.paths = verify(matrix, job, bytes);
    if (!files || report.differing() > 0) return report;

    files->u.write(svd.U.values, {svd.U.rows, svd.U.cols});
    files->s.write(svd.S, {svd.S.size()});
    files->v.write(svd.V.values, {svd.V.rows, svd.V.cols});
    Output* const outputs[] = {&files->u.output, &files->s.output, &files->v.output};
    Output::finish_all(outputs);
    const std::string q = std::to_string(report.q);
    report.files = {{files->u.name, std::to_string(matrix.rows) + " x " + q},
                    {files->s.name, q},
                    {files->v.name, std::to_string(matrix.cols) + " x " + q}};
    return report;
}

// ---- What is printed ------------------------------------------------------------------------------------------------

std::string seconds_text(double seconds) { return short_text(seconds) + " s"; }

bool is_finite_text(const std::string& number) { return number.find('n') == std::string::npos; }  // not inf nor nan

std::string residual_text(const Report& report) {
    if (!is_finite_text(report.residual)) return "not known: rounding errors or an overflow leave nothing";
    return (report.residual_below ? "below " : "") + report.residual + " of the norm" +
           (report.residual_step > 1 ? ", of one row in " + std::to_string(report.residual_step) : "");
}

std::string readable(const Report& report, const Job& job, const Options& options) {
    std::vector<Row> rows = {
        {"matrix", options.matrix},
        {"shape", std::to_string(report.rows) + " x " + std::to_string(report.cols) + ", " + report.description},
        {"computed", report.dtype + (job.center ? ", less the mean of each column" : "")},
        {"q",
         std::to_string(report.q) + (job.oversampling > 0 ? ", oversampling " + std::to_string(job.oversampling) : "")},
        {"niter", std::to_string(job.niter)},
        {"seed", std::to_string(job.seed)},
        {"device", rng::to_string(job.device)},
        {"time", seconds_text(report.seconds)},
        {"digest", hexadecimal(report.digest)},
        {"residual", residual_text(report)}};
    for (const auto& [name, shape] : report.files) rows.push_back({"written", name + ", " + shape});
    std::string text = table(rows) + "\nsingular values\n";
    for (const std::string& value : report.singular_values) text += value + "\n";
    if (report.paths.empty()) return text;

    rows.clear();
    for (const Path& path : report.paths)
        rows.push_back(
            {path.name, seconds_text(path.seconds), hexadecimal(path.digest), path.equal ? "ok" : "DIFFERS"});
    const auto differing = report.differing();
    return text + "\n" + table(rows) + std::to_string(report.paths.size()) + " paths: " +
           (differing == 0 ? "all equal" : std::to_string(differing) + (differing == 1 ? " DIFFERS" : " DIFFER")) +
           "\n";
}

/// JSON has no infinity and no NaN.
std::string number_or_null(const std::string& number) { return is_finite_text(number) ? number : "null"; }

std::string json(const Report& report, const Job& job, const Options& options) {
    std::vector<std::string> files, paths, singular_values;
    for (const std::string& value : report.singular_values) singular_values.push_back(number_or_null(value));
    for (const auto& file : report.files) files.push_back(quoted(file.first));
    for (const Path& path : report.paths)
        paths.push_back("\n    {\"path\": " + quoted(path.name) + ", \"seconds\": " + value_text(path.seconds) +
                        ", \"digest\": " + quoted(hexadecimal(path.digest)) +
                        ", \"ok\": " + (path.equal ? "true" : "false") + "}");
    return "{\n  \"version\": " + quoted(RNG_VERSION) + ",\n  \"matrix\": " + quoted(options.matrix) +
           ",\n  \"rows\": " + std::to_string(report.rows) + ",\n  \"cols\": " + std::to_string(report.cols) +
           ",\n  \"dtype\": " + quoted(report.dtype) + ",\n  \"q\": " + std::to_string(report.q) +
           ",\n  \"niter\": " + std::to_string(job.niter) +
           ",\n  \"oversampling\": " + std::to_string(job.oversampling) +
           ",\n  \"center\": " + (job.center ? "true" : "false") + ",\n  \"seed\": " + quoted(hexadecimal(job.seed)) +
           ",\n  \"device\": " + quoted(rng::to_string(job.device)) +
           ",\n  \"seconds\": " + value_text(report.seconds) +
           ",\n  \"digest\": " + quoted(hexadecimal(report.digest)) +
           ",\n  \"residual\": " + number_or_null(report.residual) +
           ",\n  \"residual_below\": " + (report.residual_below ? "true" : "false") +
           ",\n  \"residual_step\": " + std::to_string(report.residual_step) + ",\n  \"singular_values\": [" +
           join(singular_values) + "],\n  \"files\": [" + join(files) +
           "],\n  \"differing\": " + std::to_string(report.differing()) + ",\n  \"paths\": [" + join(paths, ",") +
           (paths.empty() ? "" : "\n  ") + "]\n}\n";
}

int run(const Options& options) {
    // Errors of the environment are reported before errors of the file.
    (void)rng::current_isa();
    (void)rng::num_threads();
    const Job job{options.niter ? parse_i64("--niter", *options.niter, 0, INT64_MAX) : 2,
                  options.oversampling ? parse_i64("--oversampling", *options.oversampling, 0, INT64_MAX) : 0,
                  options.seed ? parse_u64("--seed", *options.seed) : rng::default_seed, find_device(options.device),
                  options.center};
    InputFile file(options.matrix);
    if (options.prefix) Files::require_sound_names(*options.prefix, options.matrix);
    Report report;
    try {
        AnyMatrix matrix =
            read_matrix(file, [&](const MatrixShape& shape) { require_memory(shape, job, options, file); });
        if (options.dtype) matrix = with_dtype(std::move(matrix), dtype_of(*options.dtype));
        report = std::visit([&](const auto& m) { return decompose_and_write(m, job, options, file); }, matrix);
    } catch (const std::bad_alloc&) {
        file.refuse("needs more memory than there is");
    } catch (const rng::Error& error) {
        if (error.code() == rng::ErrorCode::invalid_argument) file.refuse(error.what());
        throw;
    }
    print(options.json ? json(report, job, options) : readable(report, job, options));
    return report.differing() == 0 ? 0 : exit_failed;
}

}  // namespace

Command add_svd(CommandLine& program) {
    CommandLine command = program.add_command("svd", "Compute leading singular values and vectors of a matrix", footer);
    const auto options = std::make_shared<Options>();
    command.add_option("FILE", options->matrix, "", "The matrix: a NumPy or a Matrix Market file (-: standard input)")
        .required()
        .not_empty();
    command.add_option("-q", options->q, "Q", "How many singular values (default 6, or the smaller side)");
    command.add_option("--niter", options->niter, "N", "Power iterations (default 2)");
    command.add_option("--oversampling", options->oversampling, "P",
                       "Compute with P more columns, and return the Q leading ones (default 0)");
    command.add_option(
        "--seed", options->seed, "S",
        "Seed, decimal or 0x hexadecimal, below 2^64 (default " + std::to_string(rng::default_seed) + ")");
    command.add_option("--dtype", options->dtype, "T",
                       "Compute in f32 or f64, a complex matrix in c64 or c128 (default: the type of the file)");
    command.add_option("--device", options->device, "D", "Where to compute (default cpu)");
    command.add_flag("--center", options->center, "Subtract the mean of each column: principal components");
    command.add_flag("--verify", options->verify, "Compute again on every path of this machine and compare the bytes");
    command.add_flag("--json", options->json, "Print JSON");
    command
        .add_option("-o,--output", options->prefix, "PREFIX",
                    "Write PREFIX_U.npy, PREFIX_S.npy, PREFIX_V.npy; they appear together, once they are whole")
        .not_empty();
    return {command, [options] { return run(*options); }};
}

}  // namespace cli
