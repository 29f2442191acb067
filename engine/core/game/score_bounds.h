// Proven bounds of a score, both included.
#pragma once

namespace sparring {

struct ScoreBounds {
  int low;
  int high;

  bool exact() const { return low == high; }
};

// Converts bounds between the views of color 0 and of `color`.
inline ScoreBounds turned(const ScoreBounds& bounds, int color) {
  return color == 0 ? bounds : ScoreBounds{-bounds.high, -bounds.low};
}

}  // namespace sparring
