#include "network/joint_batch.h"

#include <algorithm>

namespace sparring {

void JointBatch::run(const CpuNetwork& network, const std::vector<Batch>& parts) {
  if (parts.size() == 1) return network.run(parts[0], scratch_);
  Batch joint = parts[0];
  joint.rows = 0;
  for (const Batch& part : parts) joint.rows += part.rows;
  const std::size_t rows = joint.rows, area = joint.size.area();
  const auto room = [rows](auto& array, std::size_t width) {
    array.resize(std::max(array.size(), rows * width));
    return array.data();
  };
  // Copies `width` numbers of each row of a part, at the same rows of the joint batch.
  const auto each_row = [&](auto copy) {
    std::size_t first = 0;
    for (const Batch& part : parts) {
      copy(part, first, static_cast<std::size_t>(part.rows));
      first += part.rows;
    }
  };
  const auto gather = [&](auto& array, auto Batch::* member, std::size_t width) {
    auto* all = room(array, width);
    each_row([&](const Batch& part, std::size_t first, std::size_t count) {
      std::copy_n(part.*member, count * width, all + first * width);
    });
    joint.*member = all;
  };
  const auto scatter = [&](float* Batch::* member, std::size_t width) {
    each_row([&](const Batch& part, std::size_t first, std::size_t count) {
      std::copy_n(joint.*member + first * width, count * width, part.*member);
    });
  };
  const std::size_t moves = network.move_count(joint.size);
  gather(spatial_, &Batch::spatial, network.planes() * area);
  gather(globals_, &Batch::globals, network.global_count());
  gather(metadata_, &Batch::metadata, network.metadata_count());
  gather(optimism_, &Batch::optimism, 1);
  joint.policy = room(policy_, moves);
  joint.value = room(value_, kValueOutputs);
  joint.misc = room(misc_, kMiscOutputs);
  joint.ownership = room(ownership_, area);
  network.run(joint, scratch_);
  scatter(&Batch::policy, moves);
  scatter(&Batch::value, kValueOutputs);
  scatter(&Batch::misc, kMiscOutputs);
  scatter(&Batch::ownership, area);
}

}  // namespace sparring
