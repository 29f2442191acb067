#include "darkchess/geometry.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace sparring {

const DarkChessGeometry& DarkChessGeometry::of(int width, int height) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, std::unique_ptr<DarkChessGeometry>> made;
  const std::lock_guard lock(mutex);
  std::unique_ptr<DarkChessGeometry>& geometry = made[{width, height}];
  if (!geometry) geometry.reset(new DarkChessGeometry(width, height));
  return *geometry;
}

DarkChessGeometry::DarkChessGeometry(int width_, int height_)
    : width(width_), height(height_), cells(width_ * height_) {
  all = cells == 32 ? ~Bits{0} : (Bits{1} << cells) - 1;
  left_ = right_ = 0;
  const auto inside = [&](int x, int y) { return x >= 0 && x < width && y >= 0 && y < height; };
  const auto bit = [&](int x, int y) { return Bits{1} << (y * width + x); };
  for (int y = 0; y < height; ++y) {
    left_ |= bit(0, y);
    right_ |= bit(width - 1, y);
  }
  constexpr int kSteps[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
  moves_.fill(-1);
  for (int cell = 0; cell < cells; ++cell) {
    const int x = cell % width, y = cell / width;
    for (int direction = 0; direction < 4; ++direction) {
      const auto [dx, dy] = kSteps[direction];
      if (inside(x + dx, y + dy)) neighbours[cell] |= bit(x + dx, y + dy);
      for (int far = 1; inside(x + far * dx, y + far * dy); ++far)
        rays[cell][direction] |= bit(x + far * dx, y + far * dy);
    }
    for (const int dx : {-1, 1})
      for (const int dy : {-1, 1})
        if (inside(x + dx, y + dy)) diagonals[cell] |= bit(x + dx, y + dy);
    moves_[cell * kMostCells + cell] = static_cast<std::int16_t>(cell);
  }
  for (int move = cells; move < move_count(); ++move)
    moves_[from_of(move) * kMostCells + to_of(move)] = static_cast<std::int16_t>(move);
}

int DarkChessGeometry::to_of(int move) const {
  if (move < cells) return move;
  const int from = from_of(move), x = from % width, y = from / width;
  const int index = (move - cells) % (width + height - 2);
  if (index < width - 1) return y * width + index + (index >= x);
  const int row = index - (width - 1);
  return (row + (row >= y)) * width + x;
}

}  // namespace sparring
