// Trainable convolutions for Python: bfloat16 arrays come as their bits, int16.
#include "bindings/bind_training.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "network/trained_convolution.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sparring {

// The class of the functions.
struct TrainedConvolution {};

namespace {

template <typename Number>
using Boards = nb::ndarray<Number, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using ConstBits = Boards<const int16_t>;
using Bits = Boards<int16_t>;
using Weights = nb::ndarray<const float, nb::shape<-1, -1, 3, 3>, nb::c_contig, nb::device::cpu>;
using Gradient = nb::ndarray<float, nb::shape<-1, -1, 3, 3>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// Rows of a channel's numbers: scale, shift and the wanted others.
using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Moments = nb::ndarray<float, nb::shape<2, -1>, nb::c_contig, nb::device::cpu>;

void check(bool fits, const char* what) {
  if (!fits) throw nb::value_error((std::string(what) + " does not fit").c_str());
}

const TrainingKernels& kernels_here() {
  const TrainingKernels* kernels = training_kernels();
  check(kernels, "the processor");
  return *kernels;
}

template <typename Array>
Bf16* bits(const Array& boards) {
  return const_cast<Bf16*>(reinterpret_cast<const Bf16*>(boards.data()));
}

template <typename Array>
int channels_of(const Array& boards) {
  const auto channels = static_cast<int>(boards.shape(3));
  check(channels > 0 && channels % kTrainingStep == 0, "a number of channels");
  return channels;
}

template <typename One, typename Other>
void check_same(const One& one, const Other& other, bool channels) {
  for (int i = 0; i < (channels ? 4 : 3); ++i) check(one.shape(i) == other.shape(i), "an array");
}

template <typename Input, typename Output>
TrainedShape shape_of(const Input& inputs, const Output& outputs, size_t first, size_t second) {
  check_same(inputs, outputs, false);
  const TrainedShape shape{static_cast<int>(inputs.shape(0)),
                           {static_cast<int>(inputs.shape(1)), static_cast<int>(inputs.shape(2))},
                           channels_of(inputs),
                           channels_of(outputs)};
  check(first == static_cast<size_t>(shape.outputs) && second == static_cast<size_t>(shape.inputs),
        "an array of weights");
  return shape;
}

const float* row(const Rows& rows, size_t index, int channels) {
  check(index < rows.shape(0) && rows.shape(1) == static_cast<size_t>(channels), "a row");
  return rows.data() + index * channels;
}

Source source_of(const ConstBits& x, const std::optional<Rows>& norm) {
  const int channels = channels_of(x);
  if (!norm) return {bits(x)};
  return {bits(x), row(*norm, 0, channels), row(*norm, 1, channels)};
}

void forward(ConstBits x, Weights weights, Bits out, const std::optional<Rows>& norm,
             const std::optional<ConstBits>& under, int threads) {
  const auto shape = shape_of(x, out, weights.shape(0), weights.shape(1));
  if (under) check_same(*under, out, true);
  convolve(kernels_here(), shape, source_of(x, norm), weights.data(),
           {.boards = bits(out), .under = under ? bits(*under) : nullptr}, threads);
}

void to_inputs(ConstBits gradient, Weights weights, Bits out, const std::optional<ConstBits>& under,
               int threads) {
  const auto shape = shape_of(out, gradient, weights.shape(0), weights.shape(1));
  if (under) check_same(*under, out, true);
  convolve_back(kernels_here(), shape, bits(gradient), weights.data(),
                {.boards = bits(out), .under = under ? bits(*under) : nullptr}, threads);
}

void to_normed(ConstBits gradient, Weights weights, Bits out, ConstBits x, Rows norm,
               Moments moments, const std::optional<ConstBits>& under, int threads) {
  const auto shape = shape_of(out, gradient, weights.shape(0), weights.shape(1));
  check_same(x, out, true);
  if (under) check_same(*under, out, true);
  check(moments.shape(1) == out.shape(3), "moments");
  convolve_back(kernels_here(), shape, bits(gradient), weights.data(),
                {.boards = bits(out),
                 .under = under ? bits(*under) : nullptr,
                 .gate = bits(x),
                 .scale = row(norm, 0, shape.inputs),
                 .shift = row(norm, 1, shape.inputs),
                 .mean = row(norm, 2, shape.inputs),
                 .moments = moments.data()},
                threads);
}

void to_weights(ConstBits x, ConstBits gradient, Gradient out, const std::optional<Rows>& norm,
                int threads) {
  const auto shape = shape_of(x, gradient, out.shape(0), out.shape(1));
  convolve_weights(kernels_here(), shape, source_of(x, norm), bits(gradient), out.data(), threads);
}

int points_of(const ConstBits& x) { return static_cast<int>(x.shape(0) * x.shape(1) * x.shape(2)); }

void measure(ConstBits x, Row around, Moments moments, int threads) {
  const int channels = channels_of(x);
  check(around.shape(0) == x.shape(3) && moments.shape(1) == x.shape(3), "moments");
  measure_points(kernels_here(), bits(x), points_of(x), channels, around.data(), moments.data(),
                 threads);
}

void combine(ConstBits gradient, ConstBits x, Rows factors, Bits out, int threads) {
  const int channels = channels_of(x);
  check_same(gradient, x, true);
  check_same(out, x, true);
  combine_points(kernels_here(), bits(gradient), bits(x), points_of(x), channels,
                 row(factors, 0, channels), row(factors, 1, channels), row(factors, 2, channels),
                 bits(out), threads);
}

}  // namespace

void bind_training(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> free;
  nb::class_<TrainedConvolution> part(m, "TrainedConvolution",
                                      "Trainable convolutions, on capable processors.");
  part.def_ro_static("channel_step", &kTrainingStep);
  part.def_static(
      "available", [] { return training_kernels() != nullptr; },
      "Whether this processor supports the other functions.");
  part.def_static("forward", &forward, "x"_a, "weights"_a, "out"_a, "norm"_a = nb::none(),
                  "under"_a = nb::none(), nb::kw_only(), "threads"_a, free,
                  "out = under + the convolution of x, normed and rectified if there is a norm.");
  part.def_static("to_inputs", &to_inputs, "gradient"_a, "weights"_a, "out"_a,
                  "under"_a = nb::none(), nb::kw_only(), "threads"_a, free);
  part.def_static(
      "to_normed", &to_normed, "gradient"_a, "weights"_a, "out"_a, "x"_a, "norm"_a, "moments"_a,
      "under"_a = nb::none(), nb::kw_only(), "threads"_a, free,
      "As to_inputs, gated by the rectified norm of x, with the sums of the result and of\n"
      "its product with x - mean.");
  part.def_static("to_weights", &to_weights, "x"_a, "gradient"_a, "out"_a, "norm"_a = nb::none(),
                  nb::kw_only(), "threads"_a, free);
  part.def_static("measure", &measure, "x"_a, "around"_a, "moments"_a, nb::kw_only(), "threads"_a,
                  free);
  part.def_static("combine", &combine, "gradient"_a, "x"_a, "factors"_a, "out"_a, nb::kw_only(),
                  "threads"_a, free, "out = gradient * factors[0] + x * factors[1] + factors[2]");
}

}  // namespace sparring
