// The cells of a board of dark chess as bits: cell y * width + x, y = 0 at the top.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace sparring {

class DarkChessGeometry {
 public:
  using Bits = std::uint32_t;
  static constexpr int kMostCells = 32;

  // Whether a board of this size can be made: an even number of cells, at most 32.
  static constexpr bool fits(int width, int height) {
    return width >= 2 && height >= 2 && width <= 16 && height <= 16 &&
           width * height <= kMostCells && width * height % 2 == 0;
  }
  // The geometry of a size that fits; it lives for ever.
  static const DarkChessGeometry& of(int width, int height);

  int width, height, cells;
  Bits all;  // every cell
  std::array<Bits, kMostCells> neighbours{};
  std::array<Bits, kMostCells> diagonals{};
  // The cells in each direction from a cell: left, up, right, down. Those to the left and above
  // have lower bits.
  std::array<std::array<Bits, 4>, kMostCells> rays{};

  // The first of the occupied cells in a direction, as a bit; 0 for none.
  Bits first(int cell, int direction, Bits occupied) const {
    const Bits ahead = rays[cell][direction] & occupied;
    if (ahead == 0) return 0;
    return direction < 2 ? std::bit_floor(ahead) : ahead & (Bits{0} - ahead);
  }
  // The cells one step from these in a direction, in the order of `rays`.
  Bits shifted(Bits cells_, int direction) const {
    switch (direction) {
      case 0:
        return (cells_ & ~left_) >> 1;
      case 1:
        return cells_ >> width;
      case 2:
        return (cells_ & ~right_) << 1;
      default:
        return cells_ << width & all;
    }
  }
  // The number of the cell one step from a cell in a direction, less that of the cell.
  int step(int direction) const {
    return direction == 0 ? -1 : direction == 1 ? -width : direction == 2 ? 1 : width;
  }
  // The cells beside any of these.
  Bits beside(Bits cells_) const {
    return ((cells_ & ~left_) >> 1 | (cells_ & ~right_) << 1 | cells_ >> width | cells_ << width) &
           all;
  }

  // ---- Moves: first the flip of each cell, then, from each cell, one to each other cell of its
  // row and of its column.
  int move_count() const { return cells * (width + height - 1); }
  int move_of(int from, int to) const { return moves_[from * kMostCells + to]; }  // a flip: from
  int from_of(int move) const {
    return move < cells ? move : (move - cells) / (width + height - 2);
  }
  int to_of(int move) const;  // the cell itself for a flip

 private:
  DarkChessGeometry(int width_, int height_);

  Bits left_, right_;  // the outer columns
  std::array<std::int16_t, kMostCells * kMostCells> moves_{};
};

}  // namespace sparring
