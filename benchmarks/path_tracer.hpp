// A small path tracer: what a program does that draws its numbers one at a time, between arithmetic of its own.
//
// Five spheres under a sky, one of them a lamp; rough and glossy reflection, Russian roulette. About 2.4 numbers are
// drawn for each ray. The code is a user's: scalar, and templated on nothing but the type of its numbers and their
// source. Source of the method: Kajiya, "The rendering equation", SIGGRAPH 1986. Oracle: the mean over the image is
// 0.67323 (path_tracer.cpp), whatever the source of uniform numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bench {

template <class Real> struct Vec {
    Real x, y, z;
    friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec operator*(Real s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
    friend Real dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    friend Vec unit(Vec a) { return (1 / std::sqrt(dot(a, a))) * a; }
};

template <class Real> struct Ray { Vec<Real> origin, direction; };

template <class Real> struct Sphere {
    Vec<Real> center;
    Real radius, albedo, light;
    Real gloss, roughness;  // the share of light that is reflected as by a mirror, and how far from it
};

template <class Real>
inline constexpr Sphere<Real> scene[] = {
    {{0, -100, 0}, 100, Real(0.5), 0, 0, 0},
    {{Real(-2.2), 1, 0}, 1, Real(0.8), 0, 0, 0},
    {{0, 1, Real(0.5)}, 1, Real(0.9), 0, Real(0.7), Real(0.1)},
    {{Real(2.2), 1, 0}, 1, Real(0.7), 0, Real(0.3), Real(0.4)},
    {{1, Real(3.5), -1}, Real(0.6), Real(0.2), 4, 0, 0},
};

/// What was traced so far. Sums in f64 whatever the type of the program's numbers.
struct Tally {
    std::uint64_t paths = 0, rays = 0;
    double sum = 0, squares = 0;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(paths); }
    /// The standard error of the mean.
    [[nodiscard]] double error() const {
        return std::sqrt((squares / static_cast<double>(paths) - mean() * mean()) / static_cast<double>(paths));
    }
};

template <class Real> struct PathTracer {
    using Vector = Vec<Real>;
    static constexpr int width = 48, height = 32;
    static constexpr Real near = Real(1e-3);  // no surface meets its own rays

    /// A direction, by Marsaglia's method of 1972.
    template <class Uniform> static Vector direction(Uniform& uniform) {
        for (;;) {
            const Real a = 2 * uniform() - 1, b = 2 * uniform() - 1, s = a * a + b * b;
            if (s >= 1) continue;
            const Real r = 2 * std::sqrt(1 - s);
            return {a * r, b * r, 1 - 2 * s};
        }
    }

    /// The first sphere that the ray meets, and at which distance; null if none.
    static const Sphere<Real>* first_hit(const Ray<Real>& ray, Real& distance) {
        const Sphere<Real>* hit = nullptr;
        distance = Real(1e9);
        for (const Sphere<Real>& sphere : scene<Real>) {
            const Vector to_center = sphere.center - ray.origin;
            const Real along = dot(to_center, ray.direction);
            const Real d = along * along - dot(to_center, to_center) + sphere.radius * sphere.radius;
            if (d <= 0) continue;
            const Real root = std::sqrt(d);
            const Real t = along - root > near ? along - root : along + root;
            if (t > near && t < distance) distance = t, hit = &sphere;
        }
        return hit;
    }

    /// The light that comes along one ray, by one path.
    template <class Uniform> static Real light(Ray<Real> ray, Uniform& uniform, Tally& tally) {
        Real sum = 0, share = 1;
        for (;;) {
            ++tally.rays;
            Real distance;
            const Sphere<Real>* const hit = first_hit(ray, distance);
            if (hit == nullptr) return sum + share * (Real(0.6) + Real(0.4) * ray.direction.y);
            sum += share * hit->light;
            share *= hit->albedo;
            if (share < Real(0.4)) {  // Russian roulette
                if (uniform() >= Real(0.5)) return sum;
                share *= 2;
            }
            const Vector point = ray.origin + distance * ray.direction;
            const Vector normal = (1 / hit->radius) * (point - hit->center);
            Vector out = normal + direction(uniform);
            if (hit->gloss > 0 && uniform() < hit->gloss) {
                const Vector mirrored = ray.direction - (2 * dot(ray.direction, normal)) * normal;
                out = mirrored + hit->roughness * (out - normal);
                if (dot(out, normal) <= 0) out = mirrored;
            }
            ray = {point + near * normal, unit(out)};
        }
    }

    /// One row of the image, one path for each pixel.
    template <class Uniform> static void trace_row(int row, Uniform& uniform, Tally& tally) {
        for (int column = 0; column < width; ++column) {
            const Real x = (static_cast<Real>(column) + uniform()) / width - Real(0.5);
            const Real y = (static_cast<Real>(row) + uniform()) / height - Real(0.5);
            const Ray<Real> ray{{0, Real(1.5), -6}, unit(Vector{3 * x, -2 * y, 2})};
            const double value = static_cast<double>(light(ray, uniform, tally));
            ++tally.paths;
            tally.sum += value;
            tally.squares += value * value;
        }
    }
};

}  // namespace bench
