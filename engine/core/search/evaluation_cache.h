// A bounded table of evaluations by position hash, shared by all searches on one network.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "search/evaluation.h"

namespace sparring {

// Thread-safe. Each key has two slots; the least recently used one is overwritten, and memory never
// grows past `entries` evaluations (about 1.2 kB each on 19x19, 0.4 kB on 9x9).
class EvaluationCache {
 public:
  // Room for at least `entries` evaluations, rounded up to a power of two, two at the least.
  explicit EvaluationCache(int64_t entries);

  // The evaluation under `key`, or an empty reference.
  EvaluationRef find(uint64_t key);
  void insert(uint64_t key, const EvaluationRef& evaluation);
  void clear();

  int64_t capacity() const { return static_cast<int64_t>(pairs_.size()) * 2; }
  int64_t size() { return sum(&Stripe::entries); }  // in use
  // Memory of the table and of its evaluations, which trees may share.
  int64_t bytes() {
    return static_cast<int64_t>(pairs_.size() * sizeof(Pair)) + sum(&Stripe::bytes);
  }
  // Numbers of calls of `find`, and of those that returned an evaluation.
  int64_t lookups() { return sum(&Stripe::lookups); }
  int64_t hits() { return sum(&Stripe::hits); }

 private:
  struct Entry {
    uint64_t key = 0;
    EvaluationRef evaluation;
  };
  struct Pair {
    Entry recent;
    Entry older;
  };
  // The lock of some of the pairs, and its counters.
  struct Stripe {
    std::mutex lock;
    int64_t lookups = 0;
    int64_t hits = 0;
    int64_t entries = 0;
    int64_t bytes = 0;  // of the evaluations
    void count(const EvaluationRef& evaluation, int sign) {
      if (!evaluation) return;
      entries += sign;
      bytes += sign * evaluation->bytes();
    }
  };
  Stripe& stripe_of(uint64_t index) { return stripes_[index % stripes_.size()]; }
  int64_t sum(int64_t Stripe::* counter);

  std::vector<Pair> pairs_;
  std::array<Stripe, 256> stripes_;
};

}  // namespace sparring
