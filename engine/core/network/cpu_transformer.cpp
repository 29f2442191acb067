// The steps of a CpuNetwork that transformers have: attention, feed-forward layers and the
// normalization by the root mean square at the end of a trunk.
#include <cmath>

#include "network/cpu_network_run.h"
#include "network/integer_matrix.h"

namespace sparring {
namespace {

constexpr int kMostSide = 19;

// A matrix without bias, padded and packed for one type of numbers.
template <typename Element>
struct PackedMatrix {
  int depth, outputs;
  AlignedVector<Element> weights;

  PackedMatrix(const PlainMatrix& matrix, int depth, int panel)
      : depth(depth),
        outputs(padded_channels(matrix.outputs)),
        weights(packed<Element>(padded_matrix(matrix, depth, outputs), depth, outputs, panel)) {}
};

// Two matrices of the same size with `panel` columns of the one, then of the other, and so on.
AlignedVector<float> alternate(const AlignedVector<float>& one, const AlignedVector<float>& other,
                               int depth, int outputs, int panel) {
  AlignedVector<float> result;
  result.reserve(2 * one.size());
  for (int row = 0; row < depth; ++row)
    for (int column = 0; column < outputs; column += panel)
      for (const auto* matrix : {&one, &other}) {
        const auto from = matrix->begin() + static_cast<std::ptrdiff_t>(row) * outputs + column;
        result.insert(result.end(), from, from + panel);
      }
  return result;
}

// Cosines, then sines, of the rotations: by_column [x][key head][width] and by_row.
struct RotationTables {
  AlignedVector<float> by_column, by_row;

  RotationTables(const float* frequencies, const AttentionShape& shape) {
    if (!frequencies) return;
    const int half = shape.width / 2;
    const auto table = [&](int axis) {
      AlignedVector<float> result;
      for (int at = 0; at < kMostSide; ++at)
        for (int head = 0; head < shape.key_heads; ++head)
          for (const bool sine : {false, true})
            for (int pair = 0; pair < half; ++pair) {
              const double angle = double(at) * frequencies[(head * half + pair) * 2 + axis];
              result.push_back(static_cast<float>(sine ? std::sin(angle) : std::cos(angle)));
            }
      return result;
    };
    by_column = table(0);
    by_row = table(1);
  }
};

// factors[rows]: one over the root mean square of each row of x.
void normal_factors(const Kernels& kernels, const float* x, int rows, int channels, float epsilon,
                    float* factors) {
  kernels.square_sums(x, rows, padded_channels(channels), factors);
  for (int row = 0; row < rows; ++row)
    factors[row] = 1.0f / std::sqrt(factors[row] / static_cast<float>(channels) + epsilon);
}

// Writes rows of x over their root mean square, as numbers of a product.
template <typename Element>
void normalize(const Kernels& kernels, const NumberKernels<Element>& number, const float* x,
               int rows, int channels, float epsilon, Element* out) {
  float factors[kMostChunk];
  normal_factors(kernels, x, rows, channels, epsilon, factors);
  number.round_rows(x, rows, padded_channels(channels), factors, out);
}

// Writes rows of x over their root mean square, as integers of a product with the matrix, and
// the rows' steps.
template <typename Element>
void normalize(const Kernels& kernels, const IntegerKernels<Element>& number,
               const IntegerMatrix<Element>& matrix, const float* x, int rows, int channels,
               float epsilon, Element* out, float* steps) {
  float factors[kMostChunk];
  normal_factors(kernels, x, rows, channels, epsilon, factors);
  number.round_rows(x, rows, padded_channels(channels), matrix.scales(), matrix.most(), out, steps);
  for (int row = 0; row < rows; ++row) steps[row] *= factors[row];
}

// The matrices of a gated product, side by side for the kernels.
AlignedVector<float> gated_matrix(const FeedForwardWeights& w, int depth, int units, int panel) {
  return alternate(padded_matrix(w.linear, depth, units), padded_matrix(w.gate, depth, units),
                   depth, units, panel);
}

}  // namespace

bool CpuNetwork::add_attention(const AttentionWeights& w, const Epilogue& epilogue, Register out) {
  const AttentionShape& shape = w.shape;
  const int channels = w.out.outputs;
  if (epilogue.residual == kNone || !fits_sum(out, epilogue, channels)) return false;
  if (shape.heads < 1 || shape.key_heads < 1 || shape.heads % shape.key_heads != 0 ||
      shape.width < 1 || shape.width % (2 * kChannelStep) != 0 || shape.width > kWidestHead ||
      shape.value_width < 1 || shape.value_width % kChannelStep != 0 ||
      w.joined.inputs != channels || w.joined.outputs != shape.joined() ||
      w.out.inputs != shape.heads * shape.value_width)
    return false;
  steps_.push_back(int16_  ? attention_in_words(w, epilogue, out)
                   : bf16_ ? attention<std::uint16_t>(w, epilogue, out)
                           : attention<float>(w, epilogue, out));
  return true;
}

template <typename Element>
CpuNetwork::Step CpuNetwork::attention(const AttentionWeights& w, const Epilogue& epilogue,
                                       Register out) const {
  const int channels = w.out.outputs, stride = padded_channels(channels);
  return [=, this, x = epilogue.residual, epilogue = OwnedEpilogue(epilogue, channels),
          epsilon = w.epsilon, shape = w.shape, rotations = RotationTables(w.frequencies, w.shape),
          to_heads = PackedMatrix<Element>(w.joined, stride, kernels_.panel),
          from_heads = PackedMatrix<Element>(w.out, w.out.inputs, kernels_.panel)](const Run& run) {
    const auto& number = this->number<Element>();
    const BoardSize size = run.batch.size;
    const int area = size.area(), joined_stride = to_heads.outputs;
    const auto points = static_cast<std::size_t>(area);
    const std::size_t scratch = attention_scratch(size, shape);
    Arena arena(run.scratch.before,
                chunk_floats<Element>(stride) + floats_of<float>(points * joined_stride) +
                    floats_of<Element>(points * from_heads.depth) + floats_of<float>(scratch));
    auto* normalized = arena.take<Element>(static_cast<std::size_t>(kMostChunk) * stride);
    auto* joined = arena.take<float>(points * joined_stride);
    auto* attended = arena.take<Element>(points * from_heads.depth);
    auto* memory = arena.take<float>(scratch);
    for (int board = 0; board < run.boards; ++board) {
      const float* rows = run.of(x) + board * points * stride;
      for_parts(area, number.chunk, [&](int first, int count) {
        normalize(kernels_, number, rows + static_cast<std::size_t>(first) * stride, count,
                  channels, epsilon, normalized);
        number.linear(normalized, first, count, stride, to_heads.weights.data(), stride, area,
                      joined_stride, {}, joined);
      });
      number.attend(joined, size, shape, data_or_null(rotations.by_column),
                    data_or_null(rotations.by_row), memory, attended);
      number.linear(attended, board * area, area, from_heads.depth, from_heads.weights.data(),
                    from_heads.depth, area, stride, epilogue.bind(run), run.of(out));
    }
  };
}

CpuNetwork::Step CpuNetwork::attention_in_words(const AttentionWeights& w, const Epilogue& epilogue,
                                                Register out) const {
  const int channels = w.out.outputs, stride = padded_channels(channels);
  const int joined_stride = padded_channels(w.joined.outputs), depth = w.out.inputs;
  return [=, this, x = epilogue.residual, epilogue = OwnedEpilogue(epilogue, channels),
          epsilon = w.epsilon, shape = w.shape, rotations = RotationTables(w.frequencies, w.shape),
          to_heads = IntegerMatrix<std::int16_t>(padded_matrix(w.joined, stride, joined_stride),
                                                 stride, joined_stride, kernels_.panel),
          from_heads = IntegerMatrix<std::int16_t>(padded_matrix(w.out, depth, stride), depth,
                                                   stride, kernels_.panel)](const Run& run) {
    const auto& number = integers<std::int16_t>();
    const auto bound = epilogue.bind(run);
    const BoardSize size = run.batch.size;
    const int area = size.area();
    const auto points = static_cast<std::size_t>(area);
    const std::size_t scratch = attention_scratch(size, shape);
    Arena arena(run.scratch.before, chunk_floats<std::int16_t>(std::max(stride, depth)) +
                                        floats_of<float>(points * joined_stride) +
                                        floats_of<float>(points * depth) +
                                        floats_of<float>(scratch));
    auto* words =
        arena.take<std::int16_t>(static_cast<std::size_t>(kMostChunk) * std::max(stride, depth));
    auto* joined = arena.take<float>(points * joined_stride);
    auto* attended = arena.take<float>(points * depth);
    auto* memory = arena.take<float>(scratch);
    float steps[kMostChunk];
    for (int board = 0; board < run.boards; ++board) {
      const float* rows = run.of(x) + board * points * stride;
      for_parts(area, number.chunk, [&](int first, int count) {
        normalize(kernels_, number, to_heads, rows + static_cast<std::size_t>(first) * stride,
                  count, channels, epsilon, words, steps);
        number.linear(words, steps, first, count, stride, to_heads.columns(), area, joined_stride,
                      {}, joined);
      });
      kernels_.fp32.attend(joined, size, shape, data_or_null(rotations.by_column),
                           data_or_null(rotations.by_row), memory, attended);
      for_parts(area, number.chunk, [&](int first, int count) {
        number.round_rows(attended + static_cast<std::size_t>(first) * depth, count, depth,
                          from_heads.scales(), from_heads.most(), words, steps);
        number.linear(words, steps, board * area + first, count, depth, from_heads.columns(), area,
                      stride, bound, run.of(out));
      });
    }
  };
}

bool CpuNetwork::add_feed_forward(const FeedForwardWeights& w, const Epilogue& epilogue,
                                  Register out) {
  const int channels = w.out.outputs, units = w.out.inputs;
  const auto fits_units = [&](const PlainMatrix& m) {
    return m.inputs == channels && m.outputs == units;
  };
  if (epilogue.residual == kNone || !fits_sum(out, epilogue, channels) || !fits_units(w.linear) ||
      !fits_units(w.gate))
    return false;
  steps_.push_back(int8_    ? feed_forward_in_integers<std::uint8_t>(w, epilogue, out)
                   : int16_ ? feed_forward_in_integers<std::int16_t>(w, epilogue, out)
                   : bf16_  ? feed_forward<std::uint16_t>(w, epilogue, out)
                            : feed_forward<float>(w, epilogue, out));
  return true;
}

template <typename Element>
CpuNetwork::Step CpuNetwork::feed_forward(const FeedForwardWeights& w, const Epilogue& epilogue,
                                          Register out) const {
  const int channels = w.out.outputs, stride = padded_channels(channels);
  const int step = std::max(kChannelStep, number<Element>().fast_depth);
  const int units = rounded_up(w.out.inputs, step);
  const auto gated = gated_matrix(w, stride, units, kernels_.gate_panel);
  return [=, this, x = epilogue.residual, epilogue = OwnedEpilogue(epilogue, channels),
          epsilon = w.epsilon,
          to_units = packed<Element>(gated, stride, 2 * units, 2 * kernels_.gate_panel),
          from_units = PackedMatrix<Element>(w.out, units, kernels_.panel)](const Run& run) {
    const auto& number = this->number<Element>();
    const auto bound = epilogue.bind(run);
    Arena arena(run.scratch.before, chunk_floats<Element>(stride) + chunk_floats<Element>(units));
    auto* normalized = arena.take<Element>(static_cast<std::size_t>(kMostChunk) * stride);
    auto* hidden = arena.take<Element>(static_cast<std::size_t>(kMostChunk) * units);
    for_parts(run.points(), number.chunk, [&](int first, int count) {
      normalize(kernels_, number, run.of(x) + static_cast<std::size_t>(first) * stride, count,
                channels, epsilon, normalized);
      number.gate(normalized, count, stride, to_units.data(), stride, units, hidden);
      number.linear(hidden, first, count, units, from_units.weights.data(), units,
                    run.batch.size.area(), stride, bound, run.of(out));
    });
  };
}

template <typename Element>
CpuNetwork::Step CpuNetwork::feed_forward_in_integers(const FeedForwardWeights& w,
                                                      const Epilogue& epilogue,
                                                      Register out) const {
  const int channels = w.out.outputs, stride = padded_channels(channels);
  const int units = padded_channels(w.out.inputs);
  return [=, this, x = epilogue.residual, epilogue = OwnedEpilogue(epilogue, channels),
          epsilon = w.epsilon,
          to_units = IntegerMatrix<Element>(gated_matrix(w, stride, units, kernels_.gate_panel),
                                            stride, 2 * units, 2 * kernels_.gate_panel),
          from_units = IntegerMatrix<Element>(padded_matrix(w.out, units, stride), units, stride,
                                              kernels_.panel)](const Run& run) {
    const auto& number = integers<Element>();
    const auto bound = epilogue.bind(run);
    Arena arena(run.scratch.before, chunk_floats<Element>(stride) + chunk_floats<Element>(units) +
                                        chunk_floats<float>(units));
    auto* normalized = arena.take<Element>(static_cast<std::size_t>(kMostChunk) * stride);
    auto* rounded = arena.take<Element>(static_cast<std::size_t>(kMostChunk) * units);
    auto* hidden = arena.take<float>(static_cast<std::size_t>(kMostChunk) * units);
    float steps[kMostChunk];
    for_parts(run.points(), number.chunk, [&](int first, int count) {
      normalize(kernels_, number, to_units, run.of(x) + static_cast<std::size_t>(first) * stride,
                count, channels, epsilon, normalized, steps);
      number.gate(normalized, steps, count, stride, to_units.columns(), units, hidden);
      number.round_rows(hidden, count, units, from_units.scales(), from_units.most(), rounded,
                        steps);
      number.linear(rounded, steps, first, count, units, from_units.columns(),
                    run.batch.size.area(), stride, bound, run.of(out));
    });
  };
}

bool CpuNetwork::add_rms_tip(Register in, const RmsTipWeights& w, Register out) {
  const int channels = this->channels(in);
  if (!fits(in, true, channels) || !fits(out, true, channels)) return false;
  const int stride = padded_channels(channels);
  steps_.push_back([=, this, epsilon = w.epsilon, spatial = w.spatial, activation = w.activation,
                    scale = padded_row(w.scale, channels),
                    shift = padded_row(w.shift, channels)](const Run& run) {
    const int area = run.batch.size.area();
    Arena arena(run.scratch.before, floats_of<float>(area) + floats_of<float>(stride));
    auto* sums = arena.take<float>(area);
    auto* scaled = arena.take<float>(stride);
    const auto normalize_rows = [&](int first, int rows, float sum) {
      const float mean = sum / static_cast<float>(rows * channels);
      const float factor = 1.0f / std::sqrt(mean + epsilon);
      for (int channel = 0; channel < stride; ++channel) scaled[channel] = scale[channel] * factor;
      EpilogueArrays epilogue;
      epilogue.scale = scaled;
      epilogue.shift = shift.data();
      epilogue.activation = activation;
      kernels_.epilogue_rows(run.of(in) + static_cast<std::size_t>(first) * stride, first, rows,
                             area, stride, epilogue, run.of(out));
    };
    for (int board = 0; board < run.boards; ++board) {
      const int first = board * area;
      kernels_.square_sums(run.of(in) + static_cast<std::size_t>(first) * stride, area, stride,
                           sums);
      if (spatial) {
        double sum = 0;
        for (int point = 0; point < area; ++point) sum += sums[point];
        normalize_rows(first, area, static_cast<float>(sum));
      } else {
        for (int point = 0; point < area; ++point) normalize_rows(first + point, 1, sums[point]);
      }
    }
  });
  return true;
}

}  // namespace sparring
