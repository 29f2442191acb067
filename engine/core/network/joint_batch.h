// Several batches on boards of one size, evaluated as one.
#pragma once

#include <cstdint>
#include <vector>

#include "network/cpu_network.h"

namespace sparring {

// The arrays of the joint rows; they grow to the most rows so far. One thread at a time.
class JointBatch {
 public:
  // Evaluates the parts in the calling thread. Each row's outputs are those of its part alone.
  void run(const CpuNetwork& network, const std::vector<Batch>& parts);

 private:
  std::vector<std::uint8_t> spatial_;
  std::vector<float> globals_, metadata_, optimism_, policy_, value_, misc_, ownership_;
  CpuNetwork::Scratch scratch_;
};

}  // namespace sparring
