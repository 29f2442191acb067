// The transformer's steps for the files compiled once for each set of instructions: normalization
// by the root mean square, gated products, and attention.
#pragma once

#include "simd/products.h"

namespace sparring {
namespace {

// See NumberKernels::round_rows.
template <typename Number>
void round_rows(const float* in, int rows, int channels, const float* factors,
                typename Number::Element* out) {
  for (int row = 0; row < rows; ++row) {
    const Vector factor = all(factors ? factors[row] : 1.0f);
    for (int channel = 0; channel < channels; channel += kLanes, in += kLanes, out += kLanes)
      Number::keep(out, load(in) * factor);
  }
}

// See Kernels::square_sums.
void square_sums(const float* in, int rows, int channels, float* sums) {
  for (int row = 0; row < rows; ++row, in += channels) {
    Vector sum = {};
    for (int channel = 0; channel < channels; channel += kLanes) {
      const Vector v = load(in + channel);
      sum += v * v;
    }
    sums[row] = sum_of(sum);
  }
}

// See NumberKernels::gate: panels hold a vector of the one matrix, then a vector of the other.
template <typename Number>
void gate(const typename Number::Element* in, int rows, int in_stride,
          const typename Number::Element* weights, int depth, int outputs,
          typename Number::Element* out) {
  product<Number, 2>(in, rows, in_stride, weights, depth, 2 * outputs,
                     [&]<int vectors>(const float* sums, int first, int count, int column) {
                       if constexpr (vectors == 2)
                         for (int row = 0; row < count; ++row, sums += 2 * kLanes)
                           Number::keep(
                               out + std::size_t(first + row) * outputs + column / 2,
                               activate<Activation::kSilu>(load(sums)) * load(sums + kLanes));
                     });
}

// Rotates the pairs of one head of one point: half a head of first numbers, half of second ones.
inline void rotate(const float* from, int half, const float* by_column, const float* by_row,
                   float* to) {
  for (int i = 0; i < half; i += kLanes) {
    const Vector u = load(from + i), v = load(from + half + i);
    const Vector cx = load(by_column + i), sx = load(by_column + half + i);
    const Vector cy = load(by_row + i), sy = load(by_row + half + i);
    const Vector c = cx * cy - sx * sy, s = sx * cy + cx * sy;
    store(to + i, u * c - v * s);
    store(to + half + i, u * s + v * c);
  }
}

// The arrays of one head while it attends.
template <typename Number>
struct HeadArrays {
  typename Number::Element *queries, *keys, *values, *shares;
  float *scores, *sums;
};

// Copies one head of queries or of keys of each point, rotated, to [point][width].
template <typename Number>
void turn_head(const float* joined, int stride, BoardSize size, int width, const float* by_column,
               const float* by_row, int rotation_stride, typename Number::Element* to) {
  float turned[kWidestHead];
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x, joined += stride, to += width) {
      const float* from = joined;
      if (by_column) {
        rotate(from, width / 2, by_column + std::size_t(x) * rotation_stride,
               by_row + std::size_t(y) * rotation_stride, turned);
        from = turned;
      }
      for (int i = 0; i < width; i += kLanes) Number::keep(to + i, load(from + i));
    }
}

// Packs rows [count][width] as columns of a matrix [width][padded], with zeros for the rest.
template <typename Number>
void pack_transposed(const typename Number::Element* rows, int count, int width, int padded,
                     typename Number::Element* to) {
  constexpr int kDepth = Number::kDepth;
  for_each_panel<kPanelVectors>(padded, [&]<int vectors>(int column) {
    constexpr int kColumns = vectors * kLanes;
    for (int i = 0; i < kColumns; ++i) {
      const auto* row = rows + std::size_t(column + i) * width;
      auto* place = to + i * kDepth;
      for (int k = 0; k < width; k += kDepth, place += kColumns * kDepth)
        for (int part = 0; part < kDepth; ++part)
          place[part] = column + i < count ? row[k + part] : typename Number::Element{};
    }
    to += std::size_t(width) * kColumns;
  });
}

// Packs rows [count][stride] of `width` columns as a matrix [padded][width], with zeros for the
// rest.
template <typename Number>
void pack_rows(const float* rows, int count, int stride, int width, int padded,
               typename Number::Element* to) {
  constexpr int kDepth = Number::kDepth;
  for_each_panel<kPanelVectors>(width, [&]<int vectors>(int column) {
    constexpr int kColumns = vectors * kLanes;
    for (int k = 0; k < padded; k += kDepth, to += kColumns * kDepth)
      for (int part = 0; part < kDepth; ++part) {
        typename Number::Element row[kColumns] = {};
        if (k + part < count)
          for (int v = 0; v < vectors; ++v)
            Number::keep(row + v * kLanes,
                         load(rows + std::size_t(k + part) * stride + column + v * kLanes));
        for (int i = 0; i < kColumns; ++i) to[i * kDepth + part] = row[i];
      }
  });
}

// The largest of `vectors` vectors, in every lane.
inline Vector largest(const float* from, int vectors, Vector start) {
  Vector high[4] = {start, start, start, start};
  int v = 0;
  for (; v + 4 <= vectors; v += 4)
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) high[i] = larger(high[i], load(from + (v + i) * kLanes));
  for (; v < vectors; ++v) high[0] = larger(high[0], load(from + v * kLanes));
  return maximum_of(larger(larger(high[0], high[1]), larger(high[2], high[3])));
}

// Turns scores [count] in units of ln 2 into shares, and returns the reciprocal of their sum.
template <typename Number>
inline float softmax(float* scores, int count, int padded, typename Number::Element* shares) {
  // Numbers beyond the board come out as 2^-126: too small to matter in the sum.
  for (int i = count; i % kLanes != 0; ++i) scores[i] = -1e30f;
  const int vectors = (count + kLanes - 1) / kLanes;
  const Vector maximum = largest(scores, vectors, all(-1e30f));
  Vector sum = {};
  for (int v = 0; v < vectors; ++v) {
    const Vector share = power_of_two(load(scores + v * kLanes) - maximum);
    sum += share;
    Number::keep(shares + v * kLanes, share);
  }
  for (int i = vectors * kLanes; i < padded; i += kLanes) Number::keep(shares + i, Vector{});
  return 1.0f / sum_of(sum);
}

// See NumberKernels::attend.
template <typename Number>
void attend(const float* joined, BoardSize size, const AttentionShape& shape,
            const float* by_column, const float* by_row, void* scratch,
            typename Number::Element* out) {
  const int points = size.area(), width = shape.width, value_width = shape.value_width;
  const int stride = shape.joined(), out_stride = shape.heads * value_width;
  const int padded = rounded_up(points, kAttentionStep);
  auto* floats = static_cast<float*>(scratch);
  HeadArrays<Number> head;
  head.scores = floats, floats += std::size_t(kAttentionStripe) * padded;
  head.sums = floats, floats += std::size_t(kAttentionStripe) * value_width;
  auto* elements = reinterpret_cast<typename Number::Element*>(floats);
  if constexpr (Number::kDepth == 1)
    head.shares = head.scores;
  else
    head.shares = elements, elements += std::size_t(kAttentionStripe) * padded;
  head.keys = elements, elements += std::size_t(padded) * width;
  head.values = elements, elements += std::size_t(padded) * value_width;
  head.queries = elements;
  const int per_key = shape.heads / shape.key_heads, rotation_stride = shape.key_heads * width;
  for (int key_head = 0; key_head < shape.key_heads; ++key_head) {
    const float* keys = joined + (shape.heads + key_head) * width;
    const float* values = joined + (shape.heads + shape.key_heads) * width + key_head * value_width;
    const float* columns = by_column ? by_column + key_head * width : nullptr;
    const float* rows = by_row ? by_row + key_head * width : nullptr;
    turn_head<Number>(keys, stride, size, width, columns, rows, rotation_stride, head.queries);
    pack_transposed<Number>(head.queries, points, width, padded, head.keys);
    pack_rows<Number>(values, points, stride, value_width, padded, head.values);
    for (int index = key_head * per_key; index < (key_head + 1) * per_key; ++index) {
      turn_head<Number>(joined + index * width, stride, size, width, columns, rows, rotation_stride,
                        head.queries);
      for (int first = 0; first < points; first += kAttentionStripe) {
        const int count = points - first < kAttentionStripe ? points - first : kAttentionStripe;
        multiply<Number>(head.queries + std::size_t(first) * width, count, width, head.keys, width,
                         padded, head.scores, padded);
        float factors[kAttentionStripe];
        for (int row = 0; row < count; ++row)
          factors[row] = softmax<Number>(head.scores + std::size_t(row) * padded, points, padded,
                                         head.shares + std::size_t(row) * padded);
        multiply<Number>(head.shares, count, padded, head.values, padded, value_width, head.sums,
                         value_width);
        for (int row = 0; row < count; ++row)
          for (int i = 0; i < value_width; i += kLanes)
            Number::keep(out + std::size_t(first + row) * out_stride + index * value_width + i,
                         load(head.sums + std::size_t(row) * value_width + i) * factors[row]);
      }
    }
  }
}

}  // namespace
}  // namespace sparring
