// A small random generator with the same numbers on every machine (xoshiro256**, Blackman and Vigna
// 2018, seeded by splitmix64).
#pragma once

#include <cmath>
#include <cstdint>

namespace sparring {

// One step of splitmix64; it mixes 64 bits well.
inline uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) word = seed = mix64(seed);
  }

  uint64_t next() {
    const uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Uniform in 0..count-1; count must be above 0.
  int below(int count) {
    return static_cast<int>((next() >> 32) * static_cast<uint64_t>(count) >> 32);
  }

  // Standard normal (Box and Muller; one of the pair is dropped to keep the state small).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

  // Gamma with the given shape and scale 1 (Marsaglia and Tsang 2000).
  double gamma(double shape) {
    if (shape < 1.0) return gamma(shape + 1.0) * std::pow(1.0 - uniform(), 1.0 / shape);
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    while (true) {
      const double x = normal();
      const double v = std::pow(1.0 + c * x, 3);
      if (v <= 0) continue;
      if (std::log(1.0 - uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
  }

 private:
  static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  uint64_t state_[4];
};

// Returns one of the `count` set bits of a set, uniformly drawn; count must be above 0.
template <typename Bits>
Bits random_bit(Bits bits, int count, Random& random) {
  for (int skip = random.below(count); skip > 0; --skip) bits &= bits - 1;
  return bits & (Bits{0} - bits);
}

}  // namespace sparring
