// Between what a score is known to lie, both included.
#pragma once

namespace sparring {

struct ScoreBounds {
  int low;
  int high;

  bool exact() const { return low == high; }
};

// Color 0's bounds as `color` sees them, and the other way round.
inline ScoreBounds turned(const ScoreBounds& bounds, int color) {
  return color == 0 ? bounds : ScoreBounds{-bounds.high, -bounds.low};
}

}  // namespace sparring
