// A board of Othello as two sets of discs: moves, flips and counts. Colors, passes and results are
// in othello.h; `own` is always the side to move.
//
// Squares number the bits: square = y * kRow + x, with rows 8 bits apart on boards up to 8x8. Cells
// number the board itself: cell = y * N + x. On 8x8 the two are the same.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace sparring {

__extension__ using Bits128 = unsigned __int128;

inline int count_bits(std::uint64_t bits) { return std::popcount(bits); }
inline int count_bits(Bits128 bits) {
  return std::popcount(static_cast<std::uint64_t>(bits)) +
         std::popcount(static_cast<std::uint64_t>(bits >> 64));
}

// The index of the lowest set bit; bits must not be 0.
inline int lowest_bit(std::uint64_t bits) { return std::countr_zero(bits); }
inline int lowest_bit(Bits128 bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  return low != 0 ? std::countr_zero(low)
                  : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64));
}

// The index of the highest set bit; bits must not be 0.
inline int highest_bit(std::uint64_t bits) { return 63 - std::countl_zero(bits); }
inline int highest_bit(Bits128 bits) {
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  return high != 0 ? 127 - std::countl_zero(high)
                   : 63 - std::countl_zero(static_cast<std::uint64_t>(bits));
}

template <int N>
struct OthelloBoard {
  static_assert(N >= 4 && N <= 10 && N % 2 == 0);
  static constexpr int kSize = N, kCells = N * N, kRow = N <= 8 ? 8 : N;
  using Bits = std::conditional_t<(N <= 8), std::uint64_t, Bits128>;

  static constexpr int square_of(int cell) { return N == kRow ? cell : cell / N * kRow + cell % N; }
  static constexpr int cell_of(int square) {
    return N == kRow ? square : square / kRow * N + square % kRow;
  }
  static constexpr Bits bit(int square) { return Bits{1} << square; }
  static constexpr Bits all_squares() {
    Bits all = 0;
    for (int cell = 0; cell < kCells; ++cell) all |= bit(square_of(cell));
    return all;
  }
  // The squares with neighbours on both sides in their row.
  static constexpr Bits inner_columns() {
    Bits inner = 0;
    for (int cell = 0; cell < kCells; ++cell)
      if (cell % N > 0 && cell % N < N - 1) inner |= bit(square_of(cell));
    return inner;
  }

  Bits own = 0;    // of the side to move
  Bits other = 0;  // of its opponent

  // The usual four discs. The first player is to move and has the two on the rising diagonal.
  static constexpr OthelloBoard start() {
    constexpr int kLow = N / 2 - 1;
    return {bit(kLow * kRow + kLow + 1) | bit((kLow + 1) * kRow + kLow),
            bit(kLow * kRow + kLow) | bit((kLow + 1) * kRow + kLow + 1)};
  }

  bool operator==(const OthelloBoard&) const = default;

  Bits empty() const { return all_squares() & ~(own | other); }
  int count_own() const { return count_bits(own); }
  int count_other() const { return count_bits(other); }
  int count_empty() const { return kCells - count_bits(own | other); }
  OthelloBoard swapped() const { return {other, own}; }

  // The legal squares of the side to move.
  Bits moves() const {
    constexpr Bits kInner = inner_columns();
    const Bits inner = other & kInner;
    return (reached<1>(inner) | reached<kRow>(other) | reached<kRow - 1>(inner) |
            reached<kRow + 1>(inner)) &
           empty();
  }
  // The discs flipped by a disc of the side to move on an empty square; 0 if the move is illegal.
  Bits flips(int square) const {
    const Rays& rays = kRays[square];
    Bits flipped = 0;
    for (const Bits ray : rays.up) {
      // The carry runs through the opponent's discs along the ray to the first other square.
      const Bits end = ((other | ~ray) + 1) & own & ray;
      flipped |= (end - (end != 0)) & ray;
    }
    for (const Bits ray : rays.down) {
      const Bits end = bit(highest_bit((~other & ray) | 1)) & own & ray;
      flipped |= (Bits{0} - (end << 1)) & ray;
    }
    return flipped;
  }
  // Plays on the square; the opponent is then to move. Returns the flipped discs.
  Bits play(int square) {
    const Bits flipped = flips(square);
    play(square, flipped);
    return flipped;
  }
  // The same with known flips.
  void play(int square, Bits flipped) {
    const Bits mover = own | flipped | bit(square);
    own = other & ~flipped;
    other = mover;
  }
  // Takes back the play on the square with these flips.
  void undo(int square, Bits flipped) {
    const Bits mover = other & ~(flipped | bit(square));
    other = own | flipped;
    own = mover;
  }
  void pass() { *this = swapped(); }

 private:
  // Rays from a square to the edges, without the square; bit numbers rise along `up`, fall along
  // `down`.
  struct Rays {
    std::array<Bits, 4> up{}, down{};
  };

  static constexpr std::array<Rays, N * kRow> make_rays() {
    constexpr int kSteps[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    std::array<Rays, N * kRow> rays{};
    for (int cell = 0; cell < kCells; ++cell)
      for (int i = 0; i < 4; ++i)
        for (const int sign : {1, -1}) {
          Bits ray = 0;
          const int dx = sign * kSteps[i][0], dy = sign * kSteps[i][1];
          int x = cell % N + dx, y = cell / N + dy;
          for (; x >= 0 && x < N && y >= 0 && y < N; x += dx, y += dy) ray |= bit(y * kRow + x);
          Rays& of_square = rays[square_of(cell)];
          (sign > 0 ? of_square.up : of_square.down)[i] = ray;
        }
    return rays;
  }

  // Squares at the far end of a line of the opponent's discs beside one of ours. The line grows by
  // one disc, then by two at a time, up to the N - 2 discs between two ends.
  template <int kStep>
  Bits reached(Bits through) const {
    Bits up = through & (own << kStep);
    Bits down = through & (own >> kStep);
    up |= through & (up << kStep);
    down |= through & (down >> kStep);
    const Bits pairs_up = through & (through << kStep);
    const Bits pairs_down = pairs_up >> kStep;
    for (int length = 2; length < N - 2; length += 2) {
      up |= pairs_up & (up << (2 * kStep));
      down |= pairs_down & (down >> (2 * kStep));
    }
    return up << kStep | down >> kStep;
  }

  static const std::array<Rays, N * kRow> kRays;
};

template <int N>
inline constexpr std::array<typename OthelloBoard<N>::Rays, N * OthelloBoard<N>::kRow>
    OthelloBoard<N>::kRays = OthelloBoard<N>::make_rays();

}  // namespace sparring
