#include "network/kernel_rates.h"

#include <algorithm>
#include <chrono>

#include "network/packing.h"

namespace sparring {
namespace {

constexpr int kGainRounds = 9;
constexpr int kRateRounds = 25;
constexpr long kPeakSteps = 20'000;
constexpr BoardSize kBoard = {19, 19};
constexpr int kChannels = 192, kTrunk = 384, kUnits = 480;
constexpr AttentionShape kHeads = {6, 6, 32, 32};
constexpr const char *kResidualProduct = "product 480 to 192, added",
                     *kGatedProduct = "gated product 192 to 480";
// A 3x3 convolution of 96 channels on the board, as products of 25 tiles at 36 points.
constexpr int kTiles = 25, kTilePoints = 36, kTileChannels = 96;

// The shortest time of some calls, in seconds.
template <typename Work>
double shortest_time(int rounds, const Work& work) {
  double shortest = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    shortest = std::min(shortest, taken.count());
  }
  return shortest;
}

// A packed matrix of zeros and rows for it.
template <typename Element>
struct Product {
  const NumberKernels<Element>& number;
  int rows, depth, outputs;
  AlignedVector<Element> weights, in;
  AlignedVector<float> out;

  Product(const NumberKernels<Element>& number, int rows, int depth, int outputs)
      : number(number),
        rows(rows),
        depth(depth),
        outputs(outputs),
        weights(static_cast<std::size_t>(depth) * outputs),
        in(static_cast<std::size_t>(rows) * depth),
        out(static_cast<std::size_t>(rows) * outputs) {}

  double operations() const { return 2.0 * rows * depth * outputs; }
  void multiply() {
    number.multiply(in.data(), rows, depth, weights.data(), depth, outputs, out.data(), outputs);
  }
  void linear(const EpilogueArrays& epilogue) {
    number.linear(in.data(), 0, rows, depth, weights.data(), depth, rows, outputs, epilogue,
                  out.data());
  }
};

template <typename Element>
std::vector<KernelRate> rates_of(const NumberKernels<Element>& number) {
  std::vector<KernelRate> rates;
  const auto add = [&](const char* kernel, double operations, const auto& work) {
    rates.push_back({kernel, operations / shortest_time(kRateRounds, work)});
  };
  const int points = kBoard.area();
  add("peak", number.peak(kPeakSteps), [&] { number.peak(kPeakSteps); });
  Product<Element> narrow(number, points, kTrunk, kChannels);
  add("product 384 to 192", narrow.operations(), [&] { narrow.linear({}); });
  Product<Element> residual(number, points, kUnits, kChannels);
  AlignedVector<float> trunk(static_cast<std::size_t>(points) * kChannels);
  EpilogueArrays epilogue;
  epilogue.residual = trunk.data();
  add(kResidualProduct, residual.operations(), [&] { residual.linear(epilogue); });
  Product<Element> gated(number, points, kChannels, 2 * kUnits);
  AlignedVector<Element> hidden(static_cast<std::size_t>(points) * kUnits);
  add(kGatedProduct, gated.operations(), [&] {
    number.gate(gated.in.data(), points, kChannels, gated.weights.data(), kChannels, kUnits,
                hidden.data());
  });
  const AlignedVector<float> joined(static_cast<std::size_t>(points) * kHeads.joined());
  AlignedVector<float> scratch(attention_scratch(kBoard, kHeads));
  add("attention", 2.0 * points * points * kHeads.heads * (kHeads.width + kHeads.value_width), [&] {
    number.attend(joined.data(), kBoard, kHeads, nullptr, nullptr, scratch.data(), hidden.data());
  });
  Product<Element> tiles(number, kTiles, kTileChannels, kTileChannels);
  add("3x3 products, 96 channels", kTilePoints * tiles.operations(), [&] {
    for (int point = 0; point < kTilePoints; ++point) tiles.multiply();
  });
  return rates;
}

// A product of integers: rows of zeros, rounded each time, and a packed matrix.
template <typename Element>
struct IntegerProduct {
  const IntegerKernels<Element>& number;
  int rows, depth, outputs;
  AlignedVector<Element> weights, rounded;
  AlignedVector<float> in, out, scales, row_steps, steps;
  AlignedVector<std::int32_t> offsets;

  IntegerProduct(const IntegerKernels<Element>& number, int rows, int depth, int outputs)
      : number(number),
        rows(rows),
        depth(depth),
        outputs(outputs),
        weights(static_cast<std::size_t>(depth) * outputs),
        rounded(static_cast<std::size_t>(rows) * depth),
        in(static_cast<std::size_t>(rows) * depth),
        out(static_cast<std::size_t>(rows) * outputs),
        scales(depth),
        row_steps(rows),
        steps(outputs),
        offsets(outputs) {}

  double operations() const { return 2.0 * rows * depth * outputs; }
  void round() {
    number.round_rows(in.data(), rows, depth, scales.data(), kMostByte, rounded.data(),
                      row_steps.data());
  }
  void linear(const EpilogueArrays& epilogue) {
    number.linear(rounded.data(), row_steps.data(), 0, rows, depth, columns(), rows, outputs,
                  epilogue, out.data());
  }
  void gate() {
    number.gate(rounded.data(), row_steps.data(), rows, depth, columns(), outputs / 2, out.data());
  }
  IntegerColumns<Element> columns() const { return {weights.data(), steps.data(), offsets.data()}; }
};

template <typename Element>
std::vector<KernelRate> rates_of(const IntegerKernels<Element>& number) {
  const int points = kBoard.area();
  IntegerProduct<Element> residual(number, points, kUnits, kChannels);
  IntegerProduct<Element> gated(number, points, kChannels, 2 * kUnits);
  AlignedVector<float> trunk(static_cast<std::size_t>(points) * kChannels);
  EpilogueArrays epilogue;
  epilogue.residual = trunk.data();
  const double residual_time = shortest_time(kRateRounds, [&] { residual.linear(epilogue); });
  const double gated_time = shortest_time(kRateRounds, [&] { gated.gate(); });
  const double peak_time = shortest_time(kRateRounds, [&] { number.peak(kPeakSteps); });
  return {{"peak", number.peak(kPeakSteps) / peak_time},
          {kResidualProduct, residual.operations() / residual_time},
          {kGatedProduct, gated.operations() / gated_time}};
}

// The time of one() over the time of other().
template <typename One, typename Other>
double time_ratio(const One& one, const Other& other) {
  double times[2] = {1e9, 1e9};
  for (int round = 0; round < kGainRounds; ++round) {  // in turns: the processor's rate changes
    times[0] = std::min(times[0], shortest_time(1, one));
    times[1] = std::min(times[1], shortest_time(1, other));
  }
  return times[0] / times[1];
}

}  // namespace

std::vector<KernelRate> measure_kernels(const Kernels& kernels, const std::string& precision) {
  std::vector<KernelRate> rates;
  if (precision == "fp32") rates = rates_of(kernels.fp32);
  if (precision == "bf16" && kernels.bf16) rates = rates_of(*kernels.bf16);
  if (precision == "int16" && kernels.int16) rates = rates_of(*kernels.int16);
  if (precision == "int8" && kernels.int8) rates = rates_of(*kernels.int8);
  if (kernels.release) kernels.release();
  return rates;
}

double measure_gain(const Kernels& kernels, const std::string& precision) {
  Product<float> single(kernels.fp32, kMostChunk, kChannels, kChannels);
  double gain = 0;
  if (precision == "bf16" && kernels.bf16) {
    Product<std::uint16_t> half(*kernels.bf16, kMostChunk, kChannels, kChannels);
    gain = time_ratio([&] { single.multiply(); }, [&] { half.multiply(); });
  }
  if (precision == "int16" && kernels.int16) {
    IntegerProduct<std::int16_t> words(*kernels.int16, kMostChunk, kChannels, kChannels);
    gain = time_ratio([&] { single.linear({}); },
                      [&] {
                        words.round();
                        words.linear({});
                      });
  }
  if (kernels.release) kernels.release();
  return gain;
}

}  // namespace sparring
