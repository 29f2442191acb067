#include "network/trained_convolution.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "common/shared_work.h"

namespace sparring {
namespace {

// Limit of transformed tiles at a time, in bytes: they should stay in a core's cache.
constexpr int kTileBytes = 550'000;
// Parts of a batch with separate sums of the weights' gradients.
constexpr int kGradientParts = 4;
constexpr int kPointParts = 32;

// Uninitialized numbers at the start of a vector.
template <typename Number>
class Room {
 public:
  explicit Room(std::size_t count)
      : held_(new Number[count + kAhead]),
        start_(held_.get() + (kBytes - reinterpret_cast<std::uintptr_t>(held_.get()) % kBytes) /
                                 sizeof(Number)) {}
  Number* data() { return start_; }

 private:
  static constexpr std::size_t kBytes = 64, kAhead = kBytes / sizeof(Number);
  std::unique_ptr<Number[]> held_;
  Number* start_;
};

struct Span {
  int first, count;
};

// The i-th of `parts` nearly equal spans of [0, all).
Span span_of(int all, int parts, int i) {
  const int first = static_cast<int>(static_cast<long>(all) * i / parts);
  const int end = static_cast<int>(static_cast<long>(all) * (i + 1) / parts);
  return {first, end - first};
}

// A thread's reusable memory; it lives as long as the thread.
template <typename Number, int which>
Number* lasting_room(std::size_t count) {
  thread_local std::unique_ptr<Room<Number>> room;
  thread_local std::size_t size = 0;
  if (size < count) {
    room = std::make_unique<Room<Number>>(count);
    size = count;
  }
  return room->data();
}

void convolve_tiles(const TrainingKernels& kernels, const TrainedShape& shape, const Source& source,
                    const float* weights, const Taps& taps, const Target& target, int threads) {
  const Tiling tiling = best_tiling(shape.size);
  const int points = tiling.points(), all = shape.boards * tiling.per_board();
  const std::size_t square = static_cast<std::size_t>(shape.inputs) * shape.outputs;
  Bf16* matrices = lasting_room<Bf16, 0>(points * square);
  kernels.weights_in(weights, taps, tiling.side, shape.inputs, shape.outputs, matrices);
  const int widest = std::min(shape.outputs, kWidestPanel);
  const int most = std::max(8, kTileBytes / (points * (2 * shape.inputs + 4 * widest)));
  const int chunks = (all + most - 1) / most;
  std::vector<float> moments(target.gate ? static_cast<std::size_t>(chunks) * 2 * shape.outputs
                                         : 0);
  share_work(chunks, threads, [&](int chunk) {
    const auto [first, count] = span_of(all, chunks, chunk);
    const std::size_t tile_step = static_cast<std::size_t>(count) * shape.inputs;
    Bf16* tiles = lasting_room<Bf16, 1>(points * (tile_step + shape.inputs));
    float* products =
        lasting_room<float, 2>(static_cast<std::size_t>(points) * (count + 1) * widest);
    kernels.winograd_input(source, shape.size, tiling, first, count, shape.inputs, tiles);
    Target part = target;
    if (target.gate) part.moments = &moments[static_cast<std::size_t>(chunk) * 2 * shape.outputs];
    for (int from = 0; from < shape.outputs;) {
      const int panel = training_panel(shape.outputs - from);
      for (int point = 0; point < points; ++point)
        kernels.multiply(tiles + point * tile_step, count, shape.inputs, matrices + point * square,
                         shape.outputs, from, panel,
                         products + static_cast<std::size_t>(point) * count * panel);
      kernels.winograd_output(products, shape.size, tiling, first, count, from, panel,
                              shape.outputs, part);
      from += panel;
    }
  });
  if (!target.gate) return;
  for (int i = 0; i < 2 * shape.outputs; ++i) {
    double sum = 0;
    for (int chunk = 0; chunk < chunks; ++chunk)
      sum += moments[static_cast<std::size_t>(chunk) * 2 * shape.outputs + i];
    target.moments[i] = static_cast<float>(sum);
  }
}

}  // namespace

void convolve(const TrainingKernels& kernels, const TrainedShape& shape, const Source& source,
              const float* weights, const Target& target, int threads) {
  convolve_tiles(kernels, shape, source, weights,
                 {.depth_step = 9, .column_step = 9L * shape.inputs, .turned = false}, target,
                 threads);
}

void convolve_back(const TrainingKernels& kernels, const TrainedShape& shape, const Bf16* gradient,
                   const float* weights, const Target& target, int threads) {
  const TrainedShape back{shape.boards, shape.size, shape.outputs, shape.inputs};
  convolve_tiles(kernels, back, {gradient}, weights,
                 {.depth_step = 9L * shape.inputs, .column_step = 9, .turned = true}, target,
                 threads);
}

void convolve_weights(const TrainingKernels& kernels, const TrainedShape& shape,
                      const Source& source, const Bf16* gradient, float* weights, int threads) {
  const Tiling tiling = best_tiling(shape.size);
  const int points = tiling.points(), all = shape.boards * tiling.per_board();
  const std::size_t square = static_cast<std::size_t>(shape.inputs) * shape.outputs;
  const int most = std::max(8, kTileBytes / (points * 2 * (shape.inputs + shape.outputs)) / 2 * 2);
  float* sums = lasting_room<float, 3>(kGradientParts * points * square);
  share_work(kGradientParts, threads, [&](int part) {
    float* own = sums + part * points * square;
    std::fill_n(own, points * square, 0.0f);
    const Span span = span_of(all, kGradientParts, part);
    for (int done = 0; done < span.count; done += most) {
      const int first = span.first + done, count = std::min(most, span.count - done);
      const int pairs = (count + 1) / 2;
      const std::size_t left_step = static_cast<std::size_t>(pairs) * 2 * shape.inputs;
      const std::size_t right_step = static_cast<std::size_t>(pairs) * 2 * shape.outputs;
      Bf16* left = lasting_room<Bf16, 4>(points * left_step);
      Bf16* right = lasting_room<Bf16, 5>(points * right_step);
      kernels.pairs_in(source, shape.size, tiling, first, count, shape.inputs, left);
      kernels.pairs_back(gradient, shape.size, tiling, first, count, shape.outputs, right);
      for (int point = 0; point < points; ++point)
        kernels.multiply_pairs(left + point * left_step, shape.inputs, right + point * right_step,
                               shape.outputs, pairs, own + point * square);
    }
  });
  share_work(kPointParts, threads, [&](int part) {
    const auto [first, count] = span_of(static_cast<int>(points * square), kPointParts, part);
    for (int other = 1; other < kGradientParts; ++other)
      for (int i = first; i < first + count; ++i) sums[i] += sums[other * points * square + i];
  });
  kernels.weights_back(sums, tiling.side, shape.inputs, shape.outputs, weights);
}

void measure_points(const TrainingKernels& kernels, const Bf16* points, int count, int channels,
                    const float* around, float* moments, int threads) {
  std::vector<float> parts(static_cast<std::size_t>(kPointParts) * 2 * channels);
  share_work(kPointParts, threads, [&](int part) {
    const Span span = span_of(count, kPointParts, part);
    kernels.measure(points + static_cast<std::size_t>(span.first) * channels, span.count, channels,
                    around, &parts[static_cast<std::size_t>(part) * 2 * channels]);
  });
  for (int i = 0; i < 2 * channels; ++i) {
    double sum = 0;
    for (int part = 0; part < kPointParts; ++part)
      sum += parts[static_cast<std::size_t>(part) * 2 * channels + i];
    moments[i] = static_cast<float>(sum);
  }
}

void combine_points(const TrainingKernels& kernels, const Bf16* gradient, const Bf16* x, int count,
                    int channels, const float* slope, const float* scale, const float* shift,
                    Bf16* out, int threads) {
  share_work(kPointParts, threads, [&](int part) {
    const Span span = span_of(count, kPointParts, part);
    const std::size_t at = static_cast<std::size_t>(span.first) * channels;
    kernels.combine(gradient + at, x + at, span.count, channels, slope, scale, shift, out + at);
  });
}

}  // namespace sparring
