// The steps of a CpuNetwork that transformers have: attention, feed-forward layers and the
// normalization by the root mean square at the end of a trunk.
#include <cmath>

#include "network/cpu_network_run.h"
#include "network/trunk_matrix.h"

namespace sparring {
namespace {

constexpr int kMostSide = 19;

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

// Makes numbers of rows of x over their root mean square, for a product with the matrix.
template <typename Element>
void normalize(const Kernels& kernels, const TrunkMatrix<Element>& matrix, const float* x,
               int count, int channels, float epsilon, NumberRows<Element>& rows) {
  float factors[kMostChunk];
  normal_factors(kernels, x, count, channels, epsilon, factors);
  matrix.round(x, count, factors, rows);
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
  steps_.push_back(int16_  ? attention<std::int16_t>(w, epilogue, out)
                   : bf16_ ? attention<std::uint16_t>(w, epilogue, out)
                           : attention<float>(w, epilogue, out));
  return true;
}

template <typename Element>
CpuNetwork::Step CpuNetwork::attention(const AttentionWeights& w, const Epilogue& epilogue,
                                       Register out) const {
  const int channels = w.out.outputs, stride = padded_channels(channels);
  const int heads = padded_channels(w.joined.outputs);
  return [=, this, x = epilogue.residual, epilogue = OwnedEpilogue(epilogue, channels),
          epsilon = w.epsilon, shape = w.shape, rotations = RotationTables(w.frequencies, w.shape),
          to_heads = trunk_matrix<Element>(w.joined, stride, heads),
          from_heads = trunk_matrix<Element>(w.out, w.out.inputs, stride)](const Run& run) {
    const BoardSize size = run.batch.size;
    const int area = size.area(), depth = std::max(stride, from_heads.depth());
    const auto points = static_cast<std::size_t>(area);
    const std::size_t scratch = attention_scratch(size, shape);
    Arena arena(run.scratch.before, chunk_floats<Element>(depth) +
                                        floats_of<float>(points * heads) +
                                        floats_of<Between<Element>>(points * from_heads.depth()) +
                                        floats_of<float>(scratch));
    NumberRows<Element> numbers{arena.take<Element>(static_cast<std::size_t>(kMostChunk) * depth)};
    auto* joined = arena.take<float>(points * heads);
    auto* attended = arena.take<Between<Element>>(points * from_heads.depth());
    auto* memory = arena.take<float>(scratch);
    const auto bound = epilogue.bind(run);
    for (int board = 0; board < run.boards; ++board) {
      const float* rows = run.of(x) + board * points * stride;
      for_parts(area, kernels_of<Element>().chunk, [&](int first, int count) {
        normalize(kernels_, to_heads, rows + static_cast<std::size_t>(first) * stride, count,
                  channels, epsilon, numbers);
        to_heads.linear(numbers, first, count, area, {}, joined);
      });
      kernels_of<Between<Element>>().attend(joined, size, shape, data_or_null(rotations.by_column),
                                            data_or_null(rotations.by_row), memory, attended);
      from_heads.linear(attended, board * area, area, area, bound, run.of(out), numbers);
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
  steps_.push_back(int8_    ? feed_forward<std::uint8_t>(w, epilogue, out)
                   : int16_ ? feed_forward<std::int16_t>(w, epilogue, out)
                   : bf16_  ? feed_forward<std::uint16_t>(w, epilogue, out)
                            : feed_forward<float>(w, epilogue, out));
  return true;
}

template <typename Element>
CpuNetwork::Step CpuNetwork::feed_forward(const FeedForwardWeights& w, const Epilogue& epilogue,
                                          Register out) const {
  const int channels = w.out.outputs, stride = padded_channels(channels);
  int step = kChannelStep;
  if constexpr (!kIsInteger<Element>) step = std::max(step, kernels_of<Element>().fast_depth);
  const int units = rounded_up(w.out.inputs, step), panel = kernels_.gate_panel;
  return [=, this, x = epilogue.residual, epilogue = OwnedEpilogue(epilogue, channels),
          epsilon = w.epsilon,
          to_units =
              TrunkMatrix<Element>(kernels_of<Element>(), gated_matrix(w, stride, units, panel),
                                   stride, 2 * units, 2 * panel),
          from_units = trunk_matrix<Element>(w.out, units, stride)](const Run& run) {
    const int depth = std::max(stride, kIsInteger<Element> ? units : 0);
    const auto bound = epilogue.bind(run);
    Arena arena(run.scratch.before,
                chunk_floats<Element>(depth) + chunk_floats<Between<Element>>(units));
    NumberRows<Element> numbers{arena.take<Element>(static_cast<std::size_t>(kMostChunk) * depth)};
    auto* hidden = arena.take<Between<Element>>(static_cast<std::size_t>(kMostChunk) * units);
    for_parts(run.points(), kernels_of<Element>().chunk, [&](int first, int count) {
      normalize(kernels_, to_units, run.of(x) + static_cast<std::size_t>(first) * stride, count,
                channels, epsilon, numbers);
      to_units.gate(numbers, count, hidden);
      from_units.linear(hidden, first, count, run.batch.size.area(), bound, run.of(out), numbers);
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
