// Symmetries of a board of cells. Bit 0 flips y, bit 1 flips x, bit 2 then transposes, as in
// KataGo.
#pragma once

namespace sparring {

// Rectangles that are not square keep their shape under the first four symmetries only.
inline int symmetry_count(int width, int height) { return width == height ? 8 : 4; }

// The positions of a board's cells after a symmetry. At symmetry s, output i of a network belongs
// to the cell (x, y) with index(x, y) == i.
class SymmetryMap {
 public:
  SymmetryMap(int width, int height, int symmetry) {
    const bool mirror_y = symmetry & 1, mirror_x = symmetry & 2, transpose = symmetry & 4;
    x_step_ = transpose ? height : 1;
    y_step_ = transpose ? 1 : width;
    origin_ = (mirror_x ? (width - 1) * x_step_ : 0) + (mirror_y ? (height - 1) * y_step_ : 0);
    if (mirror_x) x_step_ = -x_step_;
    if (mirror_y) y_step_ = -y_step_;
  }

  int index(int x, int y) const { return origin_ + x * x_step_ + y * y_step_; }

 private:
  int origin_, x_step_, y_step_;
};

// The same for one cell, numbered y * width + x.
inline int symmetric_cell(int cell, int symmetry, int width, int height) {
  return SymmetryMap(width, height, symmetry).index(cell % width, cell / width);
}

}  // namespace sparring
