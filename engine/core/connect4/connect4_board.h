// A board of Connect4 as sets of discs: playable cells and cells completing four in a row. Colors
// and results are in connect4.h; `own` is always the side to move.
//
// Bits run up the columns, with a spare bit above each: bit = column * (height + 1) + row, row 0 at
// the bottom. Sets can therefore be shifted along any line without reaching the next column.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

namespace sparring {

struct Connect4Board {
  using Bits = std::uint64_t;

  // Whether the bits of the size fit, spare ones included.
  static constexpr bool fits(int width, int height) {
    return width >= 4 && height >= 4 && width <= 64 && height < 64 && width * (height + 1) <= 64;
  }

  Connect4Board(int board_width, int board_height) : width(board_width), height(board_height) {
    for (int column = 0; column < width; ++column) bottom |= Bits{1} << bit_of(column, 0);
    cells = bottom * ((Bits{1} << height) - 1);
  }

  int width, height;
  Bits own = 0;     // of the side to move
  Bits all = 0;     // of both sides
  Bits bottom = 0;  // the lowest cell of each column
  Bits cells = 0;   // every cell

  bool operator==(const Connect4Board&) const = default;

  int bit_of(int column, int row) const { return column * (height + 1) + row; }
  Bits column_cells(int column) const { return ((Bits{1} << height) - 1) << bit_of(column, 0); }
  Bits other() const { return own ^ all; }
  int count() const { return std::popcount(all); }
  bool is_full() const { return all == cells; }

  // The lowest empty cell of each column.
  Bits playable() const { return (all + bottom) & cells; }
  bool can_play(int column) const { return (playable() & column_cells(column)) != 0; }
  // Plays in a column with room; the opponent is then to move.
  void play(int column) {
    own ^= all;
    all |= all + (Bits{1} << bit_of(column, 0));
  }
  bool is_winning_move(int column) const {
    return (winning_cells(own) & playable() & column_cells(column)) != 0;
  }

  // The empty cells, playable or not, completing four in a row of these discs.
  Bits winning_cells(Bits discs) const { return completions(discs, height) & (cells ^ all); }
  // The same, with occupied cells and cells off the board.
  static Bits completions(Bits discs, int height) {
    // Upright, only the cell above three.
    Bits found = (discs << 1) & (discs << 2) & (discs << 3);
    for (const int step : {height, height + 1, height + 2}) {
      const Bits above = (discs << step) & (discs << 2 * step);
      found |= above & (discs << 3 * step);  // the disc at the upper end of four
      found |= above & (discs >> step);      // one below it
      const Bits below = (discs >> step) & (discs >> 2 * step);
      found |= below & (discs >> 3 * step);
      found |= below & (discs << step);
    }
    return found;
  }
  static bool has_four(Bits discs, int height) {
    for (const int step : {1, height, height + 1, height + 2}) {
      const Bits pairs = discs & (discs >> step);
      if ((pairs & (pairs >> 2 * step)) != 0) return true;
    }
    return false;
  }
  // Whether the side not to move has four in a row.
  bool is_lost() const { return has_four(other(), height); }
};

}  // namespace sparring
