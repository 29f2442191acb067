// Symmetries of a board of cells. Bit 0 flips y, bit 1 flips x, bit 2 then transposes, as in
// KataGo.
#pragma once

namespace sparring {

// Rectangles that are not square keep their shape under the first four symmetries only.
inline int symmetry_count(int width, int height) { return width == height ? 8 : 4; }

// The symmetry that undoes `symmetry`.
inline int inverse_symmetry(int symmetry) {
  return symmetry == 5 ? 6 : symmetry == 6 ? 5 : symmetry;
}

// Where `cell` (y * width + x) lands when the board is turned by `symmetry`.
inline int symmetric_cell(int cell, int symmetry, int width, int height) {
  int x = cell % width;
  int y = cell / width;
  if (symmetry & 2) x = width - 1 - x;
  if (symmetry & 1) y = height - 1 - y;
  return symmetry & 4 ? x * height + y : y * width + x;
}

}  // namespace sparring
