// says: include <rng/device_launch.hpp>
struct Mine {
    using result_type = float;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    struct Map {
        template <class L> RNG_FN rng::lane::f32<L> operator()(rng::lane::u32<L> w) const {
            return rng::lane::signed_to_f32(rng::lane::shr<8>(w));
        }
    };
    RNG_FN Map map() const { return {}; }
};
void use(rng::device_span<float> x) {
#if MISTAKE
    rng::fill(x, Mine{});
#else
    rng::fill(x, rng::uniform<float>{});
#endif
}
