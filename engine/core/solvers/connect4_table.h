// The transposition table of a Connect4 solver: bounds on the scores of positions, by key. A key is
// an invertible mix of the position; slot and tag together identify it, and no two are confused.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "game/score_bounds.h"

namespace sparring {

class Connect4Table {
 public:
  // Takes up to `megabytes`, at least 1; pages are allocated at first use.
  explicit Connect4Table(int megabytes) {
    std::size_t buckets = kFewestBuckets;
    while (2 * buckets * sizeof(Bucket) <= static_cast<std::size_t>(megabytes) << 20) buckets *= 2;
    mask_ = buckets - 1;
    clear();
  }

  void clear() {
    memory_.reset();
    void* memory = std::calloc(mask_ + 2, sizeof(Bucket));
    if (!memory) throw std::bad_alloc();
    memory_.reset(memory);
    std::size_t space = (mask_ + 2) * sizeof(Bucket);
    buckets_ = static_cast<Bucket*>(
        std::align(sizeof(Bucket), (mask_ + 1) * sizeof(Bucket), memory, space));
  }

  // The key of a position by its unique code.
  static std::uint64_t key_of(std::uint64_t code) {
    code ^= code >> 32;
    code *= 0x9e3779b97f4a7c15ULL;
    return code ^ code >> 29;
  }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[key & mask_]); }

  bool find(std::uint64_t key, ScoreBounds& bounds) const {
    for (const std::uint64_t entry : buckets_[key & mask_].entries) {
      if (((entry ^ key) >> kTagShift) != 0 || (entry & kBoundsMask) == 0) continue;
      bounds.low = static_cast<int>(entry >> kBoundBits & kBoundMask) - kZero;
      bounds.high = static_cast<int>(entry & kBoundMask) - kZero;
      return true;
    }
    return false;
  }

  // Replaces the position's entry, or another one in the bucket.
  void store(std::uint64_t key, const ScoreBounds& bounds) {
    Bucket& bucket = buckets_[key & mask_];
    int slot = static_cast<int>(key >> 61);  // bits that do not choose the bucket
    for (int i = 0; i < kSlots; ++i)
      if (((bucket.entries[i] ^ key) >> kTagShift) == 0) slot = i;
    bucket.entries[slot] = key >> kTagShift << kTagShift |
                           static_cast<std::uint64_t>(bounds.low + kZero) << kBoundBits |
                           static_cast<std::uint64_t>(bounds.high + kZero);
  }

 private:
  // An entry is the key without its lowest bits (known by the bucket's number), then the bounds,
  // never both 0 as stored.
  static constexpr int kTagShift = 14, kBoundBits = 6, kZero = 32, kSlots = 8;
  static constexpr std::uint64_t kBoundMask = 63, kBoundsMask = 4095;
  static constexpr std::size_t kFewestBuckets = std::size_t{1} << kTagShift;
  struct alignas(64) Bucket {
    std::uint64_t entries[kSlots];  // one line of the processor's cache
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::size_t mask_;
  std::unique_ptr<void, Free> memory_;
  Bucket* buckets_ = nullptr;
};

}  // namespace sparring
