// A picture in fewer numbers: its rows and columns by their leading singular vectors, at ranks 4, 16 and 64.
//
//     svd_image                 draws a picture first: image.ppm
//     svd_image photo.ppm       the user's own: PGM or PPM, binary (P5, P6), 8 bits a value
//
// Writes image_rank4.ppm, image_rank16.ppm and image_rank64.ppm (.pgm for grey pictures) into the working directory.
// Prints how many numbers each picture keeps and how close it comes to the original.
// One decomposition of rank 64 contains all three: its first columns are the best ones.
// The same picture gives the same factors on every machine, to the bit.
#include <rng/rng.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// Row after row; a pixel has one channel (grey) or three (red, green, blue), of 0 to 255.
struct Image {
    std::size_t height = 0, width = 0, channels = 3;
    std::vector<float> values;

    Image(std::size_t h, std::size_t w, std::size_t c) : height(h), width(w), channels(c), values(h * w * c) {}
    /// A row of the picture is a row of the matrix; the channels of a pixel are neighbouring columns.
    [[nodiscard]] rng::matrix_view<const float> matrix() const {
        return rng::matrix_view<const float>::row_major(values.data(), height, width * channels);
    }
};

// ---- Files ----------------------------------------------------------------------------------------------------------

std::uint8_t to_byte(float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0f, 255.0f) + 0.5f); }

void write_image(const std::string& path, const Image& image) {
    std::ofstream file(path, std::ios::binary);
    file << (image.channels == 3 ? "P6\n" : "P5\n") << image.width << ' ' << image.height << "\n255\n";
    std::vector<char> bytes(image.values.size());
    std::ranges::transform(image.values, bytes.begin(), [](float v) { return static_cast<char>(to_byte(v)); });
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

/// The next number of a header; comments run from # to the end of their line.
std::size_t header_number(const std::string& path, const std::string& bytes, std::size_t& at) {
    while (at < bytes.size() && (std::isspace(static_cast<unsigned char>(bytes[at])) || bytes[at] == '#'))
        at = bytes[at] == '#' ? std::min(bytes.find('\n', at), bytes.size()) : at + 1;
    std::size_t value = 0, digits = 0;
    for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' && digits < 9; ++at, ++digits)
        value = 10 * value + static_cast<std::size_t>(bytes[at] - '0');
    if (digits == 0) throw std::runtime_error(path + ": its header must have width, height and greatest value");
    return value;
}

Image read_image(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": cannot be opened");
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const bool grey = bytes.starts_with("P5");
    if (!grey && !bytes.starts_with("P6")) throw std::runtime_error(path + ": must be PGM or PPM (P5 or P6)");
    std::size_t at = 2;
    const std::size_t width = header_number(path, bytes, at), height = header_number(path, bytes, at);
    const std::size_t most = header_number(path, bytes, at), channels = grey ? 1 : 3;
    if (most < 1 || most > 255)
        throw std::runtime_error(path + ": its greatest value must be in [1, 255], got " + std::to_string(most));
    ++at;  // the one blank before the pixels
    if (width == 0 || height == 0) throw std::runtime_error(path + ": must have a pixel");
    if (at > bytes.size() || (bytes.size() - at) / width / channels < height)
        throw std::runtime_error(path + ": ends before its last pixel");
    Image image(height, width, channels);
    for (std::size_t i = 0; i < image.values.size(); ++i)
        image.values[i] =
            static_cast<float>(static_cast<unsigned char>(bytes[at + i])) * 255.0f / static_cast<float>(most);
    return image;
}

// ---- A picture to begin with ----------------------------------------------------------------------------------------

/// The outline of mountains: a sum of waves, the finer the lower, whose phases are random.
std::vector<float> ridge(std::size_t width, float height, const rng::Stream<>& stream) {
    constexpr int waves = 7;
    std::vector<float> phases(waves), outline(width);
    rng::fill(phases, rng::uniform{0.0f, 6.2831853f}, stream);
    for (std::size_t x = 0; x < width; ++x) {
        float frequency = 6.0f / static_cast<float>(width), amplitude = height;
        for (const float phase : phases) {
            outline[x] += amplitude * std::sin(frequency * static_cast<float>(x) + phase);
            frequency *= 2.1f;
            amplitude *= 0.48f;
        }
    }
    return outline;
}

/// Evening over a lake: a sun, two ranges of mountains, and all of it again in the water.
Image draw_image() {
    constexpr std::size_t height = 360, width = 480, shore = 240;
    constexpr float sun_x = 330, sun_y = 118;
    const rng::Stream<> all{2024};
    const std::vector<float> far = ridge(width, 26, all.fork("far")), near = ridge(width, 34, all.fork("near"));
    Image image(height, width, 3);
    const auto colour_at = [&](float x, float y, std::size_t channel) {
        constexpr float top[] = {38, 52, 104}, bottom[] = {250, 178, 112}, sun[] = {255, 242, 206};
        constexpr float far_colour[] = {112, 92, 124}, near_colour[] = {44, 42, 62};
        const auto column = static_cast<std::size_t>(x);
        if (y > 205 + near[column]) return near_colour[channel];
        if (y > 168 + far[column]) return far_colour[channel];
        const float distance = std::hypot(x - sun_x, y - sun_y), t = y / shore;
        if (distance < 26) return sun[channel];
        const float sky = top[channel] + (bottom[channel] - top[channel]) * t, glow = std::exp(-(distance - 26) / 60);
        return sky + (sun[channel] - sky) * glow * 0.7f;
    };
    std::vector<float> grain(image.values.size());
    rng::fill(grain, rng::normal{0.0f, 1.5f}, all.fork("grain"));  // as of a film
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const std::size_t i = (y * width + x) * 3 + channel;
                float seen_x = static_cast<float>(x), seen_y = static_cast<float>(y), light = 1;
                if (y > shore) {  // waves grow towards the viewer
                    const float depth = static_cast<float>(y - shore);
                    const float wave = std::sin(0.9f * depth - 0.004f * depth * depth + 0.05f * seen_x);
                    seen_y = std::clamp(shore - 1.9f * depth + wave * (1 + 0.06f * depth), 0.0f, float{shore});
                    seen_x = std::clamp(seen_x + 3 * wave, 0.0f, float{width - 1});
                    light = 0.72f + 0.05f * wave;
                }
                image.values[i] = static_cast<float>(to_byte(light * colour_at(seen_x, seen_y, channel) + grain[i]));
            }
    return image;
}

// ---- Its leading part -----------------------------------------------------------------------------------------------

/// The sum of the first `rank` terms: U diag(S) V^T.
Image rebuilt(const rng::LowRankSvd<float>& svd, std::size_t rank, const Image& original) {
    Image image(original.height, original.width, original.channels);
    for (std::size_t i = 0; i < svd.U.rows; ++i)
        for (std::size_t j = 0; j < svd.V.rows; ++j) {
            float sum = 0;
            for (std::size_t k = 0; k < rank; ++k) sum += svd.U(i, k) * svd.S[k] * svd.V(j, k);
            image.values[i * svd.V.rows + j] = sum;
        }
    return image;
}

/// The peak signal-to-noise ratio in dB, of the bytes that are written.
double psnr(const Image& a, const Image& b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double difference = static_cast<double>(to_byte(a.values[i])) - static_cast<double>(to_byte(b.values[i]));
        squares += difference * difference;
    }
    return 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.values.size()) / squares);
}

int run(const char* path) {
    const Image image = path ? read_image(path) : draw_image();
    if (!path) write_image("image.ppm", image);
    const std::size_t m = image.height, n = image.width * image.channels, least = std::min(m, n);

    rng::Generator generator{42};
    const auto start = std::chrono::steady_clock::now();
    const rng::LowRankSvd<float> svd = rng::svd_lowrank(
        image.matrix(), {.q = static_cast<long long>(std::min<std::size_t>(64, least)), .niter = 4}, generator);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%s: %zu x %zu pixels, a matrix of %zu x %zu; decomposed in %.1f ms\n\n", path ? path : "image.ppm",
                image.width, image.height, m, n, time.count() * 1e3);
    std::printf("  rank   numbers kept   of all      PSNR\n");
    double before = 0;
    bool improves = true;
    for (const std::size_t wanted : {4u, 16u, 64u}) {
        const std::size_t rank = std::min(wanted, least), kept = rank * (m + n + 1);
        const Image part = rebuilt(svd, rank, image);
        const double quality = psnr(image, part);
        const std::string name = "image_rank" + std::to_string(wanted) + (image.channels == 3 ? ".ppm" : ".pgm");
        write_image(name, part);
        std::printf("  %4zu %14zu %6.1f %% %6.2f dB   %s\n", rank, kept,
                    100.0 * static_cast<double>(kept) / static_cast<double>(m * n), quality, name.c_str());
        improves &= quality >= before;
        before = quality;
    }
    return improves ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc > 1 ? argv[1] : nullptr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "svd_image: %s\n", error.what());
        return 2;
    }
}
