// How much faster this processor multiplies in bfloat16 than in float32.
#pragma once

#include "simd/kernels.h"

namespace sparring {

// The time of a product in float32 over its time in bfloat16, measured in about a millisecond; 0 if
// the kernels do not multiply bfloat16. Processors with the instructions may be slower with them:
// Intel's without tiles multiply half as many numbers a second as in float32, AMD's twice as many.
double measure_bf16_gain(const Kernels& kernels);

}  // namespace sparring
