// Random walks as a picture: an SVG on standard output, the same file on every machine (docs/images/walks.svg).
//
// Each walk draws from a child of one stream.
// So a walk does not change if there are more walks, or if threads draw them in another order.
#include <rng/rng.hpp>

#include <cstdio>
#include <vector>

int main() {
    constexpr int walks = 32, steps = 240, width = 960, height = 320;
    const rng::normal step{0.0, 4.0};  // only added: a product could be fused with a sum, and round otherwise
    const rng::Stream stream = rng::Stream{42}.fork("walks");

    std::printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n", width, height);
    std::printf("<title>%d random walks from rng::Stream{42}</title>\n", walks);
    std::printf("<rect width=\"%d\" height=\"%d\" fill=\"#10141f\"/>\n", width, height);
    for (int walk = 0; walk < walks; ++walk) {
        std::vector<double> z(steps);
        rng::fill(z, step, stream.fork(walk));
        std::printf("<polyline fill=\"none\" stroke=\"hsl(%d 80%% 62%%)\" stroke-width=\"1\" points=\"",
                    160 + 6 * walk);
        double y = height / 2.0;
        for (int i = 0; i <= steps; ++i) {
            std::printf("%s%.1f,%.1f", i > 0 ? " " : "", static_cast<double>(width) * i / steps, y);
            if (i < steps) y += z[static_cast<std::size_t>(i)];
        }
        std::printf("\"/>\n");
    }
    std::printf("</svg>\n");
}
