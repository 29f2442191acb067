// Legal moves and flips, for the search. As in OthelloBoard, but in the vectors of each set of
// instructions, and private to the including file: the linker would keep one copy, perhaps the
// wrong one, of a function shared by files for different processors.
#pragma once

#include <cstdint>

#include "othello/othello_board.h"

namespace sparring {
namespace {

inline int count_of(uint64_t bits) { return __builtin_popcountll(bits); }
inline int count_of(Bits128 bits) {
  return count_of(static_cast<uint64_t>(bits)) + count_of(static_cast<uint64_t>(bits >> 64));
}

// Number of the lowest bit; one must be set.
inline int first_of(uint64_t bits) { return __builtin_ctzll(bits); }
inline int first_of(Bits128 bits) {
  const auto low = static_cast<uint64_t>(bits);
  return low != 0 ? first_of(low) : 64 + first_of(static_cast<uint64_t>(bits >> 64));
}

// The highest bit alone; 0 for 0.
inline uint64_t last_bit_of(uint64_t bits) {
  return bits == 0 ? 0 : 1ULL << (63 ^ __builtin_clzll(bits));
}
inline Bits128 last_bit_of(Bits128 bits) {
  const auto high = static_cast<uint64_t>(bits >> 64);
  return high != 0 ? static_cast<Bits128>(last_bit_of(high)) << 64
                   : static_cast<Bits128>(last_bit_of(static_cast<uint64_t>(bits)));
}

// The four directions of rising bit numbers. The other four are the same, backwards.
constexpr int kDirections = 4;
constexpr int kDirectionX[kDirections] = {1, -1, 0, 1}, kDirectionY[kDirections] = {0, 1, 1, 1};

// One board for each of the four directions.
template <typename Bits>
struct Quad {
  Bits lane[kDirections];

  template <typename Function>
  static Quad of(Function function) {
    return {function(0), function(1), function(2), function(3)};
  }
  Quad operator&(const Quad& b) const {
    return of([&](int i) { return lane[i] & b.lane[i]; });
  }
  Quad operator|(const Quad& b) const {
    return of([&](int i) { return lane[i] | b.lane[i]; });
  }
  Quad operator~() const {
    return of([&](int i) { return ~lane[i]; });
  }
  Quad operator-(const Quad& b) const {
    return of([&](int i) { return lane[i] - b.lane[i]; });
  }
};

template <typename Bits>
inline Quad<Bits> four_of(Bits bits, Quad<Bits>) {
  return {bits, bits, bits, bits};
}
// Shifts each lane by `times` steps of its direction.
template <int kRow, int times, typename Bits>
inline Quad<Bits> up(Quad<Bits> v) {
  return {v.lane[0] << times, v.lane[1] << times * (kRow - 1), v.lane[2] << times * kRow,
          v.lane[3] << times * (kRow + 1)};
}
template <int kRow, int times, typename Bits>
inline Quad<Bits> down(Quad<Bits> v) {
  return {v.lane[0] >> times, v.lane[1] >> times * (kRow - 1), v.lane[2] >> times * kRow,
          v.lane[3] >> times * (kRow + 1)};
}
// All bits of the zero lanes, none of the others.
template <typename Bits>
inline Quad<Bits> where_none(Quad<Bits> v) {
  return Quad<Bits>::of([&](int i) { return Bits{0} - Bits{v.lane[i] == 0}; });
}
template <typename Bits>
inline Bits any_of(Quad<Bits> v) {
  return v.lane[0] | v.lane[1] | v.lane[2] | v.lane[3];
}
// The highest bit of each lane alone.
template <int kRow, typename Bits>
inline Quad<Bits> last_of(Quad<Bits> v) {
  return Quad<Bits>::of([&](int i) { return last_bit_of(v.lane[i]); });
}
template <typename Bits>
inline Quad<Bits> load(const Bits* from, Quad<Bits>) {
  return {from[0], from[1], from[2], from[3]};
}

#ifdef __AVX2__
// The same in one register, for boards up to 8x8 only.
typedef uint64_t Four __attribute__((vector_size(32), may_alias));

inline Four four_of(uint64_t bits, Four) { return Four{} + bits; }
template <int kRow, int times>
inline Four up(Four v) {
  return v << Four{times, times * (kRow - 1), times * kRow, times * (kRow + 1)};
}
template <int kRow, int times>
inline Four down(Four v) {
  return v >> Four{times, times * (kRow - 1), times * kRow, times * (kRow + 1)};
}
inline Four where_none(Four v) { return (Four)(v == 0); }
inline uint64_t any_of(Four v) {
  typedef uint64_t Two __attribute__((vector_size(16)));
  const Two two = Two{v[0], v[1]} | Two{v[2], v[3]};
  return two[0] | two[1];
}
// Bits outside the squares of `v` are set too, but not along the lane's own line.
template <int kRow>
inline Four last_of(Four v) {
  v |= down<kRow, 1>(v);
  v |= down<kRow, 2>(v);
  v |= down<kRow, 4>(v);
  return v & ~down<kRow, 1>(v);
}
inline Four load(const uint64_t* from, Four) { return *reinterpret_cast<const Four*>(from); }

template <typename Bits>
struct QuadFor {
  using Type = Quad<Bits>;
};
template <>
struct QuadFor<uint64_t> {
  using Type = Four;
};
#else
template <typename Bits>
struct QuadFor {
  using Type = Quad<Bits>;
};
#endif

template <int N>
struct Lines {
  using Board = OthelloBoard<N>;
  using Bits = typename Board::Bits;
  using Four = typename QuadFor<Bits>::Type;
  static constexpr int kCells = Board::kCells, kRow = Board::kRow, kSquares = N * kRow;
  static constexpr Bits kAll = Board::all_squares(), kInner = Board::inner_columns();

  static constexpr Bits bit(int square) { return Bits{1} << square; }

  struct Tables {
    // From a square to the edges, without itself: by rising bit numbers, and by falling ones.
    alignas(32) Bits up[kSquares][kDirections] = {};
    alignas(32) Bits down[kSquares][kDirections] = {};
    Bits beside[kSquares] = {};  // the squares around it

    constexpr Tables() {
      for (int cell = 0; cell < kCells; ++cell)
        for (int i = 0; i < kDirections; ++i)
          for (int sign = -1; sign <= 1; sign += 2) fill(cell, i, sign);
    }

   private:
    constexpr void fill(int cell, int i, int sign) {
      const int square = Board::square_of(cell);
      const int dx = sign * kDirectionX[i], dy = sign * kDirectionY[i];
      int x = cell % N + dx, y = cell / N + dy;
      for (; x >= 0 && x < N && y >= 0 && y < N; x += dx, y += dy) {
        const Bits here = bit(y * kRow + x);
        (sign > 0 ? up : down)[square][i] |= here;
        if (x == cell % N + dx && y == cell / N + dy) beside[square] |= here;
      }
    }
  };
  static constexpr Tables kTables{};

  static Bits flips(int square, Bits own, Bits other) {
    const Four rising = load(kTables.up[square], Four{});
    const Four falling = load(kTables.down[square], Four{});
    const Four mine = four_of(own, Four{}), taken = four_of(other, Four{});
    // On each ray the first square not of the opponent; the discs before it flip if it is ours.
    const Four free_up = rising & ~taken;
    const Four end_up = free_up & (Four{} - free_up) & mine;
    const Four before_up = end_up - four_of(Bits{1}, Four{}) - where_none(end_up);
    const Four end_down = last_of<kRow>(falling & ~taken) & falling & mine;
    return any_of((rising & before_up) | (falling & (Four{} - end_down - end_down)));
  }

  // Squares at which own flips a disc.
  static Bits moves(Bits own, Bits other) {
    constexpr Bits kColumns[kDirections] = {kInner, kInner, kAll, kInner};
    const Four mine = four_of(own, Four{});
    const Four through = load(kColumns, Four{}) & four_of(other, Four{});
    // A line of the opponent's discs grows from beside ours by one disc, then by two at a time.
    Four rising = through & up<kRow, 1>(mine), falling = through & down<kRow, 1>(mine);
    rising = rising | (through & up<kRow, 1>(rising));
    falling = falling | (through & down<kRow, 1>(falling));
    const Four pairs_up = through & up<kRow, 1>(through), pairs_down = down<kRow, 1>(pairs_up);
    for (int length = 2; length < N - 2; length += 2) {
      rising = rising | (pairs_up & up<kRow, 2>(rising));
      falling = falling | (pairs_down & down<kRow, 2>(falling));
    }
    return any_of(up<kRow, 1>(rising) | down<kRow, 1>(falling)) & kAll & ~(own | other);
  }

  // The number of discs that own flips at the only empty square.
  static int last_flips(int square, Bits own) { return count_of(flips(square, own, kAll & ~own)); }
};

}  // namespace
}  // namespace sparring
