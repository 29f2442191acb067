// A hash table of values by position hash: one array with linear probing. It grows, and no entry is
// ever removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sparring {

template <typename Value>
class HashTable {
 public:
  // Returns the value of a hash, or nullptr; the pointer is valid until the next put().
  const Value* find(std::uint64_t hash) const {
    const Entry& entry = entries_[slot_of(hash)];
    return entry.is_known ? &entry.value : nullptr;
  }

  // Adds the value of a new hash.
  void put(std::uint64_t hash, const Value& value) {
    if (2 * ++known_ > entries_.size()) grow();
    entries_[slot_of(hash)] = {hash, value, true};
  }

 private:
  static constexpr std::size_t kFewest = 1024;  // entries; all sizes are powers of two
  struct Entry {
    std::uint64_t hash = 0;
    Value value{};
    bool is_known = false;
  };

  // The slot of the hash, or the free slot for it.
  std::size_t slot_of(std::uint64_t hash) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = hash & mask;
    while (entries_[slot].is_known && entries_[slot].hash != hash) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<Entry> before(2 * entries_.size());
    std::swap(before, entries_);
    for (const Entry& entry : before)
      if (entry.is_known) entries_[slot_of(entry.hash)] = entry;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(kFewest);
  std::size_t known_ = 0;
};

}  // namespace sparring
