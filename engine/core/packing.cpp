#include "packing.h"

#include <algorithm>

namespace sparring {
namespace {

constexpr double kThree[5][3] = {{1. / 2, 0, 0},
                                 {-1. / 2, -1. / 2, -1. / 2},
                                 {-1. / 6, 1. / 6, -1. / 6},
                                 {1. / 6, 1. / 3, 2. / 3},
                                 {0, 0, 1}};
constexpr double kFour[6][3] = {{1. / 4, 0, 0},
                                {-1. / 6, -1. / 6, -1. / 6},
                                {-1. / 6, 1. / 6, -1. / 6},
                                {1. / 24, 1. / 12, 1. / 6},
                                {1. / 24, -1. / 12, 1. / 6},
                                {0, 0, 1}};

Tiling tiling_of(BoardSize size, int side) {
  return {side, (size.height + side - 1) / side, (size.width + side - 1) / side};
}

}  // namespace

std::vector<float> padded_row(const float* values, int channels) {
  if (!values) return {};
  std::vector<float> result(padded_channels(channels));
  std::copy_n(values, channels, result.begin());
  return result;
}

std::vector<float> packed_columns(const std::vector<float>& matrix, int depth, int outputs,
                                  int panel) {
  std::vector<float> result;
  result.reserve(matrix.size());
  for (int column = 0; column < outputs; column += panel)
    for (int row = 0; row < depth; ++row)
      for (int i = column; i < std::min(column + panel, outputs); ++i)
        result.push_back(matrix[static_cast<std::size_t>(row) * outputs + i]);
  return result;
}

std::vector<float> tap_matrix(const ConvolutionWeights& w) {
  const int outputs = padded_channels(w.outputs), taps = w.height * w.width;
  std::vector<float> result(static_cast<std::size_t>(taps) * w.inputs * outputs);
  for (int out = 0; out < w.outputs; ++out)
    for (int in = 0; in < w.inputs; ++in)
      for (int tap = 0; tap < taps; ++tap)
        result[(static_cast<std::size_t>(tap) * w.inputs + in) * outputs + out] =
            w.values[(static_cast<std::size_t>(out) * w.inputs + in) * taps + tap];
  return result;
}

WinogradWeights::WinogradWeights(const ConvolutionWeights& w, int panel)
    : outputs_(w.outputs),
      inputs_(w.inputs),
      panel_(panel),
      weights_(w.values, w.values + static_cast<std::size_t>(w.outputs) * w.inputs * 9) {}

const float* WinogradWeights::of(int side) {
  const int which = side - 3;
  std::call_once(made_[which], [&] { for_side_[which] = transformed(side); });
  return for_side_[which].data();
}

std::vector<float> WinogradWeights::transformed(int side) const {
  const int span = side + 2, outputs = padded_channels(outputs_);
  const auto* transform = side == 3 ? kThree : kFour;
  std::vector<float> result;
  for (int i = 0; i < span; ++i)
    for (int j = 0; j < span; ++j) {
      double factors[9];
      for (int tap = 0; tap < 9; ++tap)
        factors[tap] = transform[i][tap / 3] * transform[j][tap % 3];
      std::vector<float> matrix(static_cast<std::size_t>(inputs_) * outputs);
      for (int out = 0; out < outputs_; ++out)
        for (int in = 0; in < inputs_; ++in) {
          const float* taps = &weights_[(static_cast<std::size_t>(out) * inputs_ + in) * 9];
          double sum = 0;
          for (int tap = 0; tap < 9; ++tap) sum += factors[tap] * taps[tap];
          matrix[static_cast<std::size_t>(in) * outputs + out] = static_cast<float>(sum);
        }
      const auto packed = packed_columns(matrix, inputs_, outputs, panel_);
      result.insert(result.end(), packed.begin(), packed.end());
    }
  return result;
}

Tiling best_tiling(BoardSize size) {
  const Tiling three = tiling_of(size, 3), four = tiling_of(size, 4);
  const int with_three = three.per_board() * three.points();
  return with_three < four.per_board() * four.points() ? three : four;
}

}  // namespace sparring
