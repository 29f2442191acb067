// The end of a product: sums become outputs. For the files compiled once for each set of
// instructions.
#pragma once

#include "simd/lanes.h"

namespace sparring {
namespace {

// Calls work.template operator()<kind>() for a kind known only at run time.
template <typename Work>
inline void with_activation(Activation kind, const Work& work) {
  switch (kind) {
    case Activation::kIdentity:
      return work.template operator()<Activation::kIdentity>();
    case Activation::kRelu:
      return work.template operator()<Activation::kRelu>();
    case Activation::kMish:
      return work.template operator()<Activation::kMish>();
    case Activation::kSilu:
      return work.template operator()<Activation::kSilu>();
    case Activation::kMishScale8:
      return work.template operator()<Activation::kMishScale8>();
  }
}

template <Activation kind>
inline void apply_epilogue(Vector v, const EpilogueArrays& epilogue, int board, std::size_t at,
                           int channel, int channels, float* out) {
  if (epilogue.bias) v += load(epilogue.bias + channel);
  if (epilogue.row_bias) v += load(epilogue.row_bias + std::size_t(board) * channels + channel);
  if (epilogue.residual) {
    v += load(epilogue.residual + at);
    store(epilogue.residual + at, v);
  }
  if (epilogue.scale) v = v * load(epilogue.scale + channel) + load(epilogue.shift + channel);
  if (out) store(out + at, activate<kind>(v));
}

}  // namespace
}  // namespace sparring
