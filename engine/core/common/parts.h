// Divisions of a number of things.
#pragma once

namespace sparring {

// `count` rounded up to a multiple of `step`.
constexpr int rounded_up(int count, int step) { return (count + step - 1) / step * step; }

// Calls work(first, count) for as few parts of at most `most` things as there can be, all of nearly
// the same size: a small last part would cost as much as a larger one.
template <typename Work>
inline void for_parts(int all, int most, const Work& work) {
  for (int parts = (all + most - 1) / most, first = 0; parts > 0; --parts) {
    const int count = (all - first + parts - 1) / parts;
    work(first, count);
    first += count;
  }
}

}  // namespace sparring
