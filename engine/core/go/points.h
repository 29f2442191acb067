// Points of the padded Go board, and sets of them as bits: regions grow, intersect and are searched
// a word at a time. It knows no stones.
//
// Points number a padded board with rows of 20: neighbours are at fixed distances and every edge is
// a wall:
//
//     point = (y + 1) * 20 + (x + 1)      y = 0 is the top row, x = 0 is column A
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace sparring {

using Point = std::int16_t;

constexpr int kMinSize = 2, kMaxSize = 19;
constexpr int kStride = kMaxSize + 1;
constexpr int kPoints = kStride * (kMaxSize + 2) + 1;
constexpr Point kNoPoint = 0;  // a wall, never a real point
constexpr std::array<Point, 4> kNeighbours = {-kStride, -1, 1, kStride};
constexpr std::array<Point, 4> kDiagonals = {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1};

// A set of points, one bit each.
class PointSet {
 public:
  bool contains(Point p) const { return words_[p >> 6] >> (p & 63) & 1; }
  void insert(Point p) { words_[p >> 6] |= std::uint64_t{1} << (p & 63); }
  void erase(Point p) { words_[p >> 6] &= ~(std::uint64_t{1} << (p & 63)); }
  void clear() { words_ = {}; }
  bool operator==(const PointSet&) const = default;

  bool empty() const {
    std::uint64_t any = 0;
    for (std::uint64_t word : words_) any |= word;
    return any == 0;
  }

  int size() const {
    int count = 0;
    for (std::uint64_t word : words_) count += std::popcount(word);
    return count;
  }

  // The lowest point, kNoPoint of an empty set.
  Point first() const {
    for (int i = 0; i < kWords; ++i)
      if (words_[i] != 0) return static_cast<Point>(i * 64 + std::countr_zero(words_[i]));
    return kNoPoint;
  }

  // Calls visit(point) in rising order.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (int i = 0; i < kWords; ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        visit(static_cast<Point>(i * 64 + std::countr_zero(rest)));
  }

  // Calls visit(part) for every connected part of the set.
  template <typename Visit>
  void for_each_part(Visit visit) const {
    PointSet rest = *this;
    while (!rest.empty()) {
      PointSet seed;
      seed.insert(rest.first());
      const PointSet part = seed.spread(rest);
      visit(part);
      rest = rest - part;
    }
  }

  // The points of `within` next to a point of this set.
  PointSet neighbours(const PointSet& within) const {
    PointSet out;
    for (int i = 0; i < kWords; ++i) {
      const std::uint64_t word = words_[i];
      const std::uint64_t lower = i > 0 ? words_[i - 1] : 0;
      const std::uint64_t upper = i + 1 < kWords ? words_[i + 1] : 0;
      out.words_[i] = (word << 1 | lower >> 63 | word >> 1 | upper << 63 | word << kStride |
                       lower >> (64 - kStride) | word >> kStride | upper << (64 - kStride)) &
                      within.words_[i];
    }
    return out;
  }

  // The connected parts of `within` with a point of this set.
  PointSet spread(const PointSet& within) const {
    PointSet reached = *this & within;
    while (true) {
      const PointSet wider = reached | reached.neighbours(within);
      if (wider == reached) return reached;
      reached = wider;
    }
  }

  friend PointSet operator&(PointSet a, const PointSet& b) {
    for (int i = 0; i < kWords; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend PointSet operator|(PointSet a, const PointSet& b) {
    for (int i = 0; i < kWords; ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  // The points of a outside b.
  friend PointSet operator-(PointSet a, const PointSet& b) {
    for (int i = 0; i < kWords; ++i) a.words_[i] &= ~b.words_[i];
    return a;
  }

 private:
  static constexpr int kWords = (kPoints + 63) / 64;
  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace sparring
