// Many self-play games side by side, with one evaluation of each in a batch. The caller evaluates
// the rows, as for a Tree, and takes the finished games.
//
//     while (!play.over()) {
//       rows = play.select(slot, spatial, global, capacity);
//       ... the network evaluates them ...
//       play.update(slot, outputs...);
//     }
//
// Each game has its own tree and its own generator: it is independent of the batches and of the
// other games. Not thread-safe; it never blocks, prints or reads a clock.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "selfplay/self_play_game.h"

namespace sparring {

template <Game G>
class SelfPlay {
 public:
  struct Span {
    int games;       // in all
    int at_once;     // side by side
    int first_game;  // the first number
  };

  // Throws std::invalid_argument on impossible settings or spans, or a start that is over.
  SelfPlay(const G& start, const SearchSettings& search, const SelfPlaySettings& play,
           const NetworkScales& scales, const Span& span, uint64_t seed);
  // The games refer to this object.
  SelfPlay(const SelfPlay&) = delete;
  SelfPlay& operator=(const SelfPlay&) = delete;

  const G& start() const { return rules_.start; }
  bool over() const { return finished_ == span_.games; }
  int finished() const { return finished_; }
  int64_t positions() const { return positions_; }  // rows of the finished games

  // Fills at most `capacity` rows with a position each, one a ready game, and returns their number;
  // 0 if no game is ready.
  int select(int slot, uint8_t* spatial, float* global, int capacity);
  // Takes row-major raw outputs of the slot's rows, in the order of select(). Throws
  // std::runtime_error for an output that is not finite; the slot is then abandoned.
  void update(int slot, const float* policy, const float* value, const float* misc,
              const float* ownership);
  // Empties a slot and makes its games ready again. Those without an evaluation ask for their rows
  // once more.
  void abandon(int slot);
  int rows_of(int slot) { return static_cast<int>(slot_at(slot).size()); }

  // The rows of the games finished since the last call.
  SelfPlayRows take();

 private:
  using Seat = std::unique_ptr<SelfPlayGame<G>>;

  std::vector<Seat>& slot_at(int slot) {
    if (static_cast<int>(slots_.size()) <= slot) slots_.resize(slot + 1);
    return slots_[slot];
  }

  SelfPlayRules<G> rules_;
  Span span_;
  int started_ = 0;
  int finished_ = 0;
  int64_t positions_ = 0;
  std::deque<Seat> ready_;                // without an open evaluation
  std::vector<std::vector<Seat>> slots_;  // with an open evaluation
  std::vector<GameRecord<G>> records_;    // not taken yet
};

}  // namespace sparring
