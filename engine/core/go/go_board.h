// A board of Go: stones, their chains and liberties, captures, the simple-ko point. It knows no
// turns, passes, superko or scores: those are go.h's.
//
// Points are points.h's. Moves number the board itself, as the network's policy does: move = y *
// width + x.
#pragma once

#include <array>
#include <cstdint>

#include "go/points.h"

namespace sparring {

using Stone = std::uint8_t;  // what is on a point

constexpr Stone kEmpty = 0, kBlack = 1, kWhite = 2, kWall = 3;
constexpr int kMaxMoves = kMaxSize * kMaxSize + 1;

constexpr Stone opponent(Stone stone) { return static_cast<Stone>(3 - stone); }
constexpr Stone stone_of(int color) { return static_cast<Stone>(color + 1); }

// What a hash key stands for.
enum class HashKind : std::uint32_t {
  size,
  black_stone,
  white_stone,
  player,
  phase,
  ko,
  recapture_block,
  second_encore,
  rules,
  komi,
  state,
  passes,
  recent_move,
  recent_board,
  path
};

// The pseudo-random key of (kind, index), the same in every build: the material of every hash.
constexpr std::uint64_t hash_key(HashKind kind, std::uint64_t index) {
  std::uint64_t z = index + (static_cast<std::uint64_t>(kind) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// What play() changed, enough to take it back.
struct PlayRecord {
  Point point = kNoPoint;
  Point ko_before = kNoPoint;
  Stone stone = kEmpty;
  std::uint8_t captured_sides = 0;  // bit i: the chain at kNeighbours[i] was captured
  bool suicide = false;
};

// What stands on a board, in few bytes: enough to build the board again, but for its captures.
struct BoardSnapshot {
  std::int16_t width, height;
  Point ko;
  std::uint64_t hash;
  std::array<PointSet, 2> stones;  // by color
};

class GoBoard {
 public:
  // Sizes must be kMinSize..kMaxSize.
  GoBoard(int width, int height);
  explicit GoBoard(const BoardSnapshot& snapshot);
  BoardSnapshot snapshot() const { return {width_, height_, ko_, hash_, {points_[1], points_[2]}}; }

  int width() const { return width_; }
  int height() const { return height_; }
  int area() const { return width_ * height_; }
  Point point_at(int x, int y) const { return static_cast<Point>((y + 1) * kStride + x + 1); }
  Point point_of(int move) const { return point_at(move % width_, move / width_); }
  static int x_of(Point p) { return p % kStride - 1; }
  static int y_of(Point p) { return p / kStride - 1; }
  int move_of(Point p) const { return y_of(p) * width_ + x_of(p); }

  Stone at(Point p) const { return stones_[p]; }
  // Of the chain at p, where a stone must stand.
  Point head(Point p) const { return heads_[p]; }
  // The next stone of p's chain, around in a circle. In KataGo's order, after undo() too: which of
  // two captures its ladder reader trusts depends on it.
  Point next(Point p) const { return next_[p]; }
  int liberties(Point p) const { return chains_[heads_[p]].liberties; }
  PointSet chain(Point p) const;
  int chain_size(Point p) const { return chains_[heads_[p]].size; }
  // Number of empty neighbours of p.
  int empty_neighbours(Point p) const;

  // Where a simple ko forbids the next move, or kNoPoint.
  Point ko_point() const { return ko_; }
  void clear_ko() { ko_ = kNoPoint; }
  // Stones of that color (0 Black, 1 White) captured since the board was set up, suicides included.
  int captured(int color) const { return captured_[color]; }
  const PointSet& points(Stone stone) const { return points_[stone]; }

  // Depends on the stones and the size alone.
  std::uint64_t hash() const { return hash_; }
  // What hash() would be after that stone on an empty point and its captures.
  std::uint64_t hash_after(Point p, Stone stone) const;

  // Whether that stone on the empty point p would have no liberty (it captures nothing).
  bool is_suicide(Point p, Stone stone) const;
  // Whether p is empty and not a forbidden suicide; the ko point does not matter here.
  bool is_playable(Point p, Stone stone, bool multi_stone_suicide) const;
  bool would_capture(Point p, Stone stone) const;
  // The single stone that a move at p would take in the shape of a ko, or kNoPoint.
  Point ko_capture(Point p, Stone stone) const;
  // Whether the chain at p and the empty regions it touches exceed bound points: then no move
  // sequence of about bound moves brings back the position before p was played. For an empty p the
  // same of what a stone there would at least belong to; after a suicide, of the region it left.
  bool repetition_needs_more_than(int bound, Point p, Stone stone) const;

  // Plays on an empty point, removes what has no liberty, sets the ko point.
  PlayRecord play(Point p, Stone stone);
  // Takes back the latest play(); several in reverse order. Chains may come back with other heads.
  void undo(const PlayRecord& record);
  // Puts a stone, or takes one off (kEmpty), with no captures; clears the ko point. For setting up:
  // chains may be left without liberties, see has_dead_chain().
  void set(Point p, Stone stone);
  bool has_dead_chain() const;

 private:
  struct Chain {  // valid at a chain's head only
    std::int16_t size;
    std::int16_t liberties;
  };

  void put(Point p, Stone stone);
  void place(Point p, Stone stone);
  void merge(Point a, Point b);
  int remove_chain(Point p);
  void restore_chain(Point p, Stone stone);
  void lift(Point p);
  void leave_chain(Point p);
  PointSet build_chain(Point p);
  Point link_stones(Point p, Point head, Point previous, PointSet& chain);
  void rebuild();
  void change_neighbour_liberties(Point p, Stone stone, int delta);
  bool is_liberty_of(Point p, Point head) const;

  std::uint64_t hash_ = 0;
  std::array<std::int32_t, 2> captured_{};
  std::int16_t width_, height_;
  Point ko_ = kNoPoint;
  std::array<PointSet, 3> points_;  // by what is on them: empty, Black, White
  std::array<Stone, kPoints> stones_;
  std::array<Point, kPoints> heads_;
  std::array<Point, kPoints> next_;
  std::array<Chain, kPoints> chains_;
};

}  // namespace sparring
