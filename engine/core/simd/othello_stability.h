// Discs that can never be flipped again. Misses some, but includes no others.
#pragma once

#include "simd/othello_lines.h"

namespace sparring {
namespace {

template <int N>
struct Stability {
  using Grid = Lines<N>;
  using Bits = typename Grid::Bits;
  using Four = typename Grid::Four;
  static constexpr int kRow = Grid::kRow;

  // Squares that a step may enter, up and down, by direction: not from one edge to the other.
  struct Entries {
    alignas(32) Bits up[kDirections] = {}, down[kDirections] = {};
    alignas(32) Bits edge[kDirections] = {};  // squares with no neighbour at one end of the line

    constexpr Entries() {
      for (int i = 0; i < kDirections; ++i)
        for (int cell = 0; cell < Grid::kCells; ++cell) {
          const Bits bit = Grid::bit(Grid::Board::square_of(cell));
          const bool from_below = on_board(cell, i, -1), from_above = on_board(cell, i, 1);
          if (from_below) up[i] |= bit;
          if (from_above) down[i] |= bit;
          if (!from_below || !from_above) edge[i] |= bit;
        }
    }
    static constexpr bool on_board(int cell, int i, int sign) {
      const int x = cell % N + sign * kDirectionX[i], y = cell / N + sign * kDirectionY[i];
      return x >= 0 && x < N && y >= 0 && y < N;
    }
  };
  static constexpr Entries kEntries{};

  // Own's stable discs: in each direction their line is full, or ends beside them at the edge or at
  // another stable disc of their own.
  static Bits discs(Bits own, Bits other) {
    const Four enter_up = load(kEntries.up, Four{}), enter_down = load(kEntries.down, Four{});
    const Four mine = four_of(own, Four{});
    const Four always = load(kEntries.edge, Four{}) | ~open(Grid::kAll & ~(own | other));
    Bits safe = none_left(~(mine & always), own);
    for (Bits before = 0; safe != before;) {
      before = safe;
      const Four known = four_of(safe, Four{});
      const Four beside = (enter_up & up<kRow, 1>(known)) | (enter_down & down<kRow, 1>(known));
      safe = none_left(~(always | beside), own);
    }
    return safe;
  }

 private:
  // Squares of own in none of the lanes.
  static Bits none_left(Four unsafe, Bits own) { return own & ~any_of(unsafe); }

  // By direction, the squares of lines with an empty square.
  static Four open(Bits empty) {
    Four through_up = load(kEntries.up, Four{}), through_down = load(kEntries.down, Four{});
    Four rising = four_of(empty, Four{}), falling = rising;
    rising = rising | (through_up & up<kRow, 1>(rising));
    falling = falling | (through_down & down<kRow, 1>(falling));
    through_up = through_up & up<kRow, 1>(through_up);
    through_down = through_down & down<kRow, 1>(through_down);
    for (int reach = 2; reach < N; reach += 2) {
      rising = rising | (through_up & up<kRow, 2>(rising));
      falling = falling | (through_down & down<kRow, 2>(falling));
    }
    return rising | falling;
  }
};

}  // namespace
}  // namespace sparring
