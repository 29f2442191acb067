#include "network/packing.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "simd/winograd.h"

namespace sparring {
namespace {

constexpr int kLeastSide = 3;
// The time to read a matrix of weights, in rows multiplied with it, and the usual number of boards
// for both. The cut is the same for any number: a board's outputs are those of the board alone.
constexpr int kRowsOfMatrix = 10, kUsualBoards = 3;

// Rounds to the nearest bfloat16, halves to even.
std::uint16_t to_bf16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

int parts_of(int length, int side) { return (length + side - 1) / side; }

Tiling tiling_of(BoardSize size, int side) {
  return {side, parts_of(size.height, side), parts_of(size.width, side)};
}

// Cuts a length into tiles as equal as can be.
Cut cut_into(int tiles, int length) {
  const int side = std::max(kLeastSide, length / tiles);
  return {side, tiles, std::max(0, length - side * tiles)};
}

// Calls take(cut) for each number of tiles that a length can have.
template <typename Take>
void for_each_cut(int length, int most_side, const Take& take) {
  const int most = parts_of(length, kLeastSide);
  for (int tiles = parts_of(length, most_side); tiles <= most; ++tiles)
    take(cut_into(tiles, length));
}

}  // namespace

AlignedVector<float> padded_row(const float* values, int channels) {
  if (!values) return {};
  AlignedVector<float> result(padded_channels(channels));
  std::copy_n(values, channels, result.begin());
  return result;
}

AlignedVector<float> packed_columns(const AlignedVector<float>& matrix, int depth, int outputs,
                                    int panel) {
  AlignedVector<float> result;
  result.reserve(matrix.size());
  for (int column = 0; column < outputs; column += panel)
    for (int row = 0; row < depth; ++row)
      for (int i = column; i < std::min(column + panel, outputs); ++i)
        result.push_back(matrix[static_cast<std::size_t>(row) * outputs + i]);
  return result;
}

AlignedVector<std::uint16_t> packed_bf16_columns(const AlignedVector<float>& matrix, int depth,
                                                 int outputs, int panel) {
  AlignedVector<std::uint16_t> result;
  result.reserve(matrix.size());
  for (int column = 0; column < outputs; column += panel)
    for (int row = 0; row < depth; row += 2)
      for (int i = column; i < std::min(column + panel, outputs); ++i)
        for (int half = 0; half < 2; ++half)
          result.push_back(to_bf16(matrix[static_cast<std::size_t>(row + half) * outputs + i]));
  return result;
}

AlignedVector<float> padded_matrix(const PlainMatrix& m, int depth, int outputs) {
  AlignedVector<float> result(static_cast<std::size_t>(depth) * outputs);
  for (int row = 0; row < m.inputs; ++row)
    std::copy_n(m.values + static_cast<std::size_t>(row) * m.outputs, m.outputs,
                &result[static_cast<std::size_t>(row) * outputs]);
  return result;
}

AlignedVector<float> tap_matrix(const ConvolutionWeights& w) {
  const int outputs = padded_channels(w.outputs), taps = w.height * w.width;
  AlignedVector<float> result(static_cast<std::size_t>(taps) * w.inputs * outputs);
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

AlignedVector<float> WinogradWeights::product_matrix(const double (&down)[3],
                                                     const double (&across)[3]) const {
  const int outputs = padded_channels(outputs_);
  double factors[9];
  for (int tap = 0; tap < 9; ++tap) factors[tap] = down[tap / 3] * across[tap % 3];
  AlignedVector<float> matrix(static_cast<std::size_t>(padded_channels(inputs_)) * outputs);
  for (int out = 0; out < outputs_; ++out)
    for (int in = 0; in < inputs_; ++in) {
      const float* taps = &weights_[(static_cast<std::size_t>(out) * inputs_ + in) * 9];
      double sum = 0;
      for (int tap = 0; tap < 9; ++tap) sum += factors[tap] * taps[tap];
      matrix[static_cast<std::size_t>(in) * outputs + out] = static_cast<float>(sum);
    }
  return matrix;
}

Tiling best_tiling(BoardSize size) {
  const Tiling three = tiling_of(size, 3), four = tiling_of(size, 4);
  const int with_three = three.per_board() * three.points();
  return with_three < four.per_board() * four.points() ? three : four;
}

Cutting best_cutting(BoardSize size, bool bf16) {
  const int most_side = bf16 ? Bf16Points::kMostSide : Fp32Points::kMostSide;
  Cutting best{};
  int least = std::numeric_limits<int>::max();
  for_each_cut(size.height, most_side, [&](Cut down) {
    for_each_cut(size.width, most_side, [&](Cut across) {
      const Cutting cutting{down, across, bf16};
      const int rows = kUsualBoards * down.products() * across.products();
      const int time = rows + kRowsOfMatrix * cutting.points();
      if (time < least) {
        best = cutting;
        least = time;
      }
    });
  });
  return best;
}

}  // namespace sparring
