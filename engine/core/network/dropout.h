// The mask of a layer's dropped inputs: a function of seed, row, layer and index alone, the same in
// every backend. The 32 bits of an index are mixed by lowbias32 (Chris Wellons, public domain);
// engine/networks/torch_dropout.py is the same on tensors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sparring {

// Dropout of one batch: each input is dropped with this probability, else scaled by 1 / (1 -
// probability). Row i has the mask of seed + i.
struct Dropout {
  double probability = 0.0;  // below 1
  std::uint32_t seed = 0;
};

inline std::uint32_t mix32(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

// Drops some of the first `real` of the `stride` numbers of each of `count` places of a row.
inline void drop(const Dropout& dropout, std::uint32_t row, std::uint32_t layer, float* values,
                 int count, int real, int stride) {
  const auto least = static_cast<std::uint32_t>(dropout.probability * 4294967296.0);
  const auto scale = static_cast<float>(1.0 / (1.0 - dropout.probability));
  const std::uint32_t seed = mix32(mix32(dropout.seed + row) + layer * 0x9e3779b9U);
  std::uint32_t place = 0;
  for (int point = 0; point < count; ++point) {
    float* at = values + static_cast<std::size_t>(point) * stride;
    for (int i = 0; i < real; ++i, ++place)
      at[i] = mix32(seed + place) < least ? 0.0f : at[i] * scale;
  }
}

}  // namespace sparring
