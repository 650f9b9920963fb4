// The statistical battery over a stream, or over any function that returns bytes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rng/any_distribution.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/report.hpp>

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "distributions.hpp"

namespace python {
namespace {

/// The words of a stream, from its position on.
class StreamSource final : public rng::stats::Source {
  public:
    explicit StreamSource(const rng::AnyStream& stream, std::string name) : stream_(stream), name_(std::move(name)) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] int word_bits() const override { return 32; }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        std::vector<uint32_t> words((to.size() + 3) / 4);
        words_.fill(words.data(), words.size(), stream_, position / 4);
        std::memcpy(to.data(), words.data(), to.size());
        return to.size();
    }

  private:
    rng::AnyStream stream_;
    std::string name_;
    rng::AnyDistribution words_{"bits", "u32"};
};

/// A function of Python that returns the next n bytes: of 64 KiB at a time, so that a call costs little beside them.
class FunctionSource final : public rng::stats::Source {
  public:
    FunctionSource(nb::object function, std::string name, int word_bits)
        : function_(std::move(function)), name_(std::move(name)), word_bits_(word_bits) {}
    ~FunctionSource() override {
        const nb::gil_scoped_acquire gil;
        function_.reset();
    }
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] int word_bits() const override { return word_bits_; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        const nb::gil_scoped_acquire gil;
        while (position_ < position && refill()) take(std::min<uint64_t>(position - position_, kept_.size() - used_));
        std::size_t done = 0;
        while (done < to.size() && refill()) {
            const std::size_t now = std::min(to.size() - done, kept_.size() - used_);
            std::memcpy(to.data() + done, kept_.data() + used_, now);
            take(now);
            done += now;
        }
        return done;
    }

  private:
    static constexpr std::size_t chunk = 1 << 16;

    void take(std::size_t bytes) {
        used_ += bytes;
        position_ += bytes;
    }
    /// Calls the function if all of its bytes are taken. Returns false at the end: fewer bytes than it was asked for.
    bool refill() {
        if (used_ < kept_.size()) return true;
        if (has_ended_) return false;
        const nb::object made = function_(chunk);
        if (!PyObject_CheckBuffer(made.ptr()) && !nb::hasattr(made, "__dlpack__"))
            throw_type_error("test: the result of the function must be bytes or an array of numbers, got ",
                             type_of(made));
        const Array bytes(made, "test", "the result of the function");
        const std::size_t size = bytes.size() * bytes.item_bytes();
        if (!bytes.is_contiguous() || size > chunk)
            throw_value_error("test: the function must return at most the ", chunk,
                              " bytes that it is asked for, without gaps, got ", size);
        kept_.assign(bytes.data(), bytes.data() + size);
        used_ = 0;
        has_ended_ = size < chunk;
        return size > 0;
    }

    nb::object function_;
    std::string name_;
    int word_bits_;
    std::vector<std::byte> kept_;
    std::size_t used_ = 0;
    uint64_t position_ = 0;
    bool has_ended_ = false;
};

rng::stats::Tier tier_named(const std::string& name) {
    using rng::stats::Tier;
    for (const Tier tier : {Tier::structural, Tier::quick, Tier::standard, Tier::deep})
        if (name == rng::stats::to_string(tier)) return tier;
    throw_value_error("test: tier must be structural, quick, standard or deep, got '", name, "'");
}

nb::dict test(nb::object subject, const std::string& name, int word_bits, const std::string& tier, nb::handle bytes,
              int threads, const std::vector<std::string>& only) {
    std::shared_ptr<rng::stats::Source> source;
    if (nb::isinstance<rng::AnyStream>(subject))
        source = std::make_shared<StreamSource>(nb::cast<const rng::AnyStream&>(subject), name);
    else
        source = std::make_shared<FunctionSource>(subject, name, word_bits);
    std::atomic<bool> stop{false};
    rng::stats::Options options;
    options.tier = tier_named(tier);
    options.threads = threads;
    options.only = only;
    options.stop = &stop;
    options.progress = [&stop](const rng::stats::Progress&) {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) {
            stop = true;
            nb::raise_python_error();
        }
    };
    std::optional<rng::stats::Report> report;
    const auto run = [&](std::optional<uint64_t> size) {
        options.bytes = size;
        const nb::gil_scoped_release released;
        named("test", [&] { report = run_battery(rng::stats::GeneratorUnderTest{source}, options); });
    };
    bytes.is_none() ? run({}) : with_number(bytes, integer_of(bytes, "test", "bytes"), run);
    nb::dict result;
    result["verdict"] = rng::stats::to_string(report->verdict);
    result["summary"] = rng::stats::summary(*report);
    result["json"] = rng::stats::json_report({&*report, 1});
    result["html"] = rng::stats::html_report({&*report, 1});
    return result;
}

}  // namespace

void bind_battery(nb::module_& m) {
    m.def("run_battery", test, "subject"_a, nb::kw_only(), "name"_a, "word_bits"_a, "tier"_a, any_arg("bytes"),
          "threads"_a, "only"_a);
}

}  // namespace python
