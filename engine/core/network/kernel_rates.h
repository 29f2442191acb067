// The speed of the kernels on this processor, beside the fastest that its registers can be.
#pragma once

#include <string>
#include <vector>

#include "simd/kernels.h"

namespace sparring {

struct KernelRate {
  const char* kernel;
  double operations;  // a second; a multiplication with its addition counts as two
};

// The rates of a network's products at its usual sizes, for a second's fraction each; the first row
// is the peak, multiplications of registers alone. precision: "fp32", "bf16", "int16" or "int8",
// the last two of feed-forward layers alone. Empty if the kernels do not multiply in it.
std::vector<KernelRate> measure_kernels(const Kernels& kernels, const std::string& precision);

// The time of a product in float32 over its time in "bf16" or "int16", measured in about a
// millisecond; 0 if the kernels do not multiply in it. Processors with the instructions may be
// slower with them: Intel's without tiles multiply half as many numbers in bfloat16 a second as in
// float32, AMD's twice as many.
double measure_gain(const Kernels& kernels, const std::string& precision);

}  // namespace sparring
