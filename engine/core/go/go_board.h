// A board of Go: stones, their chains and liberties, captures, the simple-ko point. Turns, passes,
// superko and scores are in go.h.
//
// Points are those of points.h. Moves number the board itself, as in the network's policy: move =
// y * width + x.
#pragma once

#include <array>
#include <cstdint>

#include "go/points.h"

namespace sparring {

using Stone = std::uint8_t;  // the content of a point

constexpr Stone kEmpty = 0, kBlack = 1, kWhite = 2, kWall = 3;
constexpr int kMaxMoves = kMaxSize * kMaxSize + 1;

constexpr Stone opponent(Stone stone) { return static_cast<Stone>(3 - stone); }
constexpr Stone stone_of(int color) { return static_cast<Stone>(color + 1); }

// The subject of a hash key.
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

// The pseudo-random key of (kind, index), the same in every build; all hashes are made of them.
constexpr std::uint64_t hash_key(HashKind kind, std::uint64_t index) {
  std::uint64_t z = index + (static_cast<std::uint64_t>(kind) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// The changes of a play(), for undo().
struct PlayRecord {
  Point point = kNoPoint;
  Point ko_before = kNoPoint;
  Stone stone = kEmpty;
  std::uint8_t captured_sides = 0;  // bit i: the chain at kNeighbours[i] was captured
  bool suicide = false;
};

// The content of a board in few bytes, enough to rebuild it except for the captures.
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
  // The head of the chain at p; p must hold a stone.
  Point head(Point p) const { return heads_[p]; }
  // The next stone of p's chain, in a circle. The order is KataGo's, after undo() too, as its
  // ladder reader's choice between two captures depends on it.
  Point next(Point p) const { return next_[p]; }
  int liberties(Point p) const { return chains_[heads_[p]].liberties; }
  PointSet chain(Point p) const;
  int chain_size(Point p) const { return chains_[heads_[p]].size; }
  // Number of empty neighbours of p.
  int empty_neighbours(Point p) const;

  // The point forbidden to the next move by simple ko, or kNoPoint.
  Point ko_point() const { return ko_; }
  void clear_ko() { ko_ = kNoPoint; }
  // Captured stones of that color (0 Black, 1 White) since the setup, suicides included.
  int captured(int color) const { return captured_[color]; }
  const PointSet& points(Stone stone) const { return points_[stone]; }

  // Depends on the stones and the size alone.
  std::uint64_t hash() const { return hash_; }
  // The value of hash() after that stone on an empty point and its captures.
  std::uint64_t hash_after(Point p, Stone stone) const;

  // Whether that stone on the empty point p captures nothing and has no liberty.
  bool is_suicide(Point p, Stone stone) const;
  // Whether p is empty and not a forbidden suicide; the ko point does not matter here.
  bool is_playable(Point p, Stone stone, bool multi_stone_suicide) const;
  bool would_capture(Point p, Stone stone) const;
  // The single stone captured by a move at p in the shape of a ko, or kNoPoint.
  Point ko_capture(Point p, Stone stone) const;
  // Whether the chain at p and its adjacent empty regions exceed bound points. No sequence of about
  // bound moves then repeats the position before the move at p. For an empty p it tests the least
  // chain of a stone there; after a suicide, the region left behind.
  bool repetition_needs_more_than(int bound, Point p, Stone stone) const;

  // Plays on an empty point, removes chains without liberties, sets the ko point.
  PlayRecord play(Point p, Stone stone);
  // Takes back the latest play(); several in reverse order. The heads of chains may differ then.
  void undo(const PlayRecord& record);
  // Puts a stone, or takes one off (kEmpty), without captures; clears the ko point. For setups:
  // chains may have no liberties, see has_dead_chain().
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
