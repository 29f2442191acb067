// The convolutions of a CpuNetwork, and its first layer over planes of 0s and 1s.
#include <algorithm>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

#include "network/cpu_network.h"
#include "network/cpu_network_run.h"
#include "network/packing.h"

namespace sparring {
namespace {

// Limit of a convolution's transformed tiles in memory at a time: they should stay in a core's
// cache.
template <typename Element>
constexpr std::size_t kTileFloats = std::is_same_v<Element, float> ? 310'000 : 190'000;
// Points per pass over their sums.
constexpr int kPointRows = 72;
constexpr int kMostTaps = 2048;

void add_scaled(const float* values, int factor, std::size_t count, float* sums) {
  if (factor == 0) return;
  const auto scale = static_cast<float>(factor);
  for (std::size_t i = 0; i < count; ++i) sums[i] += scale * values[i];
}

// The first layer's sums of planes of 1s, for each size of board.
class FullPlanes {
 public:
  template <typename Fill>
  const float* of(BoardSize size, std::size_t count, const Fill& fill) {
    const std::lock_guard guard(lock_);
    auto& sums = by_size_[{size.height, size.width}];
    if (sums.empty()) {
      sums.resize(count);
      fill(sums.data());
    }
    return sums.data();
  }

 private:
  std::mutex lock_;
  std::map<std::pair<int, int>, AlignedVector<float>> by_size_;
};

}  // namespace

bool CpuNetwork::add_planes(const ConvolutionWeights& w, int constants, Register row_bias,
                            Register out) {
  if (w.inputs != planes_ || constants < 0 || constants >= w.inputs ||
      w.inputs - constants > kMostPlanes || w.dilation_y != 1 || w.dilation_x != 1 ||
      w.inputs * w.height * w.width > kMostTaps || !fits(out, true, w.outputs) ||
      !fits(row_bias, false, w.outputs))
    return false;
  const int outputs = padded_channels(w.outputs), taps = w.height * w.width;
  const auto matrix = tap_matrix(w);
  AlignedVector<float> by_plane(matrix.size());
  for (int plane = 0; plane < w.inputs; ++plane)
    for (int tap = 0; tap < taps; ++tap)
      std::copy_n(&matrix[(static_cast<std::size_t>(tap) * w.inputs + plane) * outputs], outputs,
                  &by_plane[(static_cast<std::size_t>(plane) * taps + tap) * outputs]);
  const auto full = std::make_shared<FullPlanes>(), last = std::make_shared<FullPlanes>();
  const std::size_t plane_weights = static_cast<std::size_t>(taps) * outputs;
  steps_.push_back([=, this, height = w.height, width = w.width, planes = w.inputs,
                    summed = w.inputs - constants, weights = std::move(by_plane)](const Run& run) {
    const BoardSize size = run.batch.size;
    const int area = size.area();
    const std::size_t floats = static_cast<std::size_t>(area) * outputs;
    const auto sum = [&](const std::uint8_t* cells, int count, int first, const float* bias,
                         const float* under, float* to) {
      kernels_.scatter(cells, count, size, weights.data() + first * plane_weights, height, width,
                       outputs, bias, under, to);
    };
    const auto sum_full = [&](int first, int count, float* to) {
      const std::vector<std::uint8_t> ones(area, 1);
      const AlignedVector<float> zeros(outputs);
      for (int plane = 0; plane < count; ++plane)
        sum(ones.data(), 1, first + plane, zeros.data(), nullptr, to + plane * floats);
    };
    // Plane 0 is the whole board and constant in Go; only the other planes are summed each time.
    const float* whole = full->of(size, floats, [&](float* to) { sum_full(0, 1, to); });
    const float* constant = nullptr;
    if (constants > 0) {
      constant =
          last->of(size, constants * floats, [&](float* to) { sum_full(summed, constants, to); });
      grow(run.scratch.before, floats);
    }
    for (int board = 0; board < run.boards; ++board) {
      const auto* cells =
          run.batch.spatial + static_cast<std::size_t>(run.first + board) * planes * area;
      const float* bias = run.of(row_bias) + board * outputs;
      float* to = run.of(out) + board * floats;
      const bool is_whole =
          std::all_of(cells, cells + area, [](std::uint8_t cell) { return cell != 0; });
      const float* under = is_whole ? whole : nullptr;
      if (constants > 0) {
        float* sums = run.scratch.before.data();
        std::fill_n(sums, floats, 0.0f);
        if (is_whole) add_scaled(whole, 1, floats, sums);
        for (int plane = 0; plane < constants; ++plane)
          add_scaled(constant + plane * floats, cells[(summed + plane) * area], floats, sums);
        under = sums;
      }
      const int first = is_whole ? 1 : 0;
      sum(cells + first * area, summed - first, first, bias, under, to);
    }
  });
  return true;
}

bool CpuNetwork::add_convolution(Register in, const ConvolutionWeights& w, const Epilogue& epilogue,
                                 bool may_round, Register out) {
  if (!fits(in, true, w.inputs) || in == out || in == epilogue.residual ||
      !fits_sum(out, epilogue, w.outputs))
    return false;
  if (w.height == 1 && w.width == 1)
    steps_.push_back(int16_ && may_round  ? pointwise<std::int16_t>(in, w, epilogue, out)
                     : bf16_ && may_round ? pointwise<std::uint16_t>(in, w, epilogue, out)
                                          : pointwise<float>(in, w, epilogue, out));
  else if (w.height == 3 && w.width == 3 && w.dilation_y == 1 && w.dilation_x == 1)
    steps_.push_back(bf16_ ? winograd<std::uint16_t>(in, w, epilogue, out)
                           : winograd<float>(in, w, epilogue, out));
  else
    steps_.push_back(im2col(in, w, epilogue, out));
  return true;
}

template <typename Element>
CpuNetwork::Step CpuNetwork::pointwise(Register in, const ConvolutionWeights& w,
                                       const Epilogue& epilogue, Register out) const {
  const int depth = padded_channels(w.inputs), outputs = padded_channels(w.outputs);
  auto matrix = tap_matrix(w);
  matrix.resize(static_cast<std::size_t>(depth) * outputs);
  return [=, this, epilogue = OwnedEpilogue(epilogue, w.outputs),
          weights = TrunkMatrix<Element>(kernels_of<Element>(), matrix, depth, outputs,
                                         kernels_.panel)](const Run& run) {
    const auto bound = epilogue.bind(run);
    Arena arena(run.scratch.before, chunk_floats<Element>(depth));
    NumberRows<Element> numbers{arena.take<Element>(static_cast<std::size_t>(kMostChunk) * depth)};
    for_parts(run.points(), kernels_of<Element>().chunk, [&](int first, int count) {
      weights.round(run.of(in) + static_cast<std::size_t>(first) * depth, count, nullptr, numbers);
      weights.linear(numbers, first, count, run.batch.size.area(), bound, run.of(out));
    });
  };
}

template <typename Element>
CpuNetwork::Step CpuNetwork::winograd(Register in, const ConvolutionWeights& w,
                                      const Epilogue& epilogue, Register out) const {
  const int inputs = padded_channels(w.inputs), outputs = padded_channels(w.outputs);
  return [=, this, epilogue = OwnedEpilogue(epilogue, w.outputs),
          transformed = std::make_shared<WinogradWeights>(w, kernels_.panel)](const Run& run) {
    const auto& kernels = kernels_of<Element>();
    const BoardSize size = run.batch.size;
    const Cutting cutting = best_cutting(size, bf16_);
    const int all = run.boards * cutting.per_board(), points = cutting.points();
    const int room = std::max<int>(8, kTileFloats<Element> / (points * (inputs + outputs)));
    const int groups = (all + room - 1) / room, most = (all + groups - 1) / groups;
    grow(run.scratch.before, points * product_step(most, inputs));
    grow(run.scratch.after, points * product_step(most, outputs));
    // In bfloat16 half of this memory is enough.
    auto* before = reinterpret_cast<Element*>(run.scratch.before.data());
    float* after = run.scratch.after.data();
    for (int first = 0; first < all; first += most) {
      const int count = std::min(most, all - first);
      kernels.winograd_input(run.of(in), size, cutting, run.boards, first, count, inputs, before);
      for (int i = 0; i < cutting.down.span(); ++i)
        for (int j = 0; j < cutting.across.span(); ++j) {
          const Rows tiles = cutting.with_product(i, j, run.boards, first, count);
          const auto product = static_cast<std::size_t>(i * cutting.across.span() + j);
          kernels.multiply(
              before + product * product_step(count, inputs) + tiles.first * inputs, tiles.count,
              inputs, transformed->template of<Element>(cutting, i, j), inputs, outputs,
              after + product * product_step(count, outputs) + tiles.first * outputs, outputs);
        }
      kernels_.winograd_output(after, size, cutting, run.boards, first, count, outputs,
                               epilogue.bind(run), run.of(out));
    }
  };
}

CpuNetwork::Step CpuNetwork::im2col(Register in, const ConvolutionWeights& w,
                                    const Epilogue& epilogue, Register out) const {
  const int inputs = w.inputs, stride = padded_channels(w.inputs), taps = w.height * w.width;
  const int depth = taps * inputs, outputs = padded_channels(w.outputs);
  const ConvolutionWeights shape = {nullptr, w.outputs,    w.inputs,    w.height,
                                    w.width, w.dilation_y, w.dilation_x};
  return [=, this, epilogue = OwnedEpilogue(epilogue, w.outputs),
          weights = packed_columns(tap_matrix(w), depth, outputs, kernels_.panel)](const Run& run) {
    const BoardSize size = run.batch.size;
    grow(run.scratch.before, static_cast<std::size_t>(kPointRows) * depth);
    grow(run.scratch.after, static_cast<std::size_t>(kPointRows) * outputs);
    float* rows = run.scratch.before.data();
    for (int first = 0; first < run.points(); first += kPointRows) {
      const int count = std::min(kPointRows, run.points() - first);
      std::fill_n(rows, static_cast<std::size_t>(count) * depth, 0.0f);
      for (int row = 0; row < count; ++row) {
        const int board = (first + row) / size.area(), point = (first + row) % size.area();
        for (int tap = 0; tap < taps; ++tap) {
          const int y =
              point / size.width + (tap / shape.width - shape.height / 2) * shape.dilation_y;
          const int x =
              point % size.width + (tap % shape.width - shape.width / 2) * shape.dilation_x;
          if (y < 0 || y >= size.height || x < 0 || x >= size.width) continue;
          const auto from = static_cast<std::size_t>(board) * size.area() + y * size.width + x;
          std::copy_n(run.of(in) + from * stride, inputs,
                      rows + static_cast<std::size_t>(row) * depth + tap * inputs);
        }
      }
      float* sums = run.scratch.after.data();
      kernels_.fp32.multiply(rows, count, depth, weights.data(), depth, outputs, sums, outputs);
      kernels_.epilogue_rows(sums, first, count, size.area(), outputs, epilogue.bind(run),
                             run.of(out));
    }
  };
}

}  // namespace sparring
