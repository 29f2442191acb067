#include "network/bf16_gain.h"

#include <algorithm>
#include <chrono>

#include "network/packing.h"

namespace sparring {
namespace {

constexpr int kRows = 64, kChannels = 192;
constexpr int kRounds = 9;

// The shortest time of a product of [kRows][kChannels] and [kChannels][kChannels], in seconds.
template <typename Element>
class TimedProduct {
 public:
  TimedProduct(const NumberKernels<Element>& number, int panel)
      : number_(number),
        weights_(packed<Element>(AlignedVector<float>(kChannels * kChannels), kChannels, kChannels,
                                 panel)),
        in_(kRows * kChannels),
        out_(kRows * kChannels) {}

  void run() {
    const auto start = std::chrono::steady_clock::now();
    number_.multiply(in_.data(), kRows, kChannels, weights_.data(), kChannels, kChannels,
                     out_.data(), kChannels);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    shortest_ = std::min(shortest_, taken.count());
  }
  double shortest() const { return shortest_; }

 private:
  const NumberKernels<Element>& number_;
  const AlignedVector<Element> weights_, in_;
  AlignedVector<float> out_;
  double shortest_ = 1e9;
};

}  // namespace

double measure_bf16_gain(const Kernels& kernels) {
  if (!kernels.bf16) return 0;
  TimedProduct<float> single(kernels.fp32, kernels.panel);
  TimedProduct<std::uint16_t> half(*kernels.bf16, kernels.panel);
  for (int round = 0; round < kRounds; ++round) {
    single.run();
    half.run();
  }
  if (kernels.release) kernels.release();
  return single.shortest() / half.shortest();
}

}  // namespace sparring
