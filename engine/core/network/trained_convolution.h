// 3x3 convolutions in training, on a whole batch: chunks of tiles shared between threads.
//
// Results do not depend on the number of threads: sums over the batch are taken by a fixed number
// of chunks, in order.
#pragma once

#include "network/packing.h"
#include "simd/training.h"

namespace sparring {

struct TrainedShape {
  int boards;
  BoardSize size;
  int inputs, outputs;  // multiples of kTrainingStep
};

// boards = weights [outputs][inputs][3][3] over the source, as specified by the target.
void convolve(const TrainingKernels& kernels, const TrainedShape& shape, const Source& source,
              const float* weights, const Target& target, int threads);

// From the gradient of the outputs to that of the inputs, as specified by the target; its moments
// [2][inputs] are overwritten.
void convolve_back(const TrainingKernels& kernels, const TrainedShape& shape, const Bf16* gradient,
                   const float* weights, const Target& target, int threads);

// From the gradient of the outputs to that of the weights.
void convolve_weights(const TrainingKernels& kernels, const TrainedShape& shape,
                      const Source& source, const Bf16* gradient, float* weights, int threads);

// moments [2][channels]: the sums of x - around and of its square over all points.
void measure_points(const TrainingKernels& kernels, const Bf16* points, int count, int channels,
                    const float* around, float* moments, int threads);

// out = gradient * slope + x * scale + shift, by channels
void combine_points(const TrainingKernels& kernels, const Bf16* gradient, const Bf16* x, int count,
                    int channels, const float* slope, const float* scale, const float* shift,
                    Bf16* out, int threads);

}  // namespace sparring
