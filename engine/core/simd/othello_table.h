// The search's transposition table: bounds on the exact score of positions, and the best move. The
// solver owns the memory; searches of all sizes use it.
#pragma once

#include "simd/othello_exact.h"
#include "simd/othello_lines.h"

namespace sparring {
namespace {

// All zero means unused: no position has own and other both empty.
template <typename Bits>
struct TableEntry {
  Bits own, other;
  int8_t lower, upper;  // bounds of the exact score, of the side to move
  uint8_t move;         // square; kNoSquare if unknown
  uint8_t work;         // log2 of the positions searched for it
  uint8_t age;          // the search that stored it
};

constexpr int kNoSquare = 255;

template <typename Bits>
struct Table {
  using Entry = TableEntry<Bits>;
  static constexpr int kWays = 4;
  struct Bucket {
    Entry way[kWays];
  };

  Bucket* buckets;
  uint64_t count;
  uint8_t age;

  explicit Table(const OthelloExactState& state)
      : buckets(static_cast<Bucket*>(state.table)),
        count(state.table_bytes / sizeof(Bucket)),
        age(state.age) {}

  static uint64_t mixed(uint64_t own, uint64_t other) {
    uint64_t x =
        own * 0x9e3779b97f4a7c15ULL ^ (other + 0x632be59bd9b4e019ULL) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 32)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 29);
  }
  static uint64_t hash(uint64_t own, uint64_t other) { return mixed(own, other); }
  static uint64_t hash(Bits128 own, Bits128 other) {
    return mixed(static_cast<uint64_t>(own), static_cast<uint64_t>(other)) +
           mixed(static_cast<uint64_t>(own >> 64) + 1, static_cast<uint64_t>(other >> 64));
  }

  Bucket& bucket(uint64_t hash) const {
    return buckets[static_cast<uint64_t>(static_cast<Bits128>(hash) * count >> 64)];
  }
  void prefetch(uint64_t hash) const { __builtin_prefetch(&bucket(hash)); }

  const Entry* find(uint64_t hash, Bits own, Bits other) const {
    for (const Entry& entry : bucket(hash).way)
      if (entry.own == own && entry.other == other) return &entry;
    return nullptr;
  }

  // Updates the position's entry; else replaces the entry of greatest age, then least work.
  void store(uint64_t hash, const Entry& found) const {
    Entry* place = nullptr;
    int least = 1 << 16;
    for (Entry& entry : bucket(hash).way) {
      if (entry.own == found.own && entry.other == found.other) {
        place = &entry;
        break;
      }
      const int worth = (entry.age == age ? 256 : 0) + entry.work;
      if (worth < least) {
        least = worth;
        place = &entry;
      }
    }
    Entry kept = found;
    kept.age = age;
    if (place->own == found.own && place->other == found.other) {
      if (place->lower > kept.lower) kept.lower = place->lower;
      if (place->upper < kept.upper) kept.upper = place->upper;
      if (kept.move == kNoSquare) kept.move = place->move;
      if (place->work > kept.work) kept.work = place->work;
    }
    *place = kept;
  }
};

}  // namespace
}  // namespace sparring
